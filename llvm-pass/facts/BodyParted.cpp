//===- BodyParted.cpp - Iterations that go different ways -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Body.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

const PartedRegion *Body::partedFrom(const BasicBlock *Entry) const {
  auto It = find_if(Regions, [&](const PartedRegion &R) { return R.Entry == Entry; });
  return It == Regions.end() ? nullptr : &*It;
}

const PartedRegion *Body::partedInto(const BasicBlock *Join, const BasicBlock *From) const {
  auto It = find_if(Regions, [&](const PartedRegion &R) { return R.Join == Join && R.leadsOut(From); });
  return It == Regions.end() ? nullptr : &*It;
}

bool Body::isParted(const BasicBlock *BB) const {
  return any_of(Regions, [&](const PartedRegion &R) { return R.contains(BB); });
}

bool Body::isJoin(const BasicBlock *BB) const {
  return any_of(Regions, [&](const PartedRegion &R) { return R.Join == BB; });
}

// An iteration that waits for what a later one of its thread does would wait for ever: it looks at what an atomic access brought.
bool Body::mayWait() const {
  for (const BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB)
      if (I.isAtomic() && !(isa<AtomicRMWInst>(I) && I.use_empty()))
        return true;
  return false;
}

bool Body::partsAt(const BasicBlock *BB) const {
  const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
  if (BB == S.InnerLatch || foldedAt(BB) || succ_size(BB) < 2)
    return false;
  return !Branch || mask(Branch->getCondition());
}

bool Body::part() {
  if (mayWait())
    return false;
  PostDominatorTree PDT(*S.InnerHeader->getParent());
  const unsigned Rounds = 4; // what a region computes may part what follows it
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    auto Found = findParted(
        Blocks, [&](const BasicBlock *BB) { return partsAt(BB); },
        [&](const BasicBlock *BB) { return BB == S.InnerLatch || foldedAt(BB); }, N.body(), LI, PDT);
    if (!Found)
      break;
    bool Same = std::equal(Regions.begin(), Regions.end(), Found->begin(), Found->end(), [](auto &A, auto &B) { return A.Entry == B.Entry && A.Join == B.Join; });
    Regions = std::move(*Found);
    computeMasks();
    if (Same)
      return true;
  }
  Regions.clear();
  Masks.clear();
  BranchMask = 0;
  computeMasks();
  return false;
}

} // namespace place
