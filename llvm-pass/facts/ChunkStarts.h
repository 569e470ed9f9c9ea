//===- ChunkStarts.h - Where a team's chunks begin ---------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that reduces over teams has more than its chunk loop (Chunks.h): behind it, teams look at each other's numbers. What of it goes
// by a team's number to find its iterations is
//
//   for (first = team * Size; first <= last; first += teams * Size) iterations first to first + Size - 1
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CHUNK_STARTS_H
#define PLACE_CHUNK_STARTS_H

#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class Function;
class Use;
} // namespace llvm

namespace place {

struct ChunkStarts {
  unsigned Size = 0;                            // iterations of a chunk
  llvm::SmallVector<llvm::Use *, 2> Team, Teams; // where their numbers are multiplied by Size
};

/// Nothing, if the kernel has no such loop, or goes by those numbers in any other way to it or within it.
std::optional<ChunkStarts> findChunkStarts(llvm::Function &Kernel);

} // namespace place

#endif
