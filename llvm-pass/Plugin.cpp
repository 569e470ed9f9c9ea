//===- Plugin.cpp - place in the pass pipeline -------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   opt-19 -load-pass-plugin=libplace.so -passes='place-mark,print<place-access>'    the access summary of each kernel
//   ... -passes='place-mark,print<place-table>'                                      the region table
//   ... -passes='place-mark,place'                                                   the versions
//
//===----------------------------------------------------------------------===//
#include "Plugin.h"
#include "Examine.h"
#include "Kernel.h"
#include "LeftAlone.h"
#include "LinkTime.h"
#include "Loader.h"
#include "Make.h"
#include "Mark.h"
#include "Record.h"
#include "Regions.h"
#include "Source.h"
#include "Table.h"
#include "Thaw.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace place {

namespace {

FunctionAnalysisManager &functionAnalyses(Module &M, ModuleAnalysisManager &MAM) {
  return MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
}

struct PrintAccessPass : PassInfoMixin<PrintAccessPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    FunctionAnalysisManager &FAM = functionAnalyses(M, MAM);
    for (Function *F : offloadKernels(M)) {
      Thaw Counters(*F, FAM);
      Examined E = examine(*F, FAM);
      explain(E.K, E.Versions);
      printSummary(E.K, errs());
    }
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

struct PrintTablePass : PassInfoMixin<PrintTablePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    FunctionAnalysisManager &FAM = functionAnalyses(M, MAM);
    std::string Regions;
    for (Function *F : offloadKernels(M)) {
      Thaw Counters(*F, FAM);
      Examined E = examine(*F, FAM);
      explain(E.K, E.Versions);
      Regions += regionText(E.K, recordsOf(E.K, E.Versions));
    }
    errs() << tableText(Regions);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// What the passes of one pipeline hand on to each other.
struct Session {
  Isolation Alone;
  std::vector<Region> Regions;
};
using SharedSession = std::shared_ptr<Session>;
using RegionsTaker = std::function<void(Module &M, const std::string &Regions)>;

/// Versions.
struct PlacePass : PassInfoMixin<PlacePass> {
  explicit PlacePass(SharedSession S) : S(std::move(S)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!isDeviceModule(M))
      return PreservedAnalyses::all();
    std::vector<Function *> Kernels = offloadKernels(M);
    if (Kernels.empty() || hasTable(M))
      return PreservedAnalyses::all();
    S->Regions = makeRegions(S->Alone, Kernels, functionAnalyses(M, MAM));
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
    std::vector<std::string> LeftOut = S->Alone.linkBack(M, functionAnalyses(M, MAM));
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

bool parsePipeline(StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "place-mark")
    MPM.addPass(MarkKernelsPass());
  else if (Name == "print<place-access>")
    MPM.addPass(PrintAccessPass());
  else if (Name == "print<place-table>")
    MPM.addPass(PrintTablePass());
  else if (Name == "place") {
    auto S = std::make_shared<Session>();
    MPM.addPass(PlacePass(S));
    MPM.addPass(CompletePass(S, emitTable));
  } else
    return false;
  return true;
}

} // namespace

void registerVersions(PassBuilder &PB, RegionsTaker Take) {
  auto S = std::make_shared<Session>();
  PB.registerPipelineStartEPCallback([S](ModulePassManager &MPM, OptimizationLevel Level) {
    MPM.addPass(MarkKernelsPass());
    MPM.addPass(RememberPass(S, Level));
  });
  PB.registerOptimizerEarlyEPCallback([S](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(PlacePass(S));
  });
  registerFinish(PB);
  PB.registerOptimizerLastEPCallback([S, Take](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(CompletePass(S, Take));
  });
}

void registerPasses(PassBuilder &PB) {
  registerLeaveAlone(PB);
  if (options().DeviceRuntime.empty())
    registerVersions(PB, emitTable);
  else
    registerLinkTime(PB);
  PB.registerPipelineParsingCallback(parsePipeline);
}

} // namespace place

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "place", "1", [](PassBuilder &PB) {
            // The front end's half of the plugin has seen to this module (-fplugin= and -fpass-plugin= together).
            if (!place::isOurLLVM() || place::options().ByFrontEnd)
              return;
            place::registerPasses(PB);
            place::registerLoader(PB);
          }};
}
