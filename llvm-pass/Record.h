//===- Record.h - What the region table says of a version ------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_RECORD_H
#define PLACE_RECORD_H

#include "Transform.h"

namespace place {

/// What the runtime is to know of versions of a kernel: the region table is printed from it, and whoever tells the user reads it.
VersionRecord recordOf(const KernelSummary &K, const Version &V);
std::vector<VersionRecord> recordsOf(const KernelSummary &K, llvm::ArrayRef<Version> Versions);

} // namespace place

#endif
