//===- Sunk.h - Invariant values back in their loop --------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SUNK_H
#define PLACE_SUNK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

#include <utility>

namespace llvm {
class Argument;
class BasicBlock;
class Function;
class Instruction;
class Loop;
} // namespace llvm

namespace place {

/// Puts what LLVM moved in front of a chunk's iterations back into them for as long as it lives; then the function is as it was.
///
/// A value that is the same for all iterations, such as one loaded through a pointer to parameters, is computed once a chunk then,
/// behind the guard that turns away threads without an iteration. With that between guard and loop, the kernel would not have the
/// form of a chunk loop (ChunkShape). Where nothing in the loop may write what is loaded, later passes move it out again.
///
/// Analyses of the function made before or within its life are outdated at either end: it invalidates them.
class Sunk {
public:
  /// Stays: of which of the kernel's arguments loads stay where they are, with all else in front of that loop.
  Sunk(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, llvm::function_ref<bool(const llvm::Argument &)> Stays);
  ~Sunk();
  Sunk(const Sunk &) = delete;
  Sunk &operator=(const Sunk &) = delete;

private:
  void sink(llvm::BasicBlock &Before, llvm::Loop &Inner);

  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Instruction *>, 8> Moved; // what, and in front of what it stood
};

} // namespace place

#endif
