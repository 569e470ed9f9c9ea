//===- CopyBlocks.h - Copies of some of a function's blocks ------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_COPY_BLOCKS_H
#define PLACE_COPY_BLOCKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace place {

/// Copies of blocks at the end of To, in their order, which use each other's values and what Map has of others; Map gets all that is in them.
llvm::SmallVector<llvm::BasicBlock *, 16> copyBlocks(llvm::ArrayRef<llvm::BasicBlock *> Blocks, llvm::ValueToValueMapTy &Map,
                                                     const llvm::Twine &Suffix, llvm::Function &To);

} // namespace place

#endif
