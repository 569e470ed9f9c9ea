//===- PointerMask.cpp - Aligned pointers that alias analysis is right about --===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PointerMask.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

void spellPointerMasks(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Mask = dyn_cast<IntrinsicInst>(&I);
    if (!Mask || Mask->getIntrinsicID() != Intrinsic::ptrmask || !Mask->getType()->isPointerTy())
      continue;
    IRBuilder<> B(Mask);
    Value *Pointer = Mask->getArgOperand(0), *Bits = Mask->getArgOperand(1);
    Value *Below = B.CreateAnd(B.CreatePtrToInt(Pointer, Bits->getType()), B.CreateNot(Bits));
    Mask->replaceAllUsesWith(B.CreateGEP(B.getInt8Ty(), Pointer, B.CreateNeg(Below)));
    Mask->eraseFromParent();
  }
}

} // namespace place
