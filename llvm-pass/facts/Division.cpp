//===- Division.cpp - Divisions of a loop counter -------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Division.h"
#include "Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

// Divisions by powers of two are shifts and masks. A narrow one is the counter's where the divisor is a constant: the number of iterations
// has 31 bits (Block.cpp), and a mask takes the lowest.
std::optional<Division> Division::of(Instruction &I, IntegerType &Counter) {
  const unsigned Width = widthOf(&I), Whole = Counter.getBitWidth();
  const unsigned Converts = 31; // so many bits or more are what a conversion keeps, and all that the counter has
  Division D;
  D.I = &I;
  const APInt *Bits = nullptr;
  unsigned Low = 0, Length = 0;
  auto Power = [&](uint64_t N) { return ConstantInt::get(&Counter, APInt::getOneBitSet(Whole, unsigned(N))); };
  if (match(&I, m_And(m_Value(D.Dividend), m_APInt(Bits))) && (Bits->isMask() || Bits->isShiftedMask(Low, Length))) {
    unsigned Kept = Low ? Low : Bits->countr_one();
    D.Divisor = Kept < std::min(Width, Converts) ? Power(Kept) : nullptr;
    D.K = Mask;
  } else if (match(&I, m_LShr(m_Value(D.Dividend), m_APInt(Bits)))) {
    D.Divisor = Bits->ult(Whole) ? Power(Bits->getZExtValue()) : nullptr;
  } else if (match(&I, m_URem(m_Value(D.Dividend), m_Value(D.Divisor))) || match(&I, m_SRem(m_Value(D.Dividend), m_Value(D.Divisor)))) {
    D.K = Remainder;
  } else if (!match(&I, m_UDiv(m_Value(D.Dividend), m_Value(D.Divisor))) && !match(&I, m_SDiv(m_Value(D.Dividend), m_Value(D.Divisor)))) {
    return std::nullopt;
  }
  auto *Constant = dyn_cast_if_present<ConstantInt>(D.Divisor);
  if (Constant && Constant->getType() != &Counter && Width < Whole)
    D.Divisor = Constant = ConstantInt::get(Counter.getContext(), Constant->getValue().zext(Whole));
  // The program's own division by a small number (in[x / 2]) parts no dimension that blocks could have.
  if (!D.Divisor || D.Divisor->getType() != &Counter || (Width < 32 && D.K != Mask) || (Constant && Constant->getValue().slt(32)))
    return std::nullopt;
  return D;
}

bool Division::tellsOfRows() const {
  auto IsBegin = [&](const User *U) { return match(U, m_Sub(m_Specific(Dividend), m_Specific(I))); };
  return K != Remainder || any_of(I->users(), IsBegin);
}

} // namespace place
