//===- HiddenSteps.h - Loops that the back end counts as they are -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_HIDDENSTEPS_H
#define PLACE_HIDDENSTEPS_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// At the end of the pipeline: hides from scalar evolution what loops add to their counters, so that the back end's loop strength reduction leaves
/// them alone. It would keep a variable for each part of an address that changes in a way of its own, in each loop around it: more registers than
/// the sums of a staged row leave (benchmarks/RESULTS.md).
void hideSteps(llvm::Function &F);

} // namespace place

#endif
