//===- Ahead.h - Loads ahead of where a loop may end early -------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: a loop that searches,
//
//   for (p = 0; p < n; p++) if (a[p] >= x) break;
//
// loads an element, compares, and only then may load the next one: nobody knows whether that may be read. The launch knows, as it knows how
// many elements are mapped (needs=reads-mapped). So several iterations are looked at together as long as none of them ends the loop, with
// loads side by side; the loop itself goes on from there, and finds out which.
//
//   for (c = 0; n - c >= 8; c += 8) if (a[c] >= x | ... | a[c + 7] >= x) break;
//   for (p = c; p < n; p++) if (a[p] >= x) break;
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_AHEAD_H
#define PLACE_AHEAD_H

#include "Summary.h"

namespace place {

/// Notes (ArraySummary::Ahead) how far such loops may read arrays.
void findLoadsAhead(KernelSummary &K, llvm::FunctionAnalysisManager &FAM);

/// What arrays must begin at multiples of for loads of several iterations to be joined: 16, or 0 where none could be.
unsigned alignmentToReadAhead(const KernelSummary &K);

} // namespace place

#endif
