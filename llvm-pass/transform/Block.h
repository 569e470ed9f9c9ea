//===- Block.h - Iterations of a nest in blocks -------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_BLOCK_H
#define PLACE_BLOCK_H

#include "Summary.h"

namespace place {

class Clone;

/// The block shapes worth trying for a kernel, best first; sets K.Blocks, K.BlockReason (why there is none) and K.Extents.
/// Right behind summarise: K's loops are those of FAM.
void findBlocks(KernelSummary &K, llvm::FunctionAnalysisManager &FAM);

/// Rebuilds a clone whose version has a block shape:
///
///   if (the space is large enough, and what the indices were taken for holds)
///     for (block = team; block < blocks; block += teams)
///       each thread carries out its `Each` iterations of the block step by step together
///   else the chunk loops as they were
///
/// The last block of each dimension is moved back so that it is whole: some iterations are carried out twice, which is right
/// only if they read nothing that the kernel writes. With Once it stays where it is, and its iterations are carried out one by
/// one.
void rebuildBlocks(Clone &C);

} // namespace place

#endif
