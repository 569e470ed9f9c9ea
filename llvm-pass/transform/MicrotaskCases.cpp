//===- MicrotaskCases.cpp - Numbers of arguments that no region has --------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MicrotaskCases.h"
#include "DeviceRuntime.h"
#include "Kernel.h"
#include "Reach.h"
#include "RuntimeCall.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace place {

namespace {

using Numbers = SmallSet<uint64_t, 8>;

bool mayBegin(const Function &F, const Function &Parallel) {
  return any_of(reachedFrom(F, isOfProgram), [&](const GlobalValue *G) {
    const auto *Reached = dyn_cast<Function>(G);
    return Reached == &Parallel || (Reached && isOfProgram(*Reached) && any_of(instructions(*Reached), callsThroughPointer));
  });
}

/// Whether the region may begin another. Parallel then calls itself, once openmp-opt knows what it calls, and stays a function.
bool nests(const CallBase &Region, const Function &Parallel) {
  const auto *Outlined = dyn_cast<Function>(Region.getArgOperand(parallel_51::Outlined)->stripPointerCasts());
  return !Outlined || mayBegin(*Outlined, Parallel);
}

/// How many arguments the calls of Parallel pass; nothing if that is not known of all, or if calls may stay.
std::optional<Numbers> numbersPassed(const Function &Parallel) {
  Numbers Passed;
  if (!Parallel.hasLocalLinkage())
    return std::nullopt;
  for (const Use &U : Parallel.uses()) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    const auto *Number = Call && Call->isCallee(&U) ? dyn_cast<ConstantInt>(Call->getArgOperand(parallel_51::Count)) : nullptr;
    if (!Number || nests(*Call, Parallel))
      return std::nullopt;
    Passed.insert(Number->getZExtValue());
  }
  return Passed;
}

bool dropCases(SwitchInst &Switch, const Numbers &Passed) {
  SwitchInstProfUpdateWrapper Cases(Switch);
  bool Changed = false;
  for (auto Case = Switch.case_begin(); Case != Switch.case_end();)
    if (Passed.contains(Case->getCaseValue()->getZExtValue())) {
      ++Case;
    } else {
      Case->getCaseSuccessor()->removePredecessor(Switch.getParent());
      Case = Cases.removeCase(Case);
      Changed = true;
    }
  return Changed;
}

bool dropCases(Module &M) {
  Function *Parallel = M.getFunction("__kmpc_parallel_51");
  if (!Parallel || Parallel->isDeclaration() || !Parallel->hasFnAttribute(Attribute::AlwaysInline) ||
      Parallel->arg_size() <= parallel_51::Count)
    return false;
  std::optional<Numbers> Passed = numbersPassed(*Parallel);
  if (!Passed)
    return false;
  bool Changed = false;
  for (User *U : Parallel->getArg(parallel_51::Count)->users())
    if (auto *Switch = dyn_cast<SwitchInst>(U))
      Changed |= dropCases(*Switch, *Passed);
  return Changed && removeUnreachableBlocks(*Parallel);
}

} // namespace

PreservedAnalyses MicrotaskCasesPass::run(Module &M, ModuleAnalysisManager &) {
  return isDeviceModule(M) && dropCases(M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace place
