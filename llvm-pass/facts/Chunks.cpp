//===- Chunks.cpp - The loops of a static schedule ---------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
//===----------------------------------------------------------------------===//
#include "Chunks.h"
#include "Expr.h"
#include "Spaces.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

bool isBarrier(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && II->getIntrinsicID() == Intrinsic::nvvm_barrier0;
}

// Shuffles and votes are carried out together, too, but order no memory.
bool isMeeting(const Instruction &I) {
  const auto *C = dyn_cast<CallBase>(&I);
  return C && C->isConvergent() && !C->doesNotAccessMemory() && !C->onlyAccessesInaccessibleMemory();
}

bool threadsCooperate(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    if (isBarrier(I))
      continue;
    if (const auto *C = dyn_cast<CallBase>(&I); C && C->isConvergent())
      return true;
    const auto *S = dyn_cast<StoreInst>(&I);
    for (const Value *Operand : I.operands())
      if (Operand->getType()->isPointerTy() && Operand->getType()->getPointerAddressSpace() == AddrShared &&
          !(S && S->getPointerOperand() == Operand && isa<GlobalVariable>(Operand)))
        return true;
  }
  return false;
}

namespace {

/// Whether threads of a team may talk to each other other than by barriers in front of and around the chunk loop's body.
bool cooperates(const Function &F, const Loop &Inner) {
  auto WaitsWithin = [&](const Instruction &I) { return isBarrier(I) && Inner.contains(I.getParent()); };
  return threadsCooperate(F) || any_of(instructions(F), WaitsWithin);
}

/// Nothing but a return behind the loop.
bool endsKernel(const Loop &Outer) {
  const BasicBlock *Exit = Outer.getExitBlock();
  return Exit && isa<ReturnInst>(Exit->front());
}

/// Nothing computed in the inner loop is used outside of it but by phis of Skip.
bool keepsToItself(const Loop &Inner, const BasicBlock *Skip) {
  for (const BasicBlock *BB : Inner.blocks())
    for (const Instruction &I : *BB)
      for (const User *U : I.users()) {
        const auto *User = cast<Instruction>(U);
        if (!Inner.contains(User->getParent()) && !(isa<PHINode>(User) && User->getParent() == Skip))
          return false;
      }
  return true;
}

/// The bound goes on as the least of itself, a chunk further, and the last iteration's number.
Value *lastIteration(const Loop &Outer, const PHINode &Bound) {
  const BasicBlock *Latch = Outer.getLoopLatch();
  auto *Next = Latch ? dyn_cast<MinMaxIntrinsic>(Bound.getIncomingValueForBlock(Latch)) : nullptr;
  if (!Next)
    return nullptr;
  bool Left = Outer.isLoopInvariant(Next->getLHS()), Right = Outer.isLoopInvariant(Next->getRHS());
  return Left == Right ? nullptr : Left ? Next->getLHS() : Next->getRHS();
}

/// A comparison of Base + tid with Bound that holds, or fails, for threads without an iteration.
bool comparesWithBound(Value *V, PHINode &Base, PHINode &Bound) {
  Value *Mine = nullptr, *Tid = nullptr;
  auto Limit = m_CombineOr(m_Specific(&Bound), m_Add(m_Specific(&Bound), m_One())); // <=, or < the next
  if (!match(V, m_c_ICmp(m_Value(Mine), Limit)) || !match(Mine, m_c_Add(m_Specific(&Base), m_Value(Tid))))
    return false;
  return isThreadNumber(Tid);
}

/// What a guard asks beside whether the thread has an iteration: it leaves if `x || no iteration`, or enters if `x && iteration`.
struct OtherPart {
  Value *Condition = nullptr; // x; null: nothing
  bool Leaves = false;        // the first
};

/// The guard's other part, if both are asked for at once. Nothing if the guard has another form, or x changes from chunk to chunk.
std::optional<OtherPart> otherPart(const BranchInst &Guard, const BasicBlock *Skip, const Loop &Outer, PHINode &Base, PHINode &Bound) {
  Value *Condition = Guard.getCondition(), *A = nullptr, *B = nullptr;
  bool Leaves = Guard.getSuccessor(0) == Skip;
  if (comparesWithBound(Condition, Base, Bound))
    return OtherPart{nullptr, Leaves};
  if (!(Leaves ? match(Condition, m_LogicalOr(m_Value(A), m_Value(B))) : match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))))
    return std::nullopt;
  if (comparesWithBound(A, Base, Bound))
    std::swap(A, B);
  if (!comparesWithBound(B, Base, Bound) || !Outer.isLoopInvariant(A))
    return std::nullopt;
  return OtherPart{A, Leaves};
}

/// The same, if one is asked after the other.
std::optional<OtherPart> otherPart(const BranchInst &First, const BranchInst &Second, const BasicBlock *Skip, const Loop &Outer,
                                   PHINode &Base, PHINode &Bound) {
  const BranchInst *Other = &First, *Compares = &Second;
  if (comparesWithBound(Other->getCondition(), Base, Bound))
    std::swap(Other, Compares);
  if (!comparesWithBound(Compares->getCondition(), Base, Bound) || !Outer.isLoopInvariant(Other->getCondition()))
    return std::nullopt;
  return OtherPart{Other->getCondition(), Other->getSuccessor(0) == Skip};
}

/// Where a block goes on if it does not leave for Skip; null if it does not branch between the two.
BasicBlock *wayOn(BasicBlock &BB, const BasicBlock *Skip) {
  auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return nullptr;
  return Branch->getSuccessor(0) == Skip ? Branch->getSuccessor(1) : Branch->getSuccessor(1) == Skip ? Branch->getSuccessor(0) : nullptr;
}

/// A block that can be joined with the one in front of it, whatever that decides.
bool canJoin(const BasicBlock &BB, const BasicBlock *Before) {
  auto IsPure = [](const Instruction &I) { return I.isTerminator() || (!isa<PHINode>(I) && isSafeToSpeculativelyExecute(&I)); };
  return BB.getSinglePredecessor() == Before && all_of(BB, IsPure);
}

/// The way from the header to the inner loop: sets Check, Entry and Other. False if it has another form.
bool findGuard(ChunkShape &S, const Loop &Outer, PHINode &Base, PHINode &Bound) {
  BasicBlock *Next = wayOn(*S.Header, S.Skip), *From = S.Header;
  if (!Next)
    return false;
  if (wayOn(*Next, S.Skip) && Next != S.InnerHeader) {
    if (!canJoin(*Next, From))
      return false;
    S.Check = From = Next;
    Next = wayOn(*Next, S.Skip);
  }
  if (Next != S.InnerHeader) {
    if (Next->size() != 1 || Next->getSingleSuccessor() != S.InnerHeader || Next->getSinglePredecessor() != From)
      return false;
    S.Entry = Next;
  }
  const auto &Guard = cast<BranchInst>(*S.Header->getTerminator());
  std::optional<OtherPart> Other = S.Check ? otherPart(Guard, cast<BranchInst>(*S.Check->getTerminator()), S.Skip, Outer, Base, Bound)
                                           : otherPart(Guard, S.Skip, Outer, Base, Bound);
  if (Other)
    S.Other = Other->Condition, S.OtherLeaves = Other->Leaves;
  return Other.has_value();
}

/// Only the header, what stands between it and the inner loop, and the inner loop's end lead to what both have in common.
bool closed(const ChunkShape &S) {
  for (const BasicBlock *P : predecessors(S.Skip))
    if (P != S.Header && P != S.Check && P != S.InnerLatch)
      return false;
  const BasicBlock *Last = S.Entry ? S.Entry : S.Check ? S.Check : S.Header;
  for (const BasicBlock *P : predecessors(S.InnerHeader))
    if (P != Last && P != S.InnerLatch)
      return false;
  return !S.Check || all_of(S.Skip->phis(), [&](const PHINode &P) {
    return P.getIncomingValueForBlock(S.Header) == P.getIncomingValueForBlock(S.Check);
  });
}

} // namespace

std::optional<ChunkShape> recogniseChunks(const Loop &Outer, const Loop &Inner, PHINode &Base, PHINode &Bound, unsigned Size) {
  ChunkShape S;
  S.Header = Outer.getHeader(), S.Latch = Outer.getLoopLatch();
  S.InnerHeader = Inner.getHeader();
  S.InnerLatch = Inner.getLoopLatch();
  S.Skip = Inner.getExitBlock();
  S.Base = &Base, S.Bound = &Bound, S.Size = Size;
  S.Last = lastIteration(Outer, Bound);
  S.Inner.assign(Inner.block_begin(), Inner.block_end());
  const Function &F = *S.Header->getParent();
  if (Outer.getParentLoop() || !S.Skip || !S.InnerLatch || Inner.getExitingBlock() != S.InnerLatch ||
      Outer.getExitingBlock() != Outer.getLoopLatch() || !endsKernel(Outer) || cooperates(F, Inner))
    return std::nullopt;
  // Header: if (guard) inner loop; either way on to Skip.
  if (!findGuard(S, Outer, Base, Bound) || !closed(S))
    return std::nullopt;
  if (!keepsToItself(Inner, S.Skip))
    return std::nullopt;
  return S;
}

} // namespace place
