//===- Switches.cpp - Small switches in loops become selections --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Switches.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace place {

namespace {

class Flattener {
public:
  explicit Flattener(SwitchInst &S) : S(S), From(*S.getParent()) {}

  void run() {
    if (!isSmall())
      return;
    for (BasicBlock *Case : Cases) // in front of the switch
      for (Instruction &I : make_early_inc_range(*Case))
        if (!I.isTerminator()) {
          I.moveBefore(&S);
          I.dropUBImplyingAttrsAndMetadata();
        }
    select();
    for (BasicBlock *Case : Cases)
      DeleteDeadBlock(Case, /*DTU=*/nullptr, /*KeepOneInputPHIs=*/true);
    MergeBlockIntoPredecessor(Join);
  }

private:
  // All ways lead to one place, directly or by a block of their own.
  bool isSmall() {
    const unsigned MostCases = 4, MostInstructions = 8, MostSelections = 8;
    unsigned Instructions = 0;
    if (S.getNumCases() > MostCases)
      return false;
    for (BasicBlock *To : successors(&From)) {
      BasicBlock *Next = isCase(*To) ? To->getSingleSuccessor() : To;
      if (Join && Next != Join)
        return false;
      Join = Next;
      if (To == Next || is_contained(Cases, To))
        continue;
      Cases.push_back(To);
      Instructions += unsigned(To->size()) - 1;
    }
    return Join && Join != &From && Instructions <= MostInstructions && selections() <= MostSelections;
  }

  bool isCase(const BasicBlock &BB) const {
    return BB.getUniquePredecessor() == &From && BB.getSingleSuccessor() && !isa<PHINode>(BB.front()) &&
           all_of(BB, [](const Instruction &I) { return I.isTerminator() || (!I.mayReadFromMemory() && isSafeToSpeculativelyExecute(&I)); });
  }

  Value *valueBy(const PHINode &P, BasicBlock *To) const { return P.getIncomingValueForBlock(To == Join ? &From : To); }

  unsigned selections() const {
    unsigned Sum = 0;
    for (const PHINode &P : Join->phis())
      for (auto &Case : S.cases())
        Sum += valueBy(P, Case.getCaseSuccessor()) != valueBy(P, S.getDefaultDest());
    return Sum;
  }

  void select() {
    IRBuilder<> B(&S);
    SmallVector<std::pair<PHINode *, Value *>, 4> Selected;
    for (PHINode &P : Join->phis()) {
      Value *V = valueBy(P, S.getDefaultDest());
      for (auto &Case : S.cases())
        if (Value *Of = valueBy(P, Case.getCaseSuccessor()); Of != V)
          V = B.CreateSelect(B.CreateICmpEQ(S.getCondition(), Case.getCaseValue()), Of, V);
      Selected.push_back({&P, V});
    }
    for (const auto &[Phi, V] : Selected) {
      PHINode &P = *Phi;
      P.removeIncomingValueIf([&](unsigned N) { return P.getIncomingBlock(N) == &From; }, /*DeletePHIIfEmpty=*/false);
      P.addIncoming(V, &From);
    }
    B.CreateBr(Join);
    S.eraseFromParent();
  }

  SwitchInst &S;
  BasicBlock &From;
  BasicBlock *Join = nullptr;
  SmallVector<BasicBlock *, 4> Cases; // blocks of their own
};

} // namespace

void flattenSwitches(Function &F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  SmallVector<SwitchInst *, 8> Found;
  for (Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost())
      for (BasicBlock *BB : L->blocks())
        if (auto *S = dyn_cast<SwitchInst>(BB->getTerminator()); S && all_of(successors(BB), [&](BasicBlock *To) { return L->contains(To); }))
          Found.push_back(S);
  for (SwitchInst *S : Found)
    Flattener(*S).run();
}

} // namespace place
