//===- Spaces.cpp - Loads through another memory ---------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Spaces.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

bool canRebase(const Value *P, const Argument *Base) {
  SmallVector<const Value *, 8> Work{P};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (V == Base || !Seen.insert(V).second)
      continue;
    if (const auto *G = dyn_cast<GetElementPtrInst>(V)) {
      if (G->getType()->isVectorTy())
        return false;
      Work.push_back(G->getPointerOperand());
    } else if (const auto *C = dyn_cast<AddrSpaceCastInst>(V)) {
      Work.push_back(C->getPointerOperand());
    } else if (const auto *N = dyn_cast<PHINode>(V)) {
      Work.append(N->incoming_values().begin(), N->incoming_values().end());
    } else if (const auto *S = dyn_cast<SelectInst>(V)) {
      Work.push_back(S->getTrueValue());
      Work.push_back(S->getFalseValue());
    } else if (!isa<UndefValue>(V)) {
      return false;
    }
  }
  return true;
}

Value *Rebaser::rebase(Value *P) {
  if (P == OldBase)
    return NewBase;
  if (Value *Known = Done.lookup(P))
    return Known;
  if (isa<UndefValue>(P))
    return UndefValue::get(NewBase->getType());
  if (auto *N = dyn_cast<PHINode>(P)) {
    IRBuilder<> B(N);
    PHINode *New = B.CreatePHI(NewBase->getType(), N->getNumIncomingValues());
    Done[P] = New; // before its operands: a pointer may step round a loop
    for (unsigned I = 0; I < N->getNumIncomingValues(); ++I)
      New->addIncoming(rebase(N->getIncomingValue(I)), N->getIncomingBlock(I));
    return New;
  }
  Value *New = nullptr;
  if (auto *G = dyn_cast<GetElementPtrInst>(P)) {
    Value *From = rebase(G->getPointerOperand());
    SmallVector<Value *, 4> Indices(G->indices());
    // Not inbounds: with a window that starts inside the array, the base pointer lies outside of the copy.
    New = IRBuilder<>(G).CreateGEP(G->getSourceElementType(), From, Indices);
  } else if (auto *C = dyn_cast<AddrSpaceCastInst>(P)) {
    New = rebase(C->getPointerOperand());
  } else {
    auto *S = cast<SelectInst>(P);
    Value *True = rebase(S->getTrueValue()), *False = rebase(S->getFalseValue());
    New = IRBuilder<>(S).CreateSelect(S->getCondition(), True, False);
  }
  Done[P] = New;
  return New;
}

void setRoute(LoadInst *L, place_route Route) {
  if (Route == PLACE_ROUTE_NC)
    L->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(L->getContext(), {}));
}

void moveLoad(LoadInst *L, Rebaser &To) {
  L->setOperand(LoadInst::getPointerOperandIndex(), To.rebase(L->getPointerOperand()));
  // What was known about the old address says nothing about the copy's.
  L->setMetadata(LLVMContext::MD_noalias, nullptr);
  L->setMetadata(LLVMContext::MD_alias_scope, nullptr);
}

} // namespace place
