//===- HeldPointers.cpp - Where pointers lead that are variables -----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HeldPointers.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

Value *onlyStored(AllocaInst &Variable) {
  Value *Only = nullptr;
  for (User *U : Variable.users()) {
    auto *S = dyn_cast<StoreInst>(U);
    if (isa<LoadInst>(U) || cast<Instruction>(U)->isLifetimeStartOrEnd())
      continue;
    if (!S || S->getPointerOperand() != &Variable || Only)
      return nullptr;
    Only = S->getValueOperand();
  }
  return Only;
}

Value *objectOf(Value *Pointer) {
  const unsigned HoweverFar = 0;
  Value *Object = getUnderlyingObject(Pointer, HoweverFar);
  if (auto *Kept = dyn_cast<LoadInst>(Object))
    if (auto *Holder = dyn_cast<AllocaInst>(Kept->getPointerOperand()))
      if (Value *Stored = onlyStored(*Holder))
        return getUnderlyingObject(Stored, HoweverFar);
  return Object;
}

Value *originOf(Value *Pointer) {
  for (unsigned Steps = 0; Steps < 8; ++Steps) {
    auto *Kept = dyn_cast<LoadInst>(Pointer);
    auto *Holder = Kept ? dyn_cast<AllocaInst>(Kept->getPointerOperand()) : nullptr;
    auto *Moved = dyn_cast<GetElementPtrInst>(Pointer);
    if (Value *Stored = Holder ? onlyStored(*Holder) : nullptr)
      Pointer = Stored;
    else if (Moved && Moved->hasAllZeroIndices())
      Pointer = Moved->getPointerOperand();
    else
      break;
  }
  return Pointer;
}

bool isBegin(Value *Pointer, const AllocaInst &A) {
  Value *From = originOf(Pointer), *X = nullptr, *Y = nullptr;
  auto *Moved = dyn_cast<GetElementPtrInst>(From);
  if (Moved && Moved->getNumIndices() == 1 &&
      match(Moved->getOperand(1), m_SDiv(m_Sub(m_PtrToInt(m_Value(X)), m_PtrToInt(m_Value(Y))), m_Value())) && originOf(X) == originOf(Y))
    From = originOf(Moved->getPointerOperand());
  return From == &A;
}

AllocaInst *variableOf(Value *Pointer) { return dyn_cast<AllocaInst>(objectOf(Pointer)); }

bool mayBeVariable(Value *Pointer) {
  Value *Object = objectOf(Pointer);
  auto *Kept = dyn_cast<LoadInst>(Object);
  return isa<PHINode, SelectInst>(Object) || (Kept && isa<AllocaInst>(Kept->getPointerOperand()));
}

void findUses(Value &Address, SetVector<Instruction *> &Found) {
  for (User *U : Address.users()) {
    auto *I = cast<Instruction>(U);
    auto *S = dyn_cast<StoreInst>(I);
    if ((S && S->getValueOperand() != &Address) || !Found.insert(I))
      continue;
    if (isa<GetElementPtrInst, PHINode, SelectInst, AddrSpaceCastInst>(I))
      findUses(*I, Found);
    auto *Holder = S ? dyn_cast<AllocaInst>(S->getPointerOperand()) : nullptr;
    if (Holder && onlyStored(*Holder))
      findUses(*Holder, Found);
    if (isa<LoadInst>(I) && isa<AllocaInst>(Address) && onlyStored(cast<AllocaInst>(Address)) && I->getType()->isPointerTy())
      findUses(*I, Found);
  }
}

} // namespace place
