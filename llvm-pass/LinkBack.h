//===- LinkBack.h - Modules of versions joined to the one they came from *- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_LINKBACK_H
#define PLACE_LINKBACK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"
#include <memory>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace place {

/// Joins each of the parts to M. The parts go with M's context: nothing of them may be freed before it. Returns for each whether it is in
/// M now: a part that refers to a variable that M no longer has is left out.
std::vector<bool> linkBack(llvm::Module &M, llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> Parts, llvm::FunctionAnalysisManager &FAM);

} // namespace place

#endif
