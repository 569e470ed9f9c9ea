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
#include "Access.h"
#include "Chunks.h"
#include "Clone.h"
#include "Source.h"
#include "Thaw.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace place {

namespace {

/// A warning that reaches clang's user as any other of a back end does.
class HintWarning : public DiagnosticInfo {
public:
  explicit HintWarning(const Twine &Text)
      : DiagnosticInfo(getNextAvailablePluginDiagnosticKind(), DS_Warning), Text(Text.str()) {}
  void print(DiagnosticPrinter &DP) const override { DP << Text; }

private:
  std::string Text;
};

/// Hints that cannot be followed are said, and ignored.
void warnOfHints(const KernelSummary &K) {
  for (const ArraySummary &A : K.Arrays)
    if (A.Hint > PLACE_GLOBAL && A.Placeable < 0)
      K.F->getContext().diagnose(HintWarning("#pragma place " + Twine(place_space_name(static_cast<place_space>(A.Hint))) + "(" +
                                             A.Name + ") ignored at " + K.File + ":" + Twine(K.Line) +
                                             ": the array stays in global memory: " + A.Reason));
}

bool tooLarge(KernelSummary &K) {
  const size_t MostAccesses = 512, MostLoops = 64, MostArrays = 64;
  if (K.Accesses.size() <= MostAccesses && K.Loops.size() <= MostLoops && K.Arrays.size() <= MostArrays)
    return false;
  K.Unsupported = "too large: " + std::to_string(K.Accesses.size()) + " accesses, " + std::to_string(K.Loops.size()) + " loops";
  K.Accesses.clear();
  K.Loops.clear();
  for (ArraySummary &A : K.Arrays) {
    A.Placeable = -1;
    A.Candidates = PLACE_SPACE_BIT(PLACE_GLOBAL);
    A.Reason = K.Unsupported;
  }
  return true;
}

FunctionAnalysisManager &functionAnalyses(Module &M, ModuleAnalysisManager &MAM) {
  return MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
}

struct PrintAccessPass : PassInfoMixin<PrintAccessPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    FunctionAnalysisManager &FAM = functionAnalyses(M, MAM);
    for (Function *F : offloadKernels(M)) {
      Thaw Counters(*F, FAM);
      printSummary(summarise(*F, FAM), errs());
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
      KernelSummary K = summarise(*F, FAM);
      tooLarge(K);
      Regions += regionText(K, chooseVersions(K));
    }
    errs() << tableText(Regions);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// Whether the module has been worked on before: the plugin may be registered twice.
bool hasTable(const Module &M) {
  return any_of(M.globals(), [](const GlobalVariable &G) { return G.getName().starts_with(PLACE_TABLE_PREFIX); });
}

/// Versions and region table.
struct PlacePass : PassInfoMixin<PlacePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!isDeviceModule(M))
      return PreservedAnalyses::all();
    std::vector<Function *> Kernels = offloadKernels(M);
    if (Kernels.empty() || hasTable(M))
      return PreservedAnalyses::all();
    FunctionAnalysisManager &FAM = functionAnalyses(M, MAM);
    std::string Regions;
    for (Function *F : Kernels) {
      Thaw Counters(*F, FAM);
      KernelSummary K = summarise(*F, FAM);
      tooLarge(K);
      warnOfHints(K);
      if (options().DumpAccess == "access")
        printSummary(K, errs());
      std::vector<Version> Versions = chooseVersions(K);
      for (const Version &V : Versions)
        makeVersion(K, V, FAM.getResult<TargetIRAnalysis>(*F));
      Regions += regionText(K, Versions);
    }
    std::string Text = tableText(Regions);
    if (options().DumpAccess == "table")
      errs() << Text;
    emitTable(M, Text);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

bool parsePipeline(StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "place-mark")
    MPM.addPass(MarkKernelsPass());
  else if (Name == "print<place-access>")
    MPM.addPass(PrintAccessPass());
  else if (Name == "print<place-table>")
    MPM.addPass(PrintTablePass());
  else if (Name == "place")
    MPM.addPass(PlacePass());
  else
    return false;
  return true;
}

} // namespace

void registerPasses(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(MarkKernelsPass()); });
  PB.registerOptimizerEarlyEPCallback([](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(PlacePass());
  });
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(createModuleToFunctionPassAdaptor(FinishVersionPass()));
  });
  PB.registerPipelineParsingCallback(parsePipeline);
}

} // namespace place

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "place", "1", [](PassBuilder &PB) {
            place::registerCarried(PB);
            place::registerPasses(PB);
            place::registerLoader(PB);
          }};
}
