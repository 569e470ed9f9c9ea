//===- LeanShares.cpp - Whose the iterations of a loop are ----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LeanShares.h"
#include "Finish.h"
#include "LaneSums.h"
#include "RuntimeCall.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

using namespace schedule;
using namespace static_init;

static Value *special(IRBuilder<> &B, Intrinsic::ID ID) { return B.CreateIntrinsic(ID, {}, {}); }

Share LeanShares::threads(IRBuilder<> &B) {
  if (At.Level != LeanLevel::Parallel)
    return {B.getInt32(0), B.getInt32(1)};
  return {special(B, Intrinsic::nvvm_read_ptx_sreg_tid_x),
          At.Threads ? B.CreateLoad(B.getInt32Ty(), At.Threads) : special(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x)};
}

Share LeanShares::teams(IRBuilder<> &B) {
  Value *Count = special(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
  if (FewTeams)
    Count = B.CreateBinaryIntrinsic(Intrinsic::umin, Count, B.getInt32(MostTeamsOfReduction));
  return {special(B, Intrinsic::nvvm_read_ptx_sreg_ctaid_x), Count};
}

// Whether somebody asks which thread has the last iteration.
static bool isRead(const Value *Flag) {
  return !isa<AllocaInst>(Flag) || any_of(Flag->users(), [](const User *U) { return isa<LoadInst>(U) || isa<PHINode>(U); });
}

// Of iterations that are taken in turn: Turn is the last one's.
static void tellLast(CallBase &C, IRBuilder<> &B, Value *Turn, Value *Index, Value *Count) {
  Value *Mine = B.CreateICmpEQ(B.CreateURem(Turn, Count), Index);
  B.CreateStore(B.CreateZExt(Mine, B.getInt32Ty()), C.getArgOperand(LastFlag));
}

static Reason unknownSchedule() { return {PLACE_WHY_UNKNOWN_FORM, "its schedule"}; }

static bool endsByCounter(PHINode &Counter) {
  auto *Guard = dyn_cast<BranchInst>(Counter.getParent()->getTerminator());
  auto *Compare = Guard && Guard->isConditional() ? dyn_cast<ICmpInst>(Guard->getCondition()) : nullptr;
  return Compare && is_contained(Compare->operands(), &Counter);
}

// The counter of a loop of which each team has a portion, and which ends where that is compared. Null where the bounds go elsewhere, and
// of 32 bits, which might pass its end if it grew by more than 1.
static PHINode *counterOfTeam(CallBase &C) {
  if (scheduleOf(C) != Distribute || !C.getArgOperand(Increment)->getType()->isIntegerTy(64))
    return nullptr;
  SmallVector<std::pair<User *, Value *>, 4> Uses; // of what the bound is
  for (User *L : C.getArgOperand(Lower)->users())
    if (isa<LoadInst>(L))
      for (User *U : L->users())
        Uses.emplace_back(U, L);
  PHINode *Counter = nullptr;
  for (auto [U, Bound] : Uses) {
    auto *P = dyn_cast<PHINode>(U);
    BinaryOperator *Next = nullptr;
    Value *First = nullptr, *Step = nullptr;
    if (isa<ICmpInst>(U))
      continue;
    if (!P || Counter || !matchSimpleRecurrence(P, Next, First, Step) || Next->getOpcode() != Instruction::Add || First != Bound ||
        !match(Step, m_One()))
      return nullptr;
    Counter = P;
  }
  return Counter && endsByCounter(*Counter) ? Counter : nullptr;
}

// Iterations in turn instead of portions: a team that has one has nothing to compute for it. What the body makes of the counter may be the
// same sum as the counter's next value, and stays.
void LeanShares::distributeInTurn(CallBase &C, PHINode &Counter) {
  IRBuilder<> B(&C);
  Type *Ty = C.getArgOperand(Increment)->getType();
  Share T = teams(B);
  Value *Index = B.CreateZExt(T.Index, Ty), *Count = B.CreateZExt(T.Count, Ty);
  Value *First = B.CreateLoad(Ty, C.getArgOperand(Lower));
  if (isRead(C.getArgOperand(LastFlag)))
    tellLast(C, B, B.CreateSub(B.CreateLoad(Ty, C.getArgOperand(Upper)), First), Index, Count);
  B.CreateStore(B.CreateAdd(First, Index, "", true, true), C.getArgOperand(Lower));
  for (Use &Next : Counter.incoming_values())
    if (match(Next.get(), m_c_Add(m_Specific(&Counter), m_One())))
      Next = IRBuilder<>(cast<Instruction>(Next.get())).CreateAdd(&Counter, Count, "", true, true);
  C.eraseFromParent();
}

// The thread's first iteration, and the distance to its next; so many teams that their iterations would pass 2^31 have none, and
// nobody has a second.
Reason LeanShares::distributeNaturally(CallBase &C) {
  IRBuilder<> B(&C);
  std::optional<unsigned> S = scheduleOf(C);
  if (!S)
    return unknownSchedule();
  if (*S != DistributeChunked)
    return {PLACE_WHY_UNKNOWN_FORM, "its dist_schedule"};
  Type *Ty = C.getArgOperand(Increment)->getType();
  Value *Size = special(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x), *Most = B.CreateUDiv(B.getInt32(INT32_MAX), Size);
  auto Times = [&](Value *V) { return B.CreateMul(B.CreateBinaryIntrinsic(Intrinsic::umin, V, Most), Size, "", true, true); };
  Share T = teams(B);
  Value *First = B.CreateAdd(Times(B.CreateBinaryIntrinsic(Intrinsic::umin, T.Index, B.CreateSub(Most, B.getInt32(1)))),
                             special(B, Intrinsic::nvvm_read_ptx_sreg_tid_x),
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
  C.eraseFromParent();
  return {};
}

Reason LeanShares::distribute(CallBase &C, StringRef Name) {
  if (At.Fused)
    return distributeNaturally(C);
  PHINode *Counter = At.OpenShape ? counterOfTeam(C) : nullptr;
  if (!Counter) {
    IRBuilder<> B(&C);
    return staticInit(C, teams(B), Name);
  }
  distributeInTurn(C, *Counter);
  return {};
}

Reason LeanShares::forStatic(CallBase &C, StringRef Name) {
  IRBuilder<> B(&C);
  Share Of = threads(B);
  if (unsigned Lanes = lanesOfRegion(F); Lanes > 1)
    Of = {B.CreateUDiv(Of.Index, B.getInt32(Lanes)), B.CreateUDiv(Of.Count, B.getInt32(Lanes))};
  return staticInit(C, Of, Name);
}

Reason LeanShares::staticInit(CallBase &C, Share Of, StringRef Name) {
  std::optional<unsigned> S = scheduleOf(C);
  if (!S)
    return unknownSchedule();
  IRBuilder<> B(&C);
  bool IsFor = !Name.contains("distribute");
  if (At.Fused && IsFor) {
    B.CreateStore(B.getInt32(1), C.getArgOperand(LastFlag)); // of the one iteration that this is
    B.CreateStore(ConstantInt::get(C.getArgOperand(Increment)->getType(), 1), C.getArgOperand(Stride));
    C.eraseFromParent();
    return {};
  }
  if (*S == ForChunked || *S == ForBalancedChunked || *S == DistributeChunked)
    chunks(C, B, Of, IsFor && At.OpenShape);
  else if (*S == For || *S == Distribute)
    portions(C, B, Of, Name.ends_with("u"));
  else
    return {PLACE_WHY_UNKNOWN_FORM, "schedule " + Twine(*S)};
  C.eraseFromParent();
  return {};
}

// What counts the iterations of a space from 0 on, in 64 bits, never passes its end: none has so many. How many rounds are left is known
// then, also where the counter is unsigned and compared by "at most".
static void neverWraps(CallBase &C) {
  for (User *Step : C.getArgOperand(Stride)->users())
    if (isa<LoadInst>(Step))
      for (User *Next : Step->users())
        if (auto *Add = dyn_cast<BinaryOperator>(Next); Add && Add->getOpcode() == Instruction::Add)
          Add->setHasNoUnsignedWrap();
}

// Chunks of a number of iterations in turn.
void LeanShares::chunks(CallBase &C, IRBuilder<> &B, Share Of, bool ByOne) {
  Type *Ty = C.getArgOperand(Increment)->getType();
  Value *Size = ByOne ? ConstantInt::get(Ty, 1) : C.getArgOperand(Chunk);
  Value *Index = B.CreateZExtOrTrunc(Of.Index, Ty), *Count = B.CreateZExtOrTrunc(Of.Count, Ty);
  Value *First = B.CreateLoad(Ty, C.getArgOperand(Lower)), *End = B.CreateLoad(Ty, C.getArgOperand(Upper));
  Value *Begin = B.CreateAdd(First, B.CreateMul(Index, Size));
  if (isRead(C.getArgOperand(LastFlag)))
    tellLast(C, B, B.CreateUDiv(B.CreateSub(End, First), Size), Index, Count);
  B.CreateStore(Begin, C.getArgOperand(Lower));
  B.CreateStore(B.CreateSub(B.CreateAdd(Begin, Size), ConstantInt::get(Ty, 1)), C.getArgOperand(Upper));
  B.CreateStore(B.CreateMul(Count, Size), C.getArgOperand(Stride));
  if (Ty->isIntegerTy(64))
    neverWraps(C);
}

// A portion each, as large as all others. Where there are as many teams as iterations, that is one, without a division. Of loops whose bounds
// depend on each other's counters, clang lets it come to none at all: the last one's number is -1.
void LeanShares::portions(CallBase &C, IRBuilder<> &B, Share Of, bool Unsigned) {
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
Reason LeanShares::dispatchInit(CallBase &C) {
  enum { Lower = 3, Upper = 4 };
  std::optional<unsigned> S = scheduleOf(C);
  if (!S)
    return unknownSchedule();
  if (*S >= FirstOrdered)
    return PLACE_WHY_ORDERED;
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
  C.eraseFromParent();
  return {};
}

Reason LeanShares::dispatchNext(CallBase &C, bool Unsigned) {
  enum { LastFlag = 2, Lower = 3, Upper = 4, Stride = 5 };
  if (!Next)
    return {PLACE_WHY_UNKNOWN_FORM, "its dynamic schedule"};
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
  C.replaceAllUsesWith(B.CreateZExt(Some, C.getType()));
  C.eraseFromParent();
  return {};
}

} // namespace place

