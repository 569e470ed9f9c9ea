//===- Chunks.h - Straight chunk loops ---------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CHUNKS_H
#define PLACE_CHUNKS_H

#include "Access.h"

namespace place {

class Clone;

/// The shape of a kernel whose outer and inner chunk loops, counters and chunk size have been proved, if the rest of it has
/// the form that straightenChunks can rebuild; nothing otherwise.
std::optional<ChunkShape> recogniseChunks(const llvm::Loop &Outer, const llvm::Loop &Inner, llvm::PHINode &Base,
                                          llvm::PHINode &Bound, unsigned Size);

/// Rebuilds a clone whose kernel has a chunk shape: whole chunks run without a guard in control flow that is uniform over
/// the team, the last, partial chunk runs after them, threads without an iteration leave, and the barriers go.
/// The clone then runs right with exactly `Size` threads a team, and is marked to be launched with no other number.
void straightenChunks(Clone &C);

/// Rebuilds a clone whose kernel has a chunk shape, with a known last iteration, into one iteration a thread (Natural.cpp). The
/// clone then runs right for at most MostNaturalIterations, with exactly `Size` threads a team and any number of teams.
void orderNaturally(Clone &C);
enum : uint32_t { MostNaturalIterations = 0x7ffff7ff }; // a chunk more stays below 2^31

//===-- What forms without the chunk loops have in common ----------------------===//

/// The number of threads of a team becomes a constant.
void fixThreads(llvm::Function &F, unsigned Threads);
/// A loop's body runs once and goes on to Next.
void runOnce(llvm::BasicBlock *Header, llvm::BasicBlock *Latch, llvm::BasicBlock *Next);
void eraseBarriers(llvm::Function &F);
/// A new block in which threads leave the kernel. (A jump to the kernel's common return would, to ptxas, be a place where parted
/// threads meet again.)
llvm::BasicBlock *leaveBlock(llvm::Function &F);

} // namespace place

#endif
