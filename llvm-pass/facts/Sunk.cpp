//===- Sunk.cpp - Invariant values back in their loop ------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Sunk.h"
#include "Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

/// Whether the loop's counter goes on by the number of threads.
bool stepsByThreads(const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  return Latch && any_of(L.getHeader()->phis(), [&](PHINode &P) {
    Value *Step = nullptr;
    if (!match(P.getIncomingValueForBlock(Latch), m_c_Add(m_Specific(&P), m_Value(Step))))
      return false;
    match(Step, m_ZExtOrSExt(m_Value(Step)));
    return isRegister(Step, "threads");
  });
}

/// Whether a load gives the same in each iteration: what may write there writes the very value that was loaded.
bool isLasting(LoadInst &Load, const Loop &L, AAResults &AA) {
  MemoryLocation Where = MemoryLocation::get(&Load);
  return all_of(L.blocks(), [&](BasicBlock *BB) {
    return all_of(*BB, [&](Instruction &I) {
      auto *Store = dyn_cast<StoreInst>(&I);
      return (Store && Store->getValueOperand() == &Load) || !isModSet(AA.getModRefInfo(&I, Where));
    });
  });
}

class Preheader {
public:
  Preheader(BasicBlock &BB, const Loop &Inner, AAResults &AA) : BB(BB), Outer(*Inner.getParentLoop()), Inner(Inner), AA(AA) {}

  bool loadsFrom(function_ref<bool(const Argument &)> Is) const {
    return any_of(BB, [&](const Instruction &I) {
      const auto *Load = dyn_cast<LoadInst>(&I);
      const auto *From = Load ? dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand())) : nullptr;
      return From && Is(*From);
    });
  }

  /// Whether all that stands in it may stand at the beginning of the loop as well.
  bool canBeEmptied() const {
    return all_of(BB, [&](Instruction &I) { return I.isTerminator() || canSink(I); });
  }

private:
  bool canSink(Instruction &I) const {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (isa<PHINode>(I) || (Load ? !Load->isSimple() || !isLasting(*Load, Inner, AA)
                                 : I.mayReadFromMemory() || I.mayHaveSideEffects()))
      return false;
    auto IsInvariant = [&](const Value *V) {
      const auto *From = dyn_cast<Instruction>(V);
      return !From || From->getParent() == &BB || Outer.isLoopInvariant(V);
    };
    // Not what only the first iteration sees.
    auto IsInside = [&](const User *U) {
      const auto *By = cast<Instruction>(U);
      return By->getParent() == &BB || (Inner.contains(By) && !(isa<PHINode>(By) && By->getParent() == Inner.getHeader()));
    };
    return all_of(I.operands(), IsInvariant) && all_of(I.users(), IsInside);
  }

  BasicBlock &BB;
  const Loop &Outer, &Inner;
  AAResults &AA;
};

} // namespace

Sunk::Sunk(Function &F, FunctionAnalysisManager &FAM, function_ref<bool(const Argument &)> Stays) : F(F), FAM(FAM) {
  AAResults &AA = FAM.getResult<AAManager>(F);
  for (Loop *Outer : FAM.getResult<LoopAnalysis>(F))
    for (Loop *Inner : *Outer) {
      BasicBlock *Before = Inner->getLoopPreheader();
      if (!Before || Before->size() < 2 || !Before->getSinglePredecessor() || !stepsByThreads(*Inner))
        continue;
      Preheader P(*Before, *Inner, AA);
      if (!P.loadsFrom(Stays) && P.canBeEmptied())
        sink(*Before, *Inner);
    }
  if (!Moved.empty())
    FAM.invalidate(F, PreservedAnalyses::none());
}

void Sunk::sink(BasicBlock &Before, Loop &Inner) {
  BasicBlock &Header = *Inner.getHeader();
  auto To = Header.getFirstInsertionPt();
  while (Before.size() > 1) {
    Instruction &I = Before.front();
    Moved.push_back({&I, Before.getTerminator()});
    I.moveBeforePreserving(Header, To);
  }
}

Sunk::~Sunk() {
  for (auto [I, Next] : Moved)
    I->moveBeforePreserving(Next);
  if (!Moved.empty())
    FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace place
