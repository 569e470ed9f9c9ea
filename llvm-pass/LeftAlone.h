//===- LeftAlone.h - Files whose kernels cannot have versions ---*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_LEFTALONE_H
#define PLACE_LEFTALONE_H

#include "Reason.h"

#include <string>

namespace llvm {
class Function;
class PassBuilder;
} // namespace llvm

namespace place {

/// The text of a region whose kernel is left alone for that reason.
std::string leftAlone(llvm::Function &Kernel, const Reason &Why);

/// The pass for files whose kernels cannot have versions, before those that make them.
void registerLeaveAlone(llvm::PassBuilder &PB);

} // namespace place

#endif
