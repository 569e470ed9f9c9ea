//===- Moves.cpp - Long moves between address spaces ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Moves.h"
#include "HiddenCopy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

static const uint64_t Long = 128; // bytes from which on the back end makes a loop

static Value *hidden(IRBuilder<> &B, Value *Pointer) {
  return B.Insert(hiddenCopy(*B.CreateAddrSpaceCast(Pointer, B.getPtrTy()), /*Stays=*/false));
}

bool hideSpacesOfMoves(Function &F) {
  bool Any = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Move = dyn_cast<MemMoveInst>(&I);
    const auto *Length = Move ? dyn_cast<ConstantInt>(Move->getLength()) : nullptr;
    if (!Move || (Length && Length->getValue().ult(Long)))
      continue;
    IRBuilder<> B(Move);
    Value *To = hidden(B, Move->getRawDest()), *From = hidden(B, Move->getRawSource());
    B.CreateMemMove(To, Move->getDestAlign(), From, Move->getSourceAlign(), Move->getLength(), Move->isVolatile());
    Move->eraseFromParent();
    Any = true;
  }
  return Any;
}

} // namespace place
