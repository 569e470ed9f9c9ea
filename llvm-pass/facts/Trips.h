//===- Trips.h - How often loops go round -------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_TRIPS_H
#define PLACE_TRIPS_H

#include "Summary.h"

namespace llvm {
class ScalarEvolution;
class SCEV;
class SCEVAddRecExpr;
} // namespace llvm

namespace place {

/// Trip counts of a kernel's loops as text, and on the way the shape of its chunk loops.
class LoopTrips {
public:
  LoopTrips(llvm::ScalarEvolution &SE, const llvm::DenseMap<const llvm::Loop *, int> &LoopNumber, unsigned Threads)
      : SE(SE), LoopNumber(LoopNumber), Threads(Threads) {}

  /// How often a loop's back edge is taken, or an upper bound that is exact for all but a team's last chunk; empty: unknown.
  std::string backedgesTaken(const llvm::Loop *L);

  /// Whether the loop walks a share of the iteration space: its step depends on the number of threads or teams.
  bool isChunkLoop(const llvm::Loop *L) const;

  /// The chunk loops that backedgesTaken has proved, if versions may be rebuilt on them.
  std::optional<ChunkShape> chunks() const { return Chunks; }

private:
  struct Exit;
  std::optional<Exit> exitOf(const llvm::Loop *L);
  std::string strideTrips(const llvm::Loop *L);
  std::string chunkTrips(const llvm::Loop *L);
  const llvm::SCEV *chunkSize(const llvm::SCEVAddRecExpr *Base) const;
  bool boundFollows(const llvm::PHINode *Bound, const llvm::SCEVAddRecExpr *Base, const llvm::SCEV *Size,
                    const llvm::Loop *Outer) const;

  llvm::ScalarEvolution &SE;
  const llvm::DenseMap<const llvm::Loop *, int> &LoopNumber;
  unsigned Threads; // of a team as compiled, 0: not known
  std::optional<ChunkShape> Chunks;
};

} // namespace place

#endif
