//===- Regions.cpp - Every kernel of a module with its versions -----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's versions are made in one of four places: of the kernel where it stands; of it optimised alone, or together with others
// that only keep each other from being folded; and of it rebuilt without the device runtime. The base version, which is the original
// with a timer, is always made where it stands.
//
//===----------------------------------------------------------------------===//
#include "Regions.h"
#include "Access.h"
#include "ByReference.h"
#include "Computation.h"
#include "Examine.h"
#include "Lean.h"
#include "Make.h"
#include "Mark.h"
#include "Record.h"
#include "Remarks.h"
#include "RouteVersions.h"
#include "Slice.h"
#include "Spread.h"
#include "Stride.h"
#include "Sunk.h"
#include "Table.h"
#include "Thaw.h"
#include "Unfollowed.h"
#include "Versions.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include <map>

using namespace llvm;

namespace place {

std::string Region::text(ArrayRef<std::string> LeftOut) const {
  if (is_contained(LeftOut, Part))
    return Without;
  std::string All = Text;
  for (const Addition &A : More)
    if (!is_contained(LeftOut, A.Part))
      All += versionTexts(A.Versions);
  return All;
}

namespace {

/// A kernel's versions while they are made.
struct Kernel {
  Examined E;
  std::string Part;
  std::vector<Region::Addition> More;
};

/// Versions of which Wanted holds, of F as it stands.
template <typename Predicate> void makeThose(Examined &E, Function &F, FunctionAnalysisManager &FAM, Predicate Wanted) {
  const TargetTransformInfo &TTI = FAM.getResult<TargetIRAnalysis>(F);
  StringSet<> Failed;
  for (const Version &V : E.Versions)
    if (V.Kernel.empty() && Wanted(V) && !makeVersion(E.K, V, TTI))
      Failed.insert(V.Entry);
  erase_if(E.Versions, [&](const Version &V) { return Failed.contains(V.Kernel.empty() ? V.Entry : V.Kernel); });
}

bool isBase(const Version &V) { return V.isBase(); }

Kernel makeInPlace(Function &F, FunctionAnalysisManager &FAM) {
  Thaw Counters(F, FAM);
  Sunk Invariants(F, FAM, isScalarByReference); // of those addApart makes better versions
  Kernel Made;
  bool Differs; // from the original, which the base version is to be like
  {
    ComputationsReturn Told(F, FAM);
    Differs = Told.any();
    Made.E = examine(F, FAM);
    makeThose(Made.E, F, FAM, [&](const Version &V) { return !Differs || !isBase(V); });
  }
  if (Differs)
    makeThose(Made.E, F, FAM, isBase);
  return Made;
}

/// All versions but the base version, of the kernel where it is optimised alone.
Examined makeOfAlone(Function &Lone, FunctionAnalysisManager &LoneFAM, LeanKernel *Lean) {
  Thaw Counters(Lone, LoneFAM);
  Sunk Invariants(Lone, LoneFAM, isScalarByReference);
  Examined E = examine(Lone, LoneFAM, /*Alone=*/true, Lean);
  makeThose(E, Lone, LoneFAM, [](const Version &V) { return !isBase(V); });
  return E;
}

/// The kernel optimised alone, and, with Lean, without the device runtime.
std::optional<Kernel> makeAlone(Isolation &Alone, Function &F, LeanKernel *Lean) {
  Kernel Made;
  Made.Part = Lean ? Isolation::leanName(F.getName()) : F.getName().str();
  auto Make = [&](Function &Lone, FunctionAnalysisManager &LoneFAM) { Made.E = makeOfAlone(Lone, LoneFAM, Lean); };
  bool Done = Lean ? Alone.aloneLean(F.getName(), *Lean, Make) : Alone.alone(F.getName(), Make);
  return Done ? std::optional<Kernel>(std::move(Made)) : std::nullopt;
}

/// A summary of a kernel that was rebuilt elsewhere, seen from the original: what its name and arguments are. What it says of
/// instructions and blocks can still be printed, but they are gone.
void setOnOriginal(KernelSummary &K, Function &Original) {
  K.F = &Original;
  for (ArraySummary &A : K.Arrays)
    A.Arg = Original.getArg(unsigned(A.ArgNumber) + 1);
}

using ByKernel = std::map<std::string, Examined>;

/// Kernels of which nothing but others of the file keeps the runtime's state go through one pipeline, a few at a time: one that nobody
/// knew to keep it for all keeps it for few. Those that keep it even so are left to a pipeline of their own.
ByKernel makeTogether(Isolation &Alone, ArrayRef<Function *> Kernels) {
  const size_t MostTogether = 8;
  ByKernel Made;
  std::vector<std::string> Names;
  for (Function *F : Kernels)
    if (Alone.wants(*F) && Alone.sharesWork(*F))
      Names.push_back(F->getName().str());
  for (ArrayRef<std::string> Left = Names; Left.size() > 1;) {
    ArrayRef<std::string> Few = Left.take_front(Left.size() == MostTogether + 1 ? Left.size() : MostTogether);
    Left = Left.drop_front(Few.size());
    Alone.together(Few, [&](Function &Lone, FunctionAnalysisManager &LoneFAM) {
      if (!Isolation::keepsState(Lone))
        Made.emplace(Lone.getName().str(), makeOfAlone(Lone, LoneFAM, nullptr));
    });
  }
  return Made;
}

/// Versions that are worth having beside K's, of the kernel rebuilt; made.
std::vector<VersionRecord> makeBeside(KernelSummary &K, Function &Lone, FunctionAnalysisManager &LoneFAM, const LeanKernel &Lean) {
  Thaw Counters(Lone, LoneFAM);
  Examined E = examine(Lone, LoneFAM, /*Alone=*/true, &Lean);
  if (E.K.isLeftAlone() || E.K.Arrays.size() != K.Arrays.size())
    return {};
  for (size_t N = 0; N < K.Arrays.size(); ++N)
    E.K.Arrays[N].Placeable = K.Arrays[N].Placeable;
  // What the device runtime writes for itself is not the program's.
  if (!E.K.UnknownWrites)
    K.UnknownWrites = false, K.UnknownWritesReason.clear();
  if (E.K.Team)
    K.AskedTeam = 0; // these have it
  E.Versions = chooseLeanVersions(E.K);
  addRoutes(E.K, E.Versions);
  makeThose(E, Lone, LoneFAM, [](const Version &) { return true; });
  return recordsOf(E.K, E.Versions);
}

/// Versions of another part beside a kernel's own, of which it has at least the base version then.
void addMore(Function &F, FunctionAnalysisManager &FAM, Kernel &Made, std::string Part, std::vector<VersionRecord> Versions) {
  if (Made.E.Versions.empty()) {
    Made.E.Versions.push_back(baseVersion(Made.E.K));
    makeThose(Made.E, F, FAM, isBase);
    Made.Part = Part;
  }
  Made.More.push_back({std::move(Part), std::move(Versions)});
}

/// For a kernel whose loops have no form that versions could be rebuilt on: one without the device runtime, beside what it has.
void addLean(Isolation &Alone, Function &F, FunctionAnalysisManager &FAM, Kernel &Made) {
  LeanKernel Lean;
  std::string Part = Isolation::leanName(F.getName());
  std::vector<VersionRecord> Beside;
  Alone.aloneLean(F.getName(), Lean, [&](Function &Lone, FunctionAnalysisManager &LoneFAM) {
    Beside = makeBeside(Made.E.K, Lone, LoneFAM, Lean);
  });
  if (!Lean.Made && !Lean.Why.empty())
    Made.E.K.LoopReason = Lean.Why;
  if (Beside.empty())
    return;
  addMore(F, FAM, Made, std::move(Part), std::move(Beside));
}

/// Whether it reads a scalar from memory and writes anything that might be that.
bool readsScalars(const KernelSummary &K) {
  return K.wantsApart() && any_of(K.Arrays, [](const ArraySummary &A) { return A.Read && !A.Written && !A.Atomic && isScalarByReference(*A.Arg); });
}

/// For a kernel whose loops have no form that versions could be rebuilt on because their ends are in memory: those versions, for launches
/// whose arrays are apart, beside what it has. Returns whether there are any.
bool addApart(Isolation &Alone, Function &F, FunctionAnalysisManager &FAM, Kernel &Made) {
  std::string Part = Isolation::apartName(F.getName());
  std::vector<VersionRecord> Beside;
  Alone.aloneApart(F.getName(), [&](Function &Lone, FunctionAnalysisManager &LoneFAM) {
    Thaw Counters(Lone, LoneFAM);
    Sunk Invariants(Lone, LoneFAM, isScalarByReference);
    Examined E = examine(Lone, LoneFAM, /*Alone=*/true);
    auto IsSame = [](const ArraySummary &A, const ArraySummary &B) { return A.Placeable == B.Placeable; };
    if (!E.K.wantsApart() || !llvm::equal(E.K.Arrays, Made.E.K.Arrays, IsSame))
      return;
    erase_if(E.Versions, [](const Version &V) { return !V.hasLoopForm() || (V.Natural && !V.Apart); });
    for (Version &V : E.Versions)
      if (!V.Apart)
        V.Apart = true, V.Entry += "_apart"; // others of that name may stand where the kernel stands
    makeThose(E, Lone, LoneFAM, [](const Version &) { return true; });
    Beside = recordsOf(E.K, E.Versions);
    if (!Beside.empty())
      Made.E.K.BlockReason = E.K.BlockReason;
  });
  if (Beside.empty())
    return false;
  addMore(F, FAM, Made, std::move(Part), std::move(Beside));
  return true;
}

/// A kernel that keeps its one loop to one team, or to one thread of each: its versions have all threads of the grid. No other loop form
/// is worth having beside that.
std::optional<Kernel> makeSpread(Isolation &Alone, Function &F) {
  const unsigned FewIterationsThreads = 128;
  Kernel Made;
  Made.Part = Isolation::spreadName(F.getName());
  SpreadFrom From;
  Alone.aloneSpread(F.getName(), From, [&](Function &Lone, FunctionAnalysisManager &LoneFAM) {
    Thaw Counters(Lone, LoneFAM);
    Made.E = examine(Lone, LoneFAM, /*Alone=*/true);
    if (Made.E.Versions.empty())
      return;
    erase_if(Made.E.Versions, [](const Version &V) { return !V.Strided && !isBase(V); });
    append_range(Made.E.Versions, privateVersions(Made.E.K, LoneFAM.getResult<ScalarEvolutionAnalysis>(Lone)));
    for (Version &V : Made.E.Versions) {
      if (isBase(V))
        continue;
      V.Strided->From = From;
      V.Threads = Made.E.K.Team || Made.E.K.reduces() ? V.Threads : std::min(V.Threads, FewIterationsThreads); // how many iterations there are is not known
      V.Entry += "_spread";
    }
    makeThose(Made.E, Lone, LoneFAM, [](const Version &V) { return !isBase(V); });
    if (!Made.E.K.Team)
      Made.E.K.Threads = mostThreads(F);
  });
  return Made.E.hasLoopForms() ? std::optional(std::move(Made)) : std::nullopt;
}

/// What is generic as the front end made it is best rebuilt, if it can be. Together: what was made of several kernels.
Kernel makeVersions(Isolation &Alone, Function &F, FunctionAnalysisManager &FAM, ByKernel &Together) {
  LeanKernel Lean;
  std::optional<Kernel> Made;
  if (hasLoopOfOneLevel(F))
    Made = makeSpread(Alone, F);
  if (!Made && Alone.isGeneric(F.getName()))
    Made = makeAlone(Alone, F, &Lean);
  if (auto Found = Together.find(F.getName().str()); !Made && Found != Together.end())
    Made = Kernel{std::move(Found->second), F.getName().str(), {}};
  if (!Made && Alone.wants(F))
    Made = makeAlone(Alone, F, nullptr);
  if (Made) {
    setOnOriginal(Made->E.K, F);
    if (Made->E.K.Intervals)
      offerBaseSlices(F, Made->E.Versions);
    makeThose(Made->E, F, FAM, isBase);
  } else {
    Made = makeInPlace(F, FAM);
  }
  Made->E.K.LoopReason = Lean.Why;
  if (!Made->E.hasLoopForms() && Lean.Why.empty() && !Made->E.K.isLeftAlone() && !Made->E.K.Strided &&
      !Made->E.K.AskedBlocks && !(readsScalars(Made->E.K) && addApart(Alone, F, FAM, *Made)))
    addLean(Alone, F, FAM, *Made);
  return std::move(*Made);
}

/// Whether it updates something atomically that nothing in it reads.
bool onlyUpdates(const Examined &E) {
  return !E.Versions.empty() &&
         any_of(E.K.Arrays, [](const ArraySummary &A) { return A.Atomic && !A.Read && !A.Written; });
}

/// Versions of the kernel with a grid-stride loop. Their arguments must be those of the region's other versions.
void addStrided(Isolation &Alone, StringRef Name, Kernel &Made) {
  std::vector<VersionRecord> Strided;
  Alone.aloneStrided(Name, [&](Function &Lone, FunctionAnalysisManager &LoneFAM) {
    Thaw Counters(Lone, LoneFAM);
    KernelSummary K = summarise(Lone, LoneFAM);
    K.Alone = true;
    auto IsSame = [](const ArraySummary &A, const ArraySummary &B) { return A.Placeable == B.Placeable; };
    if (!llvm::equal(K.Arrays, Made.E.K.Arrays, IsSame))
      return;
    for (Version &V : privateVersions(K, LoneFAM.getResult<ScalarEvolutionAnalysis>(Lone))) {
      giveAskedRoutes(K, V);
      if (makeVersion(K, V, LoneFAM.getResult<TargetIRAnalysis>(Lone)))
        Strided.push_back(recordOf(K, V));
    }
  });
  if (!Strided.empty())
    Made.More.push_back({Isolation::stridedName(Name), std::move(Strided)});
}

std::string textWithoutVersions(KernelSummary K, place_reason Why) {
  if (!K.isLeftAlone())
    K.NoVersion = Why;
  return regionText(K, {});
}

} // namespace

std::vector<Region> makeRegions(Isolation &Alone, ArrayRef<Function *> Kernels, FunctionAnalysisManager &FAM) {
  std::vector<Region> Regions;
  ByKernel Together = makeTogether(Alone, Kernels);
  for (Function *F : Kernels) {
    Kernel Made = makeVersions(Alone, *F, FAM, Together);
    const KernelSummary &K = Made.E.K;
    explain(Made.E.K, Made.E.Versions);
    tell(K);
    if (onlyUpdates(Made.E) && !K.AskedBlocks)
      addStrided(Alone, F->getName(), Made);
    std::vector<VersionRecord> Versions = recordsOf(K, Made.E.Versions);
    std::string Text = regionText(K, Versions);
    for (const Region::Addition &A : Made.More)
      append_range(Versions, A.Versions);
    warnOfUnfollowed(K, Versions);
    remark(K, Versions);
    Regions.push_back({std::move(Text), Made.Part, textWithoutVersions(K, PLACE_WHY_OPTIMISED_AWAY), std::move(Made.More)});
  }
  return Regions;
}

} // namespace place
