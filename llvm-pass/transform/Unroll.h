//===- Unroll.h - Loads of several iterations in flight ---------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_UNROLL_H
#define PLACE_UNROLL_H

namespace llvm {
class Function;
class Loop;
} // namespace llvm

namespace place {

/// How often the body of an innermost loop is worth repeating, so that a thread loads so many bytes of an array at a time; 1: not at all.
unsigned timesToLoad(const llvm::Loop &L, unsigned Bytes);

/// Asks LLVM to unroll an innermost loop until a thread loads so many bytes of an array at a time, as far as its body is short and calls
/// nothing. Other loops stay as they are.
void unrollToLoad(llvm::Loop &L, unsigned Bytes);

/// The same for the loops that a team of so many threads shares out among them, `for (iv = tid; iv < n; iv += Threads)`, of which LLVM
/// would not unroll any for the division in their number of iterations; and asks it to leave the loops around them, which it does unroll.
void unrollShared(llvm::Function &F, unsigned Threads, unsigned Bytes);

} // namespace place

#endif
