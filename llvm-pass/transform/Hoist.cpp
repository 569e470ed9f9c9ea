//===- Hoist.cpp - Loads before what waits for them -----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Hoist.h"

#include "llvm/ADT/STLExtras.h"
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

/// The loads of one block, up to what writes memory.
class Gatherer {
public:
  explicit Gatherer(BasicBlock &BB) : BB(BB) {}

  void run() {
    const unsigned MostBytes = 128; // of a thread's registers, that wait
    for (Instruction &I : make_early_inc_range(BB)) {
      if (I.mayHaveSideEffects())
        To = nullptr, Bytes = 0;
      auto *L = dyn_cast<LoadInst>(&I);
      if (!L || !L->isSimple())
        continue;
      Bytes += unsigned(BB.getDataLayout().getTypeStoreSize(L->getType()));
      if (!To || Bytes > MostBytes || !moveUp(L))
        To = L->getNextNode(), Bytes = Bytes > MostBytes ? 0 : Bytes;
    }
  }

private:
  /// In front of To, with what it is computed from.
  bool moveUp(Instruction *I, unsigned Depth = 0) {
    const unsigned Most = 12;
    if (I->getParent() != &BB || I->comesBefore(To))
      return true;
    bool Movable = !isa<PHINode>(I) && (isa<LoadInst>(I) ? !Depth : !I->mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(I));
    if (!Movable || Depth > Most)
      return false;
    for (Value *Operand : I->operands())
      if (auto *From = dyn_cast<Instruction>(Operand); From && !moveUp(From, Depth + 1))
        return false;
    if (I == To)
      To = I->getNextNode();
    else
      I->moveBefore(To);
    return true;
  }

  BasicBlock &BB;
  Instruction *To = nullptr; // behind the last load
  unsigned Bytes = 0;
};

} // namespace

void gatherLoads(Function &F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost())
      for (BasicBlock *BB : L->blocks())
        Gatherer(*BB).run();
}

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
