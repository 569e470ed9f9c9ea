//===- Mark.cpp - What can only be seen before inlining ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "Expr.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

namespace {

/// What the program's own code can see of a launch's shape.
struct Observed {
  bool Teams = false, Threads = false;
  bool all() const { return Teams && Threads; }
  void operator|=(Observed O) { Teams |= O.Teams, Threads |= O.Threads; }
};

Observed both(bool Seen) { return {Seen, Seen}; }

bool startsWithOneOf(StringRef Name, std::initializer_list<StringRef> Beginnings) {
  return any_of(Beginnings, [&](StringRef B) { return Name.starts_with(B); });
}

bool isDeviceRuntime(StringRef Name) { return startsWithOneOf(Name, {"__kmpc_", "_ZN4ompx", "omp_"}); }

// Functions of OpenMP's API that say nothing about teams or threads.
bool isHarmless(StringRef Name) {
  return startsWithOneOf(Name, {"omp_get_wti", "omp_is_initial_device", "omp_get_device_num", "omp_get_num_devices",
                                "omp_get_default_device", "omp_get_initial_device"});
}

Observed seenByCall(StringRef Name) {
  if (Name == "omp_get_num_teams" || Name == "omp_get_team_num" || startsWithOneOf(Name, {"ompx_block_id", "ompx_grid_dim"}))
    return {true, false};
  return {false, startsWithOneOf(Name, {"omp_", "ompx_"}) && !isHarmless(Name)};
}

// CUDA-like code of the program itself.
Observed seenByRegister(const Instruction &I) {
  const char *R = specialRegister(&I);
  if (R)
    return {StringRef(R).starts_with("team"), !StringRef(R).starts_with("team")};
  const auto *C = dyn_cast<CallBase>(&I);
  const auto *Assembly = C ? dyn_cast<InlineAsm>(C->getCalledOperand()) : nullptr;
  if (!Assembly)
    return {};
  StringRef Text = Assembly->getAsmString();
  return {Text.contains("ctaid"), Text.contains("tid") || Text.contains("laneid") || Text.contains("warp") || Text.contains("bar")};
}

/// Whether code of the program (not of the device runtime) reachable from F asks for the number or index of teams or threads.
Observed observes(Function &F) {
  SmallVector<Function *, 8> Work{&F};
  SmallPtrSet<Function *, 16> Seen;
  Observed O;
  while (!Work.empty() && !O.all()) {
    Function *Next = Work.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    for (Instruction &I : instructions(*Next)) {
      O |= seenByRegister(I);
      if (auto *C = dyn_cast<CallBase>(&I); C && C->isIndirectCall())
        O |= both(true);
      for (Value *Operand : I.operands()) {
        auto *Callee = dyn_cast<Function>(Operand->stripPointerCasts());
        if (!Callee || Callee->isIntrinsic())
          continue;
        O |= seenByCall(Callee->getName());
        if (!isDeviceRuntime(Callee->getName()))
          Work.push_back(Callee);
      }
    }
  }
  return O;
}

/// Whether an instruction may do something that another thread, or the host, can see.
bool hasVisibleEffect(const Instruction &I) {
  if (const auto *S = dyn_cast<StoreInst>(&I))
    return !isa<AllocaInst>(getUnderlyingObject(S->getPointerOperand()));
  const auto *C = dyn_cast<CallBase>(&I);
  if (!C)
    return I.mayWriteToMemory();
  if (const auto *Memory = dyn_cast<AnyMemIntrinsic>(C))
    return !isa<AllocaInst>(getUnderlyingObject(Memory->getRawDest()));
  if (const auto *II = dyn_cast<IntrinsicInst>(C))
    return II->mayWriteToMemory() && !II->isAssumeLikeIntrinsic();
  const Function *Callee = C->getCalledFunction();
  return !Callee || (!Callee->getName().starts_with("__kmpc_") && !C->onlyReadsMemory());
}

/// Whether all that a parallel region does stands in its worksharing loop: then each of it is done once, by whatever number of
/// threads. What stands beside it is done by each thread.
bool sharesAllWork(Function &Outlined) {
  bool Shares = false;
  DominatorTree DT(Outlined);
  LoopInfo LI(DT);
  for (Instruction &I : instructions(Outlined)) {
    if (const auto *C = dyn_cast<CallBase>(&I))
      if (const Function *F = C->getCalledFunction())
        Shares |= startsWithOneOf(F->getName(), {"__kmpc_for_static_init", "__kmpc_dispatch_init"});
    if (hasVisibleEffect(I) && !LI.getLoopFor(I.getParent()))
      return false;
  }
  return Shares;
}

/// Whether every parallel region that the module starts shares all of its work. (Which kernel starts it is not asked.)
bool allParallelRegionsShareWork(Module &M) {
  enum { Outlined = 5 };
  const Function *Parallel = M.getFunction("__kmpc_parallel_51");
  if (!Parallel)
    return true;
  return all_of(Parallel->users(), [](const User *U) {
    const auto *C = dyn_cast<CallBase>(U);
    auto *F = C ? dyn_cast<Function>(C->getArgOperand(Outlined)->stripPointerCasts()) : nullptr;
    return F && !F->isDeclaration() && sharesAllWork(*F);
  });
}

} // namespace

PreservedAnalyses MarkKernelsPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isDeviceModule(M))
    return PreservedAnalyses::all();
  bool Shared = allParallelRegionsShareWork(M);
  for (Function *F : offloadKernels(M)) {
    Observed O = observes(*F);
    F->addFnAttr("place-teams", O.Teams ? "observed" : "open");
    F->addFnAttr("place-threads", O.Threads || !Shared ? "observed" : "open");
  }
  return PreservedAnalyses::all();
}

} // namespace place
