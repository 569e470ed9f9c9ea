//===- Footprint.h - What a team touches in one chunk of iterations *- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_FOOTPRINT_H
#define PLACE_FOOTPRINT_H

#include "Summary.h"

namespace llvm {
class ScalarEvolution;
} // namespace llvm

namespace place {

/// What one team touches of each array in one chunk of iterations: its threads, and all iterations of the loops inside the chunk
/// loops. Chunk loops are those whose step depends on the number of threads or teams. Numbers: of K's loops.
void findFootprints(KernelSummary &K, llvm::ScalarEvolution &SE, const llvm::DenseMap<const llvm::Loop *, int> &Numbers);

} // namespace place

#endif
