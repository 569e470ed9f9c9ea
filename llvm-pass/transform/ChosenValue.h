//===- ChosenValue.h - The greater of two, by value -------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// const T &max(const T &a, const T &b) returns one of two pointers. Where what it leads to is read at once, the value is chosen instead:
// then it is known which variables the caller reads.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CHOSEN_VALUE_H
#define PLACE_CHOSEN_VALUE_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// Replaces such calls in a function as the front end made it: std::max, std::min, and what else compares two values and returns a pointer
/// to one of them.
void chooseByValue(llvm::Function &F);

} // namespace place

#endif
