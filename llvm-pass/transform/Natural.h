//===- Natural.h - One iteration a thread, in the order of the space *- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_NATURAL_H
#define PLACE_NATURAL_H

#include "Clone.h"
#include "NaturalLoop.h"

namespace place {

/// Rebuilds a clone whose kernel has a chunk shape, with a known last iteration, into one iteration a thread (Natural.cpp). The
/// clone then runs right for at most MostNaturalIterations, with exactly `Size` threads a team and any number of teams.
NaturalLoop orderNaturally(Clone &C);
enum : uint32_t { MostNaturalIterations = 0x7ffff7ff }; // a chunk more stays below 2^31

} // namespace place

#endif
