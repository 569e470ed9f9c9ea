//===- Target.h - What a GPU generation offers -------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever place emits beyond what every GPU that LLVM 19 offloads to has (sm_35 and later) is asked for here first.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_TARGET_H
#define PLACE_TARGET_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

enum : unsigned { WarpThreads = 32 };

/// The compute capability that a function is compiled for, times ten (90 for sm_90); 0 if its attributes do not say.
unsigned computeCapability(const llvm::Function &F);

/// The version of the PTX language that a function is written in, times ten (84 for PTX 8.4); 0 if its attributes do not say.
unsigned ptxVersion(const llvm::Function &F);

/// Has F, which place adds, compiled for the GPU and the version of PTX that Other is compiled for: else neither is inlined into the other.
void compileLike(llvm::Function &F, const llvm::Function &Other);

/// Whether copies from global to shared memory can be left to the hardware (cp.async: sm_80).
bool hasAsyncCopies(const llvm::Function &F);

} // namespace place

#endif
