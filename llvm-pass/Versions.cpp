//===- Versions.cpp - Which versions of a kernel are worth having -----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler knows shapes, not sizes: it ranks plans by what each array's accesses could gain from a space, and makes
// specialised versions of the best ones. Any other plan is served by the placement-agnostic version. Gains are ordinal
// (which is likelier to be wanted), not times.
//
//===----------------------------------------------------------------------===//
#include "Clone.h"
#include "Source.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace place {

namespace {

/// How an array is read, as far as versions are concerned.
enum class Shape {
  Uniform,   // all threads of the grid read the same elements: filter taps, tables walked together
  Table,     // elements picked by data: look-ups
  Streaming, // moves with the thread or the team, or along a row found in another array: as large as the iteration space
};

Shape shapeOf(const KernelSummary &K, int Array) {
  bool Table = false;
  for (const AccessSummary &S : K.Accesses) {
    if (S.Array != Array)
      continue;
    if (S.UsesLane || S.UsesTeam || (!S.Known && S.UsesLoop))
      return Shape::Streaming;
    Table |= !S.Known;
  }
  return Table ? Shape::Table : Shape::Uniform;
}

/// Gain of a space for an array of that shape. Whoever is hinted wins.
double gain(const KernelSummary &K, int Array, int Space) {
  static const double Gains[][PLACE_SPACE_COUNT] = {
      /* Uniform   */ {0, 0.5, 4, 3},
      /* Table     */ {0, 0.5, 0.6, 4},
      /* Streaming */ {0, -0.2, -4, -3},
  };
  double Asked = K.Arrays[Array].Hint == Space ? 100 : 0;
  return Gains[int(shapeOf(K, Array))][Space] + Asked;
}

struct Candidate {
  double Gain = 0;
  std::vector<int8_t> Space;
};

} // namespace

/// Whether the source wants an array of which the shape has tiles left where it is.
static bool tilesWhatStays(const KernelSummary &K, const BlockShape &B) {
  return any_of(K.Arrays, [&](const ArraySummary &A) { return A.Hint == PLACE_GLOBAL && B.Tiled.count(A.Arg->getArgNo()); });
}

/// Block versions: with everything in global memory, and with the likeliest arrays in constant memory, which takes none of
/// the shared memory that tiles want.
static void addBlocks(const KernelSummary &K, std::vector<Version> &Versions, const std::vector<int8_t> &Base,
                      const Candidate &Likeliest) {
  std::vector<int8_t> Constant = Base;
  for (size_t N = 0; N < K.Arrays.size(); ++N)
    if (Likeliest.Space[N] == PLACE_CONSTANT)
      Constant[N] = PLACE_CONSTANT;
  unsigned Made = 0;
  for (const BlockShape &B : K.Blocks)
    for (const std::vector<int8_t> &Space : {Base, Constant}) {
      std::string Entry = versionName(K, PLACE_BLOCK, Space, &B);
      bool Known = any_of(Versions, [&](const Version &V) { return V.Entry == Entry; });
      if (Made < options().MaxBlocks && !Known && !tilesWhatStays(K, B)) {
        Versions.push_back({Entry, PLACE_BLOCK, Space, false, std::nullopt, B});
        ++Made;
      }
    }
}

/// One iteration a thread, where the loop is known and the number of teams open. Small teams are widened where nobody can see it.
static std::optional<NaturalShape> naturalShape(const KernelSummary &K) {
  const unsigned Least = 64, Usual = 128;
  if (!K.Chunks || !K.Chunks->Last || K.Teams != PLACE_TEAMS_OPEN || K.Reduction)
    return std::nullopt;
  NaturalShape S;
  if (K.OpenThreads)
    S.Threads = K.Threads >= Least ? K.Threads : Usual;
  bool Writes = any_of(K.Arrays, [](const ArraySummary &A) { return A.Written || A.Atomic; });
  S.Apart = Writes && !K.UnknownWrites && !K.ReadsElsewhere;
  return S;
}

std::vector<Version> chooseVersions(const KernelSummary &K) {
  std::vector<Version> Versions;
  // Where nothing can be placed, another control flow may still be worth having.
  if (!K.Unsupported.empty() || (!K.placeableCount() && !K.Chunks && !K.Alone))
    return Versions;
  // The K best sums over independent choices, array by array.
  size_t Keep = options().MaxVersions + 1; // one of them is the base version
  std::vector<Candidate> Best{{0, {}}};
  for (size_t N = 0; N < K.Arrays.size(); ++N) {
    std::vector<Candidate> Next;
    for (const Candidate &C : Best)
      for (int Space = K.Arrays[N].Placeable < 0 ? -1 : 0; Space < (K.Arrays[N].Placeable < 0 ? 0 : PLACE_SPACE_COUNT); ++Space) {
        Candidate Extended = C;
        Extended.Space.push_back(int8_t(Space));
        Extended.Gain += Space < 0 ? 0 : gain(K, int(N), Space);
        Next.push_back(std::move(Extended));
      }
    stable_sort(Next, [](const Candidate &A, const Candidate &B) { return A.Gain > B.Gain; });
    if (Next.size() > Keep)
      Next.resize(Keep);
    Best = std::move(Next);
  }
  auto Add = [&](place_version_kind Kind, std::vector<int8_t> Space) {
    std::string Entry = versionName(K, Kind, Space);
    if (none_of(Versions, [&](const Version &V) { return V.Entry == Entry; }))
      Versions.push_back({std::move(Entry), Kind, std::move(Space), Kind == PLACE_SPECIAL && K.Chunks, std::nullopt, std::nullopt});
  };
  // The base version: the kernel as it is, but with a timer. With everything global, a straight chunk loop is all that a
  // special version has to offer, unless the kernel was optimised alone.
  std::vector<int8_t> Base;
  for (const ArraySummary &A : K.Arrays)
    Base.push_back(A.Placeable < 0 ? -1 : PLACE_GLOBAL);
  Add(PLACE_BASE, Base);
  if (K.Chunks || K.Alone)
    Add(PLACE_SPECIAL, Base);
  if (std::optional<NaturalShape> Natural = naturalShape(K)) {
    std::string Entry = (K.F->getName() + "_place_natural").str();
    if (Natural->Apart)
      Versions.push_back({Entry + "_apart", PLACE_SPECIAL, Base, false, Natural, std::nullopt});
    Natural->Apart = false;
    Versions.push_back({Entry, PLACE_SPECIAL, Base, false, Natural, std::nullopt});
  }
  const Candidate Likeliest = Best.front();
  size_t Special = 0;
  for (Candidate &C : Best)
    if (Special < options().MaxVersions && C.Gain > -1 && C.Space != Base) {
      Add(PLACE_SPECIAL, std::move(C.Space));
      ++Special;
    }
  addBlocks(K, Versions, Base, Likeliest);
  std::vector<int8_t> Any(K.Arrays.size(), -1);
  if (options().Agnostic && K.placeableCount())
    Add(PLACE_AGNOSTIC, Any);
  if (any_of(K.Accesses, [](const AccessSummary &S) { return S.Log >= 0; })) {
    std::vector<int8_t> AsIs = Base;
    Add(PLACE_PROFILE, AsIs);
  }
  return Versions;
}

} // namespace place
