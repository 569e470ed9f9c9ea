//===- ThreadSums.cpp - A thread's number added by a bitwise or -----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ThreadSums.h"
#include "Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

static bool joins(Instruction &I) {
  Value *A = nullptr, *B = nullptr, *Narrow = nullptr;
  if (!match(&I, m_DisjointOr(m_Value(A), m_Value(B))))
    return false;
  return any_of(ArrayRef<Value *>{A, B}, [&](Value *V) { return isRegister(match(V, m_ZExtOrSExt(m_Value(Narrow))) ? Narrow : V, "tid"); });
}

bool joinsThreads(const Function &F) {
  return any_of(instructions(const_cast<Function &>(F)), joins);
}

bool spellThreadSums(Function &F) {
  bool Any = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!joins(I))
      continue;
    auto *Sum = BinaryOperator::CreateAdd(I.getOperand(0), I.getOperand(1), "", I.getIterator());
    Sum->setHasNoUnsignedWrap(); // no bit is carried
    Sum->setHasNoSignedWrap();
    Sum->takeName(&I);
    I.replaceAllUsesWith(Sum);
    I.eraseFromParent();
    Any = true;
  }
  return Any;
}

} // namespace place
