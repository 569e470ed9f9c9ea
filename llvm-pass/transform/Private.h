//===- Private.h - Atomic updates collected in each team ---------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: `atomic update` into few cells, a histogram or a counter, makes all threads of the GPU wait for the same cache lines. Each
// team can collect its updates in shared memory instead, and add what it has to the cells once, at its end. OpenMP's atomic updates
// are relaxed, and where a kernel does nothing else with an array, nobody sees their order, nor when they are done.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_PRIVATE_H
#define PLACE_PRIVATE_H

#include "Clone.h"

namespace llvm {
class Function;
class ScalarEvolution;
} // namespace llvm

namespace place {

/// The cells of a kernel's arrays whose updates may be collected; none, if something in the kernel could tell. What is left to be shown at
/// the launch: that no other array overlaps them (PLACE_NEED_APART).
std::vector<PrivateCells> privateCells(const KernelSummary &K, llvm::ScalarEvolution &SE);

/// Collects the updates of a strided version's private cells (Clone.h).
void collectUpdates(Clone &C);

} // namespace place

#endif
