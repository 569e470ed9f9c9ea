//===- Streams.h - Inner loops that go along arrays and only read -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (n = 0; n < rows; ++n)  sum += a[n * columns + i]          each thread with one load or four in flight
//
// With few threads on a multiprocessor, or narrow elements, the memory is idle most of the time. Sixteen loads at a time, four for what is
// left, and then one: a short loop is carried out as LLVM would have it.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_STREAMS_H
#define PLACE_STREAMS_H

namespace llvm {
class Function;
class TargetTransformInfo;
} // namespace llvm

namespace place {

/// Repeats the bodies of such loops, of those that are short and whose number of iterations is known when they begin. The loads are brought
/// together at the end of the pipeline (Hoist.h).
void unrollStreams(llvm::Function &F, const llvm::TargetTransformInfo &TTI);

} // namespace place

#endif
