//===- Lean.cpp - Kernels without the device runtime ---------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of things: what uses the runtime is inlined into the kernel; each parallel region becomes a function of its own, in
// which the runtime's calls mean what they mean in a parallel region, called by all threads; then the same with what is left of the
// kernel. Where `distribute` and `for` share one loop out, both become one loop of which each thread takes every
// (teams * threads)-th iteration.
//
//===----------------------------------------------------------------------===//
#include "Lean.h"
#include "Carried.h"
#include "DeviceRuntime.h"
#include "Environment.h"
#include "Kernel.h"
#include "Mark.h"
#include "RuntimeCall.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace place {

void simplifyEarly(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FPM.run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
}

namespace {

using namespace parallel_51;

bool isParallel(const Instruction &I) { return isCallOf(I, "__kmpc_parallel_51"); }

SmallVector<CallBase *, 4> callsThat(Function &F, function_ref<bool(const Instruction &)> Wanted) {
  SmallVector<CallBase *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (Wanted(I))
      Calls.push_back(cast<CallBase>(&I));
  return Calls;
}

class Leaner {
public:
  Leaner(Function &Kernel, FunctionAnalysisManager &FAM)
      : Kernel(Kernel), FAM(FAM), Carries(anyCarriesValues(*Kernel.getParent())),
        OpenShape(hasOpenTeams(Kernel) && hasOpenThreads(Kernel) && !Carries) {}

  LeanKernel run() {
    LeanKernel Result;
    Result.Why = rebuild();
    Result.Natural = Fused;
    Result.Rows = Rows;
    Result.Made = Result.Why.empty();
    return Result;
  }

private:
  Reason rebuild() {
    ExecutionMode Mode = executionMode(Kernel);
    bool Generic = Mode == ExecutionMode::Generic;
    if (!Generic && Mode != ExecutionMode::Spmd)
      return {PLACE_WHY_UNKNOWN_FORM, "its execution mode"};
    if (!inlineCalls(Kernel, Generic))
      return PLACE_WHY_RECURSION;
    simplifyEarly(Kernel, FAM);
    Fused = !Generic && !Carries && sharesOneLoop() && (OpenShape || hasUsualSchedules());
    for (CallBase *C : callsThat(Kernel, isParallel))
      if (Reason Why = region(*C); !Why.empty())
        return Why;
    unsigned DistributeLoops = distributeLoops();
    Rows = !Fused && OpenShape && DistributeLoops && distributesAll();
    LeanPlace At;
    At.Fused = Fused;
    At.OpenShape = OpenShape;
    At.OpenTeams = hasOpenTeams(Kernel);
    At.TeamVariables = Generic;
    if (Reason Why = lowerRuntimeCalls(Kernel, At); !Why.empty())
      return Why;
    simplifyEarly(Kernel, FAM);
    if (Generic)
      if (Reason Why = shareTeamPart(Kernel, FAM, DistributeLoops); !Why.empty())
        return Why;
    simplifyEarly(Kernel, FAM);
    if (Generic)
      startAsSpmd(Kernel);
    return whatIsLeft();
  }

  //===-- Loops that distribute and for share ------------------------------------===//

  // Whether the one parallel region is begun for each chunk of the one distributed loop, with its bounds as arguments.
  bool sharesOneLoop() {
    SmallVector<CallBase *, 4> Regions = callsThat(Kernel, isParallel), Loops = callsThat(Kernel, isDistribute);
    return Regions.size() == 1 && Loops.size() == 1 && beginsForChunk(*Regions[0], *Loops[0]);
  }

  // Whether a team's chunks of that loop have an iteration for each of its threads, which is what clang does unless it is told otherwise.
  // What it is told can be seen where a region looks at its teams or threads.
  bool hasUsualSchedules() {
    const Value *Size = callsThat(Kernel, isDistribute).front()->getArgOperand(static_init::Chunk);
    while (const auto *Cast = dyn_cast<CastInst>(Size))
      Size = Cast->getOperand(0);
    const auto *Threads = dyn_cast<Instruction>(Size);
    auto *Body = dyn_cast<Function>(callsThat(Kernel, isParallel).front()->getArgOperand(Outlined)->stripPointerCasts());
    return Threads && isCallOf(*Threads, "__kmpc_get_hardware_num_threads_in_block") && Body && sharesOneByOne(*Body);
  }

  // A dynamic schedule tells nobody what is whose.
  static bool sharesOneByOne(Function &Body) {
    return all_of(callsThat(Body, isForStatic), [](const CallBase *C) {
      std::optional<unsigned> Kind = scheduleOf(*C);
      return (Kind == schedule::ForChunked || Kind == schedule::ForBalancedChunked) && isNumber(C->getArgOperand(static_init::Chunk), 1);
    });
  }

  // Loops around parallel regions whose rounds are independent of each other.
  unsigned distributeLoops() {
    SmallVector<CallBase *, 4> Loops = callsThat(Kernel, isDistribute);
    if (Loops.size() != 1)
      return 0;
    const DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(Kernel);
    SmallVector<CallBase *, 4> Ends = endsOfDistribute();
    for (const CallBase *Region : callsThat(Kernel, isLeanRegion))
      if (!DT.dominates(Loops[0], Region) || any_of(Ends, [&](const CallBase *End) { return DT.dominates(End, Region); }))
        return 0;
    return scheduleOf(*Loops[0]) == schedule::DistributeChunked ? 2 : 1;
  }

  SmallVector<CallBase *, 4> endsOfDistribute() {
    return callsThat(Kernel, [](const Instruction &I) { return isCallOf(I, "__kmpc_distribute_static_fini"); });
  }

  // Whether nothing outside of the one distributed loop can be seen: then other teams see to other iterations, and that is all.
  bool distributesAll() {
    const DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(Kernel);
    const CallBase *Begin = callsThat(Kernel, isDistribute).front();
    SmallVector<CallBase *, 4> Ends = endsOfDistribute();
    return all_of(instructions(Kernel), [&](const Instruction &I) {
      bool Inside = DT.dominates(Begin, &I) && none_of(Ends, [&](const CallBase *End) { return DT.dominates(End, &I); });
      return Inside || !hasVisibleEffect(I) || writesTeamVariable(I);
    });
  }

  //===-- Parallel regions -----------------------------------------------------------===//

  // Distribute and for stay two loops where threads of a team work together in each chunk.
  Reason region(CallBase &C) {
    Reason Why = region(C, LeanLevel::Parallel, Fused);
    if (Why.empty() || !Fused)
      return Why;
    Fused = false;
    return region(C, LeanLevel::Parallel, false);
  }

  Reason region(CallBase &C, LeanLevel Level, bool IsFused) {
    const auto *Asks = dyn_cast<ConstantInt>(C.getArgOperand(If));
    auto *Body = dyn_cast<Function>(C.getArgOperand(Outlined)->stripPointerCasts());
    if (!Body || Body->isDeclaration())
      return {PLACE_WHY_UNKNOWN_FORM, "its parallel region"};
    if (Level == LeanLevel::Parallel && (Asks ? Asks->isZero() : IsFused))
      return PLACE_WHY_PARALLEL_IF;
    ValueToValueMapTy Map;
    Function *F = CloneFunction(Body, Map);
    F->setLinkage(GlobalValue::InternalLinkage);
    F->addFnAttr(LeanRegionAttribute);
    F->removeFnAttr(Attribute::NoInline);
    F->removeFnAttr(Attribute::OptimizeNone);
    F->addFnAttr(Attribute::AlwaysInline);
    LeanPlace At;
    At.Level = Level;
    At.Fused = IsFused;
    At.OpenShape = OpenShape;
    if (Level == LeanLevel::Parallel && (!Asks || !isForAll(C.getArgOperand(NumThreads))))
      At.Threads = F->getArg(1); // clang's pointer to the number of the team, which its code does not look at
    if (Reason Why = lowerRegion(*F, At); !Why.empty()) {
      F->eraseFromParent();
      return Why;
    }
    begin(C, *F, At);
    return {};
  }

  // Whether so many threads are asked for as a team has at most, or none in particular.
  bool isForAll(const Value *NumThreads) {
    const auto *Number = dyn_cast<ConstantInt>(NumThreads);
    int64_t Most = mostThreads(Kernel);
    return Number && (Number->isMinusOne() || (Most > 0 && Number->getSExtValue() >= Most));
  }

  Reason lowerRegion(Function &F, const LeanPlace &At) {
    if (!inlineCalls(F, false))
      return PLACE_WHY_RECURSION;
    simplifyEarly(F, FAM);
    for (CallBase *Nested : callsThat(F, isParallel))
      if (Reason Why = region(*Nested, LeanLevel::Serial, false); !Why.empty())
        return Why;
    if (Reason Why = lowerRuntimeCalls(F, At); !Why.empty())
      return Why;
    simplifyEarly(F, FAM);
    joinChunkBounds(F, FAM);
    return {};
  }

  // In the place of the runtime's call: the region's function, with what the array of arguments has.
  void begin(CallBase &C, Function &F, const LeanPlace &At) {
    IRBuilder<> Entry(&*C.getFunction()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Value *Thread = Entry.CreateAlloca(Entry.getInt32Ty()), *Number = Entry.CreateAlloca(Entry.getInt32Ty());
    IRBuilder<> B(&C);
    Value *Tid = B.getInt32(0);
    if (At.Level != LeanLevel::Serial)
      Tid = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {});
    B.CreateStore(Tid, Thread);
    SmallVector<Value *, 8> Values = {Thread, Number};
    Value *Array = C.getArgOperand(Arguments);
    for (unsigned N = 2; N < F.arg_size(); ++N)
      Values.push_back(B.CreateLoad(F.getArg(N)->getType(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Array, 8 * (N - 2))));
    if (At.Fused)
      Values[2] = Values[3] = B.CreateZExt(B.CreateTrunc(Values[2], B.getInt32Ty()), Values[2]->getType());
    if (At.Threads) {
      Value *Most = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_x, {}, {});
      Value *Asked = B.CreateZExtOrTrunc(C.getArgOperand(NumThreads), B.getInt32Ty());
      Value *Least = B.CreateBinaryIntrinsic(Intrinsic::umin, Asked, Most);
      Value *Count = B.CreateSelect(B.CreateICmpSGT(Asked, B.getInt32(0)), Least, Most);
      Count = B.CreateSelect(B.CreateIsNull(C.getArgOperand(If)), B.getInt32(1), Count);
      B.CreateStore(Count, Number);
      leaveOthersOut(F);
    }
    B.CreateCall(&F, Values);
    B.SetInsertPoint(&C);
    // Threads of a team that work together in chunks share variables from one to the next.
    if (At.Level == LeanLevel::Parallel && !At.Fused && executionMode(Kernel) == ExecutionMode::Spmd)
      B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
    C.eraseFromParent();
  }

  // Within the region: barriers around it are for all threads of the team.
  void leaveOthersOut(Function &F) {
    Instruction *First = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    IRBuilder<> B(First);
    Value *Tid = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {});
    leaveIf(B.CreateICmpUGE(Tid, B.CreateLoad(B.getInt32Ty(), F.getArg(1))), First);
  }

  //===-- The whole --------------------------------------------------------------------===//

  // What still needs the runtime's state, if anything does.
  Reason whatIsLeft() {
    if (!needsRuntimeState(Kernel))
      return {};
    SmallVector<Function *, 8> Work = {&Kernel};
    SmallPtrSet<Function *, 16> Seen;
    while (!Work.empty()) {
      Function *F = Work.pop_back_val();
      for (Instruction &I : instructions(*F)) {
        if (auto *C = dyn_cast<CallBase>(&I); C && C->isIndirectCall())
          return PLACE_WHY_CALL_THROUGH_POINTER;
        for (Value *V : I.operands())
          if (auto *Used = dyn_cast<Function>(V->stripPointerCasts()); Used && Seen.insert(Used).second && needsRuntimeState(*Used)) {
            bool Runtimes = isOfRuntime(Used->getName());
            if (Runtimes || Used->isDeclaration())
              return {Runtimes ? PLACE_WHY_RUNTIME_CALL : PLACE_WHY_EXTERNAL_CALL, sourceName(*Used)};
            Work.push_back(Used);
          }
      }
    }
    return {PLACE_WHY_RUNTIME_CALL, "the state"};
  }

  Function &Kernel;
  FunctionAnalysisManager &FAM;
  const bool Carries; // a thread finds what its last iteration has left (Carried.h)
  const bool OpenShape;
  bool Fused = false, Rows = false;
};

} // namespace

void leaveIf(Value *Condition, Instruction *Before) {
  Instruction *Leave = SplitBlockAndInsertIfThen(Condition, Before, /*Unreachable=*/true);
  ReturnInst::Create(Before->getContext(), nullptr, Leave->getIterator());
  Leave->eraseFromParent();
}

bool inlineCalls(Function &F, bool All) {
  const unsigned MostCalls = 400, MostInstructions = 20000;
  for (unsigned N = 0; N < MostCalls && F.getInstructionCount() < MostInstructions; ++N) {
    SmallVector<CallBase *, 4> Calls = callsThat(F, [&](const Instruction &I) {
      const Function *Callee = calledFunction(I);
      return Callee && !Callee->isDeclaration() && !isOfRuntime(Callee->getName()) && !Callee->hasFnAttribute(LeanFinishAttribute) &&
             (All || needsRuntimeState(*Callee));
    });
    if (Calls.empty())
      return true;
    InlineFunctionInfo Info;
    if (!InlineFunction(*Calls.front(), Info).isSuccess())
      return false;
  }
  return false;
}

LeanKernel makeLean(Function &Kernel, FunctionAnalysisManager &FAM) { return Leaner(Kernel, FAM).run(); }

} // namespace place
