//===- SliceLoop.h - Slices of a reduction's loop ----------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid-stride loop that reduces (Stride.h) may have an interval of the iterations as well as all of them: each launch adds what it has
// come to to the program's variable, as the one launch would. Right where order cannot change the result: of integers, by clang's own
// operators. How many iterations there are may stand in memory: an interval ends where they do, and the last one has all that are left.
//
// The loop is made before its kernel has parameters for that. Until a version has them (IntervalTransform), special registers that nothing
// else uses stand for them.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SLICE_LOOP_H
#define PLACE_SLICE_LOOP_H

#include "Version.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include <utility>

namespace llvm {
class CallInst;
class Instruction;
class Type;
class Use;
} // namespace llvm

namespace place {

/// Whether a thread may wait for what another team does, or look at what it has got to.
bool mayWait(const llvm::Instruction &I);

/// Whether launches of intervals come to the same. Share: the call that shares out the loop's iterations; Finish: the reduction over teams.
/// Both as the front end made them.
bool maySliceLoop(const llvm::CallInst &Share, const llvm::CallInst &Finish);

/// In front of Share: leaves the interval's iterations in its variables, of that type.
void cutLoop(llvm::CallInst &Share, llvm::Type *Counter);

/// A kernel's loop has all iterations for as long as this lives, so that analyses see it as it is in a whole launch; then it is as it was.
/// Analyses made before or within its life are outdated at either end, but for those of the control flow: it invalidates them.
class WholeLoop {
public:
  WholeLoop(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  ~WholeLoop();
  WholeLoop(const WholeLoop &) = delete;
  WholeLoop &operator=(const WholeLoop &) = delete;

private:
  void forget();

  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallVector<std::pair<llvm::Use *, llvm::Instruction *>, 8> Uses;
};

/// Whether a version can be launched for an interval.
bool takesInterval(const Version &V);

} // namespace place

#endif
