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
      if (!match(&I, m_Sub(m_Value(X), m_c_Mul(m_UDiv(m_Deferred(X), m_Value(D)), m_Deferred(D)))))
        continue;
      I.replaceAllUsesWith(IRBuilder<>(&I).CreateURem(X, D));
      I.eraseFromParent();
    }
}

// What a collapsed loop's indices are found by: x / d and x % d in 64 bits, for x of 32. Where d is larger than x can be, the
// quotient is 0.
void divideNarrowly(ArrayRef<BasicBlock *> Blocks, const DataLayout &DL) {
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : make_early_inc_range(*BB)) {
      bool Quotient = I.getOpcode() == Instruction::UDiv;
      if (!I.getType()->isIntegerTy(64) || (!Quotient && I.getOpcode() != Instruction::URem))
        continue;
      Value *X = I.getOperand(0), *D = I.getOperand(1);
      if (isa<Constant>(D) || computeKnownBits(X, DL).countMinLeadingZeros() < 32)
        continue;
      IRBuilder<> B(&I);
      Type *Narrow = B.getInt32Ty();
      Value *Small = B.CreateICmpULE(D, B.getInt64(UINT32_MAX));
      Value *By = B.CreateSelect(Small, B.CreateTrunc(D, Narrow), B.getInt32(1));
      Value *X32 = B.CreateTrunc(X, Narrow);
      Value *Result = B.CreateZExt(Quotient ? B.CreateUDiv(X32, By) : B.CreateURem(X32, By), I.getType());
      I.replaceAllUsesWith(B.CreateSelect(Small, Result, Quotient ? B.getInt64(0) : X));
      I.eraseFromParent();
    }
}

} // namespace place
