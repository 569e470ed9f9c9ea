//===- Narrow.cpp - Divisions of small numbers ----------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Narrow.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

// x - x / d * d is a remainder.
void findRemainders(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : make_early_inc_range(*BB)) {
      Value *X = nullptr, *D = nullptr;
      bool Signed = match(&I, m_Sub(m_Value(X), m_c_Mul(m_SDiv(m_Deferred(X), m_Value(D)), m_Deferred(D))));
      if (!Signed && !match(&I, m_Sub(m_Value(X), m_c_Mul(m_UDiv(m_Deferred(X), m_Value(D)), m_Deferred(D)))))
        continue;
      IRBuilder<> B(&I);
      I.replaceAllUsesWith(Signed ? B.CreateSRem(X, D) : B.CreateURem(X, D));
      I.eraseFromParent();
    }
}

namespace {

bool isSigned(const Instruction &Division) {
  return Division.getOpcode() == Instruction::SDiv || Division.getOpcode() == Instruction::SRem;
}

/// x / d or x % d in 64 bits, where x has 32 and is not negative. A d that has more is farther from 0 than x can be: then the quotient is 0
/// and the remainder x. A signed division is one of absolute values: the GPU divides unsigned numbers, and where the sign of d is known, as of
/// most extents, nothing is left of it.
class NarrowDivision {
public:
  explicit NarrowDivision(BinaryOperator &I) : B(&I), I(I), X(I.getOperand(0)), D(I.getOperand(1)) {}

  Value *make() {
    Type *Narrow = B.getInt32Ty();
    Value *By = isSigned(I) ? B.CreateBinaryIntrinsic(Intrinsic::abs, D, B.getFalse()) : D;
    Value *Fits = B.CreateICmpULE(By, B.getInt64(UINT32_MAX));
    Value *Divisor = B.CreateSelect(Fits, B.CreateTrunc(By, Narrow), B.getInt32(1)), *Of = B.CreateTrunc(X, Narrow);
    Value *Result = B.CreateZExt(isQuotient() ? B.CreateUDiv(Of, Divisor) : B.CreateURem(Of, Divisor), I.getType());
    if (isQuotient() && isSigned(I))
      Result = B.CreateSelect(B.CreateICmpSLT(D, B.getInt64(0)), B.CreateNeg(Result), Result);
    return B.CreateSelect(Fits, Result, isQuotient() ? B.getInt64(0) : X);
  }

private:
  bool isQuotient() const { return I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::UDiv; }

  IRBuilder<> B;
  BinaryOperator &I;
  Value *X, *D;
};

} // namespace

// What a collapsed loop's indices are found by.
void divideNarrowly(ArrayRef<BasicBlock *> Blocks, const DataLayout &DL) {
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : make_early_inc_range(*BB)) {
      if (!I.isIntDivRem() || !I.getType()->isIntegerTy(64) || isa<Constant>(I.getOperand(1)) ||
          computeKnownBits(I.getOperand(0), DL).countMinLeadingZeros() < 32)
        continue;
      I.replaceAllUsesWith(NarrowDivision(cast<BinaryOperator>(I)).make());
      I.eraseFromParent();
    }
}

} // namespace place
