//===- RangeReader.h - One loop along ranges, read by the team ---*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_RANGE_READER_H
#define PLACE_RANGE_READER_H

#include "NaturalLoop.h"
#include "RangeLoop.h"

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace place {

/// A kernel's loop whose iterations walk along ranges one after the other.
struct RangesInLoop {
  const NaturalLoop &Natural;
  unsigned Threads;                     // of a team
  llvm::SmallVector<llvm::BasicBlock *, 2> Enter;   // where an iteration goes on
  llvm::SmallVector<llvm::BasicBlock *, 2> Without; // from where threads without one leave, their second successor
  llvm::SmallVector<llvm::GlobalVariable *, 2> Memory = {}; // of the team: for loops one after the other

  /// The team's memory of that number, with room for so many bytes.
  llvm::GlobalVariable &memory(llvm::Function &F, unsigned Number, uint64_t Bytes);
};

/// Rewrites one of them as Ranges.h says. Iterations then go on, and threads without one leave, as Around says: behind this loop.
void readByTeam(llvm::Function &F, RangesInLoop &Around, const RangeLoop &R);

} // namespace place

#endif
