//===- Interior.cpp - Conditions that hold away from the space's borders -----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if (x > 0 && x < n - 1) ...
//
// holds in most blocks for all iterations. There the guard is gone; the few other blocks are carried out as those at the end of
// the space are (Edge.h). Which way a comparison goes inside is a guess: wherever it is wrong, so is the check of the block.
//
//===----------------------------------------------------------------------===//
#include "Body.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

/// Decides comparisons of a body's indices with values that do not change.
class Guesser {
public:
  Guesser(Nest &N, const Body &T) : N(N), T(T) {}

  /// Which way V goes inside; what has to be at least 0 for that is added to Least.
  std::optional<bool> decide(Value *V, std::vector<Poly> &Least, Fits &Needed) {
    Value *A = nullptr, *B = nullptr;
    if (match(V, m_Not(m_Value(A)))) {
      std::optional<bool> Inner = decide(A, Least, Needed);
      return Inner ? std::optional<bool>(!*Inner) : std::nullopt;
    }
    bool And = match(V, m_LogicalAnd(m_Value(A), m_Value(B)));
    if (And || match(V, m_LogicalOr(m_Value(A), m_Value(B))))
      return decideBoth(A, B, And, Least, Needed);
    auto *Compare = dyn_cast<ICmpInst>(V);
    if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy() || Compare->getOperand(0)->getType()->getIntegerBitWidth() > 64)
      return std::nullopt;
    return decideCompare(*Compare, Least, Needed);
  }

private:
  // `a && b` holds if both do, and fails if one does; `a || b` the other way round.
  std::optional<bool> decideBoth(Value *A, Value *B, bool And, std::vector<Poly> &Least, Fits &Needed) {
    std::vector<Poly> LeastA, LeastB;
    Fits NeededA, NeededB;
    std::optional<bool> OfA = decide(A, LeastA, NeededA), OfB = decide(B, LeastB, NeededB);
    auto Take = [&](const std::vector<Poly> &L, const Fits &F) {
      Least.insert(Least.end(), L.begin(), L.end());
      Needed.insert(Needed.end(), F.begin(), F.end());
    };
    for (bool First : {true, false}) {
      std::optional<bool> One = First ? OfA : OfB;
      if (One && *One != And) {
        First ? Take(LeastA, NeededA) : Take(LeastB, NeededB);
        return !And;
      }
    }
    if (!OfA || !OfB)
      return std::nullopt;
    Take(LeastA, NeededA);
    Take(LeastB, NeededB);
    return And;
  }

  std::optional<bool> decideCompare(ICmpInst &I, std::vector<Poly> &Least, Fits &Needed) {
    Fits More;
    Poly A = N.exact(I.getOperand(0), true, More), B = N.exact(I.getOperand(1), true, More);
    if (!T.canCheck(More))
      return std::nullopt;
    for (bool Way : {true, false})
      for (const std::vector<Poly> &Needs : ways(Way ? I.getPredicate() : I.getInversePredicate(), A, B))
        if (all_of(Needs, [&](const Poly &P) { return isUsual(P); })) {
          Least.insert(Least.end(), Needs.begin(), Needs.end());
          Needed.insert(Needed.end(), More.begin(), More.end());
          for (const Poly &P : Needs) // computed in 64 bits
            Needed.push_back({P, 62, true});
          return Way;
        }
    return std::nullopt;
  }

  /// How far inside the space, in what P counts, its borders reach: so many steps of the index that moves P most.
  int64_t border(const Poly &P) const {
    const int64_t Small = 64;
    int64_t Largest = 1;
    for (Poly::Symbol D = 0; D < N.dims(); ++D)
      if (Poly Step = P.coefficient(D); Step.isConstant() && std::abs(Step.constant()) <= INT32_MAX)
        Largest = std::max(Largest, std::abs(Step.constant()));
    return Small * Largest;
  }

  /// Unsigned, what is negative is more than a number that is not: below a band, if that is as narrow as a border is (the last row).
  std::vector<Poly> below(const Poly &A, const Poly &B) const {
    return {B, Poly(-1) - A, B.isConstant() ? Poly(border(A)) - B : Poly(-1)};
  }

  /// Sets of polynomials each of which makes the comparison of two signed numbers hold if all in it are at least 0.
  std::vector<std::vector<Poly>> ways(CmpInst::Predicate Predicate, const Poly &A, const Poly &B) const {
    const Poly One(1);
    switch (Predicate) {
    case CmpInst::ICMP_SLT: return {{B - A - One}};
    case CmpInst::ICMP_SLE: return {{B - A}};
    case CmpInst::ICMP_SGT: return {{A - B - One}};
    case CmpInst::ICMP_SGE: return {{A - B}};
    case CmpInst::ICMP_NE: return {{B - A - One}, {A - B - One}};
    case CmpInst::ICMP_ULT: return {{A, B - A - One}}; // then B is no negative number either
    case CmpInst::ICMP_ULE: return {{A, B - A}};
    case CmpInst::ICMP_UGT: return {{B, A - B - One}, below(A, B)};
    case CmpInst::ICMP_UGE: return {{B, A - B}, below(A, B)};
    default: return {};
    }
  }

  // Inside, an index is larger than small numbers, and smaller than large ones and than what is not known; several together, as the counter's own
  // low bits, too.
  bool isUsual(const Poly &P) const {
    Poly Rest = P;
    int64_t Sum = 0;
    for (Poly::Symbol D = 0; D < N.dims(); ++D) {
      if (!P.uses(D))
        continue;
      Poly Step = P.coefficient(D);
      if (!P.isLinearIn(D) || !Step.isConstant() || (Sum && (Sum > 0) != (Step.constant() > 0)))
        return false;
      Sum += Step.constant();
      Rest = Rest.without(D);
    }
    for (Poly::Symbol S = 0; S < N.symbols(); ++S)
      if (N.symbol(S).K != NestSymbol::Invariant && Rest.uses(S))
        return false;
    if (!Rest.isConstant())
      return Sum <= 0;
    return Rest.constant() >= (Sum > 0 ? -border(P) : Sum < 0 ? border(P) : 0);
  }

  Nest &N;
  const Body &T;
};

} // namespace

bool Body::assume() {
  unsigned Before = BranchMask;
  Guesser G(N, *this);
  auto Try = [&](Value *Condition) {
    if (!mask(Condition) || Assumed.count(Condition))
      return;
    if (std::optional<bool> Way = G.decide(Condition, Inside, InsideNeeded))
      Assumed[Condition] = *Way;
  };
  for (BasicBlock *BB : Blocks) {
    for (Instruction &I : *BB)
      if (auto *Select = dyn_cast<SelectInst>(&I); Select && !Select->getType()->isIntegerTy(1))
        Try(Select->getCondition());
    if (auto *Branch = dyn_cast<BranchInst>(BB->getTerminator()); Branch && partsAt(BB))
      Try(Branch->getCondition());
  }
  Masks.clear();
  BranchMask = 0;
  computeMasks();
  return BranchMask != Before;
}

} // namespace place
