//===- Remarks.cpp - Optimisation remarks -----------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang keeps source lines for remarks where they are asked for, also without -g. Where there are none (opt), the text begins with the
// region's file and line. A remark is named after its reason in include/place/reason.def.
//
//===----------------------------------------------------------------------===//
#include "Remarks.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace place {

namespace {

const char Pass[] = "place";

/// What the versions of a region differ in.
class Made {
public:
  Made(const KernelSummary &K, ArrayRef<VersionRecord> Versions) : K(K), Count(unsigned(Versions.size())), Spaces(K.Arrays.size()) {
    for (const VersionRecord &R : Versions)
      version(R);
  }

  unsigned count() const { return Count; }

  std::string text() const {
    std::string Text = std::to_string(Count) + (Count == 1 ? " version" : " versions");
    for (size_t N = 0; N < Spaces.size(); ++N)
      if (Spaces[N])
        Text += "; " + K.Arrays[N].Name + " in " + spaces(Spaces[N]) + " memory";
    if (!Loops.empty())
      Text += "; iterations: " + join(Loops, ", ");
    if (!Blocks.empty())
      Text += "; blocks of " + join(Blocks, ", ") + " iterations";
    return Text;
  }

private:
  void version(const VersionRecord &R) {
    if (R.Loop != PLACE_LOOP_ORIGINAL && R.Loop != PLACE_LOOP_BLOCK)
      Loops.insert(place_loop_text(R.Loop));
    if (std::string Block = R.valueOf("block"); !Block.empty() && !is_contained(Blocks, Block))
      Blocks.push_back(std::move(Block));
    for (size_t N = 0; N < R.Space.size() && N < Spaces.size(); ++N)
      if (R.Space[N] >= 0)
        Spaces[N] |= PLACE_SPACE_BIT(unsigned(R.Space[N]));
  }

  static std::string spaces(place_space_set Set) {
    SmallVector<std::string, 4> Names;
    for (unsigned S = 0; S < PLACE_SPACE_COUNT; ++S)
      if (Set & PLACE_SPACE_BIT(S))
        Names.push_back(place_space_name(place_space(S)));
    return join(Names, ", ");
  }

  const KernelSummary &K;
  unsigned Count;
  std::vector<place_space_set> Spaces;
  SetVector<StringRef> Loops;
  std::vector<std::string> Blocks;
};

class Teller {
public:
  explicit Teller(const KernelSummary &K) : K(K), ORE(K.F), Scope(K.F->getSubprogram()) {}

  void versions(ArrayRef<VersionRecord> Versions) {
    Made M(K, Versions);
    if (M.count())
      ORE.emit([&] { return OptimizationRemark(Pass, "versions", here(), code()) << before() << M.text(); });
  }

  void reasons() {
    missed("no version", K.NoVersion);
    missed("nothing to place", K.NothingToPlace);
    if (K.Blocks.empty() && !K.isLeftAlone())
      missed("no blocks", K.BlockReason);
    else
      missed("no strips", K.StripReason);
    if (!(K.LoopReason == K.BlockReason) && !(K.LoopReason == K.NoVersion))
      missed("the device runtime stays", K.LoopReason);
    for (const ArraySummary &A : K.Arrays)
      if (!(A.Why == K.NoVersion))
        missed(A.Name + " stays in global memory", A.Why, A.Read || A.Why.why() != PLACE_WHY_WRITTEN);
  }

  // Unrolled loops have many that read alike.
  void accesses() {
    StringSet<> Told;
    for (const AccessSummary &S : K.Accesses)
      if (Told.insert(std::to_string(S.Line) + text(S)).second)
        ORE.emit([&] { return OptimizationRemarkAnalysis(Pass, "access", at(S.Line), code()) << before() << text(S); });
  }

private:
  const BasicBlock *code() const { return &K.F->getEntryBlock(); }
  DiagnosticLocation here() const { return Scope ? DiagnosticLocation(Scope) : DiagnosticLocation(); }

  DiagnosticLocation at(unsigned Line) const {
    return Scope && Line ? DiagnosticLocation(DebugLoc(DILocation::get(K.F->getContext(), Line, 0, Scope))) : here();
  }

  std::string before() const { return Scope ? "" : K.File + ":" + std::to_string(K.Line) + ": "; }

  // Helps: whether what the list advises helps here.
  void missed(const Twine &What, const Reason &Why, bool Helps = true) {
    if (Why.empty())
      return;
    StringRef Remedy = Helps ? place_reasons[Why.why()].remedy : "";
    ORE.emit([&] {
      return OptimizationRemarkMissed(Pass, Why.name(), here(), code())
             << before() << (What + ": " + Why.text()).str() << (Remedy.empty() ? "" : (". " + Remedy.drop_back()).str());
    });
  }

  std::string text(const AccessSummary &S) const {
    static const char *const Kinds[] = {"reads", "writes", "updates"};
    std::string Text = (Twine(Kinds[S.Kind]) + " " + Twine(S.WidthBytes) + " bytes of " + K.Arrays[S.Array].Name).str();
    if (!S.Known)
      return Text + (S.IndexSource < 0 ? ", irregularly" : ", where " + K.Arrays[S.IndexSource].Name + " says");
    if (!S.LaneStride)
      return Text + ", at a distance between threads that is not constant";
    return Text + (*S.LaneStride ? ", " + std::to_string(*S.LaneStride) + " bytes from one thread to the next" : ", the same for all threads");
  }

  const KernelSummary &K;
  OptimizationRemarkEmitter ORE;
  DISubprogram *Scope;
};

} // namespace

void remark(const KernelSummary &K, ArrayRef<VersionRecord> Versions) {
  Teller T(K);
  T.versions(Versions);
  T.reasons();
  T.accesses();
}

} // namespace place
