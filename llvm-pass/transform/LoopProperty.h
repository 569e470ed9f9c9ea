//===- LoopProperty.h - What LLVM is told about a loop ----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop's properties, llvm.loop.unroll.count and the like, are metadata of the branch back to its header (LangRef, 'llvm.loop').
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_LOOP_PROPERTY_H
#define PLACE_LOOP_PROPERTY_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class Instruction;
} // namespace llvm

namespace place {

/// Adds a property to those that the loop has; or gives it this one in the place of all others.
void addLoopProperty(llvm::Instruction &Back, llvm::StringRef Name, std::optional<unsigned> Value = std::nullopt);
void setLoopProperty(llvm::Instruction &Back, llvm::StringRef Name, std::optional<unsigned> Value = std::nullopt);

/// Whether it has one whose name begins so.
bool hasLoopProperty(const llvm::Instruction &Back, llvm::StringRef Prefix);

} // namespace place

#endif
