//===- BlockFacts.cpp - What blocks of iterations are built from ------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockFacts.h"

using namespace llvm;

namespace place {

BlockFacts::BlockFacts(Function &F, const ChunkShape &S, const BlockShape &Shape)
    : Of(F), N(recogniseNest(S, Shape, Of.LI, Of.DT, Of.SE)) {
  if (!N)
    return;
  T = std::make_unique<Body>(S, *N, Of.LI, Of.DT, Of.SE);
  Holds = (!Shape.Interior || T->assume()) && (!Shape.Parts || T->part());
}

} // namespace place
