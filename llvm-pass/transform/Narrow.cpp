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
/// and the remainder x.
class NarrowDivision {
public:
  explicit NarrowDivision(BinaryOperator &I) : B(&I), I(I), X(I.getOperand(0)), D(I.getOperand(1)) {}

  Value *make() {
    Type *Narrow = B.getInt32Ty();
    Value *Fits = isSigned(I) ? B.CreateICmpEQ(B.CreateSExt(B.CreateTrunc(D, Narrow), I.getType()), D)
                             : B.CreateICmpULE(D, B.getInt64(UINT32_MAX));
    Value *By = B.CreateSelect(Fits, B.CreateTrunc(D, Narrow), B.getInt32(1));
    Value *Result = B.CreateBinOp(I.getOpcode(), B.CreateTrunc(X, Narrow), By);
    // Of x that is not negative a remainder never is.
    Value *Wide = I.getOpcode() == Instruction::SDiv ? B.CreateSExt(Result, I.getType()) : B.CreateZExt(Result, I.getType());
    return B.CreateSelect(Fits, Wide, isQuotient() ? B.getInt64(0) : X);
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
          computeKnownBits(I.getOperand(0), DL).countMinLeadingZeros() < (isSigned(I) ? 33 : 32))
        continue;
      I.replaceAllUsesWith(NarrowDivision(cast<BinaryOperator>(I)).make());
      I.eraseFromParent();
    }
}

} // namespace place
