//===- Parted.h - Where threads go different ways ------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several iterations are carried out step by step together only where they go the same way. Where they may not, from a branch to
// the block in which its ways meet again, a thread carries them out one after the other.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_PARTED_H
#define PLACE_PARTED_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace llvm {
class BasicBlock;
class Loop;
class LoopInfo;
class PostDominatorTree;
} // namespace llvm

namespace place {

/// A part of a body with one way in, the edges out of Entry, and one way out, the edges into Join. Neither belongs to it.
struct PartedRegion {
  llvm::BasicBlock *Entry = nullptr, *Join = nullptr;
  llvm::SmallVector<llvm::BasicBlock *, 8> Blocks; // in the body's order
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> Inside;

  bool contains(const llvm::BasicBlock *BB) const { return Inside.count(BB); }
  /// Whether an edge from BB to Join is one of the ways out.
  bool leadsOut(const llvm::BasicBlock *BB) const { return BB == Entry || contains(BB); }
};

/// The regions of a body, whose blocks are given in reverse post-order, around the blocks at which iterations part; outermost
/// ones only. All of it lies in the loop Around, no region contains one of the latches. Nothing if there is no such region
/// for one of the blocks.
std::optional<std::vector<PartedRegion>> findParted(llvm::ArrayRef<llvm::BasicBlock *> Body,
                                                    llvm::function_ref<bool(const llvm::BasicBlock *)> PartsAt,
                                                    llvm::function_ref<bool(const llvm::BasicBlock *)> IsLatch,
                                                    const llvm::Loop *Around, const llvm::LoopInfo &LI,
                                                    const llvm::PostDominatorTree &PDT);

} // namespace place

#endif
