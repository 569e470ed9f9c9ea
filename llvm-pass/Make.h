//===- Make.h - Making versions ---------------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_MAKE_H
#define PLACE_MAKE_H

#include "Version.h"

namespace llvm {
class PassBuilder;
class TargetTransformInfo;
} // namespace llvm

namespace place {

/// Makes one version, complete: loads in their spaces, staging, timer, profile code. Whether it is what was chosen: else it must not be offered.
bool makeVersion(const KernelSummary &K, const Version &V, const llvm::TargetTransformInfo &TTI);

/// At the end of the pipeline, on versions, what their steps left to it (LeftToFinish): warps come together in front of barriers, and
/// neighbouring loads from a copy are joined. The back end does so too late, after strength reduction, when nothing is known about
/// alignment any more. Then loads get their cache operators (Routes.h). Long moves are mended (Moves.h), also in what versions call, where
/// all functions of the module are place's copies.
struct FinishVersionPass : llvm::PassInfoMixin<FinishVersionPass> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  static bool isRequired() { return true; }

  bool OwnModule; // all of it is place's
};

/// Puts that pass at the end of a pipeline that versions go through.
void registerFinish(llvm::PassBuilder &PB, bool OwnModule);

} // namespace place

#endif
