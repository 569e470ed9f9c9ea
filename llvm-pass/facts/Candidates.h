//===- Candidates.h - Which arrays can be placed, which reads are logged *- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CANDIDATES_H
#define PLACE_CANDIDATES_H

#include "Summary.h"

namespace place {

/// Of the arrays of a kernel whose accesses are known: which have a choice of spaces, and why the others have none.
void decideCandidates(KernelSummary &K);

/// Irregular reads of arrays that can be placed are logged by the profiling version; innermost ones first.
void chooseLogged(KernelSummary &K);

} // namespace place

#endif
