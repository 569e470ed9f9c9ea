//===- Hoist.h - Loads before what waits for them ---------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_HOIST_H
#define PLACE_HOIST_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// At the end of the pipeline, on a version that collects updates: loads of all unrolled iterations before the first update.
void hoistLoads(llvm::Function &F);

/// At the end of the pipeline: within a block of an innermost loop, loads before what other loads' values are used for, stores of it among
/// that. ptxas sends them off in this order: where each is followed by its use, some loops have one load in flight instead of all.
void gatherLoads(llvm::Function &F);

/// The part of that which concerns innermost loops of several blocks: loads of each iteration go before what it decides on.
void loadBeforeBranches(llvm::Function &F);

} // namespace place

#endif
