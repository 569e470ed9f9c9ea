//===- Versions.h - Which versions of a kernel are worth having -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_VERSIONS_H
#define PLACE_VERSIONS_H

#include "Version.h"

namespace place {

/// The versions worth having for a kernel; bounded by options().
std::vector<Version> chooseVersions(const KernelSummary &K);

/// Whether an array is read as the threads or teams go along, or along a row found in another: hardly anything of it twice.
bool isStreaming(const KernelSummary &K, int Array);

/// Those of a kernel that was rebuilt without the device runtime, beside others of the same kernel.
std::vector<Version> chooseLeanVersions(const KernelSummary &K);

} // namespace place

#endif
