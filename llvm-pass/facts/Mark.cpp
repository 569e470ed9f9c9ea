//===- Mark.cpp - What can only be seen before inlining ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Mark.h"
#include "Confined.h"
#include "DeviceRuntime.h"
#include "Expr.h"
#include "Kernel.h"
#include "Obstacle.h"
#include "Reach.h"
#include "RuntimeCall.h"
#include "Source.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include <utility>

using namespace llvm;
using namespace llvm::PatternMatch;

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

// OpenMP has no other beginnings of functions for device code: what is called otherwise is a program's own, whatever it looks at.
bool isOpenMPs(StringRef Name) {
  return startsWithOneOf(Name, {"omp_get_", "omp_set_", "omp_in_", "omp_is_", "omp_init_", "omp_destroy_", "omp_test_", "omp_unset_",
                                "omp_fulfill_", "ompx_"});
}

// Those that say nothing about teams or threads.
bool isHarmless(StringRef Name) {
  return startsWithOneOf(Name, {"omp_get_wti", "omp_is_initial_device", "omp_get_device_num", "omp_get_num_devices",
                                "omp_get_default_device", "omp_get_initial_device"});
}

Observed seenByCall(StringRef Name) {
  if (Name == "omp_get_num_teams" || Name == "omp_get_team_num" || startsWithOneOf(Name, {"ompx_block_id", "ompx_grid_dim"}))
    return {true, false};
  if (!isOfRuntime(Name) || Name.starts_with("__kmpc_") || isHarmless(Name))
    return {};
  return {!isOpenMPs(Name), true}; // others: ompx.h's C++ functions, each with one of OpenMP's in it
}

bool mayLook(const Function &Callee) { return isOfAnotherFile(Callee) && !Callee.doesNotAccessMemory(); }

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

/// Whether that code asks for the number or index of teams or threads.
Observed observes(Function &Kernel) {
  Observed O;
  for (Function *F : programFunctions(Kernel))
    for (Instruction &I : instructions(*F)) {
      O |= seenByRegister(I);
      if (auto *C = dyn_cast<CallBase>(&I); C && C->isIndirectCall())
        O |= both(true);
      for (Value *Operand : I.operands())
        if (auto *Callee = dyn_cast<Function>(Operand->stripPointerCasts()); Callee && !Callee->isIntrinsic())
          O |= mayLook(*Callee) ? both(true) : seenByCall(Callee->getName());
    }
  return O;
}

} // namespace

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
  // How many private copies a reduction has, each set to its neutral value, is the implementation's choice.
  const Function *Callee = C->getCalledFunction();
  if (!Callee)
    return true;
  bool Initialises = startsWithOneOf(Callee->getName(), {"_omp_initializer$", ".omp_initializer."});
  return !isOfRuntime(Callee->getName()) && !Initialises && !C->onlyReadsMemory() && !writesOwnVariablesAlone(*C);
}

namespace {

/// Whether a block is for the thread alone that the device runtime has given the team's result of a reduction.
bool isForCombiner(const BasicBlock *BB, const DominatorTree &DT) {
  for (const DomTreeNode *N = DT.getNode(BB); N && N->getIDom(); N = N->getIDom()) {
    const BasicBlock *From = N->getIDom()->getBlock();
    const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    ICmpInst::Predicate Predicate;
    Value *Said = nullptr;
    if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) != N->getBlock() ||
        !match(Branch->getCondition(), m_ICmp(Predicate, m_Value(Said), m_One())) || Predicate != ICmpInst::ICMP_EQ)
      continue;
    if (const auto *C = dyn_cast<CallBase>(Said); C && isCallOf(*C, parallel_reduce::Name))
      return N->getBlock()->getSinglePredecessor() != nullptr;
  }
  return false;
}

/// Whether all that a parallel region does stands in its worksharing loop: then each of it is done once, by whatever number of
/// threads. What stands beside it is done by each thread.
bool sharesAllWork(Function &Outlined) {
  bool Shares = false;
  DominatorTree DT(Outlined);
  LoopInfo LI(DT);
  for (Instruction &I : instructions(Outlined)) {
    if (const Function *F = calledFunction(I))
      Shares |= startsWithOneOf(F->getName(), {"__kmpc_for_static_init", "__kmpc_dispatch_init"});
    if (hasVisibleEffect(I) && !LI.getLoopFor(I.getParent()) && !isForCombiner(I.getParent(), DT))
      return false;
  }
  return Shares;
}

/// Whether every parallel region that code reachable from the kernel starts shares all of its work.
bool allParallelRegionsShareWork(Function &Kernel) {
  return all_of(programFunctions(Kernel), [](Function *F) {
    return all_of(instructions(*F), [](Instruction &I) {
      if (!isCallOf(I, "__kmpc_parallel_51"))
        return true;
      auto *Region = dyn_cast<Function>(cast<CallBase>(I).getArgOperand(parallel_51::Outlined)->stripPointerCasts());
      return Region && !Region->isDeclaration() && sharesAllWork(*Region);
    });
  });
}

/// Whether a call of the runtime belongs to sharing iterations out by a static schedule, or says nothing to other threads.
bool isOfStaticLoop(StringRef Name) {
  return startsWithOneOf(Name, {"__kmpc_target_init", "__kmpc_target_deinit", "__kmpc_distribute_static_", "__kmpc_for_static_",
                                "__kmpc_parallel_51", "__kmpc_global_thread_num", "__kmpc_get_hardware_num_", "omp_get_"});
}

/// Whether all that a kernel does stands in one loop whose iterations are shared out among teams, and each team's among its threads.
bool isOneSharedLoop(Function &Kernel) {
  const CallBase *Region = nullptr, *Distribute = nullptr;
  for (Function *F : programFunctions(Kernel))
    for (Instruction &I : instructions(*F)) {
      const auto *C = dyn_cast<CallBase>(&I);
      const Function *Callee = calledFunction(I);
      if (C && (C->isIndirectCall() || (Callee && isOfRuntime(Callee->getName()) && !isOfStaticLoop(Callee->getName()))))
        return false;
      if (isa<IntrinsicInst>(I) && C->isConvergent()) // the program's own barrier
        return false;
      const CallBase **One = isCallOf(I, "__kmpc_parallel_51") ? &Region : isDistribute(I) ? &Distribute : nullptr;
      if (One && std::exchange(*One, C))
        return false;
    }
  if (!Region || !Distribute || !beginsForChunk(*Region, *Distribute))
    return false;
  const Function *Team = Region->getFunction(); // what teams do is a function of its own, or the kernel
  auto Acts = [&](const Instruction &I) { return calledFunction(I) != Team && hasVisibleEffect(I); };
  return (Team == &Kernel || Team->hasOneUse()) && none_of(instructions(*Team), Acts) && none_of(instructions(Kernel), Acts);
}

/// What clang has made for ends of reductions, which the runtime calls.
SmallPtrSet<const Function *, 8> functionsOfReductions(ArrayRef<Function *> Functions) {
  SmallPtrSet<const Function *, 8> Found;
  for (Function *F : Functions)
    for (Instruction &I : instructions(*F))
      if (isCallOf(I, teams_reduce::Name) || isCallOf(I, parallel_reduce::Name))
        for (Value *Operand : cast<CallBase>(I).args())
          if (const auto *Made = dyn_cast<Function>(Operand->stripPointerCasts()))
            Found.insert(Made);
  return Found;
}

/// Whether a kernel has one loop with a static schedule, of one level, and calls nothing of the runtime's that ties threads or teams
/// together, unless that is a barrier or the end of a reduction: where one stands is seen to later.
bool sharesOneLevel(Function &Kernel) {
  unsigned Regions = 0, Distributed = 0, Shared = 0;
  SetVector<Function *> Functions = programFunctions(Kernel);
  SmallPtrSet<const Function *, 8> OfReduction = functionsOfReductions(Functions.getArrayRef());
  for (Function *F : Functions) {
    if (OfReduction.contains(F))
      continue;
    for (Instruction &I : instructions(*F)) {
      const auto *C = dyn_cast<CallBase>(&I);
      const Function *Callee = calledFunction(I);
      if (!C)
        continue;
      bool OfRuntime = Callee && isOfRuntime(Callee->getName());
      bool Harmless = OfRuntime && startsWithOneOf(Callee->getName(), {"__kmpc_alloc_shared", "__kmpc_free_shared", "__kmpc_barrier",
                                                                      "__kmpc_reduction_get_fixed_buffer", teams_reduce::Name,
                                                                      parallel_reduce::Name});
      if (C->isIndirectCall() || (OfRuntime && !isOfStaticLoop(Callee->getName()) && !Harmless))
        return false;
      if (isa<IntrinsicInst>(C) && C->isConvergent()) // the program's own barrier
        return false;
      Regions += isCallOf(I, "__kmpc_parallel_51");
      Distributed += isDistribute(I);
      Shared += isForStatic(I);
    }
  }
  return Distributed + Shared == 1 && Regions == Shared;
}

const char TeamsAttribute[] = "place-teams", ThreadsAttribute[] = "place-threads"; // "observed" or "open"
const char OneLoopAttribute[] = "place-one-loop", OneLevelAttribute[] = "place-one-level";

} // namespace

bool hasOneSharedLoop(const Function &Kernel) { return Kernel.hasFnAttribute(OneLoopAttribute); }

bool hasLoopOfOneLevel(const Function &Kernel) { return Kernel.hasFnAttribute(OneLevelAttribute); }

bool hasOpenTeams(const Function &Kernel) { return Kernel.getFnAttribute(TeamsAttribute).getValueAsString() == "open"; }
bool hasOpenThreads(const Function &Kernel) { return Kernel.getFnAttribute(ThreadsAttribute).getValueAsString() == "open"; }

PreservedAnalyses MarkKernelsPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isDeviceModule(M))
    return PreservedAnalyses::all();
  for (Function *F : offloadKernels(M)) {
    const SourceRegion *Source = sourceRegistry().find(F->getName(), F->arg_size() - 1);
    Observed O = Source && Source->Asked.KeepThreads ? both(true) : observes(*F);
    noteObstacle(*F);
    F->addFnAttr(TeamsAttribute, O.Teams ? "observed" : "open");
    bool SharesWork = allParallelRegionsShareWork(*F), SeesThreads = O.Threads || !SharesWork;
    if (SharesWork && isOneSharedLoop(*F))
      F->addFnAttr(OneLoopAttribute);
    if (SharesWork && !O.Teams && !SeesThreads && sharesOneLevel(*F))
      F->addFnAttr(OneLevelAttribute);
    F->addFnAttr(ThreadsAttribute, SeesThreads ? "observed" : "open");
    if (unsigned Team = Source ? Source->Asked.Team : 0; Team && !SeesThreads)
      F->addFnAttr(AskedTeamAttribute, std::to_string(Team));
  }
  return PreservedAnalyses::all();
}

} // namespace place
