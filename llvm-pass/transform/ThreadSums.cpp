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

static bool joins(const Instruction &I) {
  return match(&I, m_DisjointOr(m_Value(), m_Value())) && any_of(I.operand_values(), isThreadNumber);
}

bool joinsThreads(const Function &F) { return any_of(instructions(F), joins); }

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
