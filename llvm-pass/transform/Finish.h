//===- Finish.h - The end of a reduction over teams --------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_FINISH_H
#define PLACE_FINISH_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class CallInst;
} // namespace llvm

namespace place {

/// Where a thread is in the grid, in 64 bits. Of more teams than the device runtime has slots for, the rest has no work.
struct Grid {
  llvm::Value *Thread, *Threads; // of the team
  llvm::Value *Team, *Teams;     // Teams: those with work
};
Grid gridOf(llvm::IRBuilder<> &B);

/// Replaces a call of __kmpc_nvptx_teams_reduce_nowait_v2 (front end's form) by code in which all threads of the team that comes last form
/// the result, which its first thread then has. Environment: the kernel's first argument. Teams are taken in the order of their numbers:
/// the same result from run to run.
void finishByAllThreads(llvm::CallInst &Call, llvm::Value *Environment);

/// As many teams as can take part: the device runtime's buffer has so many slots. Others are to end at once.
enum { MostTeamsOfReduction = 1024 };

} // namespace place

#endif
