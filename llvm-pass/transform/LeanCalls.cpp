//===- LeanCalls.cpp - What calls of the device runtime mean in one kernel ----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Finish.h"
#include "LeanMeaning.h"
#include "LeanShares.h"
#include "RuntimeCall.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace place {

namespace {

bool isFinishOfAll(const Instruction &I) {
  const Function *Callee = calledFunction(I);
  return Callee && Callee->hasFnAttribute(LeanFinishAttribute);
}

bool reducesOverTeams(Function &F) {
  return any_of(instructions(F), [](const Instruction &I) { return isCallOf(I, teams_reduce::Name) || isFinishOfAll(I); });
}

class Lowering {
public:
  Lowering(Function &F, const LeanPlace &At) : F(F), At(At), Shares(F, At, reducesOverTeams(F)) {}

  Reason run() {
    if (At.Level == LeanLevel::Team && any_of(instructions(F), isFinishOfAll))
      endOtherTeams();
    SmallVector<std::pair<CallBase *, Meaning>, 16> Calls; // in order; lowering splits blocks
    for (Instruction &I : instructions(F))
      if (const Function *Callee = calledFunction(I))
        if (Meaning M = meaningOf(Callee->getName()); M != Meaning::Unknown)
          Calls.push_back({cast<CallBase>(&I), M});
    for (auto [C, M] : Calls) {
      lower(*C, M, C->getCalledFunction()->getName());
      if (!Why.empty())
        break;
    }
    return Why;
  }

private:
  bool alone() const { return At.Level != LeanLevel::Parallel; }

  Value *special(IRBuilder<> &B, Intrinsic::ID ID) { return B.CreateIntrinsic(ID, {}, {}); }
  Value *tid(IRBuilder<> &B) { return special(B, Intrinsic::nvvm_read_ptx_sreg_tid_x); }
  Value *size(IRBuilder<> &B) { return special(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x); }

  void replace(CallBase &C, Value *By) {
    if (By)
      C.replaceAllUsesWith(By);
    C.eraseFromParent();
  }

  void lower(CallBase &C, Meaning M, StringRef Name) {
    IRBuilder<> B(&C);
    switch (M) {
    case Meaning::Unknown: return;
    case Meaning::Nothing: return replace(C, nullptr);
    case Meaning::Init: return replace(C, B.getInt32(-1));
    case Meaning::Allocate: return allocate(C);
    case Meaning::Free: return At.TeamVariables ? void() : replace(C, nullptr);
    case Meaning::GlobalThread: return replace(C, At.Level == LeanLevel::Parallel ? tid(B) : B.getInt32(0));
    case Meaning::TeamThreads: return replace(C, size(B));
    case Meaning::TeamThread: return replace(C, tid(B));
    case Meaning::ThreadNumber: return replace(C, Shares.threads(B).Index);
    case Meaning::ThreadCount: return replace(C, Shares.threads(B).Count);
    case Meaning::Level: return level(C);
    case Meaning::InParallel: return inParallel(C);
    case Meaning::Spmd: return replace(C, ConstantInt::get(C.getType(), 1));
    case Meaning::Barrier: return barrier(C);
    case Meaning::For: Why = Shares.forStatic(C, Name); return;
    case Meaning::Distribute: Why = Shares.distribute(C, Name); return;
    case Meaning::DispatchInit: Why = Shares.dispatchInit(C); return;
    case Meaning::DispatchNext: Why = Shares.dispatchNext(C, Name.ends_with("u")); return;
    case Meaning::Reduce: return reduce(C);
    case Meaning::TeamNumber: return replace(C, Shares.teams(B).Index);
    case Meaning::TeamCount: return replace(C, Shares.teams(B).Count);
    case Meaning::OneThread: return oneThread(C);
    case Meaning::TeamsBuffer: return replace(C, Constant::getNullValue(C.getType()));
    case Meaning::TeamsReduce: return reduceTeams(C);
    }
  }

  // A thread's own variable; a team's are LeanTeam.cpp's.
  void allocate(CallBase &C) {
    auto *Bytes = dyn_cast<ConstantInt>(C.getArgOperand(0));
    if (At.TeamVariables)
      return;
    if (!Bytes) {
      Why = PLACE_WHY_SIZE_AT_LAUNCH;
      return;
    }
    IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    AllocaInst *A = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes->getZExtValue()));
    A->setAlignment(Align(16));
    replace(C, A);
  }

  // (location, thread) or (location, thread, the number of the one that is meant).
  void oneThread(CallBase &C) {
    IRBuilder<> B(&C);
    Value *Meant = C.arg_size() > 2 ? C.getArgOperand(2) : B.getInt32(0);
    replace(C, B.CreateZExt(B.CreateICmpEQ(Shares.threads(B).Index, Meant), C.getType()));
  }

  void level(CallBase &C) {
    if (At.Level == LeanLevel::Serial)
      Why = PLACE_WHY_ASKS_FOR_LEVEL;
    else
      replace(C, ConstantInt::get(C.getType(), At.Level == LeanLevel::Parallel));
  }

  void inParallel(CallBase &C) {
    IRBuilder<> B(&C);
    if (At.Level == LeanLevel::Serial)
      Why = PLACE_WHY_ASKS_FOR_LEVEL;
    else
      replace(C, alone() ? B.getInt32(0) : B.CreateZExt(B.CreateICmpUGT(Shares.threads(B).Count, B.getInt32(1)), B.getInt32Ty()));
  }

  void barrier(CallBase &C) {
    if (At.Fused)
      Why = {PLACE_WHY_UNKNOWN_FORM, "a barrier in its distributed loop"};
    else if (!alone() && At.Threads)
      Why = PLACE_WHY_BARRIER_OF_SOME_THREADS;
    else if (!alone())
      IRBuilder<>(&C).CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
    replace(C, nullptr);
  }

  //===-- Reductions of a parallel region ---------------------------------------===//

  // (location, bytes, data, shuffle and reduce, copy between warps): 1 for the thread that then has the result.
  void reduce(CallBase &C) {
    if (At.Fused || At.Threads) {
      Why = At.Fused ? PLACE_WHY_SIMULTANEOUS_SUMS : PLACE_WHY_REDUCTION_OF_SOME_THREADS;
      return;
    }
    if (alone())
      return replace(C, ConstantInt::get(C.getType(), 1));
    Function *Shuffle = withoutRuntime(C.getArgOperand(3), At), *Copy = Why.empty() ? withoutRuntime(C.getArgOperand(4), At) : nullptr;
    if (Why.empty())
      replace(C, reduceInTeam(C, *C.getArgOperand(2), *Shuffle, *Copy));
  }

  // The last six operands are functions, which clang has for all threads of a team.
  void reduceTeams(CallBase &C) {
    if (At.Level != LeanLevel::Team || !At.OpenTeams || At.Fused || C.arg_size() != teams_reduce::Count) {
      Why = {PLACE_WHY_RUNTIME_CALL, teams_reduce::Name};
      return;
    }
    LeanPlace OfAll;
    OfAll.Level = LeanLevel::Parallel;
    for (unsigned N = teams_reduce::ShuffleAndReduce; N < teams_reduce::Count && Why.empty(); ++N)
      if (Function *New = withoutRuntime(C.getArgOperand(N), OfAll))
        C.setArgOperand(N, New);
    if (!Why.empty())
      return;
    if (!At.TeamVariables) // else LeanTeam.cpp's
      finishByAllThreads(cast<CallInst>(C), F.getArg(0));
    endOtherTeams();
  }

  void endOtherTeams() {
    Instruction *First = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    IRBuilder<> B(First);
    leaveIf(B.CreateICmpUGE(special(B, Intrinsic::nvvm_read_ptx_sreg_ctaid_x), B.getInt32(MostTeamsOfReduction)), First);
  }

  // A function of a reduction: they call the runtime, too, and what an operator of the program's calls may.
  Function *withoutRuntime(Value *V, const LeanPlace &Where) {
    auto *Original = dyn_cast<Function>(V->stripPointerCasts());
    if (!Original || Original->isDeclaration()) {
      Why = {PLACE_WHY_UNKNOWN_FORM, "its reduction"};
      return nullptr;
    }
    ValueToValueMapTy Map;
    Function *New = CloneFunction(Original, Map);
    New->setLinkage(GlobalValue::InternalLinkage);
    New->removeFnAttr(Attribute::NoInline);
    New->addFnAttr(Attribute::AlwaysInline);
    Why = inlineCalls(*New, false) ? Lowering(*New, Where).run() : Reason(PLACE_WHY_RECURSION);
    return New;
  }

  Function &F;
  const LeanPlace &At;
  LeanShares Shares;
  Reason Why;
};

} // namespace

Reason lowerRuntimeCalls(Function &F, const LeanPlace &At) { return Lowering(F, At).run(); }

} // namespace place
