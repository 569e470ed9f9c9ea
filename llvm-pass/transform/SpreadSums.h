//===- SpreadSums.h - Sums over teams by all their threads -------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `target teams distribute reduction`: each team's one thread has a partial result, of which the device runtime forms the whole. Where all
// threads of a team take iterations, each has one.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SPREAD_SUMS_H
#define PLACE_SPREAD_SUMS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class BasicBlock;
class CallInst;
class DominatorTree;
class Function;
class Loop;
class Module;
} // namespace llvm

namespace place {

/// The end of the function's reduction over teams, behind its one loop. Only set where each thread may have variables of its own for what is
/// reduced: they get their first value in front of the loop, and only the loop, and the thread that has the result, do more with them.
struct TeamSums {
  llvm::CallInst *Finish = nullptr;
  const llvm::BasicBlock *Result = nullptr; // entered by the thread that has the result
};

/// Returns false if there is a reduction that has another form. None: Finish is null.
bool findTeamSums(llvm::Function &F, const llvm::Loop &L, const llvm::DominatorTree &DT, TeamSums &Found);

/// All threads of the teams have come to the end of the module's one reduction, in an SPMD kernel: they form their team's partial result
/// first. What teams do becomes part of the kernel. Returns false if it cannot.
bool sumByAllThreads(llvm::Module &One, llvm::StringRef Kernel);

} // namespace place

#endif
