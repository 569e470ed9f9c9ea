//===- Hoist.cpp - Loads before atomic updates ----------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Hoist.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

namespace {

class Hoister {
public:
  Hoister(Loop &L, DominatorTree &DT) : L(L), DT(DT) {
    for (Instruction &I : *L.getHeader())
      if (isa<AtomicRMWInst>(I) || I.isTerminator()) {
        To = &I;
        break;
      }
  }

  /// Moves I, with what it is computed from, in front of the first update; false: not possible.
  bool hoist(Instruction *I, unsigned Depth = 0) {
    if (DT.dominates(I, To))
      return true;
    const auto *Load = dyn_cast<LoadInst>(I);
    bool Movable = Load ? Load->hasMetadata(LLVMContext::MD_invariant_load) : !I->mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(I);
    if (!Movable || isa<PHINode>(I) || Depth > 12 || !L.contains(I))
      return false;
    for (Value *Operand : I->operands())
      if (auto *From = dyn_cast<Instruction>(Operand); From && !hoist(From, Depth + 1))
        return false;
    I->moveBefore(To);
    return true;
  }

private:
  Loop &L;
  DominatorTree &DT;
  Instruction *To = nullptr;
};

} // namespace

void hoistLoads(Function &F) {
  DominatorTree DT(F);
  PostDominatorTree PDT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!L->isInnermost())
      continue;
    SmallVector<Instruction *, 16> Loads;
    for (BasicBlock *BB : L->blocks())
      if (PDT.dominates(BB, L->getHeader()))
        for (Instruction &I : *BB)
          if (isa<LoadInst>(I))
            Loads.push_back(&I);
    Hoister H(*L, DT);
    for (Instruction *I : Loads)
      H.hoist(I);
  }
}

} // namespace place
