//===- BlockFacts.cpp - What blocks of iterations are built from ------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockFacts.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

BlockFacts::BlockFacts(Function &F, const ChunkShape &S, const BlockShape &Shape)
    : TLII(Triple(F.getParent()->getTargetTriple())), TLI(TLII), AC(F), DT(F), LI(DT), SE(F, TLI, AC, DT, LI),
      N(recogniseNest(S, Shape.Once, LI, DT, SE)) {
  if (!N)
    return;
  T = std::make_unique<Body>(S, *N, LI, DT, SE);
  Holds = (!Shape.Interior || T->assume()) && (!Shape.Parts || T->part());
}

} // namespace place
