//===- ThreadSums.h - A thread's number added by a bitwise or ----*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: in teams of 1,024 threads the first iteration of a chunk is a multiple of what a thread's number is below, and the optimiser joins the
// two by `or disjoint`. It is the sum that clang wrote, and what teams of another size need.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_THREAD_SUMS_H
#define PLACE_THREAD_SUMS_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// Whether spellThreadSums would find something.
bool joinsThreads(const llvm::Function &F);

/// Writes them as sums. Returns whether there was one.
bool spellThreadSums(llvm::Function &F);

} // namespace place

#endif
