//===- Division.h - Divisions of a loop counter ---------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_DIVISION_H
#define PLACE_DIVISION_H

#include "Poly.h"

#include <optional>

namespace llvm {
class Instruction;
class IntegerType;
class Value;
} // namespace llvm

namespace place {

/// An instruction that divides, as clang and the optimiser leave them of collapsed loops.
struct Division {
  enum Kind {
    Quotient,
    Remainder,
    Mask, // by a power of two: the remainder, or what is left without it
  } K = Quotient;
  llvm::Instruction *I = nullptr;
  llvm::Value *Dividend = nullptr, *Divisor = nullptr; // the latter of the counter's type
  // Filled by Nest, which knows what the dividend is:
  Fits Needed; // for the dividend to be the one that is looked for
  Poly Outer;  // what the quotient is more than the index that is parted off

  /// What an instruction divides, if it may be a counter of this type; nothing otherwise.
  static std::optional<Division> of(llvm::Instruction &I, llvm::IntegerType &Counter);
  /// Whether it tells of rows: a quotient does, and a mask, and a remainder whose row begins at iv - iv % n. Another may be a table's index
  /// (random[iv % 97]), which parts no loops.
  bool tellsOfRows() const;
};

} // namespace place

#endif
