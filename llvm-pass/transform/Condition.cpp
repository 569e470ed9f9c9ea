//===- Condition.cpp - Conditions where they are needed ---------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Condition.h"
#include "HiddenCopy.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

/// Where a use takes place: a phi's is at the end of the block that the value comes from.
static Instruction *placeOf(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  auto *P = dyn_cast<PHINode>(I);
  return P ? P->getIncomingBlock(U)->getTerminator() : I;
}

static bool isInInnermost(const Instruction &I, const LoopInfo &LI) {
  const Loop *L = LI.getLoopFor(I.getParent());
  return L && L->isInnermost();
}

/// Uses for which the comparison can be made again.
static SmallVector<Use *, 8> usesElsewhere(ICmpInst &I, const LoopInfo &LI) {
  SmallVector<Use *, 8> Uses;
  for (Use &U : I.uses())
    if (const Instruction *At = placeOf(U); At->getParent() != I.getParent() && !isInInnermost(*At, LI))
      Uses.push_back(&U);
  return Uses;
}

/// The value by a name that is not known to be it: clang's code generation takes equal comparisons together, and out of loops, again.
static Value *hidden(Value &V, Instruction *Before) {
  CallInst *C = hiddenCopy(V, /*Stays=*/true);
  C->setDoesNotThrow();
  C->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  C->insertBefore(Before);
  return C;
}

void sinkConditions(Function &F) {
  const size_t Few = 3; // conditions that leave registers enough
  DominatorTree DT(F);
  LoopInfo LI(DT);
  if (LI.empty())
    return;
  SmallVector<std::pair<ICmpInst *, SmallVector<Use *, 8>>, 16> Sunk;
  for (Instruction &I : instructions(F)) {
    auto *C = dyn_cast<ICmpInst>(&I);
    if (!C || !isa<Constant>(C->getOperand(1)) || !(C->getOperand(0)->getType()->isIntegerTy(32) || C->getOperand(0)->getType()->isIntegerTy(64)))
      continue;
    if (SmallVector<Use *, 8> Uses = usesElsewhere(*C, LI); !Uses.empty())
      Sunk.emplace_back(C, std::move(Uses));
  }
  if (Sunk.size() <= Few)
    return;
  for (auto &[C, Uses] : Sunk) {
    for (Use *U : Uses) {
      Instruction *Again = C->clone(), *At = placeOf(*U);
      Again->insertBefore(At);
      Again->setOperand(0, hidden(*C->getOperand(0), Again));
      U->set(Again);
    }
    if (C->use_empty())
      C->eraseFromParent();
  }
}

} // namespace place
