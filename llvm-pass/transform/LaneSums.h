//===- LaneSums.h - Arrays of sums, an element a lane -----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that share an inner loop (LaneLoop.h) use one element each of the arrays that it forms. Where these are all that a reduction over
// teams is of, and have as many elements as there are lanes, a thread keeps that element alone, in a register, and what clang has for whole
// arrays of each thread is done by element:
//
//   mine = neutral                                       instead of an array of neutral elements
//   loop: mine = mine op a[32 * i + lane]
//   shared[thread] = mine; barrier                       the team: thread t < 32 adds up shared[t], shared[t + 32], ...
//   slot[team][t] = mine; count                          the last team: thread t takes element t % 32 of slots t / 32, ...; and so on
//   if (t < 32) variable[t] = variable[t] op mine
//
// The operators are those of clang's function for the whole, cut down to arrays of one element. Elements are added up in the order of threads
// and teams: the same result from run to run at one shape.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_LANE_SUMS_H
#define PLACE_LANE_SUMS_H

#include "LaneLoop.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class CallInst;
class Function;
class Module;
} // namespace llvm

namespace place {

/// A parallel region of the kernel with a loop that lanes share.
struct LaneRegion {
  llvm::CallInst *Parallel = nullptr; // begins it
  llvm::CallInst *Share = nullptr;    // __kmpc_for_static_init_* in its function
  LaneLoop Lanes;
};

/// Rewrites the sums of the regions, in front end's form, and the end of the reduction over teams, a call of
/// __kmpc_nvptx_teams_reduce_nowait_v2 in the kernel. Regions: all in which there are sums. Lane and share of the loops are left to the
/// caller: a thread is to be lane (its number in the team) % lanes. Returns whether it is all of the form above; else nothing is changed.
bool sumByLanes(llvm::Function &Kernel, llvm::CallInst &Finish, llvm::ArrayRef<LaneRegion> Regions, ElementCalls &Calls);

/// The same, with lanes and shares, for a kernel whose parallel regions are begun by one thread of each team, as the front end made it in a module
/// of its own; what is left of it is for makeLean (Lean.h). Marks the kernel (markLaneSums).
bool sumByLanesOfTeams(llvm::Module &One, llvm::StringRef Kernel);

/// Threads of a team that versions of such a kernel are launched with, where the program leaves that open; 0: as the kernel was compiled for.
/// Each team costs the first values of its arrays, and rows that the last one adds up: few of them, which are large, keep as many loads in
/// flight.
unsigned threadsOfLaneTeams(const llvm::Function &Kernel);

/// For how many lanes a region's function shares out the iterations of its loop; 1: it does not.
unsigned lanesOfRegion(const llvm::Function &Region);

} // namespace place

#endif
