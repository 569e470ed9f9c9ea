//===- Narrow.h - Divisions of small numbers --------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_NARROW_H
#define PLACE_NARROW_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class DataLayout;
} // namespace llvm

namespace place {

/// x - x / d * d becomes a remainder.
void findRemainders(llvm::ArrayRef<llvm::BasicBlock *> Blocks);

/// Divisions and remainders in 64 bits of what has 32 are carried out in 32.
void divideNarrowly(llvm::ArrayRef<llvm::BasicBlock *> Blocks, const llvm::DataLayout &DL);

} // namespace place

#endif
