//===- InPlace.cpp - Inner loops that replace what they go along -------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InPlace.h"
#include "CopyAnalyses.h"
#include "LoopProperty.h"
#include "Together.h"
#include "Unroll.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace place {

namespace {

const unsigned BytesInFlight = 64;

/// An access of the loop's body, and where it is in the loop's first iteration and in others.
struct Step {
  Instruction *I;
  const SCEVAddRecExpr *At;
  const Argument *Array;
  uint64_t Bytes;
};

/// A loop of that kind.
struct Found {
  Loop *L;
  SmallVector<std::pair<const SCEV *, uint64_t>, 2> Distances; // that are to be so many bytes or more, in either direction
};

class Finder {
public:
  Finder(CopyAnalyses &Of) : SE(Of.SE) {}

  bool find(Loop &L, Found &Result) {
    const unsigned MostInstructions = 40, Few = 16;
    const unsigned Most = SE.getSmallConstantMaxTripCount(&L); // 0: not known
    Result.L = &L;
    BasicBlock *BB = L.getLoopLatch();
    if (L.getNumBlocks() != 1 || BB->size() > MostInstructions || !openBranch(L) ||
        isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)) || (Most && Most < Few))
      return false;
    for (Instruction &I : *BB)
      if (!addStep(I, L))
        return false;
    return all_of(Steps, [&](const Step &S) { return isa<LoadInst>(S.I) || asks(S, Result); }) && !Result.Distances.empty();
  }

private:
  bool addStep(Instruction &I, const Loop &L) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    if (!Pointer)
      return !I.mayReadOrWriteMemory() && !callsOut(I);
    const auto *At = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(Pointer)));
    bool Simple = isa<LoadInst>(I) ? cast<LoadInst>(I).isSimple() : cast<StoreInst>(I).isSimple();
    if (!Simple || !At || At->getLoop() != &L || !At->isAffine())
      return false;
    const Argument *Array = arrayOf(Pointer);
    Steps.push_back({&I, At, Array, I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I))});
    return Array && Array->hasNoAliasAttr();
  }

  // Of a store: the loop accesses nothing else of its array, and loads that element.
  bool asks(const Step &Store, Found &Result) {
    bool Loads = false;
    for (const Step &S : Steps) {
      if (S.Array != Store.Array)
        continue;
      if (S.At != Store.At || S.Bytes != Store.Bytes)
        return false;
      Loads |= isa<LoadInst>(S.I);
    }
    const SCEV *Distance = Store.At->getStepRecurrence(SE);
    if (const auto *Known = dyn_cast<SCEVConstant>(Distance))
      return Known->getAPInt().abs().uge(Store.Bytes);
    if (Loads)
      Result.Distances.push_back({Distance, Store.Bytes});
    return Loads;
  }

  ScalarEvolution &SE;
  SmallVector<Step, 8> Steps;
};

/// Whether the elements lie apart, asked in front of the loop; null: that cannot be computed there.
Value *askInFrontOf(const Found &F, ScalarEvolution &SE, Instruction &Before) {
  SCEVExpander Expand(SE, Before.getDataLayout(), "distance");
  if (any_of(F.Distances, [&](const auto &D) { return !Expand.isSafeToExpandAt(D.first, &Before); }))
    return nullptr;
  Value *All = nullptr;
  for (auto [Distance, Bytes] : F.Distances) {
    Value *D = Expand.expandCodeFor(Distance, Distance->getType(), &Before);
    IRBuilder<> B(&Before);
    // -Bytes < D < Bytes, as one comparison
    Value *Near = B.CreateICmpULT(B.CreateAdd(D, ConstantInt::get(D->getType(), Bytes - 1)), ConstantInt::get(D->getType(), 2 * Bytes - 1));
    Value *Apart = B.CreateNot(Near);
    All = All ? B.CreateAnd(All, Apart) : Apart;
  }
  return All;
}

/// Gives the loop a copy, which is carried out where the question in front of both has no for an answer.
void copyLoop(Loop &L, Value *Apart, CopyAnalyses &Of) {
  BasicBlock *Asking = L.getLoopPreheader(), *Exit = L.getUniqueExitBlock();
  BasicBlock *Before = SplitBlock(Asking, Asking->getTerminator(), &Of.DT, &Of.LI);
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 4> Blocks;
  Loop *Copy = cloneLoopWithPreheader(Before, Asking, &L, Map, ".near", &Of.LI, &Of.DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  BranchInst *Way = BranchInst::Create(Before, Copy->getLoopPreheader(), Apart);
  ReplaceInstWithInst(Asking->getTerminator(), Way);
  Of.DT.changeImmediateDominator(Exit, Asking);
  for (PHINode &P : Exit->phis())
    for (BasicBlock *From : SmallVector<BasicBlock *, 2>(P.blocks()))
      if (L.contains(From)) {
        Value *V = P.getIncomingValueForBlock(From), *There = Map.lookup(V);
        P.addIncoming(There ? There : V, cast<BasicBlock>(Map.lookup(From)));
      }
  addLoopProperty(*Copy->getLoopLatch()->getTerminator(), "llvm.loop.unroll.disable");
}

} // namespace

void goAlongInPlace(Function &F, const TargetTransformInfo &TTI) {
  SmallVector<BasicBlock *, 2> Bodies;
  {
    CopyAnalyses Of(F);
    SmallVector<Found, 2> All;
    for (Loop *L : Of.LI.getLoopsInPreorder())
      if (Found One; L->isInnermost() && L->getLoopLatch() && Finder(Of).find(*L, One))
        All.push_back(One);
    for (const Found &One : All) {
      simplifyLoop(One.L, &Of.DT, &Of.LI, &Of.SE, &Of.AC, nullptr, /*PreserveLCSSA=*/false);
      formLCSSARecursively(*One.L, Of.DT, &Of.LI, &Of.SE);
      BasicBlock *Asking = One.L->getLoopPreheader();
      Value *Apart = Asking && One.L->getUniqueExitBlock() ? askInFrontOf(One, Of.SE, *Asking->getTerminator()) : nullptr;
      if (!Apart)
        continue;
      copyLoop(*One.L, Apart, Of);
      Bodies.push_back(One.L->getHeader());
    }
  }
  for (BasicBlock *Body : Bodies)
    carryOutTogether(F, *Body, BytesInFlight, TTI);
}

} // namespace place
