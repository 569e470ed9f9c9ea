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
  match(Tid, m_ZExtOrSExt(m_Value(Tid)));
  return isRegister(Tid, "tid");
}

/// The guard's other part x, where it leaves if `x || no iteration`, or enters if `x && iteration`; null if there is none.
/// Nothing if the guard has another form, or x changes from chunk to chunk.
std::optional<Value *> otherCondition(const BranchInst &Guard, const BasicBlock *Inside, const Loop &Outer, PHINode &Base,
                                      PHINode &Bound) {
  Value *Condition = Guard.getCondition(), *A = nullptr, *B = nullptr;
  if (comparesWithBound(Condition, Base, Bound))
    return nullptr;
  bool Leaves = Guard.getSuccessor(0) != Inside;
  if (!(Leaves ? match(Condition, m_LogicalOr(m_Value(A), m_Value(B))) : match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))))
    return std::nullopt;
  if (comparesWithBound(A, Base, Bound))
    std::swap(A, B);
  if (!comparesWithBound(B, Base, Bound) || !Outer.isLoopInvariant(A))
    return std::nullopt;
  return A;
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
  auto *Guard = dyn_cast<BranchInst>(S.Header->getTerminator());
  if (!Guard || !Guard->isConditional() || Guard->getSuccessor(0) == Guard->getSuccessor(1) ||
      !is_contained(successors(S.Header), S.Skip) || !is_contained(successors(S.Header), S.InnerHeader))
    return std::nullopt;
  std::optional<Value *> Other = otherCondition(*Guard, S.InnerHeader, Outer, Base, Bound);
  if (!Other)
    return std::nullopt;
  S.Other = *Other;
  for (const BasicBlock *P : predecessors(S.Skip))
    if (P != S.Header && P != S.InnerLatch)
      return std::nullopt;
  for (const BasicBlock *P : predecessors(S.InnerHeader))
    if (P != S.Header && P != S.InnerLatch)
      return std::nullopt;
  if (!keepsToItself(Inner, S.Skip))
    return std::nullopt;
  return S;
}

} // namespace place
