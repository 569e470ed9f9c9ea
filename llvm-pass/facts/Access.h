//===- Access.h - Which kernel touches which array how ----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACCESS_H
#define PLACE_ACCESS_H

#include "Summary.h"

namespace place {

/// Analyses one kernel.
KernelSummary summarise(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace place

#endif
