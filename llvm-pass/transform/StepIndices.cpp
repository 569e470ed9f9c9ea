//===- StepIndices.cpp - Indices that go along with a loop's counter ----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = first; ...; i += step) { q = i / d; r = i % d; ... }
//
// becomes
//
//   for (i = first, q = first / d, r = first % d; ...; i += step)
//     { ...; r += step % d; carry = r >= d; r -= carry ? d : 0; q += step / d + carry; }
//
// r + step % d is at most i + step, so that it wraps only if the counter does. Signed divisions are those of absolute values, of a counter that
// begins at no negative number and grows. A division in 64 bits is a call for ptxas: around it nothing stays in the registers that a callee may
// use, and a version has more of them than its body needs.
//
//===----------------------------------------------------------------------===//
#include "StepIndices.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

/// Divisions of one counter by one value, signed or not.
struct Divisions {
  SmallVector<BinaryOperator *, 2> Quotients, Remainders;
};
using Divisor = PointerIntPair<Value *, 1, bool>;

bool isSigned(const BinaryOperator &D) { return D.getOpcode() == Instruction::SDiv || D.getOpcode() == Instruction::SRem; }
bool isQuotient(const BinaryOperator &D) { return D.getOpcode() == Instruction::SDiv || D.getOpcode() == Instruction::UDiv; }

class Stepper {
public:
  explicit Stepper(Loop &L) : L(L), Before(L.getLoopPreheader()), Latch(L.getLoopLatch()) {}

  void run() {
    if (!Before || !Latch)
      return;
    for (PHINode &P : L.getHeader()->phis())
      if (Value *Step = stepOf(P))
        stepAll(P, *Step);
  }

private:
  /// What the counter grows by, or null.
  Value *stepOf(PHINode &P) const {
    Value *Step = nullptr;
    return match(P.getIncomingValueForBlock(Latch), m_c_Add(m_Specific(&P), m_Value(Step))) && L.isLoopInvariant(Step) ? Step : nullptr;
  }

  /// Whether the counter is never negative: to pass 2^63 by such steps, a thread would have to take 2^31 of them, and all threads of the grid
  /// more than any launch has time for.
  bool isCount(PHINode &P, Value &Step) const {
    const unsigned Wide = 64, StepBits = 32, FirstBits = 48;
    const DataLayout &DL = P.getDataLayout();
    auto HasAtMost = [&](unsigned Bits, const Value *V) { return computeKnownBits(V, DL).countMinLeadingZeros() >= Wide - Bits; };
    return P.getType()->isIntegerTy(Wide) && HasAtMost(FirstBits, P.getIncomingValueForBlock(Before)) && HasAtMost(StepBits, &Step);
  }

  void stepAll(PHINode &P, Value &Step) {
    MapVector<Divisor, Divisions> By;
    for (User *U : P.users()) {
      auto *D = dyn_cast<BinaryOperator>(U);
      if (!D || !D->isIntDivRem() || D->getOperand(0) != &P || !L.contains(D) || isa<Constant>(D->getOperand(1)) ||
          !L.isLoopInvariant(D->getOperand(1)) || (isSigned(*D) && !isCount(P, Step)))
        continue;
      Divisions &Found = By[{D->getOperand(1), isSigned(*D)}];
      (isQuotient(*D) ? Found.Quotients : Found.Remainders).push_back(D);
    }
    for (auto &[Of, Found] : By)
      step(P, Step, *Of.getPointer(), Of.getInt(), Found);
  }

  /// A part of a division outside of the loop: what the divisor is where the loop has no iteration, nobody knows.
  std::pair<Value *, Value *> divide(IRBuilder<> &B, Value *X, Value *Divisor) {
    Value *Quotient = B.CreateUDiv(X, Divisor);
    return {Quotient, B.CreateSub(X, B.CreateMul(Quotient, Divisor))};
  }

  void step(PHINode &P, Value &Step, Value &Of, bool Signed, const Divisions &Found) {
    IRBuilder<> B(Before->getTerminator());
    Type *Ty = P.getType();
    Value *Known = B.CreateFreeze(&Of), *Size = Signed ? B.CreateBinaryIntrinsic(Intrinsic::abs, Known, B.getFalse()) : Known;
    Value *By = B.CreateBinaryIntrinsic(Intrinsic::umax, Size, ConstantInt::get(Ty, 1));
    Value *Negative = Signed ? B.CreateICmpSLT(Known, ConstantInt::get(Ty, 0)) : B.getFalse();
    auto [FirstQuotient, FirstRemainder] = divide(B, P.getIncomingValueForBlock(Before), By);
    auto [StepQuotient, StepRemainder] = divide(B, &Step, By);
    B.SetInsertPoint(L.getHeader(), L.getHeader()->begin());
    PHINode *Quotient = B.CreatePHI(Ty, 2, "quotient"), *Remainder = B.CreatePHI(Ty, 2, "remainder");
    B.SetInsertPoint(Latch->getTerminator());
    Value *Sum = B.CreateAdd(Remainder, StepRemainder), *Carries = B.CreateICmpUGE(Sum, By);
    Quotient->addIncoming(FirstQuotient, Before);
    Quotient->addIncoming(B.CreateAdd(B.CreateAdd(Quotient, StepQuotient), B.CreateZExt(Carries, Ty)), Latch);
    Remainder->addIncoming(FirstRemainder, Before);
    Remainder->addIncoming(B.CreateSelect(Carries, B.CreateSub(Sum, By), Sum), Latch);
    for (BinaryOperator *D : Found.Quotients) {
      B.SetInsertPoint(D);
      replaceQuotient(*D, *B.CreateSelect(Negative, B.CreateNeg(Quotient), Quotient), P, *Remainder);
    }
    for (BinaryOperator *D : Found.Remainders)
      replace(*D, *Remainder);
  }

  static void replace(Instruction &I, Value &With) {
    I.replaceAllUsesWith(&With);
    I.eraseFromParent();
  }

  /// quotient * divisor is the counter without the remainder.
  void replaceQuotient(BinaryOperator &D, Value &Quotient, PHINode &P, Value &Remainder) {
    for (User *U : make_early_inc_range(D.users()))
      if (auto *I = cast<Instruction>(U); L.contains(I) && match(I, m_c_Mul(m_Specific(&D), m_Specific(D.getOperand(1))))) {
        IRBuilder<> B(I);
        replace(*I, *B.CreateSub(&P, &Remainder));
      }
    replace(D, Quotient);
  }

  Loop &L;
  BasicBlock *Before, *Latch;
};

} // namespace

void stepIndices(Loop &L) { Stepper(L).run(); }

} // namespace place
