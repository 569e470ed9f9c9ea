//===- Ranges.h - Neighbouring threads' ranges, read by the team -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: each thread walks along a range of its own (RangeLoop.h), and a warp's threads read what lies a range apart. One thread's range begins
// where its neighbour's ends, so together they are one, which a team can read in the order of memory, a part at a time:
//
//   for (at = first of all; at < end of all; at += size) {
//     shared[t] = value[at + t], x[column[at + t]], and so on             all of the team, several elements each
//     barrier
//     for (; k < end and k < at + size; ++k) sum += shared[k - at]        each thread its own range, as far as it lies here
//     barrier
//   }
//
// Each thread carries out its iterations in the order that it had. Each element is read that would be, and no other: where ranges do not lie one
// behind the other, which the team asks first, each thread reads its own. Long ranges beside short ones no longer keep a warp's lanes idle while
// they are read.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_RANGES_H
#define PLACE_RANGES_H

#include "Summary.h"

namespace place {

class Clone;
struct NaturalLoop;

/// Notes (KernelSummary::HasRanges) whether an iteration of the kernel's chunk loop has such a loop.
void findRanges(KernelSummary &K, llvm::FunctionAnalysisManager &FAM);

/// Rewrites such loops of a clone in natural order, one after the other, with Threads threads a team. Returns false if there is none.
bool readRangesTogether(Clone &C, const NaturalLoop &Natural, unsigned Threads);

} // namespace place

#endif
