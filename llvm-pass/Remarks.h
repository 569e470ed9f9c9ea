//===- Remarks.h - Optimisation remarks -------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_REMARKS_H
#define PLACE_REMARKS_H

#include "Transform.h"

namespace place {

/// What clang's user gets with -Rpass=place (versions), -Rpass-missed=place (reasons), -Rpass-analysis=place (accesses) and in
/// optimisation records, at the region's lines. Costs nothing where nobody asks.
void remark(const KernelSummary &K, llvm::ArrayRef<VersionRecord> Versions);

} // namespace place

#endif
