//===- Unwiden.cpp - Counters of one width -------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Unwiden.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

/// Whether a phi is another of the same block, sign-extended, whichever way the block is entered.
static bool isCopy(const PHINode &Wide, const PHINode &Counter) {
  if (!Wide.getType()->isIntegerTy() || !Counter.getType()->isIntegerTy())
    return false;
  return all_of(Wide.blocks(), [&](const BasicBlock *From) {
    const auto *Extended = dyn_cast<SExtInst>(Wide.getIncomingValueForBlock(From));
    return Extended && Extended->getOperand(0) == Counter.getIncomingValueForBlock(From);
  });
}

Unwiden::Unwiden(Function &F) {
  SmallVector<std::pair<PHINode *, PHINode *>, 2> Copies;
  for (BasicBlock &BB : F)
    for (PHINode &Wide : BB.phis())
      for (PHINode &Counter : BB.phis())
        if (isCopy(Wide, Counter))
          Copies.push_back({&Wide, &Counter});
  for (auto &[Wide, Counter] : Copies)
    narrow(*Wide, *Counter);
}

void Unwiden::narrow(PHINode &Wide, PHINode &Counter) {
  SmallVector<Instruction *, 2> Extended;
  for (Value *V : Wide.incoming_values())
    Extended.push_back(cast<Instruction>(V));
  replace(Wide, *CastInst::CreateSExtOrBitCast(&Counter, Wide.getType(), "", Wide.getParent()->getFirstInsertionPt()));
  for (Instruction *I : Extended) {
    narrowComparisons(*I);
    if (I->use_empty() && I->getParent())
      remove(*I);
  }
}

/// Whether a bound cannot be negative in a program that conforms: a number that is not, to which a stride is added from chunk to chunk and
/// which is kept below the last iteration (OpenMP 5.2, 4.4.2: the iterations of a worksharing loop can be counted).
static bool isBound(const Value *V, const DataLayout &DL) {
  if (isKnownNonNegative(V, DL))
    return true;
  const auto *P = dyn_cast<PHINode>(V);
  return P && all_of(P->incoming_values(), [&](const Value *From) {
    auto Stepped = m_CombineOr(m_NSWAdd(m_Specific(P), m_Value()), m_NSWAdd(m_Value(), m_Specific(P)));
    return match(From, m_c_SMin(Stepped, m_Value())) || isKnownNonNegative(From, DL);
  });
}

// What is negative is more than a bound that is not, extended or not.
void Unwiden::narrowComparisons(Instruction &Extended) {
  for (User *U : make_early_inc_range(Extended.users())) {
    auto *Compare = dyn_cast<ICmpInst>(U);
    Value *Bound = nullptr;
    bool Matches = Compare && !Compare->isSigned() &&
                   (match(Compare, m_ICmp(m_Specific(&Extended), m_ZExt(m_Value(Bound)))) ||
                    match(Compare, m_ICmp(m_ZExt(m_Value(Bound)), m_Specific(&Extended))));
    Value *Narrow = Extended.getOperand(0);
    if (!Matches || Bound->getType() != Narrow->getType() || !isBound(Bound, Compare->getFunction()->getDataLayout()))
      continue;
    bool First = Compare->getOperand(0) == &Extended;
    auto *Extension = cast<Instruction>(Compare->getOperand(First));
    replace(*Compare, *new ICmpInst(Compare->getIterator(), Compare->getPredicate(), First ? Narrow : Bound, First ? Bound : Narrow));
    if (Extension->use_empty())
      remove(*Extension);
  }
}

void Unwiden::replace(Instruction &Old, Instruction &New) {
  Made.push_back(&New);
  for (Use &U : make_early_inc_range(Old.uses())) {
    Uses.push_back({&U, &Old});
    U.set(&New);
  }
  remove(Old);
}

void Unwiden::remove(Instruction &I) {
  Removed R{&I, I.getNextNode(), {}};
  for (Use &U : I.operands()) {
    R.Operands.push_back(U);
    U.set(PoisonValue::get(U->getType()));
  }
  I.removeFromParent();
  Without.push_back(std::move(R));
}

Unwiden::~Unwiden() {
  for (const Removed &R : reverse(Without)) {
    R.I->insertBefore(R.Next);
    for (unsigned N = 0; N < R.Operands.size(); ++N)
      R.I->setOperand(N, R.Operands[N]);
  }
  for (auto &[U, Old] : reverse(Uses))
    U->set(Old);
  for (Instruction *I : reverse(Made))
    I->eraseFromParent();
}

} // namespace place
