//===- RangeLoop.cpp - Loops over ranges of one's own ------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RangeLoop.h"
#include "Expr.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

const unsigned MostBytesKept = 32, MostShared = 48; // of an element of the ranges; instructions, of which a thread has some for each of several elements

bool isConvergent(const Instruction &I) {
  const auto *C = dyn_cast<CallBase>(&I);
  return C && C->isConvergent();
}

class Finder {
public:
  Finder(Loop &L, const IterationBody &Body, const LoopInfo &LI, const DominatorTree &DT) : Body(Body), LI(LI), DT(DT) { R.L = &L; }

  std::optional<RangeLoop> find() {
    if (!goesThrough() || !findGuard() || !findBefore() || !findCounter() || isAlike(R.First) || !findShared())
      return std::nullopt;
    return std::move(R);
  }

private:
  /// Whether each round ends, and only the last one ends the loop.
  bool goesThrough() const {
    return R.L->getLoopLatch() && R.L->getExitingBlock() == R.L->getLoopLatch() && R.L->getExitBlock() &&
           all_of(R.L->blocks(), [](const BasicBlock *BB) {
             return all_of(*BB, [](const Instruction &I) { return isGuaranteedToTransferExecutionToSuccessor(&I) && !isConvergent(I); });
           });
  }

  /// The branch around the loop. What stands between them can be computed before it.
  bool findGuard() {
    BasicBlock *To = R.L->getHeader();
    R.Guard = R.L->getLoopPredecessor();
    if (R.Guard && R.Guard->getSingleSuccessor()) {
      To = R.Guard;
      R.Guard = To->getSinglePredecessor();
      if (any_of(*To, [](const Instruction &I) { return !I.isTerminator() && (isa<PHINode>(I) || !isSafeToSpeculativelyExecute(&I)); }))
        return false;
    }
    auto *Branch = R.Guard ? dyn_cast<BranchInst>(R.Guard->getTerminator()) : nullptr;
    if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
      return false;
    R.Way = Branch->getSuccessor(1) == To;
    return LI.getLoopFor(R.Guard) == LI.getLoopFor(Body.Enter.front()) && R.L->getParentLoop() == LI.getLoopFor(R.Guard);
  }

  /// Whether all that enter the body come to the guard.
  bool findBefore() {
    SmallPtrSet<BasicBlock *, 8> Seen(Body.Enter.begin(), Body.Enter.end());
    R.Before.assign(Body.Enter.begin(), Body.Enter.end());
    for (size_t N = 0; N < R.Before.size(); ++N) {
      BasicBlock *BB = R.Before[N];
      if (!Body.Contains(BB) || any_of(*BB, [](const Instruction &I) {
            return isConvergent(I) || !isGuaranteedToTransferExecutionToSuccessor(&I);
          }))
        return false;
      if (BB != R.Guard)
        for (BasicBlock *Next : successors(BB))
          if (Seen.insert(Next).second)
            R.Before.push_back(Next);
    }
    return Seen.count(R.Guard);
  }

  bool findCounter() {
    auto *Branch = dyn_cast<BranchInst>(R.L->getLoopLatch()->getTerminator());
    ICmpInst::Predicate P;
    Value *Next = nullptr, *Counted = nullptr;
    if (!Branch || !Branch->isConditional() || !match(Branch->getCondition(), m_ICmp(P, m_Value(Next), m_Value(R.End))))
      return false;
    if (R.L->isLoopInvariant(Next)) {
      std::swap(Next, R.End);
      P = ICmpInst::getSwappedPredicate(P);
    }
    if (Branch->getSuccessor(0) != R.L->getHeader())
      P = ICmpInst::getInversePredicate(P);
    if ((P != ICmpInst::ICMP_NE && P != ICmpInst::ICMP_SLT && P != ICmpInst::ICMP_ULT) || !R.L->isLoopInvariant(R.End))
      return false;
    bool Narrowed = match(Next, m_Trunc(m_Value(Counted)));
    if (!match(Narrowed ? Counted : Next, m_c_Add(m_Value(Counted), m_One())))
      return false;
    R.Counter = dyn_cast<PHINode>(Counted);
    if (!R.Counter || R.Counter->getParent() != R.L->getHeader() ||
        R.Counter->getIncomingValueForBlock(R.L->getLoopLatch()) != (Narrowed ? cast<TruncInst>(Next)->getOperand(0) : Next))
      return false;
    R.First = R.Counter->getIncomingValueForBlock(R.L->getLoopPredecessor());
    if (Narrowed)
      R.Widen = isa<SExtInst>(R.First) ? Instruction::SExt : Instruction::ZExt;
    unsigned Bits = widthOf(R.Counter);
    return (Bits == 32 || Bits == 64) && (!Narrowed || (P == ICmpInst::ICMP_NE && (isa<SExtInst>(R.First) || isa<ZExtInst>(R.First))));
  }

  /// Whether a value from outside of the loop is the same for all threads of a team.
  bool isAlike(const Value *V) const {
    if (isa<Constant>(V) || isa<Argument>(V))
      return true;
    const auto *I = dyn_cast<Instruction>(V);
    return I && !Body.Contains(I->getParent()) && !dependsOnRegister(I, "tid") &&
           !dependsOn(I, [](const Instruction &From) { return From.mayReadFromMemory(); });
  }

  struct Kind {
    bool OfCounter = false; // depends on nothing else
    bool Reads = false;
  };

  Kind kindOf(const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || !R.L->contains(I))
      return {isAlike(V), false};
    if (I == R.Counter)
      return {true, false};
    auto [It, IsNew] = Kinds.try_emplace(I);
    if (!IsNew)
      return It->second;
    Kind K = {mayShare(*I), isa<LoadInst>(I)};
    for (const Use &U : I->operands()) {
      if (!K.OfCounter)
        break;
      if (isa<Function>(U))
        continue;
      Kind Of = kindOf(U);
      K.OfCounter &= Of.OfCounter;
      K.Reads |= Of.Reads;
    }
    return Kinds[I] = K;
  }

  /// What another thread could come to in its place, if it depends on nothing but the counter.
  bool mayShare(const Instruction &I) const {
    if (!DT.dominates(I.getParent(), R.L->getLoopLatch()) || isa<PHINode>(I) || I.isTerminator() || I.getType()->isIntegerTy(1))
      return false;
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple() && Body.IsOnlyRead(Load->getPointerOperand());
    return !isa<AllocaInst>(I) && !I.mayReadOrWriteMemory() && (!isa<CallBase>(I) || isa<IntrinsicInst>(I));
  }

  bool isShared(const Value *V) {
    Kind K = kindOf(V);
    return K.OfCounter && K.Reads;
  }

  bool findShared() {
    for (BasicBlock *BB : R.L->blocks())
      for (Instruction &I : *BB) {
        if (!isShared(&I))
          continue;
        R.Shared.push_back(&I);
        if (any_of(I.users(), [&](const User *U) { return !R.L->contains(cast<Instruction>(U)); }))
          return false;
        if (all_of(I.users(), [&](const User *U) { return isShared(U); }))
          continue;
        R.Kept.push_back(&I);
        if (!I.getType()->isIntegerTy() && !I.getType()->isFloatingPointTy())
          return false;
        R.Bytes += I.getDataLayout().getTypeStoreSize(I.getType());
      }
    return !R.Kept.empty() && R.Bytes <= MostBytesKept && R.Shared.size() <= MostShared;
  }

  const IterationBody &Body;
  const LoopInfo &LI;
  const DominatorTree &DT;
  DenseMap<const Instruction *, Kind> Kinds;
  RangeLoop R;
};

} // namespace

std::optional<RangeLoop> findRangeLoop(const IterationBody &Body, const LoopInfo &LI, const DominatorTree &DT) {
  for (Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost() && Body.Contains(L->getHeader()))
      if (std::optional<RangeLoop> R = Finder(*L, Body, LI, DT).find())
        return R;
  return std::nullopt;
}

} // namespace place
