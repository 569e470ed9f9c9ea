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
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace place {

static void warnOfSpaces(const KernelSummary &K) {
  for (const ArraySummary &A : K.Arrays)
    if (A.Hint >= 0 && A.Hint != PLACE_GLOBAL && A.Placeable < 0)
      sayWarning(K.F->getContext(), "#pragma place " + Twine(place_space_name(static_cast<place_space>(A.Hint))) + "(" + A.Name +
                                        ") ignored at " + K.File + ":" + Twine(K.Line) +
                                        ": the array stays in global memory: " + A.Why.text());
}

// Why no version has teams of the size that the source asks for.
static std::string whyOtherTeams(const KernelSummary &K) {
  if (!K.NoVersion.empty())
    return "it has no versions: " + K.NoVersion.text();
  if (!K.NothingToPlace.empty())
    return "it has no versions: " + K.NothingToPlace.text();
  if (!K.OpenThreads)
    return "it looks at the number of its threads, or each of them does work of its own";
  if (!options().Isolate)
    return "its versions would have to be optimised alone (no-isolate)";
  return K.Reduction ? "it reduces over teams, and another number of threads would change the sums" : "no version of it can be made alone";
}

static void warnOfTeams(const KernelSummary &K) {
  if (K.AskedTeam && !K.Team)
    sayWarning(K.F->getContext(), "#pragma place team(" + Twine(K.AskedTeam) + ") ignored at " + K.File + ":" + Twine(K.Line) + ": " +
                                      whyOtherTeams(K));
}

// A promise of which no version makes use.
static void warnOfPromise(const KernelSummary &K, StringRef Versions) {
  static const Regex Uses("[=,](apart|reads-unwritten|writes-apart)[,\n]");
  if (!K.PromisedApart || Uses.match(Versions))
    return;
  std::string Why = !K.NoVersion.empty() ? K.NoVersion.text() : !K.NothingToPlace.empty() ? K.NothingToPlace.text()
                    : K.UnknownWrites ? K.UnknownWritesReason.text()
                    : K.ReadsElsewhere ? "it reads memory that is not one of its arrays" : "it writes no array, or its loops stay as they are";
  sayWarning(K.F->getContext(), "#pragma place assume(noalias) has no effect at " + K.File + ":" + Twine(K.Line) +
                                    ": no version needs it: " + Why);
}

// Why no version has blocks with tiles of the array.
static std::string whyNoTiles(const KernelSummary &K, const ArraySummary &A) {
  for (const Reason &Why : {K.NoVersion, K.NothingToPlace, K.BlockReason})
    if (!Why.empty())
      return Why.text();
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
      sayWarning(K.F->getContext(), "#pragma place shared(tile(" + A.Name + ")) ignored at " + K.File + ":" + Twine(K.Line) + ": " + whyNoTiles(K, A));
}

void warnOfUnfollowed(const KernelSummary &K, StringRef Versions) {
  warnOfSpaces(K);
  warnOfTiles(K);
  warnOfTeams(K);
  warnOfPromise(K, Versions);
}

} // namespace place
