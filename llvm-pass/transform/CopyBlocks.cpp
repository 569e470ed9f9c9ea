//===- CopyBlocks.cpp - Copies of some of a function's blocks ----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CopyBlocks.h"

#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace place {

SmallVector<BasicBlock *, 16> copyBlocks(ArrayRef<BasicBlock *> Blocks, ValueToValueMapTy &Map, const Twine &Suffix, Function &To) {
  SmallVector<BasicBlock *, 16> Copies;
  for (BasicBlock *BB : Blocks) {
    Copies.push_back(CloneBasicBlock(BB, Map, Suffix, &To));
    Map[BB] = Copies.back();
  }
  remapInstructionsInBlocks(Copies, Map);
  return Copies;
}

} // namespace place
