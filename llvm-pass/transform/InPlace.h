//===- InPlace.h - Inner loops that replace what they go along --*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (n = 1; n < rows; ++n)  c[n * pitch] = last = a * c[n * pitch] + b * last
//
// A filter, a solver of tridiagonal systems, a sum along columns. The next element is loaded when this one has been stored, since they are the
// same for a pitch of 0, and nobody knows it. A loop that asks once, in front of it, loads many elements together; the other one remains for
// such a pitch.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_IN_PLACE_H
#define PLACE_IN_PLACE_H

namespace llvm {
class Function;
class TargetTransformInfo;
} // namespace llvm

namespace place {

/// Makes two of such loops, of which each iteration accesses one element of the array that it writes, at a distance that is the same for all
/// iterations and that only the launch knows; and arrays that are told apart (noalias).
void goAlongInPlace(llvm::Function &F, const llvm::TargetTransformInfo &TTI);

} // namespace place

#endif
