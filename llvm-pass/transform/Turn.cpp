//===- Turn.cpp - Columns of memory by way of tiles ---------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace place {

static void barrier(IRBuilder<> &B) { B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {}); }

// The body's access, in the tile.
static void redirect(BodyEmitter &E, const BlockFrame &Frame, const Tile &T) {
  Instruction *Template = T.access().I;
  forEachCopy(Frame.Shape, Frame.T.mask(Template), [&](const Copy &R) {
    auto *I = cast<Instruction>(E.lookup(Template, R));
    IRBuilder<> B(I);
    Value *Place = T.element(B, Frame, R, nullptr);
    if (auto *Store = dyn_cast<StoreInst>(I))
      B.CreateAlignedStore(Store->getValueOperand(), Place, Align(T.access().Width));
    else
      I->replaceAllUsesWith(B.CreateAlignedLoad(I->getType(), Place, Align(T.access().Width)));
    I->eraseFromParent();
  });
}

void turnColumns(BodyEmitter &E, const BlockFrame &Frame, ArrayRef<Tile> Turns, Instruction *Enter, BasicBlock *Out, BasicBlock *After) {
  auto IsLoad = [](const Tile &T) { return isa<LoadInst>(T.access().I); };
  IRBuilder<> B(Enter);
  for (const Tile &T : Turns)
    if (IsLoad(T)) {
      T.copyIn(B, Frame, nullptr);
      B.SetInsertPoint(Enter);
    }
  if (any_of(Turns, IsLoad))
    barrier(B);
  for (const Tile &T : Turns)
    redirect(E, Frame, T);
  BranchInst *Leave = BranchInst::Create(After, Out);
  B.SetInsertPoint(Leave);
  if (!all_of(Turns, IsLoad))
    barrier(B);
  for (const Tile &T : Turns)
    if (!IsLoad(T)) {
      T.copyOut(B, Frame);
      B.SetInsertPoint(Leave);
    }
}

} // namespace place
