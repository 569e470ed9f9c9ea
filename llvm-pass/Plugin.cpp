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
#include "Mark.h"
#include "MicrotaskCases.h"
#include "OwnImage.h"
#include "Record.h"
#include "Source.h"
#include "Table.h"
#include "Thaw.h"
#include "VersionPasses.h"

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

bool parsePipeline(StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "place-mark")
    MPM.addPass(MarkKernelsPass());
  else if (Name == "place-microtask-cases")
    MPM.addPass(MicrotaskCasesPass());
  else if (Name == "print<place-access>")
    MPM.addPass(PrintAccessPass());
  else if (Name == "print<place-table>")
    MPM.addPass(PrintTablePass());
  else if (Name == "place")
    addVersions(MPM, emitTable);
  else
    return false;
  return true;
}

} // namespace

void registerPasses(PassBuilder &PB) {
  registerLeaveAlone(PB);
  if (options().DeviceRuntime.empty())
    registerVersions(PB, [](Module &M, const std::string &Regions) {
      emitTable(M, Regions);
      moveVersions(M, assembler());
    });
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
