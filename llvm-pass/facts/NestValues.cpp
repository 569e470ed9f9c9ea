//===- NestValues.cpp - What a nest's values are --------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nest.h"
#include "Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

Poly Nest::leaf(Value *V, unsigned Bits) {
  // A divisor has no more bits than the number of iterations, so that its low 32 are no other number.
  unsigned Wide = is_contained(Divisors, V) ? widthOf(V) : std::min(widthOf(V), Bits <= 32 ? 32u : 64u);
  for (size_t S = 0; S < Symbols.size(); ++S)
    if (Symbols[S].V == V && Symbols[S].Bits == Wide)
      return Poly::symbol(Poly::Symbol(S));
  Symbols.push_back({isInvariant(V) ? NestSymbol::Invariant : NestSymbol::Varying, V, Wide, nullptr});
  return Poly::symbol(Poly::Symbol(Symbols.size() - 1));
}

// The most that an index can be, if constants say so: of the outermost one the number of iterations, of others what they are remainders by.
std::optional<uint64_t> Nest::mostOf(Poly::Symbol S) const {
  auto Constant = [](const Value *V) { return V ? dyn_cast<ConstantInt>(V) : nullptr; };
  const ConstantInt *Above = S > Divisors.size() ? nullptr : Constant(S ? Divisors[S - 1] : Last);
  if (!Above || Above->getValue().getActiveBits() > 31)
    return std::nullopt;
  uint64_t Most = Above->getZExtValue() - (S > 0);
  const ConstantInt *Own = S < Divisors.size() ? Constant(Divisors[S]) : nullptr;
  return Own ? Most / Own->getZExtValue() : Most;
}

// Whether a polynomial is a sum of multiples of such indices that has no more bits than that.
bool Nest::isBelow(const Poly &P, unsigned Bits) const {
  uint64_t Sum = 0;
  for (const auto &[M, C] : P.terms()) {
    std::optional<uint64_t> Most = M.empty() ? 1 : M.size() == 1 && M[0] < MaxDims ? mostOf(M[0]) : std::nullopt;
    if (!Most || C < 0 || C > UINT32_MAX)
      return false;
    Sum += uint64_t(C) * *Most;
    if (Sum > uint64_t(1) << 40)
      return false;
  }
  return Bits >= 41 || Sum < uint64_t(1) << Bits;
}

// Indices are below 2^31 - 1 wherever the nest is used (Block.cpp checks the number of iterations).
Poly Nest::fitted(const Poly &P, unsigned Bits, bool Signed, Fits &Needed) const {
  Poly R = P.reduced(Bits);
  const auto &Terms = R.terms();
  if (Terms.empty())
    return R;
  const auto &[M, C] = *Terms.begin();
  if (Terms.size() == 1) {
    if (M.empty() && (Signed || C >= 0))
      return R;
    if (M.empty()) // a constant whose highest bit is set, unsigned
      return Poly(C + int64_t(uint64_t(1) << Bits));
    const NestSymbol *One = M.size() == 1 ? &Symbols[M[0]] : nullptr;
    bool Small = One && M[0] < MaxDims && Bits >= 32 && C > 0 && uint64_t(C) <= uint64_t(1) << (Bits - 32);
    bool Narrow = One && C == 1 && One->V && ((Signed && One->Bits <= Bits) || (Bits >= 32 && is_contained(Divisors, One->V)));
    if (Small || Narrow)
      return R;
  }
  if (isBelow(R, Bits - Signed))
    return R;
  Needed.push_back({R, Bits, Signed});
  return R;
}

std::optional<Nest::Recurrence> Nest::recurrence(const PHINode &P) const {
  const Loop *L = LI.getLoopFor(P.getParent());
  if (!L || L->getHeader() != P.getParent() || !L->getLoopLatch() || P.getNumIncomingValues() != 2 || L == Inner || L == Outer)
    return std::nullopt;
  int Latch = P.getBasicBlockIndex(L->getLoopLatch());
  auto *Next = Latch < 0 ? nullptr : dyn_cast<BinaryOperator>(P.getIncomingValue(unsigned(Latch)));
  if (!Next || Next->getOpcode() != Instruction::Add)
    return std::nullopt;
  Value *Step = Next->getOperand(0) == &P ? Next->getOperand(1) : Next->getOperand(1) == &P ? Next->getOperand(0) : nullptr;
  if (!Step || !isInvariant(Step))
    return std::nullopt;
  return Recurrence{P.getIncomingValue(1 - unsigned(Latch)), Step, Next};
}

Poly Nest::congruent(Value *V, unsigned Bits, Fits &Needed) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return Poly(C->getValue().sextOrTrunc(64).getSExtValue()).reduced(Bits);
  if (V == IV)
    return Whole.reduced(Bits);
  if (auto It = Quotients.find(V); It != Quotients.end())
    return It->second.reduced(Bits);
  if (auto It = Remainders.find(V); It != Remainders.end())
    return inside(It->second).reduced(Bits);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > 40 || Steps > 4000)
    return leaf(V, Bits);
  ++Depth, ++Steps;
  size_t Before = Needed.size();
  Poly P = congruentOf(I, Bits, Needed).reduced(Bits);
  --Depth;
  // Nothing is gained by conditions on what stays opaque.
  if (P.degree() > 6 || P.terms().size() > 24) {
    Needed.erase(Needed.begin() + long(Before), Needed.end());
    return leaf(V, Bits);
  }
  return P;
}

// Bits of a number. The low 16 and more may be what a conversion keeps of it (31 of a number that is not negative, 34 of one times
// four), which a launch can be asked for; others that are not the polynomial itself are the program's own, as in x & 1.
std::optional<Poly> Nest::masked(Instruction *I, unsigned Bits, Fits &Needed) {
  Value *A = nullptr;
  const APInt *C = nullptr;
  unsigned Low = 0, Length = 0;
  if (!match(I, m_And(m_Value(A), m_APInt(C))) || !(C->isMask() || C->isShiftedMask(Low, Length)))
    return std::nullopt;
  unsigned Kept = C->isMask() ? C->countr_one() : Low + Length;
  Fits OfA, Converted, Own;
  Poly P = congruent(A, std::min(Bits, Kept), OfA);
  if (Bits > Kept)
    P = fitted(P, Kept, false, Kept < 16 ? Own : Converted);
  if (Low) // what remains without the remainder
    P = P - fitted(congruent(A, Low, OfA), Low, false, Own);
  if (!Own.empty())
    return leaf(I, Bits);
  for (const Fits &More : {OfA, Converted})
    Needed.insert(Needed.end(), More.begin(), More.end());
  return P;
}

Poly Nest::congruentOf(Instruction *I, unsigned Bits, Fits &Needed) {
  Value *A = nullptr, *B = nullptr;
  const APInt *C = nullptr;
  if (match(I, m_Add(m_Value(A), m_Value(B))) || match(I, m_DisjointOr(m_Value(A), m_Value(B))))
    return congruent(A, Bits, Needed) + congruent(B, Bits, Needed);
  if (match(I, m_Sub(m_Value(A), m_Value(B))))
    return congruent(A, Bits, Needed) - congruent(B, Bits, Needed);
  if (match(I, m_Mul(m_Value(A), m_Value(B))))
    return congruent(A, Bits, Needed) * congruent(B, Bits, Needed);
  if (match(I, m_Shl(m_Value(A), m_APInt(C))) && C->ult(64)) {
    // The bits shifted out do not matter.
    unsigned Shift = unsigned(C->getZExtValue());
    return Shift >= Bits ? Poly() : congruent(A, Bits - Shift, Needed) * Poly(int64_t(uint64_t(1) << Shift));
  }
  if (match(I, m_Trunc(m_Value(A))))
    return congruent(A, Bits, Needed);
  if (isa<SExtInst, ZExtInst>(I)) {
    A = I->getOperand(0);
    if (Bits <= widthOf(A))
      return congruent(A, Bits, Needed);
    return exact(A, isa<SExtInst>(I) || I->hasNonNeg(), Needed);
  }
  // What was shifted up by more, perhaps with something added there, and is shifted back: a narrower number, widened.
  if (match(I, m_AShr(m_Value(A), m_APInt(C))) && widthOf(I) <= 64 && C->ult(widthOf(I))) {
    unsigned Shift = unsigned(C->getZExtValue()), Kept = widthOf(I) - Shift;
    Fits More;
    std::optional<Poly> P = congruent(A, widthOf(I), More).shiftedRight(Shift);
    if (P) {
      Needed.insert(Needed.end(), More.begin(), More.end());
      return fitted(*P, Kept, true, Needed);
    }
  }
  if (std::optional<Poly> P = masked(I, Bits, Needed))
    return *P;
  if (auto *P = dyn_cast<PHINode>(I))
    if (std::optional<Recurrence> By = recurrence(*P))
      return congruent(By->Start, Bits, Needed) + congruent(By->Step, Bits, Needed) * Poly::symbol(counterOf(LI.getLoopFor(P->getParent())));
  return leaf(I, Bits);
}

// With the flags of overflow, sums and products are exact without a condition: where they overflow they are poison, and an
// address made from poison is undefined behaviour of the program itself.
Poly Nest::exact(Value *V, bool Signed, Fits &Needed) {
  unsigned Width = widthOf(V);
  auto *I = dyn_cast<Instruction>(V);
  if (V == IV || isParted(V))
    return congruent(V, Width, Needed);
  if (!I || Depth > 40)
    return fitted(congruent(V, Width, Needed), Width, Signed, Needed);
  ++Depth;
  Poly P;
  bool Done = true;
  auto *O = dyn_cast<OverflowingBinaryOperator>(I);
  bool Flag = O && (Signed ? O->hasNoSignedWrap() : O->hasNoUnsignedWrap());
  auto *Phi = dyn_cast<PHINode>(I);
  std::optional<Recurrence> By = Phi ? recurrence(*Phi) : std::nullopt;
  if (Flag && I->getOpcode() == Instruction::Add)
    P = exact(I->getOperand(0), Signed, Needed) + exact(I->getOperand(1), Signed, Needed);
  else if (Flag && I->getOpcode() == Instruction::Sub)
    P = exact(I->getOperand(0), Signed, Needed) - exact(I->getOperand(1), Signed, Needed);
  else if (Flag && I->getOpcode() == Instruction::Mul)
    P = exact(I->getOperand(0), Signed, Needed) * exact(I->getOperand(1), Signed, Needed);
  else if (By && (Signed ? By->Next->hasNoSignedWrap() : By->Next->hasNoUnsignedWrap()))
    P = exact(By->Start, Signed, Needed) + exact(By->Step, Signed, Needed) * Poly::symbol(counterOf(LI.getLoopFor(Phi->getParent())));
  else
    Done = false;
  if (!Done)
    P = fitted(congruent(V, Width, Needed), Width, Signed, Needed);
  --Depth;
  return P;
}

Argument *Nest::address(Value *Pointer, Poly &Offset, Fits &Needed) {
  Offset = Poly();
  while (auto *G = dyn_cast<GEPOperator>(Pointer)) {
    const DataLayout &DL = IV->getFunction()->getDataLayout();
    MapVector<Value *, APInt> Variable;
    APInt Constant(64, 0);
    if (DL.getIndexTypeSizeInBits(G->getType()) != 64 || !G->collectOffset(DL, 64, Variable, Constant))
      return nullptr;
    Offset = Offset + Poly(Constant.getSExtValue());
    for (auto &[V, Scale] : Variable) {
      Poly Index = widthOf(V) == 64 ? congruent(V, 64, Needed) : exact(V, true, Needed);
      Offset = Offset + Index * Poly(Scale.getSExtValue());
    }
    Pointer = G->getPointerOperand();
  }
  return dyn_cast<Argument>(Pointer);
}

} // namespace place
