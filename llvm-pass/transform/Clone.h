//===- Clone.h - A kernel's copy, to be made a version -----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CLONE_H
#define PLACE_CLONE_H

#include "Version.h"

#include "llvm/IR/ValueMap.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class FunctionType;
class GlobalVariable;
class LoadInst;
class ReturnInst;
class TargetTransformInfo;
class Value;
} // namespace llvm

namespace place {

/// What is left to be done with a version at the end of the pipeline (FinishVersionPass).
struct LeftToFinish {
  bool Converges = false; // at barriers (Converge.h)
  bool Joins = false;     // neighbouring loads, and gives loads their cache operators
  bool Recombines = false; // before it joins: sums and loads that the iterations of a thread have in common
  bool Hoists = false;    // before it joins: loads before atomic updates (Hoist.h)
  bool Gathers = false;   // the same: loads before what waits for them (Hoist.h), conditions where they are needed (Condition.h)
  bool Foreruns = false;  // without Gathers: loads before what iterations decide on (Hoist.h)
  bool HidesSteps = false; // of its loops, from the back end (HiddenSteps.h)
};

/// A clone under construction, with access to its extra parameters (include/place/abi.h).
class Clone {
public:
  /// Clones K.F under a new name, with the extra parameters, its annotations and its own kernel environment. The guard of its
  /// chunk loop is in one block, right in front of the inner loop.
  Clone(const KernelSummary &K, const Version &V, const llvm::TargetTransformInfo &TTI);

  llvm::Function &function() const { return *New; }
  const KernelSummary &kernel() const { return K; }
  const Version &version() const { return V; }
  const llvm::TargetTransformInfo &target() const { return TTI; }

  llvm::Argument *control(unsigned Word) const;
  llvm::Argument *word(const ArraySummary &A, unsigned Word) const;
  llvm::Argument *sliceWord(unsigned Word) const; // of a version that can be launched in slices
  /// The clone's copy of an array's argument, and of an access's instruction.
  llvm::Argument *array(const ArraySummary &A) const;
  llvm::Instruction *access(const AccessSummary &S) const;
  /// The clone's copy of any value of the kernel.
  llvm::Value *cloned(llvm::Value *Original) const;
  /// Accesses to A that are loads.
  std::vector<llvm::LoadInst *> loads(int Array) const;
  /// The first instruction behind the entry block's allocas, and all places where threads return.
  llvm::Instruction *start() const;
  std::vector<llvm::ReturnInst *> returns() const;

  LeftToFinish Left;
  bool Fails = false; // a step found less in the copy than what the version was chosen for: it is not offered

private:
  void create(llvm::FunctionType *Type);
  void annotate(llvm::Function &F) const;
  void forgetThreads();
  void joinGuards(const ChunkShape &S);
  void copyEnvironment() const;

  const KernelSummary &K;
  const Version &V;
  const llvm::TargetTransformInfo &TTI;
  llvm::Function *New = nullptr;
  llvm::ValueToValueMapTy Map;
};

} // namespace place

#endif
