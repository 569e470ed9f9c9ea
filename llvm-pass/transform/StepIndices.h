//===- StepIndices.h - Indices that go along with a loop's counter -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_STEPINDICES_H
#define PLACE_STEPINDICES_H

namespace llvm {
class Loop;
} // namespace llvm

namespace place {

/// Quotients and remainders of the loop's counter by what is the same in all of its iterations, as the indices of collapsed loops are, become
/// counters of their own: a step adds the step's own quotient and remainder, and carries. For divisions by what is no constant. L has a preheader
/// and one latch.
void stepIndices(llvm::Loop &L);

} // namespace place

#endif
