//===- EmitParted.cpp - Iterations one after the other -------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   entry:   everything before the branch, for all copies
//            branch of copy 0 -> its own copy of the region -> join 0, branch of copy 1 -> ... -> join 1, ... -> what follows
//
//===----------------------------------------------------------------------===//
#include "Emit.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

void BodyEmitter::emitTerminator(Instruction &I, BasicBlock *BB, const Copy &R) {
  Instruction *End = I.clone();
  End->insertInto(BB, BB->end());
  for (Use &U : End->operands())
    U.set(lookup(U.get(), R));
}

// What ends in the edge that From's edge to To has become: of the copy that is being written, if it is one of the region's.
BasicBlock *BodyEmitter::edgeFrom(const BasicBlock *From, const BasicBlock *To) const {
  bool OfCopy = Open.Region && Open.Region->leadsOut(From) && (Open.Region->contains(To) || To == Open.Region->Join);
  if (OfCopy && From == Open.Region->Entry)
    return Open.X;
  const PartedRegion *Ended = OfCopy ? nullptr : T.partedInto(To, From);
  return Ended ? LastJoin.lookup(Ended->Entry) : BlockMap.lookup(From);
}

// One copy of a region, from X, which has no terminator yet, to a join of its own, which is returned.
BasicBlock *BodyEmitter::emitRegionCopy(const PartedRegion &Region, BasicBlock *X, const Copy &R) {
  auto NewBlock = [&](const char *Name) { return BasicBlock::Create(X->getContext(), Name, X->getParent()); };
  BasicBlock *Join = NewBlock("block.join");
  for (BasicBlock *BB : Region.Blocks)
    BlockMap[BB] = NewBlock("block.part");
  for (auto &[S, Counter] : LoopCounters)
    if (Region.contains(T.nest().symbol(S).L->getHeader()))
      Counter = nullptr;
  Open = {&Region, X, Join};
  emitTerminator(*Region.Entry->getTerminator(), X, R);
  for (BasicBlock *BB : Region.Blocks) {
    Loaded.clear();
    Pointers.clear();
    for (Instruction &I : *BB)
      if (I.isTerminator())
        emitTerminator(I, BlockMap[BB], R);
      else if (isCarriedOut(I))
        emitOne(I, BlockMap[BB], R);
  }
  finishPhis(Region, Join, R);
  Open = {};
  return Join;
}

// Operands of the copy's own phis, and in its join what it hands on to the phis there.
void BodyEmitter::finishPhis(const PartedRegion &Region, BasicBlock *Join, const Copy &R) {
  for (BasicBlock *BB : Region.Blocks)
    for (PHINode &P : BB->phis())
      if (isCarriedOut(P)) {
        auto *New = cast<PHINode>(lookup(&P, R));
        for (unsigned K = 0; K < P.getNumIncomingValues(); ++K) {
          New->setIncomingValue(K, lookup(P.getIncomingValue(K), R));
          New->setIncomingBlock(K, edgeFrom(P.getIncomingBlock(K), BB));
        }
      }
  for (PHINode &P : Region.Join->phis()) {
    PHINode *Part = PHINode::Create(P.getType(), 2, "", Join->begin());
    for (unsigned K = 0; K < P.getNumIncomingValues(); ++K)
      if (Region.leadsOut(P.getIncomingBlock(K)))
        Part->addIncoming(lookup(P.getIncomingValue(K), R), edgeFrom(P.getIncomingBlock(K), Region.Join));
    HandedOn[{&P, Region.Entry}].push_back(Part);
  }
}

void BodyEmitter::emitParted(const PartedRegion &Region) {
  BasicBlock *X = BlockMap[Region.Entry];
  forEachCopy(Shape, (1u << Shape.Dims) - 1, [&](const Copy &R) { X = emitRegionCopy(Region, X, R); });
  BranchInst::Create(BlockMap[Region.Join], X);
  LastJoin[Region.Entry] = X;
}

// A phi where ways meet: one value from each region that ends there, instead of one from each of the region's ways out.
void BodyEmitter::finishJoin(PHINode &P, PHINode *New, const Copy &R) {
  while (New->getNumIncomingValues())
    New->removeIncomingValue(0u, /*DeletePHIIfEmpty=*/false);
  SmallPtrSet<const PartedRegion *, 2> Done;
  for (unsigned K = 0; K < P.getNumIncomingValues(); ++K) {
    BasicBlock *From = P.getIncomingBlock(K);
    const PartedRegion *Region = T.partedInto(P.getParent(), From);
    if (!Region)
      New->addIncoming(lookup(P.getIncomingValue(K), R), BlockMap.lookup(From));
    else if (Done.insert(Region).second)
      New->addIncoming(HandedOn[{&P, Region->Entry}][number((1u << Shape.Dims) - 1, R)], LastJoin[Region->Entry]);
  }
}

} // namespace place
