//===- Slice.h - A launch's teams in several launches ------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SLICE_H
#define PLACE_SLICE_H

#include "Version.h"

#include "llvm/IR/IRBuilder.h"

namespace place {

class Clone;

/// Makes versions sliceable, where the kernel may be launched slice by slice and it may pay: the base, and versions whose teams have
/// iterations in the order of the space.
void offerSlices(const KernelSummary &K, std::vector<Version> &Versions);

/// The same of the base beside versions with a grid-stride loop that reduces, which is of the original as it stands: if its chunks can be told.
void offerBaseSlices(llvm::Function &Original, std::vector<Version> &Versions);

/// Of a version whose own order of iterations turns out not to hold at a launch, where From branches to Otherwise: a whole launch goes on
/// there; a slice is left undone, which the runtime is told (include/place/abi.h). Returns what From is to branch to; without slices that
/// is Otherwise.
llvm::BasicBlock *declineSlice(Clone &C, llvm::BasicBlock *From, llvm::BasicBlock *Otherwise);

/// How many iterations later than at a multiple of its extent a block begins in the outermost dimension, 32 bits; null: the version has no
/// such slices. 0 in a whole launch.
llvm::Value *sliceOrigin(Clone &C, llvm::IRBuilder<> &B);

} // namespace place

#endif
