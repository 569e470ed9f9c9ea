//===- ValueParameters.cpp - Scalars that nothing but values depends on ----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ValueParameters.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

/// What a user makes of a value.
enum class Use { Ends, GoesOn, Decides };

/// An array's element: what a thread stores for itself it may read again for anything.
static bool isOfArray(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer);
  return isa<Argument, GlobalVariable>(Object);
}

static Use useOf(const User &By, const Value &V) {
  if (isa<CastInst, BinaryOperator, UnaryOperator, PHINode, SelectInst, FreezeInst, CmpInst, InsertElementInst, ExtractElementInst, ShuffleVectorInst>(By))
    return isa<PtrToIntInst, IntToPtrInst, AddrSpaceCastInst>(By) ? Use::Decides : Use::GoesOn;
  if (const auto *S = dyn_cast<StoreInst>(&By))
    return S->getValueOperand() == &V && S->getPointerOperand() != &V && isOfArray(S->getPointerOperand()) ? Use::Ends : Use::Decides;
  if (const auto *II = dyn_cast<IntrinsicInst>(&By); II && II->isAssumeLikeIntrinsic())
    return Use::Ends;
  const auto *Call = dyn_cast<CallBase>(&By);
  return Call && Call->doesNotAccessMemory() && !Call->isConvergent() && Call->getCalledOperand() != &V ? Use::GoesOn : Use::Decides;
}

static bool isValueAlone(const Argument &A) {
  SmallSetVector<const Value *, 16> Reached;
  Reached.insert(&A);
  for (unsigned N = 0; N < Reached.size(); ++N)
    for (const User *By : Reached[N]->users()) {
      Use Made = useOf(*By, *Reached[N]);
      if (Made == Use::Decides)
        return false;
      if (Made == Use::GoesOn)
        Reached.insert(By);
    }
  return true;
}

SmallVector<unsigned, 4> valueParameters(const Function &Kernel) {
  SmallVector<unsigned, 4> Found;
  for (const Argument &A : Kernel.args())
    if (A.getArgNo() && A.getType()->isIntegerTy() && isValueAlone(A))
      Found.push_back(A.getArgNo() - 1);
  return Found;
}

} // namespace place
