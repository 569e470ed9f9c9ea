//===- LeanLoops.cpp - Chunks of one iteration ---------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's form of a chunked schedule:
//
//   for (lower = upper = f; upper = min(upper, last), lower <= upper; lower += step, upper += step)
//     for (iv = lower; iv <= upper; ++iv) body
//
// By induction lower == upper whenever the outer loop begins a round: it does so at first, and goes on only if
// lower <= min(upper, last), where that minimum is then lower itself. So the inner loop goes round once.
//
//===----------------------------------------------------------------------===//
#include "Lean.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

/// Two counters of a loop, and the least of the second and the loop's last iteration.
struct Bounds {
  PHINode *Lower = nullptr, *Upper = nullptr;
  Value *Least = nullptr;
  BasicBlock *Inside = nullptr; // entered where Lower <= Least
};

/// lower <= least, as the branch at the end of the header asks, or the opposite.
bool staysBelow(const BranchInst &Branch, const Bounds &B, unsigned &Inside) {
  ICmpInst::Predicate P;
  Value *Left = nullptr, *Right = nullptr;
  if (!match(Branch.getCondition(), m_ICmp(P, m_Value(Left), m_Value(Right))))
    return false;
  if (Left != B.Lower) {
    std::swap(Left, Right);
    P = ICmpInst::getSwappedPredicate(P);
  }
  if (Left != B.Lower)
    return false;
  bool Next = match(Right, m_c_Add(m_Specific(B.Least), m_One()));
  if (Right != B.Least && !Next)
    return false;
  // <= least, or < least + 1, which does not hold where that wraps.
  ICmpInst::Predicate Below = ICmpInst::isSigned(P) ? (Next ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_SLE)
                                                    : (Next ? ICmpInst::ICMP_ULT : ICmpInst::ICMP_ULE);
  Inside = P == Below ? 0 : 1;
  return P == Below || P == ICmpInst::getInversePredicate(Below);
}

/// Whether V is the least of Upper and a value from outside the loop, compared as signed or unsigned numbers.
bool isLeast(Value *V, PHINode *Upper, const Loop &L, bool Signed) {
  if (const auto *M = dyn_cast<MinMaxIntrinsic>(V))
    return M->getIntrinsicID() == (Signed ? Intrinsic::smin : Intrinsic::umin) &&
           ((M->getLHS() == Upper && L.isLoopInvariant(M->getRHS())) || (M->getRHS() == Upper && L.isLoopInvariant(M->getLHS())));
  ICmpInst::Predicate P;
  Value *Limit = nullptr, *If = nullptr, *Else = nullptr;
  if (!match(V, m_Select(m_ICmp(P, m_Specific(Upper), m_Value(Limit)), m_Value(If), m_Value(Else))))
    return false;
  if (If != Upper) {
    std::swap(If, Else);
    P = ICmpInst::getInversePredicate(P);
  }
  if (If != Upper || !L.isLoopInvariant(Else) || ICmpInst::isSigned(P) != Signed)
    return false;
  // upper < n ? upper : n - 1
  bool Below = P == ICmpInst::ICMP_SLT || P == ICmpInst::ICMP_ULT, AtMost = P == ICmpInst::ICMP_SLE || P == ICmpInst::ICMP_ULE;
  bool OneLess = Signed ? match(Else, m_NSWAdd(m_Specific(Limit), m_AllOnes())) : match(Else, m_NUWSub(m_Specific(Limit), m_One()));
  return ((Below || AtMost) && Else == Limit) || (Below && OneLess);
}

std::optional<Bounds> boundsOf(Loop &L, PHINode &Lower, PHINode &Upper) {
  BasicBlock *Latch = L.getLoopLatch(), *Before = L.getLoopPredecessor();
  auto *Branch = dyn_cast<BranchInst>(L.getHeader()->getTerminator());
  if (!Latch || !Before || !Branch || !Branch->isConditional() || L.getExitingBlock() != L.getHeader())
    return std::nullopt;
  Value *Step = nullptr, *Least = nullptr, *LowerStep = nullptr;
  if (Lower.getIncomingValueForBlock(Before) != Upper.getIncomingValueForBlock(Before) ||
      !match(Lower.getIncomingValueForBlock(Latch), m_c_Add(m_Specific(&Lower), m_Value(LowerStep))) ||
      !match(Upper.getIncomingValueForBlock(Latch), m_Add(m_Value(Least), m_Value(Step))))
    return std::nullopt;
  if (Step != LowerStep)
    std::swap(Step, Least);
  Bounds B = {&Lower, &Upper, Least, nullptr};
  unsigned Inside = 0;
  if (Step != LowerStep || !staysBelow(*Branch, B, Inside) ||
      !isLeast(Least, &Upper, L, cast<ICmpInst>(Branch->getCondition())->isSigned()))
    return std::nullopt;
  B.Inside = Branch->getSuccessor(Inside);
  return L.contains(B.Inside) && Branch->getSuccessor(0) != Branch->getSuccessor(1) ? std::optional(B) : std::nullopt;
}

std::optional<Bounds> find(Loop &L) {
  for (PHINode &Lower : L.getHeader()->phis())
    for (PHINode &Upper : L.getHeader()->phis())
      if (&Lower != &Upper && Lower.getType() == Upper.getType() && Lower.getType()->isIntegerTy())
        if (std::optional<Bounds> B = boundsOf(L, Lower, Upper))
          return B;
  return std::nullopt;
}

} // namespace

void joinChunkBounds(Function &F, FunctionAnalysisManager &FAM) {
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  const DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  for (Loop *L : LI.getLoopsInPreorder())
    if (std::optional<Bounds> B = find(*L)) {
      BasicBlockEdge Goes(L->getHeader(), B->Inside);
      B->Least->replaceUsesWithIf(B->Lower, [&](Use &U) { return DT.dominates(Goes, U); });
      B->Upper->replaceAllUsesWith(B->Lower);
    }
  FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace place
