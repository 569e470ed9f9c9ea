//===- Routes.h - Cache operators of loads -----------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM 19 has no cache operators: a load that has one is inline PTX, which no pass sees through. So a kernel carries its routes, by
// argument, until everything else is done with it, and its loads are replaced then, as they have come to be: unrolled, joined to
// vectors, moved.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ROUTES_H
#define PLACE_ROUTES_H

#include "llvm/ADT/ArrayRef.h"

#include "place/route.h"

namespace llvm {
class Argument;
class Function;
} // namespace llvm

namespace place {

/// Whether code for the function's GPU can have the route, for an array that is written, or only read.
bool routeExists(const llvm::Function &F, place_route Route, bool Written);

/// From here on the function's loads through its argument go that way.
void giveRoute(llvm::Argument &A, place_route Route);

/// Replaces them: each plain load of global memory, neither volatile nor atomic, whose address comes from one such argument alone, and
/// whose width a load instruction has. Others stay as they are. Returns how many were replaced.
unsigned emitRoutes(llvm::Function &F);

} // namespace place

#endif
