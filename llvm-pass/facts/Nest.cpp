//===- Nest.cpp - The loops that a chunk loop was collapsed from ------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

static unsigned widthOf(const Value *V) { return V->getType()->isIntegerTy() ? V->getType()->getIntegerBitWidth() : 0; }

Nest::Nest(const ChunkShape &S, LoopInfo &LI) : LI(LI) {
  Outer = LI.getLoopFor(S.Header);
  Inner = LI.getLoopFor(S.InnerHeader);
}

std::unique_ptr<Nest> Nest::recognise(const ChunkShape &S, LoopInfo &LI) {
  std::unique_ptr<Nest> N(new Nest(S, LI));
  if (!N->takeApart(S))
    N.reset();
  return N;
}

// What the bound is kept below from chunk to chunk: the last iteration. (The first chunk's minimum is gone where the compiler
// knows that the chunk is whole.)
bool Nest::takeApart(const ChunkShape &S) {
  if (!Outer || !Inner || Inner->getParentLoop() != Outer)
    return false;
  auto Phis = S.InnerHeader->phis();
  if (std::distance(Phis.begin(), Phis.end()) != 1)
    return false;
  IV = &*Phis.begin();
  unsigned Width = widthOf(IV);
  Last = Width == 32 || Width == 64 ? S.Last : nullptr;
  if (!Last)
    return false;
  for (unsigned D = 0; D < MaxDims; ++D)
    Symbols.push_back({NestSymbol::Dim});
  Whole = Poly::symbol(0);
  // The first division is by the product of all loops inside the outermost one, the next divides what that one leaves.
  Poly Rest = Whole;
  while (Divisors.size() + 1 < MaxDims && findQuotients(Rest)) {
    unsigned Outermost = unsigned(Divisors.size()) - 1;
    Poly Divisor = exact(Divisors.back(), false, Given);
    Poly Inside = Poly::symbol(Outermost + 1);
    // iv = ... + i_d: the last index found so far is itself a quotient times a divisor and a rest.
    Whole = Whole.without(Outermost) + Whole.coefficient(Outermost) * (Poly::symbol(Outermost) * Divisor + Inside);
    Rest = Inside;
  }
  return true;
}

/// Dividend / Divisor, or the remainder of that.
struct Division {
  Instruction *I = nullptr;
  Value *Dividend = nullptr, *Divisor = nullptr; // the latter of the counter's type
  bool Remainder = false;                        // of which no quotient is known
  Fits Needed;                                   // for the dividend to be the one that is looked for
  Poly Outer;                                    // what the quotient is more than the index that is parted off
};

// Divisions by powers of two are shifts and masks. A narrow one is the counter's where the divisor is a constant: the number of iterations
// has 31 bits (Block.cpp), and a mask takes the lowest.
static std::optional<Division> divisionOf(Instruction &I, IntegerType &Counter) {
  Division D;
  D.I = &I;
  const unsigned Width = widthOf(&I);
  const APInt *Bits = nullptr;
  unsigned Low = 0, Length = 0;
  auto Power = [&](uint64_t N) { return ConstantInt::get(&Counter, APInt::getOneBitSet(Counter.getBitWidth(), unsigned(N))); };
  const unsigned Converts = 31; // so many bits or more are what a conversion keeps, and all that the counter has
  bool Masks = match(&I, m_And(m_Value(D.Dividend), m_APInt(Bits))) && (Bits->isMask() || Bits->isShiftedMask(Low, Length));
  if (Masks) {
    // The remainder, or what is left without it.
    unsigned Kept = Low ? Low : Bits->countr_one();
    D.Divisor = Kept < std::min(Width, Converts) ? Power(Kept) : nullptr;
    D.Remainder = true;
  } else if (match(&I, m_LShr(m_Value(D.Dividend), m_APInt(Bits)))) {
    D.Divisor = Bits->ult(Counter.getBitWidth()) ? Power(Bits->getZExtValue()) : nullptr;
  } else if (match(&I, m_URem(m_Value(D.Dividend), m_Value(D.Divisor))) || match(&I, m_SRem(m_Value(D.Dividend), m_Value(D.Divisor)))) {
    D.Remainder = true;
  } else if (!match(&I, m_UDiv(m_Value(D.Dividend), m_Value(D.Divisor))) && !match(&I, m_SDiv(m_Value(D.Dividend), m_Value(D.Divisor)))) {
    return std::nullopt;
  }
  auto *Constant = dyn_cast_if_present<ConstantInt>(D.Divisor);
  if (Constant && Width < Counter.getBitWidth() && !Masks)
    D.Divisor = Constant = ConstantInt::get(Counter.getContext(), Constant->getValue().zext(Counter.getBitWidth()));
  // The program's own division by a small number (in[x / 2]) parts no dimension that blocks could have.
  if (!D.Divisor || D.Divisor->getType() != &Counter || (Width < 32 && !Masks) || (Constant && Constant->getValue().slt(32)))
    return std::nullopt;
  return D;
}

// Of the counter itself, too, where what has been parted off already is a multiple of a constant divisor.
bool Nest::divides(Division &D, const Poly &Rest) {
  const unsigned Width = widthOf(D.Dividend);
  Poly Dividend = congruent(D.Dividend, Width, D.Needed);
  if (Dividend == Rest.reduced(Width))
    return true;
  const auto *Constant = dyn_cast<ConstantInt>(D.Divisor);
  if (!Constant || Dividend != Whole.reduced(Width) || is_contained(Divisors, D.Divisor))
    return false;
  std::optional<Poly> Outer = (Whole - Rest).dividedBy(Constant->getSExtValue());
  D.Outer = Outer.value_or(Poly());
  return Outer.has_value();
}

/// Whether divisions tell of rows: a quotient does, and a remainder whose row begins at iv - iv % n, or one that is a mask. Another may be a
/// table's index (random[iv % 97]), which parts no loops.
static bool tellsOfRows(const Division &D) {
  auto IsBegin = [&](const User *U) { return match(U, m_Sub(m_Specific(D.Dividend), m_Specific(D.I))); };
  return !D.Remainder || D.I->getOpcode() == Instruction::And || any_of(D.I->users(), IsBegin);
}

std::vector<Division> Nest::divisionsOf(const Poly &Rest) {
  std::vector<Division> Found;
  auto *Counter = cast<IntegerType>(IV->getType());
  for (BasicBlock *BB : Inner->blocks())
    for (Instruction &I : *BB)
      if (std::optional<Division> D = widthOf(&I) && !isParted(&I) ? divisionOf(I, *Counter) : std::nullopt)
        if (isInvariant(D->Divisor) && divides(*D, Rest))
          Found.push_back(std::move(*D));
  SmallPtrSet<const Value *, 4> OfRows;
  for (const Division &D : Found)
    if (tellsOfRows(D))
      OfRows.insert(D.Divisor);
  erase_if(Found, [&](const Division &D) { return !OfRows.count(D.Divisor); });
  // A remainder is the dividend itself where that is small. It is not, or nobody would divide.
  auto Certain = find_if(Found, [](const Division &D) { return D.Needed.empty(); });
  if (Certain != Found.end())
    erase_if(Found, [Divisor = Certain->Divisor](const Division &D) { return !D.Needed.empty() && D.Divisor != Divisor; });
  return Found;
}

// The divisor that all others are parts of, as of 64 * n the 64 is; or null.
Value *Nest::largestDivisor(ArrayRef<Division> Found) {
  auto IsPart = [&](const Division &D, Value *Largest) {
    Fits Ignored;
    const auto *Part = dyn_cast<ConstantInt>(D.Divisor);
    return D.Divisor == Largest || (Part && exact(Largest, false, Ignored).dividedBy(Part->getSExtValue()));
  };
  for (const Division &D : Found)
    if (all_of(Found, [&](const Division &Other) { return IsPart(Other, D.Divisor); }))
      return D.Divisor;
  return nullptr;
}

// All quotients and remainders by one divisor that does not change.
bool Nest::findQuotients(const Poly &Rest) {
  std::vector<Division> Found = divisionsOf(Rest);
  Value *Divisor = largestDivisor(Found);
  if (!Divisor)
    return false;
  const auto Level = Poly::Symbol(Divisors.size());
  for (const Division &D : Found) {
    if (D.Divisor != Divisor)
      continue;
    Given.insert(Given.end(), D.Needed.begin(), D.Needed.end());
    if (!D.Remainder)
      Quotients[D.I] = D.Outer + Poly::symbol(Level);
    else if (D.I->getOpcode() != Instruction::And) // of which the lowest bits are known anyway
      Remainders[D.I] = Level;
  }
  Divisors.push_back(Divisor);
  return true;
}

bool Nest::isParted(const Value *V) const { return Quotients.count(V) || Remainders.count(V); }

// What the outer indices leave of the counter.
Poly Nest::inside(Poly::Symbol Outermost) const {
  Poly P = Whole;
  for (Poly::Symbol D = 0; D <= Outermost; ++D)
    P = P.without(D);
  return P;
}

bool Nest::isInvariant(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  return !I || !Outer->contains(I->getParent());
}

unsigned Nest::dimsOf(const Poly &P) const {
  unsigned Mask = 0;
  for (const auto &[M, C] : P.terms())
    for (Poly::Symbol S : M)
      Mask |= S < MaxDims ? 1u << S : Symbols[S].K == NestSymbol::Varying ? 1u << MaxDims : 0;
  return Mask;
}

Poly::Symbol Nest::counterOf(const Loop *L) {
  if (L == Folded)
    return 1;
  for (size_t S = 0; S < Symbols.size(); ++S)
    if (Symbols[S].K == NestSymbol::Counter && Symbols[S].L == L)
      return Poly::Symbol(S);
  Symbols.push_back({NestSymbol::Counter, nullptr, 0, L});
  return Poly::Symbol(Symbols.size() - 1);
}

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
  if (!Above || Above->getValue().getActiveBits() > 32)
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

// A phi of a sequential loop that steps by a value that does not change.
bool Nest::recurrence(PHINode *P, Value *&Start, Value *&Step, BinaryOperator *&Next) const {
  const Loop *L = LI.getLoopFor(P->getParent());
  if (!L || L->getHeader() != P->getParent() || !L->getLoopLatch() || P->getNumIncomingValues() != 2 || L == Inner || L == Outer)
    return false;
  int Latch = P->getBasicBlockIndex(L->getLoopLatch());
  if (Latch < 0)
    return false;
  Start = P->getIncomingValue(1 - unsigned(Latch));
  Next = dyn_cast<BinaryOperator>(P->getIncomingValue(unsigned(Latch)));
  if (!Next || Next->getOpcode() != Instruction::Add)
    return false;
  Step = Next->getOperand(0) == P ? Next->getOperand(1) : Next->getOperand(1) == P ? Next->getOperand(0) : nullptr;
  return Step && isInvariant(Step);
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
  Value *Start = nullptr, *Step = nullptr;
  BinaryOperator *Next = nullptr;
  if (auto *P = dyn_cast<PHINode>(I); P && recurrence(P, Start, Step, Next)) {
    return congruent(Start, Bits, Needed) + congruent(Step, Bits, Needed) * Poly::symbol(counterOf(LI.getLoopFor(P->getParent())));
  }
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
  Value *Start = nullptr, *Step = nullptr;
  BinaryOperator *Next = nullptr;
  if (Flag && I->getOpcode() == Instruction::Add)
    P = exact(I->getOperand(0), Signed, Needed) + exact(I->getOperand(1), Signed, Needed);
  else if (Flag && I->getOpcode() == Instruction::Sub)
    P = exact(I->getOperand(0), Signed, Needed) - exact(I->getOperand(1), Signed, Needed);
  else if (Flag && I->getOpcode() == Instruction::Mul)
    P = exact(I->getOperand(0), Signed, Needed) * exact(I->getOperand(1), Signed, Needed);
  else if (auto *Phi = dyn_cast<PHINode>(I); Phi && recurrence(Phi, Start, Step, Next) &&
                                             (Signed ? Next->hasNoSignedWrap() : Next->hasNoUnsignedWrap())) {
    P = exact(Start, Signed, Needed) +
        exact(Step, Signed, Needed) * Poly::symbol(counterOf(LI.getLoopFor(Phi->getParent())));
  } else
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
