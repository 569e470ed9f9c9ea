//===- Edge.h - Blocks that reach over the end of the space -------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_EDGE_H
#define PLACE_EDGE_H

#include "Tile.h"

namespace place {

/// Fills Edge, an empty block, with the iterations of a block of which some do not exist, one by one, and goes on to After:
///
///   for (r = 0; r < iterations of a thread; ++r)
///     if (the thread's r-th iteration is below Extent in every dimension) body
///
/// No iteration is carried out twice, and none that does not exist. F: of the block; Extent: of each dimension, 32 bits.
void walkEdge(llvm::BasicBlock *Edge, const BlockFrame &F, const std::array<llvm::Value *, 3> &Extent, llvm::BasicBlock *After);

/// Whether the thread is one of those that store what they come to (BlockShape::Alike).
llvm::Value *isWorker(llvm::IRBuilder<> &B, const BlockFrame &F);

/// The least value of a polynomial, linear in the dimensions with constant steps, over a block's iterations; 64 bits.
llvm::Value *leastInBlock(llvm::IRBuilder<> &B, const BlockFrame &F, const Poly &P);

/// Keeps the loop that a latch's terminator closes as it is: what is hardly ever carried out is not worth copies of its body.
void keepRolled(llvm::Instruction &Terminator);

} // namespace place

#endif
