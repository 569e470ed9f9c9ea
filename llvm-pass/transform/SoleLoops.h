//===- SoleLoops.h - Loops that a team's first thread carries out -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where all threads carry out what a team does outside of its parallel regions (LeanTeam.cpp), each effect that a later read may see costs two
// barriers. A loop of which nothing is needed behind it but its effects is left to the first thread as a whole:
//
//   barrier; if (thread == 0) for (...) { s[i].x = 0; s[i].tag |= s[i].x; }; barrier
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SOLE_LOOPS_H
#define PLACE_SOLE_LOOPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class LoopInfo;
} // namespace llvm

namespace place {

/// Loops of a team's part, with effects, of which nothing else is needed.
class SoleLoops {
public:
  using Test = llvm::function_ref<bool(const llvm::Instruction &)>;

  /// The outermost ones. HasEffect: whether others may see what an instruction does. IsForAll: whether all threads must carry it out.
  SoleLoops(const llvm::LoopInfo &LI, Test HasEffect, Test IsForAll);

  bool empty() const { return Loops.empty(); }
  bool contain(const llvm::Instruction &I) const;

  /// The other threads go on behind them. Barrier: puts one in front of an instruction.
  void leaveToFirst(llvm::function_ref<void(llvm::Instruction *)> Barrier) const;

private:
  struct SoleLoop {
    llvm::BasicBlock *Header, *Exit;
    llvm::SmallPtrSet<const llvm::BasicBlock *, 8> Blocks;
  };

  void look(const llvm::Loop &L, Test HasEffect, Test IsForAll);

  llvm::SmallVector<SoleLoop, 2> Loops;
};

} // namespace place

#endif
