//===- Unfollowed.cpp - Hints that cannot be followed ------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with a hint as it stands in the source, the front end says (front/Hints.cpp); here is what only the kernel shows.
//
//===----------------------------------------------------------------------===//
#include "Unfollowed.h"
#include "Source.h"
#include "Warning.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace place {

// At the hint itself, where the front end knows that place; else with the region's.
static void say(const KernelSummary &K, const std::string &Hint, const Twine &What, const Twine &Why) {
  if (unsigned At = K.Asked ? K.Asked->At.count(Hint) ? K.Asked->At.at(Hint) : 0 : 0; At && sourceWarning())
    sourceWarning()(At, ("#pragma place " + Hint + " " + What + ": " + Why).str());
  else
    sayWarning(K.F->getContext(), "#pragma place " + Hint + " " + What + " at " + K.File + ":" + Twine(K.Line) + ": " + Why);
}

static void sayIgnored(const KernelSummary &K, const std::string &Hint, const Twine &Why) { say(K, Hint, "ignored", Why); }

// Why there are no versions at all; nothing: there are some.
static const Reason &whyNone(const KernelSummary &K) { return K.NoVersion.empty() ? K.NothingToPlace : K.NoVersion; }

static void warnOfSpaces(const KernelSummary &K) {
  for (const ArraySummary &A : K.Arrays)
    if (A.Hint >= 0 && A.Hint != PLACE_GLOBAL && A.Placeable < 0)
      sayIgnored(K, std::string(place_space_name(static_cast<place_space>(A.Hint))) + "(" + A.Name + ")",
                 "the array stays in global memory: " + A.Why.text());
    else if (A.Hint >= 0 && place_space_home(static_cast<place_space>(A.Hint)) == PLACE_HOME_TEXTURE && !(A.Candidates & PLACE_SPACE_BIT(A.Hint)))
      sayIgnored(K, std::string(place_space_name(static_cast<place_space>(A.Hint))) + "(" + A.Name + ")",
                 A.TexelBytes ? "no row's number is multiplied by an argument in what the region reads, as n in a[i * n + j]"
                              : "a texture is fetched from in units of 4, 8 or 16 aligned bytes, and the array is also read in others");
}

// A cache operator that no version's loads of the array have.
static void warnOfRoutes(const KernelSummary &K, ArrayRef<VersionRecord> Versions) {
  for (size_t N = 0; N < K.Arrays.size(); ++N) {
    const ArraySummary &A = K.Arrays[N];
    if (A.Route < 0 || any_of(Versions, [&](const VersionRecord &R) { return N < R.Route.size() && R.Route[N] == A.Route; }))
      continue;
    sayIgnored(K, std::string(place_route_name(static_cast<place_route>(A.Route))) + "(" + A.Name + ")",
               !whyNone(K).empty() ? whyNone(K).text()
               : A.Atomic          ? std::string("the array is updated atomically")
               : !A.Read           ? std::string("nothing is loaded from the array")
                                   : std::string("no version can have it: the GPU that is compiled for, or its version of PTX, has no such loads, "
                                                 "or none of what the region writes"));
  }
}

// Why no version has teams of the size that the source asks for.
static std::string whyOtherTeams(const KernelSummary &K) {
  if (!whyNone(K).empty())
    return "it has no versions: " + whyNone(K).text();
  if (!K.OpenThreads)
    return "it looks at the number of its threads, or each of them does work of its own";
  if (!options().Isolate)
    return "its versions would have to be optimised alone (no-isolate)";
  return K.reduces() ? "it reduces over teams, and another number of threads would change the sums" : "no version of it can be made alone";
}

static void warnOfTeams(const KernelSummary &K) {
  if (K.AskedTeam && !K.Team)
    sayIgnored(K, "team(" + std::to_string(K.AskedTeam) + ")", whyOtherTeams(K));
}

static bool usesPromise(const VersionRecord &R) {
  return R.needs(PLACE_NEED_APART) || R.needs(PLACE_NEED_READS_UNWRITTEN) || R.needs(PLACE_NEED_WRITES_APART);
}

// A promise of which no version makes use.
static void warnOfPromise(const KernelSummary &K, ArrayRef<VersionRecord> Versions) {
  if (!K.PromisedApart || any_of(Versions, usesPromise))
    return;
  std::string Why = !whyNone(K).empty() ? whyNone(K).text()
                    : K.UnknownWrites ? K.UnknownWritesReason.text()
                    : K.ReadsElsewhere ? "it reads memory that is not one of its arrays" : "it writes no array, or its loops stay as they are";
  say(K, "assume(noalias)", "has no effect", "no version needs it: " + Why);
}

// Why no version has blocks with tiles of the array.
static std::string whyNoTiles(const KernelSummary &K, const ArraySummary &A) {
  for (const Reason *Why : {&whyNone(K), &K.BlockReason})
    if (!Why->empty())
      return Why->text();
  if (A.Placeable < 0 && !A.Why.empty())
    return A.Why.text();
  if (!breadth().Blocks)
    return "no versions with blocks are made (max-blocks=0)";
  if (any_of(K.Blocks, [&](const BlockShape &B) { return B.Tiled.count(A.Arg->getArgNo()); }))
    return "no blocks have tiles of all the arrays that are asked for";
  return K.StripReason.empty() ? "its blocks gain nothing by tiles of it" : K.StripReason.text();
}

static void warnOfTiles(const KernelSummary &K) {
  for (const ArraySummary &A : K.Arrays)
    if (A.AskedTile && !K.AskedBlocks)
      sayIgnored(K, "shared(tile(" + A.Name + "))", whyNoTiles(K, A));
}

void warnOfUnfollowed(const KernelSummary &K, ArrayRef<VersionRecord> Versions) {
  warnOfSpaces(K);
  warnOfRoutes(K, Versions);
  warnOfTiles(K);
  warnOfTeams(K);
  warnOfPromise(K, Versions);
}

} // namespace place
