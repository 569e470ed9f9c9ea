//===- LeanMeaning.h - Functions of the device runtime ------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_LEAN_MEANING_H
#define PLACE_LEAN_MEANING_H

#include "llvm/ADT/StringRef.h"

namespace place {

/// What a function of the device runtime is for. Unknown: none that a kernel could do without.
enum class Meaning {
  Unknown, Nothing, Init, Allocate, Free, GlobalThread, TeamThreads, TeamThread, ThreadNumber, ThreadCount, Level,
  InParallel, Spmd, Barrier, For, Distribute, DispatchInit, DispatchNext, Reduce, TeamsBuffer, TeamsReduce,
  TeamNumber, TeamCount, OneThread
};

Meaning meaningOf(llvm::StringRef Name);

} // namespace place

#endif
