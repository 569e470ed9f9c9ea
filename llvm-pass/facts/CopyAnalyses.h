//===- CopyAnalyses.h - Loops of a copy under construction -------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_COPY_ANALYSES_H
#define PLACE_COPY_ANALYSES_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

namespace place {

/// What a step asks of the function that it changes, for which no pass manager keeps analyses: as it is when this is made.
struct CopyAnalyses {
  llvm::TargetLibraryInfoImpl Functions;
  llvm::TargetLibraryInfo TLI;
  llvm::AssumptionCache AC;
  llvm::DominatorTree DT;
  llvm::LoopInfo LI;
  llvm::ScalarEvolution SE;

  explicit CopyAnalyses(llvm::Function &F)
      : Functions(llvm::Triple(F.getParent()->getTargetTriple())), TLI(Functions), AC(F), DT(F), LI(DT), SE(F, TLI, AC, DT, LI) {}
};

} // namespace place

#endif
