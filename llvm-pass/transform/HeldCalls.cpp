//===- HeldCalls.cpp - Functions of libdevice that stay calls for a while -===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HeldCalls.h"
#include "Reach.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace place {

static const char HeldAttribute[] = "place-held";

void holdBack(Function &F) {
  F.removeFnAttr(Attribute::AlwaysInline);
  F.removeFnAttr(Attribute::Convergent);
  F.addFnAttr(Attribute::NoInline);
  F.addFnAttr(Attribute::NoUnwind);
  F.addFnAttr(Attribute::WillReturn);
  F.addFnAttr(HeldAttribute);
  F.setMemoryEffects(MemoryEffects::none());
  F.setLinkage(GlobalValue::InternalLinkage);
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      Call->removeFnAttr(Attribute::Convergent);
}

/// A function of libdevice from numbers to a number, large enough to be worth finding twice. All such functions are pure: what they read are
/// tables.
static bool isWorthHolding(const Function &F) {
  const unsigned Least = 24;
  auto IsNumber = [](const Type *T) { return T->isFloatingPointTy() || T->isIntegerTy(); };
  return F.getName().starts_with("__nv_") && !F.isDeclaration() && IsNumber(F.getReturnType()) &&
         all_of(F.args(), [&](const Argument &A) { return IsNumber(A.getType()); }) && F.getInstructionCount() >= Least;
}

/// What is alike in two expressions of one function as the front end made it: operations, constants, variables.
static hash_code likeness(const Value &V, unsigned Depth) {
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || isa<AllocaInst>(I) || isa<PHINode>(I) || !Depth)
    return hash_value(&V);
  hash_code Hash = hash_combine(I->getOpcode(), I->getType());
  if (const auto *Compare = dyn_cast<CmpInst>(I))
    Hash = hash_combine(Hash, Compare->getPredicate());
  for (const Value *Operand : I->operands())
    Hash = hash_combine(Hash, likeness(*Operand, Depth - 1));
  return Hash;
}

/// The function that a call ends up in: clang's headers have one around each of libdevice's.
static const Function *calledBy(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || Callee->getName().starts_with("__nv_") || !Callee->hasFnAttribute(Attribute::AlwaysInline))
    return Callee;
  const Function *Only = nullptr;
  for (const Instruction &I : instructions(*Callee)) {
    const auto *Inner = dyn_cast<CallBase>(&I);
    if (!Inner || isa<IntrinsicInst>(Inner))
      continue;
    if (Only || !Inner->getCalledFunction())
      return Callee;
    Only = Inner->getCalledFunction();
  }
  return Only ? Only : Callee;
}

namespace {

/// What a function calls of libdevice that is worth holding.
struct LargeCalls {
  unsigned All = 0;
  SmallVector<Function *, 4> Repeated; // what seems to be called with a value that another call of it has; for each such call
};

} // namespace

static LargeCalls largeCallsIn(const Function &F) {
  const unsigned MostDepth = 16;
  DenseSet<uint64_t> Seen;
  LargeCalls Calls;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? calledBy(*Call) : nullptr;
    if (!Callee || !isWorthHolding(*Callee))
      continue;
    hash_code Hash = hash_value(Callee);
    for (const Value *A : Call->args())
      Hash = hash_combine(Hash, likeness(*A, MostDepth));
    ++Calls.All;
    if (!Seen.insert(size_t(Hash)).second)
      Calls.Repeated.push_back(const_cast<Function *>(Callee));
  }
  return Calls;
}

bool repeatsCalls(const Function &Kernel) {
  const size_t OfFive = 2;
  size_t All = 0, Repeated = 0;
  for (const Function *F : programFunctions(const_cast<Function &>(Kernel))) {
    LargeCalls Calls = largeCallsIn(*F);
    All += Calls.All, Repeated += Calls.Repeated.size();
  }
  return Repeated && 5 * Repeated >= OfFive * All;
}

bool holdRepeatedCalls(Module &One) {
  SmallPtrSet<Function *, 8> Held;
  for (const Function &F : One)
    for (Function *Repeated : largeCallsIn(F).Repeated)
      if (Held.insert(Repeated).second)
        holdBack(*Repeated);
  return !Held.empty();
}

namespace {

struct ReleasePass : PassInfoMixin<ReleasePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    for (Function &F : M)
      if (F.hasFnAttribute(HeldAttribute)) {
        F.removeFnAttr(HeldAttribute);
        F.removeFnAttr(Attribute::NoInline);
        F.addFnAttr(Attribute::AlwaysInline);
      }
    return PreservedAnalyses::none();
  }
};

} // namespace

void registerRelease(PassBuilder &PB) {
  PB.registerOptimizerEarlyEPCallback([](ModulePassManager &MPM, OptimizationLevel) {
    MPM.addPass(ReleasePass());
    MPM.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
    FunctionPassManager FPM;
    FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
    FPM.addPass(EarlyCSEPass());
    FPM.addPass(InstCombinePass());
    FPM.addPass(SimplifyCFGPass());
    MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  });
}

} // namespace place
