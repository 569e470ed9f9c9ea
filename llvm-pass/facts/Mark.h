//===- Mark.h - What can only be seen before inlining -----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_MARK_H
#define PLACE_MARK_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace place {

/// Marks kernels with what can only be seen before inlining: whether code in them looks at the number of teams. Runs at the
/// start of the pipeline.
struct MarkKernelsPass : llvm::PassInfoMixin<MarkKernelsPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Whether a kernel was marked so that nothing in it looks at the number of teams; at which thread carries out which iteration.
bool hasOpenTeams(const llvm::Function &Kernel);
bool hasOpenThreads(const llvm::Function &Kernel);

/// Whether a kernel was marked so that all it does stands in one loop, with a static schedule, that teams and threads share: then no
/// iteration may wait for another, and no barrier stands for anything of the program's.
bool hasOneSharedLoop(const llvm::Function &Kernel);

/// Whether a kernel was marked so that it has one loop which is shared out at one level: among the threads of its one team
/// (`target parallel for`), or among teams of one thread (`target teams distribute`).
bool hasLoopOfOneLevel(const llvm::Function &Kernel);

/// Whether an instruction of code as the front end made it may do something that another thread, or the host, can see.
bool hasVisibleEffect(const llvm::Instruction &I);

} // namespace place

#endif
