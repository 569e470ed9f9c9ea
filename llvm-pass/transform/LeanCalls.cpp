//===- LeanCalls.cpp - What calls of the device runtime mean in one kernel ----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Finish.h"
#include "Lean.h"
#include "LeanMeaning.h"
#include "RuntimeCall.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

using namespace schedule;
using namespace static_init;

/// An index and how many there are: threads of a region, or teams.
struct Share {
  Value *Index, *Count;
};

class Lowering {
public:
  Lowering(Function &F, const LeanPlace &At) : F(F), At(At) {}

  Reason run() {
    SmallVector<std::pair<CallBase *, Meaning>, 16> Calls; // in order; lowering splits blocks
    for (Instruction &I : instructions(F))
      if (const Function *Callee = calledFunction(I))
        if (Meaning M = meaningOf(Callee->getName()); M != Meaning::Unknown)
          Calls.push_back({cast<CallBase>(&I), M});
    FewTeams = any_of(Calls, [](auto &Call) { return Call.second == Meaning::TeamsReduce; });
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

  Share threads(IRBuilder<> &B) {
    if (alone())
      return {B.getInt32(0), B.getInt32(1)};
    return {tid(B), At.Threads ? B.CreateLoad(B.getInt32Ty(), At.Threads) : size(B)};
  }

  Share teams(IRBuilder<> &B) {
    Value *Count = special(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
    if (FewTeams)
      Count = B.CreateBinaryIntrinsic(Intrinsic::umin, Count, B.getInt32(MostTeamsOfReduction));
    return {special(B, Intrinsic::nvvm_read_ptx_sreg_ctaid_x), Count};
  }

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
    case Meaning::ThreadNumber: return replace(C, threads(B).Index);
    case Meaning::ThreadCount: return replace(C, threads(B).Count);
    case Meaning::Level: return level(C);
    case Meaning::InParallel: return inParallel(C);
    case Meaning::Spmd: return replace(C, ConstantInt::get(C.getType(), 1));
    case Meaning::Barrier: return barrier(C);
    case Meaning::For: return staticInit(C, threads(B), Name);
    case Meaning::Distribute: return distribute(C, Name);
    case Meaning::DispatchInit: return dispatchInit(C);
    case Meaning::DispatchNext: return dispatchNext(C, Name.ends_with("u"));
    case Meaning::Reduce: return reduce(C);
    case Meaning::TeamNumber: return replace(C, teams(B).Index);
    case Meaning::TeamCount: return replace(C, teams(B).Count);
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
    replace(C, B.CreateZExt(B.CreateICmpEQ(threads(B).Index, Meant), C.getType()));
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
      replace(C, alone() ? B.getInt32(0) : B.CreateZExt(B.CreateICmpUGT(threads(B).Count, B.getInt32(1)), B.getInt32Ty()));
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

  //===-- Loops ------------------------------------------------------------------===//

  // Whether somebody asks which thread has the last iteration.
  static bool isRead(const Value *Flag) {
    return !isa<AllocaInst>(Flag) || any_of(Flag->users(), [](const User *U) { return isa<LoadInst>(U) || isa<PHINode>(U); });
  }

  std::optional<unsigned> schedule(const Value *V) {
    if (const auto *S = dyn_cast<ConstantInt>(V))
      return unsigned(S->getZExtValue()) & ~Modifiers;
    Why = {PLACE_WHY_UNKNOWN_FORM, "its schedule"};
    return std::nullopt;
  }

  void distribute(CallBase &C, StringRef Name) {
    IRBuilder<> B(&C);
    if (At.Fused)
      return distributeNaturally(C);
    if (PHINode *Counter = At.OpenShape ? counterOfTeam(C) : nullptr)
      return distributeInTurn(C, *Counter);
    staticInit(C, teams(B), Name);
  }

  // The counter of a loop of which each team has a portion, and which ends where that is compared. Null where the bounds go elsewhere, and
  // of 32 bits, which might pass its end if it grew by more than 1.
  static PHINode *counterOfTeam(CallBase &C) {
    const auto *S = dyn_cast<ConstantInt>(C.getArgOperand(Sched));
    if (!S || (S->getZExtValue() & ~Modifiers) != Distribute || !C.getArgOperand(Increment)->getType()->isIntegerTy(64))
      return nullptr;
    SmallVector<std::pair<User *, Value *>, 4> Uses; // of what the bound is
    for (User *L : C.getArgOperand(Lower)->users())
      if (isa<LoadInst>(L))
        for (User *U : L->users())
          Uses.emplace_back(U, L);
    PHINode *Counter = nullptr;
    for (auto [U, Bound] : Uses) {
      auto *P = dyn_cast<PHINode>(U);
      if (isa<ICmpInst>(U))
        continue;
      if (!P || P->getNumIncomingValues() != 2 || Counter ||
          !match(P->getIncomingValue(P->getIncomingValue(0) == Bound), m_c_Add(m_Specific(P), m_One())))
        return nullptr;
      Counter = P;
    }
    return Counter && endsByCounter(*Counter) ? Counter : nullptr;
  }

  static bool endsByCounter(PHINode &Counter) {
    auto *Guard = dyn_cast<BranchInst>(Counter.getParent()->getTerminator());
    auto *Compare = Guard && Guard->isConditional() ? dyn_cast<ICmpInst>(Guard->getCondition()) : nullptr;
    return Compare && is_contained(Compare->operands(), &Counter);
  }

  // Iterations in turn instead of portions: a team that has one has nothing to compute for it. What the body makes of the counter may be the
  // same sum as the counter's next value, and stays.
  void distributeInTurn(CallBase &C, PHINode &Counter) {
    IRBuilder<> B(&C);
    Type *Ty = C.getArgOperand(Increment)->getType();
    Share T = teams(B);
    Value *Index = B.CreateZExt(T.Index, Ty), *Count = B.CreateZExt(T.Count, Ty);
    Value *First = B.CreateLoad(Ty, C.getArgOperand(Lower));
    if (isRead(C.getArgOperand(LastFlag))) {
      Value *Turn = B.CreateSub(B.CreateLoad(Ty, C.getArgOperand(Upper)), First);
      B.CreateStore(B.CreateZExt(B.CreateICmpEQ(B.CreateURem(Turn, Count), Index), B.getInt32Ty()), C.getArgOperand(LastFlag));
    }
    B.CreateStore(B.CreateAdd(First, Index, "", true, true), C.getArgOperand(Lower));
    for (Use &Next : Counter.incoming_values())
      if (match(Next.get(), m_c_Add(m_Specific(&Counter), m_One())))
        Next = IRBuilder<>(cast<Instruction>(Next.get())).CreateAdd(&Counter, Count, "", true, true);
    replace(C, nullptr);
  }

  // The thread's first iteration, and the distance to its next; so many teams that their iterations would pass 2^31 have none, and
  // nobody has a second.
  void distributeNaturally(CallBase &C) {
    IRBuilder<> B(&C);
    std::optional<unsigned> S = schedule(C.getArgOperand(Sched));
    if (!S || *S != DistributeChunked) {
      Why = Why.empty() ? Reason(PLACE_WHY_UNKNOWN_FORM, "its dist_schedule") : Why;
      return;
    }
    Type *Ty = C.getArgOperand(Increment)->getType();
    Value *Size = size(B), *Most = B.CreateUDiv(B.getInt32(INT32_MAX), Size);
    auto Times = [&](Value *V) { return B.CreateMul(B.CreateBinaryIntrinsic(Intrinsic::umin, V, Most), Size, "", true, true); };
    Share T = teams(B);
    Value *First = B.CreateAdd(Times(B.CreateBinaryIntrinsic(Intrinsic::umin, T.Index, B.CreateSub(Most, B.getInt32(1)))), tid(B),
                               "", true, true);
    Value *Step = B.CreateBinaryIntrinsic(Intrinsic::umin, Times(T.Count), B.getInt32(MostLeanIterations));
    Value *Begin = B.CreateAdd(B.CreateLoad(Ty, C.getArgOperand(Lower)), B.CreateZExtOrTrunc(First, Ty));
    Value *Distance = B.CreateZExtOrTrunc(Step, Ty);
    if (isRead(C.getArgOperand(LastFlag))) {
      Value *Left = B.CreateSub(B.CreateLoad(Ty, C.getArgOperand(Upper)), Begin);
      Value *Mine = B.CreateAnd(B.CreateIsNull(B.CreateURem(Left, Distance)), B.CreateICmpSGE(Left, ConstantInt::get(Ty, 0)));
      B.CreateStore(B.CreateZExt(Mine, B.getInt32Ty()), C.getArgOperand(LastFlag));
    }
    B.CreateStore(Begin, C.getArgOperand(Lower));
    B.CreateStore(Begin, C.getArgOperand(Upper));
    B.CreateStore(Distance, C.getArgOperand(Stride));
    replace(C, nullptr);
  }

  void staticInit(CallBase &C, Share Of, StringRef Name) {
    std::optional<unsigned> S = schedule(C.getArgOperand(Sched));
    if (!S)
      return;
    IRBuilder<> B(&C);
    bool IsFor = !Name.contains("distribute");
    if (At.Fused && IsFor) {
      B.CreateStore(B.getInt32(1), C.getArgOperand(LastFlag)); // of the one iteration that this is
      B.CreateStore(ConstantInt::get(C.getArgOperand(Increment)->getType(), 1), C.getArgOperand(Stride));
      return replace(C, nullptr);
    }
    if (*S == ForChunked || *S == ForBalancedChunked || *S == DistributeChunked)
      chunks(C, B, Of, IsFor && At.OpenShape);
    else if (*S == For || *S == Distribute)
      portions(C, B, Of, Name.ends_with("u"));
    else
      Why = {PLACE_WHY_UNKNOWN_FORM, "schedule " + Twine(*S)};
    if (Why.empty())
      replace(C, nullptr);
  }

  // Chunks of a number of iterations in turn.
  void chunks(CallBase &C, IRBuilder<> &B, Share Of, bool ByOne) {
    Type *Ty = C.getArgOperand(Increment)->getType();
    Value *Size = ByOne ? ConstantInt::get(Ty, 1) : C.getArgOperand(Chunk);
    Value *Index = B.CreateZExtOrTrunc(Of.Index, Ty), *Count = B.CreateZExtOrTrunc(Of.Count, Ty);
    Value *First = B.CreateLoad(Ty, C.getArgOperand(Lower)), *End = B.CreateLoad(Ty, C.getArgOperand(Upper));
    Value *Begin = B.CreateAdd(First, B.CreateMul(Index, Size));
    if (isRead(C.getArgOperand(LastFlag))) {
      Value *Turn = B.CreateUDiv(B.CreateSub(End, First), Size);
      Value *Mine = B.CreateICmpEQ(B.CreateURem(Turn, Count), Index);
      B.CreateStore(B.CreateZExt(Mine, B.getInt32Ty()), C.getArgOperand(LastFlag));
    }
    B.CreateStore(Begin, C.getArgOperand(Lower));
    B.CreateStore(B.CreateSub(B.CreateAdd(Begin, Size), ConstantInt::get(Ty, 1)), C.getArgOperand(Upper));
    B.CreateStore(B.CreateMul(Count, Size), C.getArgOperand(Stride));
  }

  // A portion each, as large as all others. Where there are as many teams as iterations, that is one, without a division. Of loops whose bounds
  // depend on each other's counters, clang lets it come to none at all: the last one's number is -1.
  void portions(CallBase &C, IRBuilder<> &B, Share Of, bool Unsigned) {
    Type *Ty = C.getArgOperand(Increment)->getType(), *Wide = B.getInt64Ty();
    Value *First = B.CreateLoad(Ty, C.getArgOperand(Lower)), *End = B.CreateLoad(Ty, C.getArgOperand(Upper));
    Value *Less = B.CreateZExt(B.CreateSub(End, First), Wide); // iterations less one
    Value *Empty = Unsigned ? B.CreateICmpULT(End, First) : B.CreateICmpSLT(End, First);
    Value *Index = B.CreateZExt(Of.Index, Wide), *Count = B.CreateZExt(Of.Count, Wide);
    Value *Several = B.CreateICmpUGE(Less, Count);
    BasicBlock *Head = B.GetInsertBlock();
    Instruction *Divide = SplitBlockAndInsertIfThen(Several, &C, false);
    B.SetInsertPoint(Divide);
    Value *Quotient = B.CreateAdd(B.CreateUDiv(Less, Count), B.getInt64(1));
    B.SetInsertPoint(&C);
    PHINode *Size = B.CreatePHI(Wide, 2);
    Size->addIncoming(B.getInt64(1), Head);
    Size->addIncoming(Quotient, Divide->getParent());
    Value *From = B.CreateMul(Index, Size);
    Value *None = B.CreateOr(Empty, B.CreateICmpUGT(From, Less));
    Value *To = B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateAdd(From, B.CreateSub(Size, B.getInt64(1))), Less);
    auto At = [&](Value *V) { return B.CreateAdd(First, B.CreateTrunc(V, Ty)); };
    // Without an iteration: from 1 to 0, which are in order for counters of either sign.
    B.CreateStore(B.CreateSelect(None, ConstantInt::get(Ty, 1), At(From)), C.getArgOperand(Lower));
    B.CreateStore(B.CreateSelect(None, ConstantInt::get(Ty, 0), At(To)), C.getArgOperand(Upper));
    B.CreateStore(B.CreateTrunc(Size, Ty), C.getArgOperand(Stride)); // leads beyond the portion's end: there is no second
    if (isRead(C.getArgOperand(LastFlag))) {
      Value *Mine = B.CreateAnd(B.CreateNot(None), B.CreateICmpEQ(To, Less));
      B.CreateStore(B.CreateZExt(Mine, B.getInt32Ty()), C.getArgOperand(LastFlag));
    }
  }

  // Dynamic and guided: an iteration each, in turn. Who carries out which is open whatever the program looks at.
  void dispatchInit(CallBase &C) {
    enum { Lower = 3, Upper = 4 };
    std::optional<unsigned> S = schedule(C.getArgOperand(Sched));
    if (S && *S >= FirstOrdered)
      Why = PLACE_WHY_ORDERED;
    if (!Why.empty())
      return;
    Type *Ty = C.getArgOperand(Lower)->getType();
    if (!Next || Next->getAllocatedType() != Ty) {
      IRBuilder<> Entry(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      Next = Entry.CreateAlloca(Ty);
      End = Entry.CreateAlloca(Ty);
    }
    IRBuilder<> B(&C);
    Value *Begin = C.getArgOperand(Lower);
    if (!At.Fused)
      Begin = B.CreateAdd(Begin, B.CreateZExtOrTrunc(threads(B).Index, Ty));
    B.CreateStore(Begin, Next);
    B.CreateStore(C.getArgOperand(Upper), End);
    replace(C, nullptr);
  }

  void dispatchNext(CallBase &C, bool Unsigned) {
    enum { LastFlag = 2, Lower = 3, Upper = 4, Stride = 5 };
    if (!Next) {
      Why = {PLACE_WHY_UNKNOWN_FORM, "its dynamic schedule"};
      return;
    }
    IRBuilder<> B(&C);
    Type *Ty = Next->getAllocatedType();
    Value *Mine = B.CreateLoad(Ty, Next), *To = B.CreateLoad(Ty, End);
    Value *Some = Unsigned ? B.CreateICmpULE(Mine, To) : B.CreateICmpSLE(Mine, To);
    Value *Step = At.Fused ? ConstantInt::get(Ty, 1) : B.CreateZExtOrTrunc(threads(B).Count, Ty);
    B.CreateStore(B.CreateAdd(Mine, Step), Next);
    B.CreateStore(Mine, C.getArgOperand(Lower));
    B.CreateStore(Mine, C.getArgOperand(Upper));
    B.CreateStore(ConstantInt::get(Ty, 1), C.getArgOperand(Stride));
    // Looked at behind the loop: the call that finds no more iterations leaves it as it is.
    if (Value *IsLast = C.getArgOperand(LastFlag); isRead(IsLast)) {
      Value *Ended = B.CreateZExt(B.CreateICmpEQ(Mine, To), B.getInt32Ty());
      B.CreateStore(B.CreateSelect(Some, Ended, B.CreateLoad(B.getInt32Ty(), IsLast)), IsLast);
    }
    replace(C, B.CreateZExt(Some, C.getType()));
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
      replace(C, reduceInTeam(C, *Shuffle, *Copy));
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

  // A function of a reduction: they call the runtime, too.
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
    Why = Lowering(*New, Where).run();
    return New;
  }

  Function &F;
  const LeanPlace &At;
  bool FewTeams = false; // those that reduce
  AllocaInst *Next = nullptr, *End = nullptr; // of the loop with a dynamic schedule
  Reason Why;
};

} // namespace

Reason lowerRuntimeCalls(Function &F, const LeanPlace &At) { return Lowering(F, At).run(); }

} // namespace place
