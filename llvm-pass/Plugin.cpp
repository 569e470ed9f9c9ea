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
#include "Block.h"
#include "Carry.h"
#include "Isolate.h"
#include "Lean.h"
#include "LeftAlone.h"
#include "Loader.h"
#include "Make.h"
#include "Mark.h"
#include "Source.h"
#include "Table.h"
#include "Thaw.h"
#include "Versions.h"
#include "Warning.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace place {

namespace {

/// Hints that cannot be followed are said, and ignored.
void warnOfHints(const KernelSummary &K) {
  for (const ArraySummary &A : K.Arrays)
    if (A.Hint >= 0 && A.Hint != PLACE_GLOBAL && A.Placeable < 0)
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

/// The summary of a kernel, and the versions worth having of it.
KernelSummary examine(Function &F, FunctionAnalysisManager &FAM, std::vector<Version> &Versions, bool Alone = false,
                      const LeanKernel *Lean = nullptr) {
  KernelSummary K = summarise(F, FAM);
  findBlocks(K, FAM);
  K.Alone = Alone;
  K.Lean = Lean != nullptr;
  K.LeanNatural = Lean && Lean->Natural;
  tooLarge(K);
  Versions = chooseVersions(K);
  return K;
}

/// If there are no versions, the summary says why.
void explain(KernelSummary &K, ArrayRef<Version> Versions) {
  if (!K.LoopReason.empty() && !K.Chunks && !K.BlockReason.empty())
    K.BlockReason = K.LoopReason;
  if (Versions.empty() && K.Unsupported.empty())
    K.Unsupported = K.UnknownWrites ? K.UnknownWritesReason : "no array that is only read, and " + K.BlockReason;
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
      KernelSummary K = examine(*F, FAM, Versions);
      explain(K, Versions);
      printSummary(K, errs());
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
      KernelSummary K = examine(*F, FAM, Versions);
      explain(K, Versions);
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
    bool Updates = false;       // atomically, something that nothing in it reads
    std::vector<int> Placeable = {}; // of its arrays
    std::string Strided = {};   // the line of one more version
  };
  Isolation Alone;
  std::vector<Region> Regions;
};
using SharedSession = std::shared_ptr<Session>;

/// A summary of a kernel that was rebuilt elsewhere, seen from the original: what its name and arguments are. What it says of
/// instructions and blocks can still be printed, but they are gone.
void setOnOriginal(KernelSummary &K, Function &Original) {
  K.F = &Original;
  for (ArraySummary &A : K.Arrays)
    A.Arg = Original.getArg(unsigned(A.ArgNumber) + 1);
}

std::string textWithoutVersions(KernelSummary K, StringRef Why) {
  if (K.Unsupported.empty())
    K.Unsupported = Why.str();
  return regionText(K, {});
}

/// A kernel's summary, and its versions.
struct Examined {
  KernelSummary K;
  std::vector<Version> Versions;

  bool isStraight() const {
    return any_of(Versions, [](const Version &V) { return V.Straight || V.Natural || V.Strided; });
  }
};

Version baseOf(const KernelSummary &K) {
  std::vector<int8_t> Space;
  for (const ArraySummary &A : K.Arrays)
    Space.push_back(A.Placeable < 0 ? -1 : PLACE_GLOBAL);
  return {versionName(K, PLACE_BASE, Space), PLACE_BASE, Space, false, std::nullopt, std::nullopt, std::nullopt};
}

Session::Region regionOf(const KernelSummary &K, ArrayRef<Version> Versions) {
  Session::Region R = {K.F->getName().str(), regionText(K, Versions),
                       textWithoutVersions(K, "a variable that it uses was optimised away elsewhere")};
  for (const ArraySummary &A : K.Arrays) {
    R.Placeable.push_back(A.Placeable);
    R.Updates |= !Versions.empty() && A.Atomic && !A.Read && !A.Written;
  }
  return R;
}

Examined makeInPlace(Function &F, FunctionAnalysisManager &FAM) {
  Thaw Counters(F, FAM);
  Examined E;
  E.K = examine(F, FAM, E.Versions);
  for (const Version &V : E.Versions)
    makeVersion(E.K, V, FAM.getResult<TargetIRAnalysis>(F));
  return E;
}

/// All versions but the base version, of the kernel where it is optimised alone.
Examined makeOfAlone(Function &Lone, FunctionAnalysisManager &LoneFAM, LeanKernel *Lean) {
  Thaw Counters(Lone, LoneFAM);
  Examined E;
  E.K = examine(Lone, LoneFAM, E.Versions, /*Alone=*/true, Lean);
  for (const Version &V : E.Versions)
    if (V.Kind != PLACE_BASE)
      makeVersion(E.K, V, LoneFAM.getResult<TargetIRAnalysis>(Lone));
  return E;
}

/// The base version is the original with a timer.
void completeAlone(Examined &E, Function &F, FunctionAnalysisManager &FAM) {
  setOnOriginal(E.K, F);
  for (const Version &V : E.Versions)
    if (V.Kind == PLACE_BASE)
      makeVersion(E.K, V, FAM.getResult<TargetIRAnalysis>(F));
}

/// The kernel optimised alone, and, with Lean, without the device runtime.
std::optional<Examined> makeAlone(Isolation &Alone, Function &F, LeanKernel *Lean) {
  Examined E;
  auto Make = [&](Function &Lone, FunctionAnalysisManager &LoneFAM) { E = makeOfAlone(Lone, LoneFAM, Lean); };
  bool Made = Lean ? Alone.aloneLean(F.getName(), *Lean, Make) : Alone.alone(F.getName(), Make);
  return Made ? std::optional<Examined>(std::move(E)) : std::nullopt;
}

using ByKernel = std::map<std::string, Examined>;

/// Kernels of which nothing but others of the file keeps the runtime's state go through one pipeline. Those that keep it even so
/// are left to one of their own.
ByKernel makeTogether(Isolation &Alone, ArrayRef<Function *> Kernels) {
  ByKernel Made;
  std::vector<std::string> Names;
  for (Function *F : Kernels)
    if (Alone.wants(*F) && Alone.sharesWork(*F))
      Names.push_back(F->getName().str());
  if (Names.size() < 2)
    return Made;
  Alone.together(Names, [&](Function &Lone, FunctionAnalysisManager &LoneFAM) {
    if (!Isolation::keepsState(Lone))
      Made.emplace(Lone.getName().str(), makeOfAlone(Lone, LoneFAM, nullptr));
  });
  return Made;
}

/// For a kernel whose loops have no form that versions could be rebuilt on: one without the device runtime, beside what it has.
void addLean(Isolation &Alone, Function &F, FunctionAnalysisManager &FAM, Examined &E) {
  LeanKernel Lean;
  std::vector<Version> More;
  Alone.aloneLean(F.getName(), Lean, [&](Function &Lone, FunctionAnalysisManager &LoneFAM) {
    Thaw Counters(Lone, LoneFAM);
    std::vector<Version> None;
    KernelSummary K = examine(Lone, LoneFAM, None, /*Alone=*/true, &Lean);
    if (!K.Unsupported.empty() || K.Arrays.size() != E.K.Arrays.size())
      return;
    for (size_t N = 0; N < K.Arrays.size(); ++N)
      K.Arrays[N].Placeable = E.K.Arrays[N].Placeable;
    More = chooseLeanVersions(K);
    E.K.LeanNatural = K.LeanNatural;
    // What the device runtime writes for itself is not the program's.
    if (!K.UnknownWrites)
      E.K.UnknownWrites = false, E.K.UnknownWritesReason.clear();
    for (const Version &V : More)
      makeVersion(K, V, LoneFAM.getResult<TargetIRAnalysis>(Lone));
  });
  if (!Lean.Made && !Lean.Why.empty())
    E.K.LoopReason = Lean.Why;
  if (!More.empty() && E.Versions.empty()) {
    E.Versions.push_back(baseOf(E.K));
    makeVersion(E.K, E.Versions.front(), FAM.getResult<TargetIRAnalysis>(F));
  }
  E.Versions.insert(E.Versions.end(), More.begin(), More.end());
}

/// The kernel's versions. What is generic as the front end made it is best rebuilt, if it can be. Made: what was made together
/// with others.
Examined makeVersions(Isolation &Alone, Function &F, FunctionAnalysisManager &FAM, ByKernel &Made) {
  LeanKernel Lean;
  std::optional<Examined> E;
  if (Alone.isGeneric(F.getName()))
    E = makeAlone(Alone, F, &Lean);
  if (auto Found = Made.find(F.getName().str()); !E && Found != Made.end())
    E = std::move(Found->second);
  if (!E && Alone.wants(F))
    E = makeAlone(Alone, F, nullptr);
  if (E)
    completeAlone(*E, F, FAM);
  else
    E = makeInPlace(F, FAM);
  E->K.LoopReason = Lean.Why;
  if (!E->isStraight() && Lean.Why.empty() && E->K.Unsupported.empty() && !E->K.Reduction)
    addLean(Alone, F, FAM, *E);
  return std::move(*E);
}

/// One more version, of the kernel with a grid-stride loop. Its arguments must be those of the region's other versions.
void makeStrided(Isolation &Alone, Session::Region &R) {
  Alone.aloneStrided(R.Kernel, [&](Function &Lone, FunctionAnalysisManager &LoneFAM) {
    Thaw Counters(Lone, LoneFAM);
    KernelSummary K = summarise(Lone, LoneFAM);
    K.Alone = true;
    std::optional<Version> V = choosePrivate(K, LoneFAM.getResult<ScalarEvolutionAnalysis>(Lone));
    if (!V || !equal(K.Arrays, R.Placeable, [](const ArraySummary &A, int Placeable) { return A.Placeable == Placeable; }))
      return;
    R.Strided = versionText(K, *V);
    makeVersion(K, *V, LoneFAM.getResult<TargetIRAnalysis>(Lone));
  });
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
    ByKernel Made = makeTogether(S->Alone, Kernels);
    for (Function *F : Kernels) {
      Examined E = makeVersions(S->Alone, *F, FAM, Made);
      explain(E.K, E.Versions);
      tell(E.K);
      S->Regions.push_back(regionOf(E.K, E.Versions));
      if (S->Regions.back().Updates)
        makeStrided(S->Alone, S->Regions.back());
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
      if (is_contained(LeftOut, R.Kernel) || is_contained(LeftOut, Isolation::leanName(R.Kernel)))
        Regions += R.TextWithoutVersions;
      else
        Regions += R.Text + (is_contained(LeftOut, Isolation::stridedName(R.Kernel)) ? "" : R.Strided);
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
            if (!place::isOurLLVM() || place::options().ByFrontEnd)
              return;
            place::registerCarried(PB);
            place::registerPasses(PB);
            place::registerLoader(PB);
          }};
}
