//===- LeanTeam.cpp - What a team does outside of its parallel regions ---------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a generic kernel one thread carries out what stands between `teams` and `parallel`. Here all do: what they compute from the
// same values is the same. A variable of the team that parallel regions do not write is then each thread's own; one that they do
// write lies in shared memory. What others can see (stores, atomics, calls) is done by the first thread.
//
// Barriers. A region's threads may see what stood before it, and what follows may see what they did:
//   before a region    if the team's part reads memory that is not private (the region may write it), or writes any
//   behind a region    if anything of that may follow it, or another region
//   around an effect   if the team's part reads what it may write
// Iterations of `distribute` are independent of each other: between them there is no order to keep, but for shared variables.
//
//===----------------------------------------------------------------------===//
#include "Chunks.h"
#include "Computation.h"
#include "DeviceRuntime.h"
#include "DeviceSymbols.h"
#include "Lean.h"
#include "RuntimeCall.h"
#include "SoleLoops.h"
#include "Spaces.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace place {

const char LeanRegionAttribute[] = "place-region", LeanFinishAttribute[] = "place-finish";

bool isLeanRegion(const Instruction &I) {
  const Function *Callee = calledFunction(I);
  return Callee && Callee->hasFnAttribute(LeanRegionAttribute);
}

namespace {

bool isFinish(const Instruction &I) {
  const Function *Callee = calledFunction(I);
  return Callee && Callee->hasFnAttribute(LeanFinishAttribute);
}

/// Whether nothing but loads comes of a pointer. ByTeam: where the team's own code has it, its stores count as nothing.
bool isOnlyRead(const Value *Pointer, bool ByTeam) {
  return all_of(Pointer->uses(), [&](const Use &U) {
    const auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      return false;
    if (isa<LoadInst>(I) || isa<ICmpInst>(I) || isCallOf(*I, "__kmpc_free_shared"))
      return true;
    if (isa<GetElementPtrInst>(I) || isa<BitCastInst>(I) || isa<AddrSpaceCastInst>(I) || isa<PHINode>(I) || isa<SelectInst>(I))
      return !isa<PHINode>(I) && isOnlyRead(I, ByTeam);
    if (const auto *S = dyn_cast<StoreInst>(I))
      return ByTeam && S->getPointerOperand() == Pointer;
    const auto *C = dyn_cast<CallBase>(I);
    if (!C)
      return false;
    if (C->isLifetimeStartOrEnd() || isa<AssumeInst>(C))
      return true;
    if (const auto *M = dyn_cast<AnyMemIntrinsic>(C))
      return ByTeam || (U.getOperandNo() == 1 && isa<AnyMemTransferInst>(M));
    const Function *Callee = C->getCalledFunction();
    bool Followed = Callee && !Callee->isDeclaration() && C->isDataOperand(&U) && Callee->getArg(U.getOperandNo());
    if (ByTeam && isFinish(*C))
      return true; // all threads get the same
    // A region, or what it calls: the pointer there.
    return Followed && U.getOperandNo() < Callee->arg_size() && Callee != I->getFunction() &&
           isOnlyRead(Callee->getArg(U.getOperandNo()), false);
  });
}

class TeamPart {
public:
  TeamPart(Function &F, FunctionAnalysisManager &FAM, unsigned DistributeLoops) : F(F), FAM(FAM), DistributeLoops(DistributeLoops) {}

  Reason run() {
    for (Instruction &I : instructions(F))
      if (isLeanRegion(I))
        Regions.push_back(cast<CallBase>(&I));
    finishTeams();
    if (!Why.empty())
      return Why;
    if (Regions.empty() && Finishes.empty()) {
      firstThreadAlone();
      return Why;
    }
    settleVariables();
    SoleLoops Sole(FAM.getResult<LoopAnalysis>(F), [](const Instruction &I) { return actionOf(I).Acts; }, isForAll);
    for (Instruction &I : instructions(F))
      if (Why.empty() && !isLeanRegion(I) && !isFinish(I) && !Sole.contain(I))
        look(I);
    if (!Why.empty())
      return Why;
    decideBarriers(!Effects.empty() || !Sole.empty() || hasTeamVariables());
    Sole.leaveToFirst([&](Instruction *Before) { barrier(Before); });
    guardEffects();
    return Why;
  }

private:
  void finishTeams() {
    SmallVector<CallInst *, 1> Calls;
    for (Instruction &I : instructions(F))
      if (isCallOf(I, teams_reduce::Name))
        Calls.push_back(cast<CallInst>(&I));
    for (CallInst *C : Calls)
      if (CallBase *Finish = finishTogether(*C, [](const Value *V) { return isa<AllocaInst>(V) || isOnlyRead(V, true); }))
        Finishes.push_back(Finish);
      else
        Why = {PLACE_WHY_UNKNOWN_FORM, "its reduction"};
  }

  void settleVariables() {
    SmallVector<CallBase *, 8> Calls;
    for (Instruction &I : instructions(F))
      if (isCallOf(I, "__kmpc_alloc_shared") || isCallOf(I, "__kmpc_free_shared"))
        Calls.push_back(cast<CallBase>(&I));
    for (CallBase *C : Calls)
      if (isCallOf(*C, "__kmpc_alloc_shared"))
        settle(*C, isOnlyRead(C, true));
    for (CallBase *C : Calls)
      if (isCallOf(*C, "__kmpc_free_shared") || C->use_empty())
        C->eraseFromParent();
  }

  void settle(CallBase &C, bool Own) {
    auto *Bytes = dyn_cast<ConstantInt>(C.getArgOperand(0));
    if (!Bytes) {
      Why = PLACE_WHY_SIZE_AT_LAUNCH;
      return;
    }
    auto *Ty = ArrayType::get(Type::getInt8Ty(F.getContext()), Bytes->getZExtValue());
    if (Own)
      C.replaceAllUsesWith(new AllocaInst(Ty, 0, nullptr, Align(16), "", F.getEntryBlock().begin()));
    else
      C.replaceAllUsesWith(
          ConstantExpr::getAddrSpaceCast(teamMemory(*F.getParent(), "team_variable", Bytes->getZExtValue()), C.getType()));
  }

  // Kernels without a parallel region.
  void firstThreadAlone() {
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isCallOf(I, "__kmpc_free_shared"))
        I.eraseFromParent();
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (Why.empty() && isCallOf(I, "__kmpc_alloc_shared")) {
        settle(cast<CallBase>(I), /*Own=*/true);
        if (Why.empty())
          I.eraseFromParent();
      }
    if (!Why.empty())
      return;
    Instruction *Start = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    leaveIf(isOther(Start), Start);
  }

  Value *isOther(Instruction *Before) {
    IRBuilder<> B(Before);
    return B.CreateICmpNE(B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}), B.getInt32(0));
  }

  //===-- What the team's part reads and does --------------------------------------===//

  static bool isOwn(const Value *Pointer) {
    return all_of(objectsOf(Pointer), [](const Value *O) {
      const auto *G = dyn_cast<GlobalVariable>(O);
      return isa<AllocaInst>(O) || (G && G->isConstant());
    });
  }

  struct Action {
    bool Reads = false; // memory that is not a thread's own
    bool Acts = false;  // in a way that others can see
    Reason Refused;     // why not all threads can carry it out
  };

  static bool isForAll(const Instruction &I) {
    const auto *C = dyn_cast<CallBase>(&I);
    return isLeanRegion(I) || isFinish(I) || isBarrier(I) || (C && isUnknownAssembly(*C));
  }

  void look(Instruction &I) {
    Action A = actionOf(I);
    if (A.Acts)
      Effects.push_back(&I);
    if (A.Reads)
      Reads.push_back(&I);
    Why = A.Refused;
  }

  static Action actionOf(const Instruction &I) {
    if (const auto *L = dyn_cast<LoadInst>(&I))
      return {!isOwn(L->getPointerOperand()), false, L->isSimple() ? Reason() : PLACE_WHY_ATOMIC_OF_TEAM};
    if (const auto *S = dyn_cast<StoreInst>(&I))
      return {false, !isOwn(S->getPointerOperand()), S->isSimple() ? Reason() : PLACE_WHY_ATOMIC_OF_TEAM};
    if (isa<FenceInst>(I) || isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
      return {false, true, I.use_empty() ? Reason() : PLACE_WHY_ATOMIC_OF_TEAM};
    const auto *C = dyn_cast<CallBase>(&I);
    return C ? actionOfCall(*C) : Action();
  }

  static Action actionOfCall(const CallBase &C) {
    if (isBarrier(C) || C.isLifetimeStartOrEnd())
      return {};
    if (const auto *M = dyn_cast<AnyMemIntrinsic>(&C)) {
      const auto *T = dyn_cast<AnyMemTransferInst>(&C);
      return {T && !isOwn(T->getRawSource()), !isOwn(M->getRawDest()), {}};
    }
    if (isa<IntrinsicInst>(C) && (!C.mayWriteToMemory() || cast<IntrinsicInst>(C).isAssumeLikeIntrinsic()))
      return {};
    if (C.doesNotAccessMemory() && !isUnknownAssembly(C))
      return {};
    const Function *Callee = C.getCalledFunction();
    if (Callee && isOfLibdevice(Callee->getName()) && none_of(C.args(), [](const Use &U) { return U->getType()->isPointerTy(); }))
      return {}; // CUDA's mathematics
    bool Passes = any_of(C.args(), [](const Use &U) { return U->getType()->isPointerTy() && isOwn(U.get()) && !isa<Constant>(U); });
    bool Refused = C.isInlineAsm() || !C.use_empty() || Passes;
    return {false, true, Refused ? Reason(PLACE_WHY_CALL_OF_TEAM, Callee ? sourceName(*Callee) : "unknown code") : Reason()};
  }

  //===-- Barriers -------------------------------------------------------------------===//

  static const Value *pointerOf(const Instruction &I, bool Written) {
    if (const Value *P = getLoadStorePointerOperand(&I))
      return P;
    const auto *M = dyn_cast<AnyMemIntrinsic>(&I);
    const auto *T = dyn_cast<AnyMemTransferInst>(&I);
    return !M ? nullptr : Written ? M->getRawDest() : T ? T->getRawSource() : nullptr;
  }

  /// What a pointer may lead into.
  static SmallVector<const Value *, 4> objectsOf(const Value *Pointer) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Pointer, Objects, nullptr, 0);
    return Objects;
  }

  /// Variables of the team are known by name; what comes to the kernel from outside is none of them, what is loaded may be.
  static bool areApart(const Value *A, const Value *B) {
    auto IsOfTeam = [](const Value *V) { return isa<GlobalVariable>(V) && V->getType()->getPointerAddressSpace() == AddrShared; };
    auto IsKnown = [](const Value *V) { return isa<GlobalVariable, Argument, AllocaInst>(V); };
    return A != B && (IsOfTeam(A) || IsOfTeam(B)) && IsKnown(A) && IsKnown(B);
  }

  static bool mayMeet(const Instruction &Effect, const Instruction &Read) {
    const Value *Written = pointerOf(Effect, true), *Seen = pointerOf(Read, false);
    return !Written || !Seen || any_of(objectsOf(Written), [&](const Value *A) {
      return any_of(objectsOf(Seen), [&](const Value *B) { return !areApart(A, B); });
    });
  }

  bool hasTeamVariables() const {
    return any_of(F.getParent()->globals(), [](const GlobalVariable &G) { return G.getName().starts_with("team_variable"); });
  }

  // Acts: whether regions may see something that the team's part did.
  void decideBarriers(bool Acts) {
    const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
    const DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    SmallVector<CallBase *, 4> Behind;
    for (CallBase *R : Regions) {
      bool Repeats = LI.getLoopDepth(R->getParent()) > DistributeLoops;
      bool ReadLater = any_of(Reads, [&](const Instruction *I) { return !DT.dominates(I, R); });
      if (Acts || Repeats || ReadLater || Regions.size() > 1)
        Behind.push_back(R);
    }
    for (CallBase *R : Regions)
      if (Acts || !Reads.empty())
        barrier(R);
    for (CallBase *C : Finishes)
      barrier(C);
    for (CallBase *R : Behind)
      barrier(R->getNextNode());
  }

  static bool concernsOthers(const Instruction &I) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    return I.mayReadOrWriteMemory() && !(Pointer && isOwn(Pointer));
  }

  // In the block, or in one that leads only here and is the only one that does.
  static Instruction *oneBefore(Instruction &I) {
    BasicBlock *From = I.getParent()->getSinglePredecessor();
    return I.getPrevNode() || !From || !From->getSingleSuccessor() ? I.getPrevNode() : From->getTerminator();
  }

  // Not twice in a row.
  void barrier(Instruction *Before) {
    for (Instruction *I = Before; I; I = I->getNextNode()) {
      if (isBarrier(*I))
        return;
      if (concernsOthers(*I))
        break;
    }
    for (Instruction *I = oneBefore(*Before); I; I = oneBefore(*I)) {
      if (isBarrier(*I))
        return;
      if (concernsOthers(*I))
        break;
    }
    IRBuilder<>(Before).CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
  }

  void guardEffects() {
    for (Instruction *E : Effects) {
      if (any_of(Reads, [&](const Instruction *R) { return mayMeet(*E, *R); })) {
        barrier(E);
        barrier(E->getNextNode());
      }
    }
    for (Instruction *E : Effects) {
      IRBuilder<> B(E);
      Value *First = B.CreateIsNull(B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}));
      E->moveBefore(SplitBlockAndInsertIfThen(First, E, false));
    }
  }

  Function &F;
  FunctionAnalysisManager &FAM;
  unsigned DistributeLoops;
  SmallVector<CallBase *, 4> Regions;
  SmallVector<CallBase *, 1> Finishes; // of reductions over teams
  SmallVector<Instruction *, 8> Reads, Effects; // but for those of loops that the first thread carries out
  Reason Why;
};

} // namespace

Reason shareTeamPart(Function &Kernel, FunctionAnalysisManager &FAM, unsigned DistributeLoops) {
  Reason Why = TeamPart(Kernel, FAM, DistributeLoops).run();
  FAM.invalidate(Kernel, PreservedAnalyses::none());
  return Why;
}

} // namespace place
