//===- GridLoop.h - A thread's share of a loop over the whole grid -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop as the front end made it, whose iterations a call of __kmpc_for_static_init_* or __kmpc_distribute_static_init_* shares out:
// all threads of the grid take theirs by strides. Where all that the body reads of arrays is narrow, a thread takes groups of neighbouring
// iterations, whose loads LLVM can then join:
//
//   for (k = 0, iv = group * thread; k < mine; iv += ++k % group ? 1 : group * (threads - 1) + 1) body
//
// Where iterations take long and are fewer than the grid's threads, whole teams would have none while others have one for each of their threads:
// then a team's first warp has the first iterations of its share, all teams' first warps come before all second ones (`Evenly`).
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_GRID_LOOP_H
#define PLACE_GRID_LOOP_H

#include "LaneLoop.h"

#include <optional>

namespace llvm {
class BasicBlock;
class BranchInst;
class CallInst;
class DominatorTree;
class LoadInst;
class Loop;
class LoopInfo;
class StoreInst;
class Type;
class Value;
} // namespace llvm

namespace place {

/// The loop whose iterations a call of __kmpc_for_static_init_* shares out.
struct CountedLoop {
  const llvm::Loop *L = nullptr;
  llvm::StoreInst *Counted = nullptr; // what the counter has grown to
  llvm::LoadInst *Growth = nullptr;   // what is added for it
  llvm::BranchInst *Guard = nullptr, *Latch = nullptr; // as below
};

/// Nothing, if it has another form: its counter grows by the call's stride in the latch, and its header alone leaves it.
std::optional<CountedLoop> countedLoop(const llvm::CallInst &Share, const llvm::LoopInfo &LI, const llvm::DominatorTree &DT);

/// The one block from which code behind the loop is reached; null: there are several, or none. (As Loop::getExitingBlock, in code that is
/// not optimised.)
llvm::BasicBlock *wayOut(const llvm::Loop &L);

struct GridLoop {
  llvm::CallInst *Init = nullptr;                      // writes the first iteration, and the distance to the next, to variables
  llvm::BranchInst *Guard = nullptr, *Latch = nullptr; // Guard: enters the body first, or leaves; Latch: goes back
  llvm::Type *Counter = nullptr;
  unsigned Group = 1;                // neighbouring iterations that a thread takes at a time
  llvm::LoadInst *Growth = nullptr;  // the distance, where the counter grows by it; needed for groups
  bool Apart = false;                // each thread is lane (its number in the team) % lanes; the team has that many threads at least
  LaneLoop Shared = {};              // a loop within that neighbouring threads share, each of which has the same iterations of this one
  bool Evenly = false;               // see above; no loop within is shared
};

/// Whether something reads the variable.
bool isLoaded(const llvm::Value *Variable);

/// Gives each thread its share; the call goes. The loop is marked (isStridedLoop, isGroupedLoop in Stride.h). Its bounds are read from the
/// call's variables in front of it.
void strideOverGrid(const GridLoop &L);

} // namespace place

#endif
