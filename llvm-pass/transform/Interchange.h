//===- Interchange.h - Collapsed loops of grid-stride loops, the other way round *- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: neighbouring threads carry out neighbouring iterations of the innermost of the collapsed loops. Where that one strides through
// memory and the one around it walks along it, each thread loads a sector of its own. No order of iterations is promised, so the two
// can change places:
//
//   i = iv / inner, j = iv % inner   becomes   i = iv % outer, j = iv / outer
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_INTERCHANGE_H
#define PLACE_INTERCHANGE_H

#include "Summary.h"

namespace place {

/// Notes (KernelSummary::GainsByInterchange) whether a strided kernel's loop is collapsed from two, and more of its accesses lie together
/// if these change places.
void findInterchange(KernelSummary &K, llvm::FunctionAnalysisManager &FAM);

} // namespace place

#endif
