//===- Pipeline.h - One run of the default pipeline -------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_PIPELINE_H
#define PLACE_PIPELINE_H

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

namespace place {

/// Inlining, unrolling and NVPTX's own passes decide by the target machine. Null if this process has none for the module.
std::unique_ptr<llvm::TargetMachine> machineFor(const llvm::Module &M, const llvm::Function &Kernel);

/// The analysis managers of one run of the default pipeline, set up as clang does for -O1 and above.
class Pipeline {
public:
  Pipeline(llvm::TargetMachine *TM, llvm::OptimizationLevel L) : PB(TM, options(L)) {}

  llvm::PassBuilder &builder() { return PB; }

  void run(llvm::Module &M, llvm::OptimizationLevel L) {
    registerAnalyses();
    PB.buildPerModuleDefaultPipeline(L).run(M, MAM);
  }

  /// Analyses for changes outside of the default pipeline.
  llvm::FunctionAnalysisManager &analyses() {
    registerAnalyses();
    return FAM;
  }

  /// Drops what nothing uses.
  void sweep(llvm::Module &M) {
    registerAnalyses();
    llvm::GlobalDCEPass().run(M, MAM);
  }

private:
  static llvm::PipelineTuningOptions options(llvm::OptimizationLevel L) {
    llvm::PipelineTuningOptions O;
    O.LoopUnrolling = O.LoopInterleaving = O.LoopVectorization = true;
    O.SLPVectorization = L.getSpeedupLevel() > 1;
    return O;
  }

  void registerAnalyses() {
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CAM, MAM);
  }

  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CAM;
  llvm::ModuleAnalysisManager MAM;
  llvm::PassBuilder PB;
};

} // namespace place

#endif
