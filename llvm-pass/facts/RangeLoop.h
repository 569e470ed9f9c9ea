//===- RangeLoop.h - Loops over ranges of one's own -------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a sparse matrix, edges of a node: an iteration walks along a range that begins where the one before it ends.
//
//   for (k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]]
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_RANGE_LOOP_H
#define PLACE_RANGE_LOOP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class Value;
} // namespace llvm

namespace place {

/// A loop that goes by ones, and may go round not at all.
struct RangeLoop {
  llvm::Loop *L = nullptr;
  llvm::BasicBlock *Guard = nullptr; // which every iteration of the kernel's loop comes to: it goes on to the loop or not
  unsigned Way = 0;                  // its successor that leads to the loop
  llvm::SmallVector<llvm::BasicBlock *, 4> Before; // what an iteration comes through until then, Guard included
  llvm::PHINode *Counter = nullptr;
  llvm::Value *First = nullptr, *End = nullptr; // the counter's first value, and the one that it does not reach any more
  std::optional<llvm::Instruction::CastOps> Widen; // what End is to become of the counter's type by; none: it has it
  llvm::SmallVector<llvm::Instruction *, 8> Shared; // depends on nothing but the counter, reads memory, and is computed in each round; in order
  llvm::SmallVector<llvm::Instruction *, 2> Kept;   // of these, what the rest of the loop uses
  unsigned Bytes = 0;                               // of what is kept, of an element
};

/// What a kernel's loop is like around inner ones.
struct IterationBody {
  llvm::ArrayRef<llvm::BasicBlock *> Enter; // where it begins, or goes on
  llvm::function_ref<bool(const llvm::BasicBlock *)> Contains;
  llvm::function_ref<bool(const llvm::Value *)> IsOnlyRead; // of a pointer: nothing that the kernel writes is there
};

/// The first loop of that kind, behind Enter, which reads something that does not depend on whose range it is, if there is one.
std::optional<RangeLoop> findRangeLoop(const IterationBody &Body, const llvm::LoopInfo &LI, const llvm::DominatorTree &DT);

} // namespace place

#endif
