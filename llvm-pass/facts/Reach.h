//===- Reach.h - What a function reaches ------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_REACH_H
#define PLACE_REACH_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class Function;
class GlobalValue;
} // namespace llvm

namespace place {

/// The functions and variables that From names, itself or through functions, variables and constants that it names: whatever it can
/// call or touch by a name, with From itself. What a function names counts only if LooksInto holds for it.
llvm::SmallPtrSet<const llvm::GlobalValue *, 32> reachedFrom(const llvm::GlobalValue &From,
                                                             llvm::function_ref<bool(const llvm::Function &)> LooksInto);

/// The kernel and all functions of the program (not of the device runtime) that it calls or passes on, in the order in which they are met.
llvm::SetVector<llvm::Function *> programFunctions(llvm::Function &Kernel);

} // namespace place

#endif
