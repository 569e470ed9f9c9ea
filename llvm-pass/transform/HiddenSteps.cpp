//===- HiddenSteps.cpp - Loops that the back end counts as they are -------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HiddenSteps.h"
#include "HiddenCopy.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

/// Whether a value is added in each iteration. Pointers stay: of a hidden one the back end would not know the address space.
static bool isCounter(const PHINode &P, const Value *Next) {
  return (P.getType()->isIntegerTy(32) || P.getType()->isIntegerTy(64)) && match(Next, m_c_Add(m_Specific(&P), m_Value()));
}

void hideSteps(Function &F) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  for (Loop *L : Loops.getLoopsInPreorder())
    if (BasicBlock *Latch = L->getLoopLatch())
      for (PHINode &P : L->getHeader()->phis())
        if (Value *Next = P.getIncomingValueForBlock(Latch); isCounter(P, Next))
          P.setIncomingValueForBlock(Latch, IRBuilder<>(Latch->getTerminator()).Insert(hiddenCopy(*Next, /*Stays=*/false)));
}

} // namespace place
