//===- Nest.cpp - The loops that a chunk loop was collapsed from ------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nest.h"
#include "Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

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

std::vector<Division> Nest::divisionsOf(const Poly &Rest) {
  std::vector<Division> Found;
  auto *Counter = cast<IntegerType>(IV->getType());
  for (BasicBlock *BB : Inner->blocks())
    for (Instruction &I : *BB)
      if (std::optional<Division> D = isParted(&I) ? std::nullopt : Division::of(I, *Counter))
        if (isInvariant(D->Divisor) && divides(*D, Rest))
          Found.push_back(std::move(*D));
  SmallPtrSet<const Value *, 4> OfRows;
  for (const Division &D : Found)
    if (D.tellsOfRows())
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
    if (D.K == Division::Quotient)
      Quotients[D.I] = D.Outer + Poly::symbol(Level);
    else if (D.K == Division::Remainder) // of a mask the lowest bits are known anyway
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
  if (auto It = find(Folded.Loops, L); It != Folded.Loops.end())
    return firstFolded() + Poly::Symbol(It - Folded.Loops.begin());
  for (size_t S = 0; S < Symbols.size(); ++S)
    if (Symbols[S].K == NestSymbol::Counter && Symbols[S].L == L)
      return Poly::Symbol(S);
  Symbols.push_back({NestSymbol::Counter, nullptr, 0, L});
  return Poly::Symbol(Symbols.size() - 1);
}

} // namespace place
