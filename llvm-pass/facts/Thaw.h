//===- Thaw.h - Counters as the program has them ------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_THAW_H
#define PLACE_THAW_H

#include "Unwiden.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

#include <optional>
#include <utility>

namespace llvm {
class FreezeInst;
class Function;
class Use;
} // namespace llvm

namespace place {

/// Takes the freezes off loop counters for as long as it lives, and wide copies of them out (Unwiden.h), so that analyses and clones see the
/// counters; then the function is as it was.
///
/// LLVM freezes the counter of a collapsed loop where it needs quotient and remainder under a condition, and its scalar evolution
/// looks through no freeze: such a kernel would have no affine access and no chunks. Only freezes are taken off whose operand
/// can be poison by an overflow alone: a worksharing loop whose counter overflows does not conform (OpenMP 5.2, 4.4.2).
///
/// Analyses of the function made before or within its life are outdated at either end: it invalidates them.
class Thaw {
public:
  Thaw(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  ~Thaw();
  Thaw(const Thaw &) = delete;
  Thaw &operator=(const Thaw &) = delete;

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallVector<std::pair<llvm::Use *, llvm::FreezeInst *>, 8> Uses;
  std::optional<Unwiden> Widths;
};

} // namespace place

#endif
