//===- Unfollowed.h - Hints that cannot be followed -------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_UNFOLLOWED_H
#define PLACE_UNFOLLOWED_H

#include "Transform.h"

namespace place {

/// Says which hints of a region are ignored, and why.
void warnOfUnfollowed(const KernelSummary &K, llvm::ArrayRef<VersionRecord> Versions);

} // namespace place

#endif
