//===- Natural.h - One iteration a thread, in the order of the space *- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_NATURAL_H
#define PLACE_NATURAL_H

#include "Clone.h"

namespace llvm {
class BasicBlock;
class ICmpInst;
class Value;
} // namespace llvm

namespace place {

/// A loop in natural order: values of 32 bits, at its head.
struct NaturalLoop {
  llvm::Value *Chunk = nullptr, *Mine = nullptr; // the team's first iteration, and the thread's
  llvm::Value *Trips = nullptr;                  // how many there are
  llvm::ICmpInst *Below = nullptr;               // Mine < Trips: whether the thread has one; else it goes to Leave
  llvm::BasicBlock *Enter = nullptr, *Leave = nullptr;
};

/// Rebuilds a clone whose kernel has a chunk shape, with a known last iteration, into one iteration a thread (Natural.cpp). The
/// clone then runs right for at most MostNaturalIterations, with exactly `Size` threads a team and any number of teams.
NaturalLoop orderNaturally(Clone &C);
enum : uint32_t { MostNaturalIterations = 0x7ffff7ff }; // a chunk more stays below 2^31

} // namespace place

#endif
