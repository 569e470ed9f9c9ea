//===- Straight.h - Straight chunk loops ------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_STRAIGHT_H
#define PLACE_STRAIGHT_H

#include "Clone.h"

namespace place {

/// Rebuilds a clone whose kernel has a chunk shape: whole chunks run without a guard in control flow that is uniform over
/// the team, the last, partial chunk runs after them, threads without an iteration leave, and the barriers go. A large body is there once: its
/// guard stays, and threads for which it says no leave.
/// The clone then runs right with exactly `Size` threads a team, and is marked to be launched with no other number.
void straightenChunks(Clone &C);

/// What is left to be done with a clone of a kernel that is straight as it is (Lean.h): what is known of the launch, and divisions.
/// Sharing: threads that share its inner loops; 0: none do.
void finishLean(Clone &C, unsigned Sharing);

//===-- What forms without the chunk loops have in common ----------------------===//

/// The launch has been checked: nothing that is written overlaps another array (needs=apart).
void tellApart(Clone &C);

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
