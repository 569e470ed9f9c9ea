//===- Ranges.cpp - Neighbouring threads' ranges, read by the team -----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Ranges.h"
#include "Clone.h"
#include "CopyAnalyses.h"
#include "Expr.h"
#include "RangeReader.h"
#include "Together.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace place {

/// Whether a pointer, of the kernel or of a copy, leads to an array that the kernel only reads.
static bool isOnlyRead(const KernelSummary &K, const Value *Pointer) {
  const Argument *A = arrayOf(Pointer);
  int N = A && A->getArgNo() < K.F->arg_size() ? K.arrayOf(K.F->getArg(A->getArgNo())) : -1;
  return N >= 0 && !K.Arrays[N].Written && !K.Arrays[N].Atomic;
}

void findRanges(KernelSummary &K, FunctionAnalysisManager &FAM) {
  if (!K.Chunks || !K.mayBeApart() || (K.Chunks->Other && dependsOnRegister(K.Chunks->Other, "tid")))
    return;
  auto Contains = [&](const BasicBlock *BB) { return is_contained(K.Chunks->Inner, BB); };
  auto IsOnlyRead = [&](const Value *Pointer) { return isOnlyRead(K, Pointer); };
  K.HasRanges = findRangeLoop({{K.Chunks->InnerHeader}, Contains, IsOnlyRead}, FAM.getResult<LoopAnalysis>(*K.F),
                              FAM.getResult<DominatorTreeAnalysis>(*K.F)).has_value();
}

// Whole teams have iterations or leave; their threads without one go on at the block's second successor.
static BasicBlock *partTeam(const NaturalLoop &N) {
  BasicBlock *Head = N.Below->getParent(), *Some = BasicBlock::Create(Head->getContext(), "range.some", Head->getParent(), N.Enter);
  IRBuilder<> B(N.Below);
  N.Below->replaceAllUsesWith(B.CreateICmpULT(N.Chunk, N.Trips));
  Head->getTerminator()->replaceSuccessorWith(N.Enter, Some);
  N.Enter->replacePhiUsesWith(Head, Some);
  BranchInst::Create(N.Enter, N.Leave, N.Below, Some);
  return Some;
}

/// The next such loop, if there is one.
static bool readNext(Clone &C, RangesInLoop &Ranges) {
  Function &F = C.function();
  CopyAnalyses Of(F);
  const BasicBlock *Head = Ranges.Natural.Below->getParent();
  auto Contains = [&](const BasicBlock *BB) { return Of.DT.properlyDominates(Head, BB); };
  for (Loop *L : Of.LI.getLoopsInPreorder())
    if (L->isInnermost() && Contains(L->getHeader())) {
      simplifyLoop(L, &Of.DT, &Of.LI, nullptr, &Of.AC, nullptr, /*PreserveLCSSA=*/false);
      formLCSSA(*L, Of.DT, &Of.LI, nullptr);
    }
  auto IsOnlyRead = [&](const Value *Pointer) { return isOnlyRead(C.kernel(), Pointer); };
  std::optional<RangeLoop> R = findRangeLoop({Ranges.Enter, Contains, IsOnlyRead}, Of.LI, Of.DT);
  if (!R || !R->L->getLoopPreheader())
    return false;
  if (Ranges.Without.empty())
    Ranges.Without.push_back(partTeam(Ranges.Natural));
  readByTeam(F, Ranges, *R);
  return true;
}

bool readRangesTogether(Clone &C, const NaturalLoop &Natural, unsigned Threads) {
  const unsigned MostLoops = 4;
  RangesInLoop Ranges{Natural, Threads, {Natural.Enter}, {}};
  unsigned Done = 0;
  while (Done < MostLoops && readNext(C, Ranges))
    ++Done;
  return Done;
}

} // namespace place
