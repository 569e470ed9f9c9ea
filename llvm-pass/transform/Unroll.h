//===- Unroll.h - Loads of several iterations in flight ---------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_UNROLL_H
#define PLACE_UNROLL_H

#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace place {

struct CopyAnalyses;

/// The branch back of a loop that may be unrolled: it has one, and neither the source nor a step before has said how often. Null: it may not.
llvm::Instruction *openBranch(const llvm::Loop &L);

/// A call that is no computation of the thread's own: of anything but an intrinsic or assembly that computes
/// (Computation.h), or of one in which threads meet.
bool callsOut(const llvm::Instruction &I);

/// Repeats a loop's body at once, as UnrollLoop does, whose result is returned, however often the loop goes round. Rest: the loop for what is
/// left, if there is one. The analyses are kept.
llvm::LoopUnrollResult repeatBody(llvm::Loop &L, unsigned Times, CopyAnalyses &Of, const llvm::TargetTransformInfo &TTI, llvm::Loop *&Rest);

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
