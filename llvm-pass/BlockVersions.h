//===- BlockVersions.h - Versions with iterations in blocks -----*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_BLOCKVERSIONS_H
#define PLACE_BLOCKVERSIONS_H

#include "Version.h"

namespace place {

/// Adds versions of the likeliest shapes: with everything in global memory, and with the arrays in constant memory that Likeliest has
/// there.
void addBlocks(const KernelSummary &K, llvm::ArrayRef<int8_t> Likeliest, std::vector<Version> &Versions);

/// Whether the source asks for tiles of arrays (#pragma place shared(tile)), and these are versions that have them.
bool followsTiles(const KernelSummary &K, llvm::ArrayRef<Version> Versions);

/// Where tiles are asked for, and can be had: no other versions, and of these, if some have the other arrays where they are asked for,
/// no others.
void keepAskedTiles(const KernelSummary &K, std::vector<Version> &Versions);

} // namespace place

#endif
