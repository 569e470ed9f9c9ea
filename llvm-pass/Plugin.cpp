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
#include "Isolate.h"
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

class Warning : public DiagnosticInfo {
public:
  explicit Warning(const Twine &Text)
      : DiagnosticInfo(getNextAvailablePluginDiagnosticKind(), DS_Warning), Text(Text.str()) {}
  void print(DiagnosticPrinter &DP) const override { DP << Text; }

private:
  std::string Text;
};

} // namespace

void sayWarning(LLVMContext &Context, const Twine &Text) { Context.diagnose(Warning(Text)); }

bool hasTable(const Module &M) {
  return any_of(M.globals(), [](const GlobalVariable &G) { return G.getName().starts_with(PLACE_TABLE_PREFIX); });
}

namespace {

/// Hints that cannot be followed are said, and ignored.
void warnOfHints(const KernelSummary &K) {
  for (const ArraySummary &A : K.Arrays)
    if (A.Hint > PLACE_GLOBAL && A.Placeable < 0)
      sayWarning(K.F->getContext(), "#pragma place " + Twine(place_space_name(static_cast<place_space>(A.Hint))) + "(" + A.Name +
                                        ") ignored at " + K.File + ":" + Twine(K.Line) +
                                        ": the array stays in global memory: " + A.Reason);
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

/// The summary of a kernel, and the versions worth having of it; if there are none, the summary says why.
KernelSummary examine(Function &F, FunctionAnalysisManager &FAM, bool Alone, std::vector<Version> &Versions) {
  KernelSummary K = summarise(F, FAM);
  K.Alone = Alone;
  tooLarge(K);
  Versions = chooseVersions(K);
  if (Versions.empty() && K.Unsupported.empty())
    K.Unsupported = K.UnknownWrites ? K.UnknownWritesReason : "no array that is only read, and " + K.BlockReason;
  return K;
}

/// What the user is told, or asked to see, while versions are made.
void tell(const KernelSummary &K) {
  warnOfHints(K);
  if (options().DumpAccess == "access")
    printSummary(K, errs());
}

struct PrintAccessPass : PassInfoMixin<PrintAccessPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    FunctionAnalysisManager &FAM = functionAnalyses(M, MAM);
    for (Function *F : offloadKernels(M)) {
      Thaw Counters(*F, FAM);
      std::vector<Version> Versions;
      printSummary(examine(*F, FAM, /*Alone=*/false, Versions), errs());
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
      std::vector<Version> Versions;
      KernelSummary K = examine(*F, FAM, /*Alone=*/false, Versions);
      Regions += regionText(K, Versions);
    }
    errs() << tableText(Regions);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// What the passes of one pipeline hand on to each other, kernel by kernel.
struct Session {
  struct Region {
    std::string Kernel, Text, TextWithoutVersions;
  };
  Isolation Alone;
  std::vector<Region> Regions;
};
using SharedSession = std::shared_ptr<Session>;

/// The same, seen from the original: its arguments, and nothing that stands in the isolated kernel's body.
KernelSummary onOriginal(const KernelSummary &Alone, Function &Original) {
  KernelSummary K;
  K.F = &Original;
  K.Arrays = Alone.Arrays;
  K.Threads = Alone.Threads;
  for (ArraySummary &A : K.Arrays)
    A.Arg = Original.getArg(unsigned(A.ArgNumber) + 1);
  return K;
}

std::string textWithoutVersions(KernelSummary K, StringRef Why) {
  if (K.Unsupported.empty())
    K.Unsupported = Why.str();
  return regionText(K, {});
}

Session::Region makeInPlace(Function &F, FunctionAnalysisManager &FAM) {
  Thaw Counters(F, FAM);
  std::vector<Version> Versions;
  KernelSummary K = examine(F, FAM, /*Alone=*/false, Versions);
  tell(K);
  for (const Version &V : Versions)
    makeVersion(K, V, FAM.getResult<TargetIRAnalysis>(F));
  return {F.getName().str(), regionText(K, Versions), ""};
}

/// All versions but the base version are made of the kernel optimised alone; the base version is the original with a timer.
std::optional<Session::Region> makeAlone(Isolation &Alone, Function &F, FunctionAnalysisManager &FAM) {
  Session::Region R = {F.getName().str(), "", ""};
  std::optional<Version> Base;
  KernelSummary Original;
  bool Made = Alone.alone(F.getName(), [&](Function &Lone, FunctionAnalysisManager &LoneFAM) {
    Thaw Counters(Lone, LoneFAM);
    std::vector<Version> Versions;
    KernelSummary K = examine(Lone, LoneFAM, /*Alone=*/true, Versions);
    tell(K);
    for (const Version &V : Versions)
      if (V.Kind == PLACE_BASE)
        Base = V;
      else
        makeVersion(K, V, LoneFAM.getResult<TargetIRAnalysis>(Lone));
    R.Text = regionText(K, Versions);
    R.TextWithoutVersions = textWithoutVersions(K, "a variable that it uses was optimised away elsewhere");
    Original = onOriginal(K, F);
  });
  if (!Made)
    return std::nullopt;
  if (Base)
    makeVersion(Original, *Base, FAM.getResult<TargetIRAnalysis>(F));
  return R;
}

/// Versions.
struct PlacePass : PassInfoMixin<PlacePass> {
  explicit PlacePass(SharedSession S) : S(std::move(S)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!isDeviceModule(M))
      return PreservedAnalyses::all();
    std::vector<Function *> Kernels = offloadKernels(M);
    if (Kernels.empty() || hasTable(M))
      return PreservedAnalyses::all();
    FunctionAnalysisManager &FAM = functionAnalyses(M, MAM);
    for (Function *F : Kernels) {
      std::optional<Session::Region> R;
      if (S->Alone.wants(*F))
        R = makeAlone(S->Alone, *F, FAM);
      S->Regions.push_back(R ? *R : makeInPlace(*F, FAM));
    }
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
  SharedSession S;
};

/// Versions that were made elsewhere, and the region table.
struct CompletePass : PassInfoMixin<CompletePass> {
  explicit CompletePass(SharedSession S) : S(std::move(S)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (S->Regions.empty() || !isDeviceModule(M))
      return PreservedAnalyses::all();
    std::vector<std::string> LeftOut = S->Alone.linkBack(M, functionAnalyses(M, MAM));
    std::string Regions;
    for (const Session::Region &R : S->Regions)
      Regions += is_contained(LeftOut, R.Kernel) ? R.TextWithoutVersions : R.Text;
    S->Regions.clear();
    std::string Text = tableText(Regions);
    if (options().DumpAccess == "table")
      errs() << Text;
    emitTable(M, Text);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
  SharedSession S;
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
    MPM.addPass(CompletePass(S));
  } else
    return false;
  return true;
}

} // namespace

void registerFinish(PassBuilder &PB) {
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(createModuleToFunctionPassAdaptor(FinishVersionPass()));
  });
}

void registerPasses(PassBuilder &PB) {
  auto S = std::make_shared<Session>();
  PB.registerPipelineStartEPCallback([S](ModulePassManager &MPM, OptimizationLevel Level) {
    MPM.addPass(MarkKernelsPass());
    MPM.addPass(RememberPass(S, Level));
  });
  registerLeaveAlone(PB);
  PB.registerOptimizerEarlyEPCallback([S](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(PlacePass(S));
  });
  registerFinish(PB);
  PB.registerOptimizerLastEPCallback([S](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(CompletePass(S));
  });
  PB.registerPipelineParsingCallback(parsePipeline);
}

} // namespace place

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "place", "1", [](PassBuilder &PB) {
            // The front end's half of the plugin has seen to this module (-fplugin= and -fpass-plugin= together).
            if (place::options().ByFrontEnd)
              return;
            place::registerCarried(PB);
            place::registerPasses(PB);
            place::registerLoader(PB);
          }};
}
