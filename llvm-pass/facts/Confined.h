//===- Confined.h - Calls that write what they are given ---------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CONFINED_H
#define PLACE_CONFINED_H

namespace llvm {
class CallBase;
} // namespace llvm

namespace place {

/// Whether a call of a function of this file, as the front end made it, writes variables of the calling function alone: constructors of
/// private variables do.
bool writesOwnVariablesAlone(const llvm::CallBase &C);

} // namespace place

#endif
