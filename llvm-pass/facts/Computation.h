//===- Computation.h - Assembly that only computes --------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA's mathematics has assembly in tanhf, powf, acos and others. LLVM takes all assembly for what might never end, which is an effect: a loop with
// such a call has no number of iterations that scalar evolution would know, nor do its iterations count as free of effects.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_COMPUTATION_H
#define PLACE_COMPUTATION_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace place {

/// A call of assembly that makes a value of values, by arithmetic alone: it is not volatile, and names neither memory, nor a special register, nor
/// an instruction that asks other threads.
bool isComputation(const llvm::CallBase &C);

/// A call of any other assembly, which may do anything.
bool isUnknownAssembly(const llvm::CallBase &C);

/// Tells LLVM that such calls return, in a module that is place's own.
void tellComputationsReturn(llvm::Module &M);

/// The same of a kernel of the program's, for as long as it lives: analyses see it, and clones keep it. It invalidates analyses of the function at
/// either end.
class ComputationsReturn {
public:
  ComputationsReturn(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  ~ComputationsReturn();
  ComputationsReturn(const ComputationsReturn &) = delete;
  ComputationsReturn &operator=(const ComputationsReturn &) = delete;

  /// Whether there are such calls.
  bool any() const { return !Told.empty(); }

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallVector<llvm::CallBase *, 8> Told;
};

} // namespace place

#endif
