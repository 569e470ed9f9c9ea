//===- HiddenCopy.h - Values that are not known to be equal ------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_HIDDEN_COPY_H
#define PLACE_HIDDEN_COPY_H

namespace llvm {
class CallInst;
class Value;
} // namespace llvm

namespace place {

/// An instruction, in no block yet, whose value is that of V (a pointer, or an integer of 16, 32 or 64 bits), which LLVM does not know. Stays: it is
/// not moved, nor taken together with another of V.
llvm::CallInst *hiddenCopy(llvm::Value &V, bool Stays);

} // namespace place

#endif
