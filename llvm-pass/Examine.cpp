//===- Examine.cpp - A kernel's summary, and the versions worth having ----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Examine.h"
#include "Access.h"
#include "Ahead.h"
#include "Block.h"
#include "BlockVersions.h"
#include "Interchange.h"
#include "Lean.h"
#include "Ranges.h"
#include "RouteVersions.h"
#include "SliceLoop.h"
#include "Source.h"
#include "Versions.h"

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace place {

static bool tooLarge(KernelSummary &K) {
  const size_t MostAccesses = 512, MostLoops = 64, MostArrays = 64;
  if (K.Accesses.size() <= MostAccesses && K.Loops.size() <= MostLoops && K.Arrays.size() <= MostArrays)
    return false;
  K.NoVersion = {PLACE_WHY_TOO_LARGE, Twine(K.Accesses.size()) + " accesses, " + Twine(K.Loops.size()) + " loops"};
  K.Accesses.clear();
  K.Loops.clear();
  for (ArraySummary &A : K.Arrays) {
    A.Placeable = -1;
    A.Candidates = PLACE_SPACE_BIT(PLACE_GLOBAL);
    A.Why = K.NoVersion;
  }
  return true;
}

Examined examine(Function &F, FunctionAnalysisManager &FAM, bool Alone, const LeanKernel *Lean) {
  WholeLoop Whole(F, FAM);
  Examined E;
  E.K = summarise(F, FAM);
  findBlocks(E.K, FAM);
  findInterchange(E.K, FAM);
  findLoadsAhead(E.K, FAM);
  findRanges(E.K, FAM);
  E.K.Alone = Alone;
  E.K.Lean = Lean != nullptr;
  E.K.LeanNatural = Lean && Lean->Natural;
  E.K.LeanRows = Lean && Lean->Rows;
  tooLarge(E.K);
  E.Versions = chooseVersions(E.K);
  E.K.AskedBlocks = followsTiles(E.K, E.Versions);
  if (!E.Versions.empty())
    addRoutes(E.K, E.Versions);
  // Where the other arrays are, these versions say; there are none for the runtime to choose among by spaces.
  for (ArraySummary &A : E.K.Arrays)
    if (E.K.AskedBlocks && A.Placeable >= 0 && A.Hint != PLACE_GLOBAL)
      A.Hint = -1;
  return E;
}

// What would have to change for an array to be placed.
static Reason whyNothingPlaced(const KernelSummary &K) {
  for (const ArraySummary &A : K.Arrays)
    if (A.Read && !A.Written && !A.Atomic)
      return A.Why;
  return PLACE_WHY_NO_READ_ONLY_ARRAY;
}

// Where one thread runs what stands around parallel regions, what keeps the kernel from being rebuilt is the reason (Lean.h).
static void nameGenericReason(KernelSummary &K) {
  if (K.LoopReason.empty() || K.NoVersion.why() != PLACE_WHY_GENERIC_KERNEL)
    return;
  for (ArraySummary &A : K.Arrays)
    if (A.Why == K.NoVersion)
      A.Why = K.LoopReason;
  K.NoVersion = K.LoopReason;
}

void explain(KernelSummary &K, ArrayRef<Version> Versions) {
  nameGenericReason(K);
  if (!K.LoopReason.empty() && !K.Chunks && !K.BlockReason.empty())
    K.BlockReason = K.LoopReason;
  if (K.BlockReason.why() == PLACE_WHY_OTHER_LOOP && K.UnknownWrites)
    K.BlockReason = K.UnknownWritesReason;
  if (!Versions.empty() || K.isLeftAlone())
    return;
  if (K.LoopReason.empty())
    K.NothingToPlace = whyNothingPlaced(K);
  else
    K.NoVersion = K.LoopReason;
}

void tell(const KernelSummary &K) {
  if (options().DumpAccess == "access")
    printSummary(K, errs());
}

} // namespace place
