//===- VersionPasses.cpp - The passes that make versions --------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "VersionPasses.h"
#include "Isolate.h"
#include "Kernel.h"
#include "Make.h"
#include "Mark.h"
#include "MicrotaskCases.h"
#include "Quiet.h"
#include "Regions.h"
#include "Source.h"
#include "Table.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace place {

namespace {

/// What the passes of one pipeline hand on to each other.
struct Session {
  Isolation Alone;
  std::vector<Region> Regions;
};
using SharedSession = std::shared_ptr<Session>;

/// Versions.
struct PlacePass : PassInfoMixin<PlacePass> {
  explicit PlacePass(SharedSession S) : S(std::move(S)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!isDeviceModule(M))
      return PreservedAnalyses::all();
    std::vector<Function *> Kernels = offloadKernels(M);
    if (Kernels.empty() || hasTable(M))
      return PreservedAnalyses::all();
    quietVersions(M.getContext());
    S->Regions = makeRegions(S->Alone, Kernels, MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
  SharedSession S;
};

/// Versions that were made elsewhere, and the region table.
struct CompletePass : PassInfoMixin<CompletePass> {
  CompletePass(SharedSession S, RegionsTaker Take) : S(std::move(S)), Take(std::move(Take)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (S->Regions.empty() || !isDeviceModule(M))
      return PreservedAnalyses::all();
    std::vector<std::string> LeftOut = S->Alone.linkBack(M, MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
    std::string Regions;
    for (const Region &R : S->Regions)
      Regions += R.text(LeftOut);
    S->Regions.clear();
    Take(M, Regions);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
  SharedSession S;
  RegionsTaker Take;
};

/// Keeps the module as the front end made it for kernels that are optimised alone.
struct RememberPass : PassInfoMixin<RememberPass> {
  RememberPass(SharedSession S, OptimizationLevel Level) : S(std::move(S)), Level(Level) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (isDeviceModule(M) && options().Isolate && !hasTable(M))
      S->Alone.remember(M, Level);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
  SharedSession S;
  OptimizationLevel Level;
};

} // namespace

void addVersions(ModulePassManager &MPM, const RegionsTaker &Take) {
  auto S = std::make_shared<Session>();
  MPM.addPass(PlacePass(S));
  MPM.addPass(CompletePass(S, Take));
}

void registerVersions(PassBuilder &PB, const RegionsTaker &Take) {
  auto S = std::make_shared<Session>();
  PB.registerPipelineStartEPCallback([S](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(MicrotaskCasesPass());
    MPM.addPass(MarkKernelsPass());
    MPM.addPass(RememberPass(S, Level));
  });
  PB.registerOptimizerEarlyEPCallback([S](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(PlacePass(S));
  });
  registerFinish(PB, /*OwnModule=*/false);
  PB.registerOptimizerLastEPCallback([S, Take](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(CompletePass(S, Take));
  });
}

} // namespace place
