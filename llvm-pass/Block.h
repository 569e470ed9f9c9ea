//===- Block.h - Iterations of a nest in blocks -------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_BLOCK_H
#define PLACE_BLOCK_H

#include <array>
#include <set>
#include <string>

namespace llvm {
class LoopInfo;
class DominatorTree;
class ScalarEvolution;
} // namespace llvm

namespace place {

class Clone;
struct KernelSummary;

/// How a team's block of iterations looks: dimension by dimension, outermost first.
struct BlockShape {
  unsigned Dims = 1;
  std::array<unsigned, 3> Threads = {1, 1, 1}; // of a team along the dimension; powers of two
  std::array<unsigned, 3> Each = {1, 1, 1};    // iterations along the dimension that one thread carries out together
  std::array<bool, 3> Adjacent = {};           // a thread's iterations follow each other; else they lie Threads apart
  unsigned Strip = 0;                          // iterations of the sequential loop staged at a time; 0: none
  bool Pipelined = false;                      // a strip is fetched while the one before it is worked on: two tiles of each
  bool Transposed = false;                     // accesses along columns go through tiles
  std::set<unsigned> Tiled;                    // numbers of the kernel's arguments that have tiles

  unsigned threads() const { return Threads[0] * Threads[1] * Threads[2]; }
  unsigned extent(unsigned D) const { return Threads[D] * Each[D]; }
  /// How far a thread's r-th index lies from its first one.
  unsigned offset(unsigned D, unsigned R) const { return Adjacent[D] ? R : R * Threads[D]; }
  /// "64x64t256k16p": extents, threads, strip, pipelined; the end of the version's name.
  std::string name() const;
};

/// The block shapes worth trying for a kernel, best first; sets K.Blocks, K.BlockReason (why there is none) and K.Extents.
void findBlocks(KernelSummary &K, llvm::LoopInfo &LI, llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);

/// Rebuilds a clone whose version has a block shape:
///
///   if (the space is large enough, and what the indices were taken for holds)
///     for (block = team; block < blocks; block += teams)
///       each thread carries out its `Each` iterations of the block step by step together
///   else the chunk loops as they were
///
/// The last block of each dimension is moved back so that it is whole: some iterations are carried out twice, which is right
/// only if they read nothing that the kernel writes.
void rebuildBlocks(Clone &C);

} // namespace place

#endif
