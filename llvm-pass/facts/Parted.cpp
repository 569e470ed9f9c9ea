//===- Parted.cpp - Where threads go different ways --------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace place {

namespace {

class RegionFinder {
public:
  RegionFinder(ArrayRef<BasicBlock *> Body, function_ref<bool(const BasicBlock *)> IsLatch, const Loop *Around, const LoopInfo &LI,
               const PostDominatorTree &PDT)
      : Body(Body), IsLatch(IsLatch), Around(Around), LI(LI), PDT(PDT) {}

  /// The smallest region that has all ways of BB's branch in it.
  std::optional<PartedRegion> around(BasicBlock *BB) const {
    PartedRegion R;
    R.Entry = BB;
    R.Join = next(BB);
    // A branch out of a loop: iterations leave it at different times, so the whole loop is inside.
    for (const Loop *L = LI.getLoopFor(BB); R.Join && L != Around && !L->contains(R.Join); L = L->getParentLoop()) {
      R.Entry = L->getLoopPredecessor();
      if (!R.Entry || !L->getParentLoop())
        return std::nullopt;
      R.Join = next(R.Entry);
      while (R.Join && L->contains(R.Join))
        R.Join = next(R.Join);
    }
    if (!R.Join || !Around->contains(R.Join) || !Around->contains(R.Entry) || !fill(R))
      return std::nullopt;
    return R;
  }

private:
  BasicBlock *next(BasicBlock *BB) const {
    const DomTreeNode *Node = PDT.getNode(BB);
    return Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  }

  bool fill(PartedRegion &R) const {
    SmallVector<BasicBlock *, 8> Work(successors(R.Entry));
    while (!Work.empty()) {
      BasicBlock *BB = Work.pop_back_val();
      if (BB == R.Join || R.Inside.count(BB))
        continue;
      if (BB == R.Entry || IsLatch(BB) || !Around->contains(BB) || BB == Around->getHeader())
        return false;
      R.Inside.insert(BB);
      append_range(Work, successors(BB));
    }
    for (BasicBlock *BB : Body)
      if (R.contains(BB)) {
        if (any_of(predecessors(BB), [&](BasicBlock *P) { return !R.leadsOut(P); }))
          return false;
        R.Blocks.push_back(BB);
      }
    return R.Blocks.size() == R.Inside.size();
  }

  ArrayRef<BasicBlock *> Body;
  function_ref<bool(const BasicBlock *)> IsLatch;
  const Loop *Around;
  const LoopInfo &LI;
  const PostDominatorTree &PDT;
};

} // namespace

std::optional<std::vector<PartedRegion>> findParted(ArrayRef<BasicBlock *> Body, function_ref<bool(const BasicBlock *)> PartsAt,
                                                    function_ref<bool(const BasicBlock *)> IsLatch, const Loop *Around,
                                                    const LoopInfo &LI, const PostDominatorTree &PDT) {
  std::vector<PartedRegion> Found;
  RegionFinder Finder(Body, IsLatch, Around, LI, PDT);
  for (BasicBlock *BB : Body) {
    if (!PartsAt(BB) || any_of(Found, [&](const PartedRegion &R) { return R.contains(BB); }))
      continue;
    std::optional<PartedRegion> R = Finder.around(BB);
    if (!R)
      return std::nullopt;
    erase_if(Found, [&](const PartedRegion &Inner) { return Inner.Entry == R->Entry || R->contains(Inner.Entry); });
    Found.push_back(std::move(*R));
  }
  return Found;
}

} // namespace place
