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


} // namespace place

#endif
