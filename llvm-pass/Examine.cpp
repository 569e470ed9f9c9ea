//===- Examine.cpp - A kernel's summary, and the versions worth having ----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Examine.h"
#include "Access.h"
#include "Block.h"
#include "Lean.h"
#include "Source.h"
#include "Versions.h"
#include "Warning.h"

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace place {

// Hints that cannot be followed are said, and ignored.
static void warnOfHints(const KernelSummary &K) {
  for (const ArraySummary &A : K.Arrays)
    if (A.Hint >= 0 && A.Hint != PLACE_GLOBAL && A.Placeable < 0)
      sayWarning(K.F->getContext(), "#pragma place " + Twine(place_space_name(static_cast<place_space>(A.Hint))) + "(" + A.Name +
                                        ") ignored at " + K.File + ":" + Twine(K.Line) +
                                        ": the array stays in global memory: " + A.Reason);
}

static bool tooLarge(KernelSummary &K) {
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

Examined examine(Function &F, FunctionAnalysisManager &FAM, bool Alone, const LeanKernel *Lean) {
  Examined E;
  E.K = summarise(F, FAM);
  findBlocks(E.K, FAM);
  E.K.Alone = Alone;
  E.K.Lean = Lean != nullptr;
  E.K.LeanNatural = Lean && Lean->Natural;
  tooLarge(E.K);
  E.Versions = chooseVersions(E.K);
  return E;
}

void explain(KernelSummary &K, ArrayRef<Version> Versions) {
  if (!K.LoopReason.empty() && !K.Chunks && !K.BlockReason.empty())
    K.BlockReason = K.LoopReason;
  if (Versions.empty() && K.Unsupported.empty())
    K.Unsupported = K.UnknownWrites ? K.UnknownWritesReason : "no array that is only read, and " + K.BlockReason;
}

void tell(const KernelSummary &K) {
  warnOfHints(K);
  if (options().DumpAccess == "access")
    printSummary(K, errs());
}

} // namespace place
