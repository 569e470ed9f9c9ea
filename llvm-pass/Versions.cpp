//===- Versions.cpp - Which versions of a kernel are worth having -----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler knows shapes, not sizes: it ranks plans by what each array's accesses could gain from a space, and makes
// specialised versions of the best ones. Gains are ordinal (which is likelier to be wanted), not times. How many there are is
// the breadth that -fplugin-arg-place-effort= chooses: docs/versions.md says what it costs, and which versions ever won. At the
// full breadth, any other plan is served by the placement-agnostic version.
//
//===----------------------------------------------------------------------===//
#include "Versions.h"
#include "BlockVersions.h"
#include "ByReference.h"
#include "CodeSize.h"
#include "Slice.h"
#include "Source.h"
#include "Transform.h"

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

} // namespace

bool isStreaming(const KernelSummary &K, int Array) { return shapeOf(K, Array) == Shape::Streaming; }

namespace {

/// Gain of a space for an array of that shape. Whoever is hinted wins.
double gain(const KernelSummary &K, int Array, int Space) {
  static const struct {
    double OtherRoute, Constant, Shared;
  } Gains[] = {
      /* Uniform   */ {0.5, 4, 3},
      /* Table     */ {0.5, 0.6, 4},
      /* Streaming */ {-0.2, -4, -3},
  };
  const auto &Gain = Gains[int(shapeOf(K, Array))];
  double Asked = K.Arrays[Array].Hint == Space ? 100 : 0;
  switch (place_space_home(static_cast<place_space>(Space))) {
  case PLACE_HOME_CONSTANT:
    return Gain.Constant + Asked;
  case PLACE_HOME_SHARED:
    return Gain.Shared + Asked;
  case PLACE_HOME_TEXTURE:
    return Asked;
  case PLACE_HOME_GLOBAL:
    return (place_space_route(static_cast<place_space>(Space)) == PLACE_ROUTE_DEFAULT ? 0 : Gain.OtherRoute) + Asked;
  }
  llvm_unreachable("a home that is not listed");
}

/// Spaces of all arrays.
struct Candidate {
  double Gain = 0;
  std::vector<int8_t> Space;
};

} // namespace

static bool improves(const Version &V) { return V.Stands == Standing::Improves; }
static bool improvesApart(const Version &V) { return improves(V) && V.Apart; }

/// Below the full breadth, of one iteration a thread the version that knows that nothing overlaps is enough, where it can be made: the
/// launches that gained by the other could be shown to suit it. No straight chunk loop is made beside it, unless its teams are small: of 47
/// regions it was faster by more than 2% in two with teams of 64, and in four that have blocks which are three times as fast. With one
/// loop form, none is made beside any of one iteration a thread.
static void keepLikelyLoops(std::vector<Version> &Versions) {
  const unsigned SmallTeam = 64;
  const Breadth &B = breadth();
  bool WideApart = any_of(Versions, [&](const Version &V) { return improvesApart(V) && V.Threads > SmallTeam; });
  if (B.OneLoop)
    erase_if(Versions, [](const Version &V) { return V.Stands == Standing::Refines; });
  if (!B.AllSpaces && any_of(Versions, improvesApart))
    erase_if(Versions, [](const Version &V) { return improves(V) && !V.Apart; });
  if (B.OneLoop ? any_of(Versions, improves) : !B.AllSpaces && WideApart)
    erase_if(Versions, [](const Version &V) { return V.Stands == Standing::Fallback; });
}

/// What carries out the kernel's iterations wherever its arrays are.
static Version usualVersion(const KernelSummary &K, std::string Entry, std::vector<int8_t> Space) {
  Version V;
  V.Entry = std::move(Entry);
  V.Space = std::move(Space);
  V.Stands = Standing::Fallback;
  for (const Transform *T : transforms())
    if (T->Accompany)
      T->Accompany(K, V);
  return V;
}

static void proposeFirst(const KernelSummary &K, ArrayRef<int8_t> AsIs, std::vector<Version> &Versions) {
  for (const Transform *T : transforms())
    if (T->ProposeFirst)
      T->ProposeFirst(K, AsIs, Versions);
}

static void propose(const KernelSummary &K, ArrayRef<int8_t> AsIs, std::vector<Version> &Versions) {
  for (const Transform *T : transforms())
    if (T->Propose)
      T->Propose(K, AsIs, Versions);
}

std::vector<Version> chooseLeanVersions(const KernelSummary &K) {
  std::vector<Version> Versions;
  if (!K.LeanNatural)
    Versions.push_back(usualVersion(K, versionName(K, "straight"), allGlobal(K)));
  propose(K, allGlobal(K), Versions);
  if (K.LeanNatural)
    keepLikelyLoops(Versions);
  return Versions;
}

//===-- Spaces ---------------------------------------------------------------===//

static bool mayBeIn(const ArraySummary &A, place_space Space) { return A.Placeable >= 0 && A.Candidates & PLACE_SPACE_BIT(Space); }

/// Whether an array may be there in a version of this breadth. Below the full breadth a read-only route is no choice,
/// and where arrays stay global, they do so together; what is one scalar, which a thread reads once, stays there. Textures have
/// versions of their own (addTextures).
static bool isChoice(const KernelSummary &K, int Array, int Space, bool All) {
  if (place_space_home(static_cast<place_space>(Space)) == PLACE_HOME_TEXTURE)
    return K.Arrays[Array].Hint == Space && mayBeIn(K.Arrays[Array], static_cast<place_space>(Space));
  bool Global = place_space_home(static_cast<place_space>(Space)) == PLACE_HOME_GLOBAL;
  bool Scalar = isScalarByReference(*K.Arrays[Array].Arg);
  return All || Space == PLACE_GLOBAL || K.Arrays[Array].Hint == Space || (!Global && !Scalar && gain(K, Array, Space) > 0);
}

/// The best sums over independent choices, array by array.
static std::vector<Candidate> bestCandidates(const KernelSummary &K, size_t Keep, bool All) {
  std::vector<Candidate> Best{{0, {}}};
  for (size_t N = 0; N < K.Arrays.size(); ++N) {
    bool Placeable = K.Arrays[N].Placeable >= 0;
    std::vector<Candidate> Next;
    for (const Candidate &C : Best)
      for (int Space = Placeable ? 0 : -1; Space < (Placeable ? PLACE_SPACE_COUNT : 0); ++Space) {
        if (Space >= 0 && !isChoice(K, int(N), Space, All))
          continue;
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
  return Best;
}

/// How many versions with other spaces are made.
static unsigned mostSpaces(const KernelSummary &K) { return fewerOfLarge(*K.F, K.Lean ? breadth().LeanSpaces : breadth().Spaces, 1000); }

/// What is made of the candidates (docs/versions.md).
static std::vector<std::vector<int8_t>> chooseSpaces(const KernelSummary &K, const std::vector<Candidate> &Best,
                                                     const std::vector<int8_t> &Base) {
  std::vector<std::vector<int8_t>> Chosen;
  const size_t Most = mostSpaces(K);
  for (const Candidate &C : Best)
    if (Chosen.size() < Most && C.Gain > -1 && C.Space != Base)
      Chosen.push_back(C.Space);
  return Chosen;
}

/// What irregular accesses read is worth knowing only where a copy might be made: for anything else nothing depends on it.
static bool wantsProfile(const KernelSummary &K, const std::vector<Version> &Versions) {
  // A profile shows the program's own teams.
  if (K.Team || none_of(K.Accesses, [](const AccessSummary &S) { return S.Log >= 0; }))
    return false;
  return breadth().AllSpaces || any_of(Versions, [](const Version &V) {
    return any_of(V.Space, [](int8_t S) { return S >= 0 && place_space_is_copy(static_cast<place_space>(S)); });
  });
}

//===-- All of a kernel ------------------------------------------------------===//

/// The kernel's usual loops, with its arrays there; once.
static void addAt(const KernelSummary &K, std::vector<Version> &Versions, std::vector<int8_t> Space) {
  std::string Entry = versionName(K, Space);
  if (none_of(Versions, [&](const Version &V) { return V.Entry == Entry; }))
    Versions.push_back(usualVersion(K, std::move(Entry), std::move(Space)));
}

/// Where the source asks for textures, the arrays are all where it asks for them: a launch is given that first, and no more.
static void addAskedTextures(const KernelSummary &K, std::vector<Version> &Versions) {
  std::vector<int8_t> Space = allGlobal(K);
  for (size_t N = 0; N < Space.size(); ++N)
    if (int Asked = K.Arrays[N].Hint; Asked >= 0 && mayBeIn(K.Arrays[N], static_cast<place_space>(Asked)))
      Space[N] = int8_t(Asked);
  if (any_of(Space, [](int8_t S) { return S >= 0 && place_space_home(static_cast<place_space>(S)) == PLACE_HOME_TEXTURE; }))
    addAt(K, Versions, std::move(Space));
}

/// Everything in such textures that can be, and few arrays alone: first those that are read where data says, which a cache may gain by.
static void addTextures(const KernelSummary &K, std::vector<Version> &Versions, place_space Kind) {
  unsigned Left = options().Textures & PLACE_SPACE_BIT(Kind) ? 3 : 0;
  std::vector<size_t> Arrays;
  for (size_t N = 0; Left && N < K.Arrays.size(); ++N)
    if (mayBeIn(K.Arrays[N], Kind))
      Arrays.push_back(N);
  auto In = [&](ArrayRef<size_t> Textures) {
    std::vector<int8_t> Space = allGlobal(K);
    for (size_t N : Textures)
      Space[N] = int8_t(Kind);
    return Space;
  };
  if (Arrays.empty())
    return;
  addAt(K, Versions, In(Arrays));
  std::stable_partition(Arrays.begin(), Arrays.end(), [&](size_t N) {
    return any_of(K.Accesses, [&](const AccessSummary &S) { return S.Array == int(N) && !S.Known; });
  });
  for (size_t N : Arrays)
    if (Left && Left--)
      addAt(K, Versions, In(N));
}

/// Where its arrays are, the launch says.
static Version agnosticVersion(const KernelSummary &K) {
  Version V;
  V.Entry = versionName(K, "agnostic");
  V.Open = true;
  V.Space.assign(K.Arrays.size(), -1);
  return V;
}

static Version profileVersion(const KernelSummary &K) {
  Version V;
  V.Entry = versionName(K, "profile");
  V.Role = PLACE_ROLE_PROFILE;
  V.Space = allGlobal(K);
  return V;
}

/// The loop forms with everything in global memory. A straight chunk loop is all that a special version has to offer there, unless the
/// kernel was optimised alone.
static void addLoops(const KernelSummary &K, std::vector<Version> &Versions, const std::vector<int8_t> &Base) {
  proposeFirst(K, Base, Versions);
  if (K.Chunks || K.Alone)
    addAt(K, Versions, Base);
  propose(K, Base, Versions);
  keepLikelyLoops(Versions);
}

std::vector<Version> chooseVersions(const KernelSummary &K) {
  std::vector<Version> Versions;
  // Where nothing can be placed, another control flow may still be worth having.
  if (K.isLeftAlone() || (!K.placeableCount() && !K.Chunks && !K.Alone))
    return Versions;
  const Breadth &B = breadth();
  const std::vector<int8_t> Base = allGlobal(K);
  const std::vector<Candidate> Best = bestCandidates(K, B.Spaces + 1 /* the base version */, B.AllSpaces);
  Versions.push_back(baseVersion(K));
  addLoops(K, Versions, Base);
  for (std::vector<int8_t> &Space : chooseSpaces(K, Best, Base))
    addAt(K, Versions, std::move(Space));
  addAskedTextures(K, Versions);
  addTextures(K, Versions, PLACE_TEXTURE);
  addTextures(K, Versions, PLACE_TEXTURE2D);
  addBlocks(K, Best.front().Space, Versions);
  if (B.Agnostic && K.placeableCount())
    Versions.push_back(agnosticVersion(K));
  if (wantsProfile(K, Versions))
    Versions.push_back(profileVersion(K));
  erase_if(Versions, [&](const Version &V) { return !isLegal(K, V); });
  keepAskedTiles(K, Versions);
  offerSlices(K, Versions);
  return Versions;
}

} // namespace place
