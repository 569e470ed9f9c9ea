//===- Unfollowed.h - Hints that cannot be followed -------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_UNFOLLOWED_H
#define PLACE_UNFOLLOWED_H

#include "Summary.h"

namespace place {

/// Says which hints of a region are ignored, and why. Versions: the region's lines in the table.
void warnOfUnfollowed(const KernelSummary &K, llvm::StringRef Versions);

} // namespace place

#endif
