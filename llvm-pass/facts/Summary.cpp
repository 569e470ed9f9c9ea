//===- Summary.cpp - What is known of a kernel, and as text ------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Summary.h"
#include "Pressure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace place {

bool KernelSummary::hasLoopInside() const {
  return any_of(Loops, [](const LoopSummary &L) { return !L.Chunk; });
}

bool KernelSummary::readsAhead() const {
  return any_of(Arrays, [](const ArraySummary &A) { return !A.Ahead.empty(); });
}

bool KernelSummary::isSoonOver() const { return !hasLoopInside() && fitsInto(*F, HalfOfThreadsRegisters); }

unsigned KernelSummary::bytesOfAccesses() const {
  unsigned Bytes = 0;
  for (const AccessSummary &S : Accesses)
    Bytes += S.WidthBytes;
  return std::clamp(Bytes, 1u, 1u << 16);
}

bool KernelSummary::wantsApart() const {
  return mayBeApart() && any_of(Arrays, [](const ArraySummary &A) { return A.Written || A.Atomic; });
}

unsigned KernelSummary::placeableCount() const {
  unsigned N = 0;
  for (const ArraySummary &A : Arrays)
    N += A.Placeable >= 0;
  return N;
}

int KernelSummary::arrayOf(const Argument *Arg) const {
  for (size_t I = 0; I < Arrays.size(); ++I)
    if (Arrays[I].Arg == Arg)
      return int(I);
  return -1;
}

static const char *rights(const ArraySummary &A) {
  static const char *const Names[] = {"not accessed", "read", "written", "read, written"};
  return A.Atomic ? "atomic" : Names[(A.Read ? 1 : 0) + (A.Written ? 2 : 0)];
}

static void printAccess(const KernelSummary &K, const AccessSummary &S, raw_ostream &OS) {
  static const char *const Kinds[] = {"read", "write", "atomic"};
  OS << "    " << Kinds[S.Kind] << " " << S.WidthBytes << " B";
  if (S.Line)
    OS << " line " << S.Line;
  if (S.Loop >= 0)
    OS << " in L" << S.Loop;
  if (S.Guarded)
    OS << " guarded";
  OS << ": ";
  if (!S.Known) {
    OS << "irregular";
    if (S.IndexSource >= 0)
      OS << " via " << K.Arrays[S.IndexSource].Name;
    if (!S.Offset.empty())
      OS << ", offset " << S.Offset;
  } else {
    OS << "offset " << S.Offset;
    if (S.LaneStride)
      OS << (*S.LaneStride ? ", lane stride " + std::to_string(*S.LaneStride) : ", uniform");
  }
  if (S.Log >= 0)
    OS << ", log " << S.Log;
  OS << "\n";
}

static void printBlocks(const KernelSummary &K, raw_ostream &OS) {
  if (K.Blocks.empty()) {
    OS << "  no blocks: " << K.BlockReason.named() << "\n";
    return;
  }
  OS << "  blocks of a nest of " << K.Extents.size() << ":";
  for (const BlockShape &B : K.Blocks)
    OS << " " << B.name();
  OS << "\n";
  if (!K.StripReason.empty())
    OS << "  no strips: " << K.StripReason.named() << "\n";
}

void printSummary(const KernelSummary &K, raw_ostream &OS) {
  OS << "kernel " << K.F->getName() << "\n";
  OS << "  at " << (K.Function.empty() ? "?" : K.Function) << " line " << K.Line << "\n";
  OS << "  threads " << K.Threads << ", teams " << (K.Teams == PLACE_TEAMS_OPEN ? "open" : "observed")
     << (K.reduces() ? ", reduction" : "") << (K.Chunks ? ", chunks of " + (K.Chunks->Size ? std::to_string(K.Chunks->Size) : "a team") : "") << "\n";
  printBlocks(K, OS);
  if (K.UnknownWrites)
    OS << "  unknown writes: " << K.UnknownWritesReason.named() << "\n";
  if (!K.NoVersion.empty())
    OS << "  no version: " << K.NoVersion.named() << "\n";
  if (!K.NothingToPlace.empty())
    OS << "  nothing to place: " << K.NothingToPlace.named() << "\n";
  for (size_t I = 0; I < K.Loops.size(); ++I) {
    OS << "  loop L" << I << " in " << (K.Loops[I].Parent < 0 ? "kernel" : "L" + std::to_string(K.Loops[I].Parent))
       << (K.Loops[I].Chunk ? " (chunks)" : "") << ", trips " << (K.Loops[I].Trips.empty() ? "unknown" : K.Loops[I].Trips)
       << "\n";
  }
  for (size_t N = 0; N < K.Arrays.size(); ++N) {
    const ArraySummary &A = K.Arrays[N];
    OS << "  array " << A.Name << " (arg " << A.ArgNumber << ", " << A.ElementBytes << " B elements): " << rights(A);
    if (A.Placeable < 0)
      OS << "; global: " << A.Why.named();
    if (A.Hint >= 0)
      OS << "; hint " << place_space_name(static_cast<place_space>(A.Hint));
    OS << "\n";
    if (!A.TeamFootprint.empty())
      OS << "    team footprint " << A.TeamFootprint << " B\n";
    for (const AccessSummary &S : K.Accesses)
      if (S.Array == int(N))
        printAccess(K, S, OS);
  }
}

} // namespace place
