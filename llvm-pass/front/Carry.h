//===- Carry.h - What the source says, for a later step of the compiler *- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CARRY_H
#define PLACE_CARRY_H

#include <string>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace place {

/// For a compiler that parses in one process and optimises in another (Carry.cpp): what the first leaves in the module, and
/// the pass by which the second takes it out.
std::string carriedText();
void registerCarried(llvm::PassBuilder &PB);

} // namespace place

#endif
