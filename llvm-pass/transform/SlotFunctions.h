//===- SlotFunctions.h - Partial results in a buffer -------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a reduction over teams clang makes functions that move a team's partial results to and from its slot of a buffer. Of one over the
// threads of a team it makes none.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SLOT_FUNCTIONS_H
#define PLACE_SLOT_FUNCTIONS_H

#include <optional>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace place {

/// Functions as clang would make: void (ptr buffer, i32 slot, ptr list), where list is of pointers to the variables of a reduction.
struct SlotFunctions {
  llvm::Function *To = nullptr, *From = nullptr; // copy what the list has to the slot, and back
  llvm::Function *ReduceFrom = nullptr;          // what the list has becomes its reduction with the slot
  unsigned Bytes = 0;                            // of a slot
};

/// List: the variable of F that is the list, of pointers to variables of F, each named once. Shuffle: clang's function of the same reduction
/// that takes the other partial result from another lane. Nothing, if they have another form.
std::optional<SlotFunctions> slotFunctions(llvm::Value &List, llvm::Function &F, llvm::Function &Shuffle);

} // namespace place

#endif
