//===- HiddenSteps.cpp - Loops that the back end counts as they are -------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HiddenSteps.h"
#include "HiddenCopy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace place {

/// A counter's sum with its step, as the loop's next iteration has it. Pointers stay: of a hidden one the back end would not know the address space.
static BinaryOperator *nextOf(PHINode &Counter, BasicBlock *Latch) {
  if (!Counter.getType()->isIntegerTy(32) && !Counter.getType()->isIntegerTy(64))
    return nullptr;
  auto *Next = dyn_cast<BinaryOperator>(Counter.getIncomingValueForBlock(Latch));
  return Next && Next->getOpcode() == Instruction::Add && is_contained(Next->operands(), &Counter) ? Next : nullptr;
}

void hideSteps(Function &F) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  for (Loop *L : Loops.getLoopsInPreorder())
    if (BasicBlock *Latch = L->getLoopLatch())
      for (PHINode &Counter : L->getHeader()->phis())
        if (BinaryOperator *Next = nextOf(Counter, Latch))
          Counter.setIncomingValueForBlock(Latch, IRBuilder<>(Latch->getTerminator()).Insert(hiddenCopy(*Next, /*Stays=*/false)));
}

} // namespace place
