//===- Alike.cpp - Iterations that several threads carry out -----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Alike.h"
#include "Body.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

namespace {

bool storesAlone(const Instruction &I) {
  if (const auto *S = dyn_cast<StoreInst>(&I))
    return S->isSimple();
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return !I.mayHaveSideEffects() || (II && II->isAssumeLikeIntrinsic());
}

/// Whether another thread's store may change what is read: of what is behind arguments the body writes no other one.
bool mayChange(const Instruction &I, const Body &T) {
  if (!I.mayReadFromMemory() || isa<StoreInst>(I))
    return false;
  const Value *Pointer = getLoadStorePointerOperand(&I), *Object = Pointer ? getUnderlyingObject(Pointer) : nullptr;
  const auto *Constant = dyn_cast_or_null<GlobalVariable>(Object);
  return !(Constant && Constant->isConstant()) && !(isa_and_nonnull<Argument>(Object) && !T.writes(Object));
}

bool isOf(const Instruction &I, ArrayRef<StripLoop> Strips) {
  return any_of(Strips, [&](const StripLoop &S) { return S.L->contains(&I); });
}

/// Whether V decides where a thread goes, or which memory I accesses.
bool decides(const Value &V, const Instruction &I) {
  return I.isTerminator() || (isa<CallBase>(I) && I.mayReadFromMemory()) || getLoadStorePointerOperand(&I) == &V;
}

/// Whether anything that is computed from the values does, but for what is in loops of Without.
bool decide(SmallVector<const Instruction *, 32> Work, ArrayRef<StripLoop> Without) {
  SmallPtrSet<const Value *, 32> Seen(Work.begin(), Work.end());
  while (!Work.empty()) {
    const Instruction *From = Work.pop_back_val();
    for (const User *U : From->users()) {
      const auto *I = cast<Instruction>(U);
      if (isOf(*I, Without))
        continue;
      if (decides(*From, *I))
        return true;
      if (Seen.insert(I).second)
        Work.push_back(I);
    }
  }
  return false;
}

} // namespace

bool mayBeAlike(const Body &T, ArrayRef<StripLoop> Strips) {
  SmallVector<const Instruction *, 32> Changing, InStrips;
  for (const BasicBlock *BB : T.blocks())
    for (const Instruction &I : *BB) {
      if (!storesAlone(I))
        return false;
      if (mayChange(I, T))
        Changing.push_back(&I);
      if (isOf(I, Strips))
        InStrips.push_back(&I);
    }
  return !decide(std::move(Changing), {}) && !decide(std::move(InStrips), Strips);
}

} // namespace place
