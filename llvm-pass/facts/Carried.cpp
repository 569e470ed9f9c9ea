//===- Carried.cpp - Values that go from iteration to iteration -----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Carried.h"
#include "RuntimeCall.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

namespace {

using namespace static_init;

class Carrier {
public:
  explicit Carrier(const CallBase &Share) : Share(Share), DT(const_cast<Function &>(*Share.getFunction())), LI(DT) {
    for (const Loop *Each : LI.getLoopsInPreorder())
      if (!L && !Each->contains(Share.getParent()) && DT.dominates(Share.getParent(), Each->getHeader()))
        L = Each;
  }

  bool carriesAny() const {
    return L && any_of(instructions(*Share.getFunction()), [&](const Instruction &I) {
             const auto *V = dyn_cast<AllocaInst>(&I);
             return V && isScalar(*V->getAllocatedType()) && !isOfShare(*V) && carries(*V);
           });
  }

private:
  static bool isScalar(const Type &T) { return T.isIntegerTy() || T.isFloatingPointTy() || T.isPointerTy(); }

  bool isOfShare(const AllocaInst &V) const {
    return any_of(Share.args(), [&](const Use &U) { return U->stripPointerCasts() == &V; });
  }

  bool isLoadOf(const Value *V, unsigned Operand) const {
    return loadedFrom(V) == Share.getArgOperand(Operand)->stripPointerCasts();
  }

  bool carries(const AllocaInst &V) const {
    SmallVector<const StoreInst *, 4> Stores;
    SmallVector<const LoadInst *, 4> Loads;
    bool HasBefore = false;
    for (const User *U : V.users()) {
      const auto *I = cast<Instruction>(U);
      const auto *Store = dyn_cast<StoreInst>(I);
      if (Store && Store->getValueOperand() == &V)
        return false; // what is reduced: the list of its variables has its address
      if (Store && L->contains(I))
        Stores.push_back(Store);
      else if (Store && isLoadOf(Store->getValueOperand(), Lower))
        return false; // the loop's counter
      else if (Store)
        HasBefore = true;
      else if (const auto *Load = dyn_cast<LoadInst>(I); Load && L->contains(I))
        Loads.push_back(Load);
    }
    return HasBefore && !Stores.empty() && any_of(Loads, [&](const LoadInst *Load) {
             return none_of(Stores, [&](const StoreInst *Store) { return DT.dominates(Store, Load); });
           });
  }

  const CallBase &Share;
  DominatorTree DT;
  LoopInfo LI;
  const Loop *L = nullptr; // all rounds of it
};

} // namespace

bool carriesValues(const CallBase &Share) { return Carrier(Share).carriesAny(); }

bool anyCarriesValues(const Module &M) {
  return any_of(M, [](const Function &F) {
    return any_of(instructions(F), [](const Instruction &I) { return isSharedOut(I) && carriesValues(cast<CallBase>(I)); });
  });
}

} // namespace place
