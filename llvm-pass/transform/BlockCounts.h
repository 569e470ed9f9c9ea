//===- BlockCounts.h - How many iterations blocks have at a launch -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_BLOCKCOUNTS_H
#define PLACE_BLOCKCOUNTS_H

#include "BlockFacts.h"
#include "Emit.h"
#include "Tile.h"

#include "llvm/ADT/DenseMap.h"

namespace place {

/// How often loops go round and how far the dimensions of blocks extend, computed before the chunk loop, and whether blocks may be built on
/// that. Shape, S and Facts must outlive it.
class BlockCounts {
public:
  BlockCounts(const BlockShape &Shape, const ChunkShape &S, BlockFacts &Facts)
      : Shape(Shape), S(S), LI(Facts.loops()), SE(Facts.evolution()), N(Facts.nest()), T(Facts.body()) {}

  /// Whether the block loop may run: fewer than 2^31 iterations, the loops' extents as the divisors say and no smaller than a block, and every
  /// address as it was taken for. At B, in front of the chunk loop, as long as scalar evolution describes the function; the rest is known then.
  llvm::Value *check(llvm::IRBuilder<> &B, const AffineAccesses &Accesses, const TilePlan &Plan);

  /// Of the nest but for its folded loops; of a dimension; of all; 32 bits.
  llvm::Value *iterations() const { return Iterations; }
  llvm::Value *extent(unsigned D) const { return Extent[D]; }
  const std::array<llvm::Value *, 3> &extents() const { return Extent; }
  /// How often a loop goes round, 64 bits.
  llvm::Value *trips(llvm::IRBuilder<> &B, const llvm::Loop &L) const { return B.CreateAdd(Backedges.lookup(&L), B.getInt64(1)); }

private:
  void expandBackedges(llvm::Instruction *At);
  llvm::Value *guarded(llvm::IRBuilder<> &B, llvm::Value *Go);
  llvm::Value *foldedExtents(llvm::IRBuilder<> &B);
  llvm::Value *storesApart(llvm::IRBuilder<> &B, const Nest::Cell &C);
  llvm::Value *most(llvm::IRBuilder<> &B, Poly::Symbol P);

  const BlockShape &Shape;
  const ChunkShape &S;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  Nest &N;
  Body &T;
  llvm::DenseMap<const llvm::Loop *, llvm::Value *> Backedges;
  llvm::Value *Iterations = nullptr;
  std::array<llvm::Value *, 3> Extent = {};
};

} // namespace place

#endif
