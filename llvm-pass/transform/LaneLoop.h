//===- LaneLoop.h - An inner loop that neighbouring threads share -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = thread; i < n; i += threads)                  for (i = thread / 32; i < n; i += threads / 32)
//     for (j = 0; j < 32; ++j)                     ->        for (j = thread % 32; j < 32; j += 32)
//       sum[j] += a[32 * i + j]                                sum[j] += a[32 * i + j]
//
// Neighbouring threads then read neighbouring elements. Each has its own copy of what is reduced, and adds to it what it comes to: which of
// them has an iteration of the inner loop cannot be told from the result, but for the order of additions.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_LANE_LOOP_H
#define PLACE_LANE_LOOP_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class AllocaInst;
class BinaryOperator;
class CallBase;
class DominatorTree;
class GetElementPtrInst;
class Loop;
class StoreInst;
class Value;
} // namespace llvm

namespace place {

class ElementCalls;

/// An array of which each iteration of the inner loop uses the element of its number alone.
struct LaneArray {
  llvm::AllocaInst *Array = nullptr;
  llvm::SmallVector<llvm::GetElementPtrInst *, 4> Elements; // what leads to the element, in the loop
};

/// A call's argument that leads to an object in memory which the call only reads, and may be read as a whole.
struct ReadObject {
  llvm::CallBase *Call = nullptr;
  unsigned Argument = 0;
  uint64_t Bytes = 0;
};

struct LaneLoop {
  unsigned Lanes = 1;                   // threads that share it: a power of two; 1: there is no such loop
  uint64_t Rounds = 0;                  // of the inner loop: a multiple of Lanes
  llvm::SmallVector<LaneArray, 2> Arrays;
  llvm::SmallVector<ReadObject, 2> Objects; // in the inner loop
  llvm::StoreInst *Begin = nullptr;     // of the counter's first value
  llvm::BinaryOperator *Step = nullptr; // what the counter grows by
};

/// The only loop within L, as the front end made both, if its bounds are constant, some array is read along it, and all that L's body writes
/// are values of its own iterations, and sums, or the like, that the inner loop alone forms, and elements of arrays as above, whatever becomes
/// of them: an element is then one thread's as it was before, in the same order of iterations. Counter: L's own variable.
LaneLoop findLaneLoop(const llvm::Loop &L, const llvm::Value *Counter, const llvm::DominatorTree &DT, ElementCalls &Calls);

/// Leaves each thread its share of the inner loop, which reads its objects as a whole: an operator that compares field by field would
/// wait for each. Lane, in 64 bits, is its number among those that share it, and Lanes how many these are.
void shareLaneLoop(const LaneLoop &Shared, llvm::Value *Lane, llvm::Value *Lanes);

} // namespace place

#endif
