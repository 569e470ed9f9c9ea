//===- Unroll.cpp - Loads of several iterations in flight -----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Unroll.h"
#include "Computation.h"
#include "CopyAnalyses.h"
#include "LoopProperty.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

Instruction *openBranch(const Loop &L) {
  Instruction *Back = L.getLoopLatch() ? L.getLoopLatch()->getTerminator() : nullptr;
  return Back && !hasLoopProperty(*Back, "llvm.loop.unroll") ? Back : nullptr;
}

bool callsOut(const Instruction &I) {
  const auto *C = dyn_cast<CallBase>(&I);
  return C && (C->isConvergent() || !(isa<IntrinsicInst>(C) || isComputation(*C)));
}

LoopUnrollResult repeatBody(Loop &L, unsigned Times, CopyAnalyses &Of, const TargetTransformInfo &TTI, Loop *&Rest) {
  OptimizationRemarkEmitter ORE(L.getHeader()->getParent());
  simplifyLoop(&L, &Of.DT, &Of.LI, &Of.SE, &Of.AC, nullptr, /*PreserveLCSSA=*/false);
  formLCSSARecursively(L, Of.DT, &Of.LI, &Of.SE);
  UnrollLoopOptions Options = {Times, /*Force=*/true, /*Runtime=*/true, /*AllowExpensiveTripCount=*/true, /*UnrollRemainder=*/false,
                               /*ForgetAllSCEV=*/false};
  return UnrollLoop(&L, Options, &Of.LI, &Of.SE, &Of.DT, &Of.AC, &TTI, &ORE, /*PreserveLCSSA=*/true, &Rest);
}

/// How often a body is worth repeating; 1: not at all.
static unsigned timesFor(const Loop &L, unsigned Bytes) {
  const unsigned Most = 16, InstructionsOfOne = 20;
  unsigned Instructions = 0, Widest = 0;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      if (callsOut(I))
        return 1;
      if (isa<LoadInst>(I))
        Widest = std::max<unsigned>(Widest, I.getDataLayout().getTypeStoreSize(I.getType()));
      ++Instructions;
    }
  unsigned Wanted = Widest ? std::min(Most, Bytes / Widest) : 1;
  unsigned Times = std::min(Wanted, Wanted * InstructionsOfOne / Instructions);
  return Times < 2 ? 1 : llvm::bit_floor(Times);
}

unsigned timesToLoad(const Loop &L, unsigned Bytes) { return L.isInnermost() && openBranch(L) ? timesFor(L, Bytes) : 1; }

void unrollToLoad(Loop &L, unsigned Bytes) {
  if (unsigned Times = timesToLoad(L, Bytes); Times > 1)
    addLoopProperty(*openBranch(L), "llvm.loop.unroll.count", Times);
}

static bool goesBy(const Loop &L, unsigned Step) {
  BasicBlock *Latch = L.getLoopLatch();
  return Latch && any_of(L.getHeader()->phis(), [&](PHINode &P) {
    return match(P.getIncomingValueForBlock(Latch), m_c_Add(m_Specific(&P), m_SpecificInt(Step)));
  });
}

void unrollShared(Function &F, unsigned Threads, unsigned Bytes) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  SmallPtrSet<Loop *, 8> Around;
  for (Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost() && goesBy(*L, Threads)) {
      unrollToLoad(*L, Bytes);
      for (Loop *Outer = L->getParentLoop(); Outer; Outer = Outer->getParentLoop())
        Around.insert(Outer);
    }
  for (Loop *L : LI.getLoopsInPreorder())
    if (Instruction *Back = Around.count(L) ? openBranch(*L) : nullptr)
      addLoopProperty(*Back, "llvm.loop.unroll.disable");
}

} // namespace place
