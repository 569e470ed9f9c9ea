//===- Stride.cpp - Versions with a grid-stride loop ---------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Stride.h"
#include "Kernel.h"
#include "LoopProperty.h"
#include "Private.h"
#include "ReadsAligned.h"
#include "StepIndices.h"
#include "Straight.h"
#include "Together.h"
#include "Transform.h"
#include "Unroll.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

/// Unrolls the strided loops of a version, as far as their bodies are short: loads of several iterations are then in flight.
static void unrollStrided(Clone &C) {
  // With 32 bytes of an array loaded by each of 2,048 threads, a multiprocessor of an H200 has twice in flight what its share of the
  // memory's rate asks for.
  const unsigned BytesInFlight = 32;
  Function &F = C.function();
  DominatorTree DT(F);
  LoopInfo LI(DT);
  SmallVector<BasicBlock *, 2> Written; // loops that write arrays
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!isStridedLoop(*L))
      continue;
    stepIndices(*L);
    if (C.version().Apart)
      Written.push_back(L->getHeader());
    else
      unrollToLoad(*L, BytesInFlight);
  }
  for (BasicBlock *Header : Written)
    carryOutTogether(F, *Header, BytesInFlight, C.target());
  C.Left.Gathers |= !Written.empty();
}

static size_t instructionsOf(const Loop &L) {
  size_t Sum = 0;
  for (const BasicBlock *BB : L.blocks())
    Sum += BB->size();
  return Sum;
}

/// Threads that a multiprocessor is to have: all that those of the GPUs at hand can; fewer where each of them has a whole array of sums, which
/// go through memory when they are added up. (32 sums of 8 bytes each: 0.7 ms on an H200 by 2,048 threads.)
static unsigned fillFor(const KernelSummary &K) {
  const unsigned Most = 2048, Some = 1024, Few = 512, SmallArray = 64, Array = 128;
  return K.LanesOfSums ? Most : K.ReductionBytes >= Array ? Few : K.ReductionBytes >= SmallArray ? Some : Most;
}

static bool isInStridedLoop(const KernelSummary &K, int Loop) {
  while (Loop >= 0 && !isStridedLoop(*K.Loops[Loop].L))
    Loop = K.Loops[Loop].Parent;
  return Loop >= 0;
}

/// Whether iterations that reduce write arrays, too: what others read need not wait for that if the launch shows that these are apart.
static bool writesArrays(const KernelSummary &K) {
  return K.reduces() && K.mayBeApart() &&
         any_of(K.Accesses, [&](const AccessSummary &S) { return S.Kind == PLACE_WRITE && S.Array >= 0 && isInStridedLoop(K, S.Loop); });
}

/// In large teams, since each costs a slot of the reduction's buffer, unless the body is so long that it may want more registers than a
/// thread of a large team can have.
bool giveStride(const KernelSummary &K, Version &V) {
  const unsigned Usual = 128, Large = 512;
  const size_t Long = 150; // instructions
  if (!K.Strided)
    return false;
  bool IsLong = any_of(K.Loops, [&](const LoopSummary &S) { return isStridedLoop(*S.L) && instructionsOf(*S.L) > Long; });
  bool Tiny = K.Threads && K.Threads < 32; // a thread's number may be a constant in the kernel
  V.Threads = K.Team ? K.Team : K.OpenThreads && !Tiny ? std::max(K.Threads, IsLong ? Usual : Large) : 0;
  V.Strided.emplace();
  V.Fill = fillFor(K);
  V.Strided->Even = any_of(K.Loops, [](const LoopSummary &S) { return isEvenLoop(*S.L); });
  V.Stands = Standing::Free;
  V.Apart = writesArrays(K);
  return true;
}

/// Whether an iteration of the strided loop reads several elements of an array that may be loaded as one.
static bool readsNeighbours(const KernelSummary &K) {
  std::vector<unsigned> Reads(K.Arrays.size());
  for (const AccessSummary &S : K.Accesses)
    if (S.Loop >= 0 && K.Loops[S.Loop].Chunk && K.Arrays[S.Array].Placeable >= 0 && !S.Guarded && S.WidthBytes < WideBytes)
      ++Reads[S.Array];
  return any_of(Reads, [](unsigned N) { return N > 1; });
}

/// For launches whose arrays are aligned, if the kernel reads neighbours.
static void proposeWide(const KernelSummary &K, ArrayRef<int8_t> AsIs, std::vector<Version> &Versions) {
  Version V;
  if (!giveStride(K, V) || !readsNeighbours(K))
    return;
  V.Entry = versionName(K, AsIs) + "_wide";
  V.Space = AsIs.vec();
  V.Strided->Wide = true;
  Versions.push_back(std::move(V));
}

/// Beside those for launches whose arrays are apart: a loop shared by all threads is worth too much to go without it where that is not known.
static void proposeForAll(const KernelSummary &K, ArrayRef<int8_t> AsIs, std::vector<Version> &Versions) {
  Version V;
  if (!giveStride(K, V) || !V.Apart)
    return;
  V.Entry = versionName(K, AsIs) + "_any";
  V.Space = AsIs.vec();
  V.Apart = false;
  Versions.push_back(std::move(V));
}

std::vector<Version> privateVersions(const KernelSummary &K, ScalarEvolution &SE) {
  Version V;
  if (!K.mayBeApart() || !giveStride(K, V))
    return {};
  V.Strided->Private = privateCells(K, SE);
  if (V.Strided->Private.empty())
    return {};
  V.Entry = versionName(K, "privatised");
  V.Space = allGlobal(K);
  if (none_of(K.Loops, [](const LoopSummary &S) { return isGroupedLoop(*S.L); }))
    return {V};
  Version Wide = V;
  Wide.Entry += "_wide";
  Wide.Strided->Wide = true;
  return {Wide, V};
}

static bool isPart(const Version &V) { return V.Strided.has_value(); }

static bool allows(const KernelSummary &K, const Version &) { return K.Strided; }

/// Whether it reduces iterations that are soon over, beside the loops that finish the reduction.
static bool reducesShortOnes(const KernelSummary &K, const Version &V) {
  bool Strides = V.Strided->Private.empty() && !V.Strided->Interchanged && V.Strided->From == SpreadFrom::None && V.Route.empty();
  return K.reduces() && Strides && none_of(K.Loops, [](const LoopSummary &L) { return !L.Chunk && L.Parent >= 0; }) &&
         none_of(K.Arrays, [](const ArraySummary &A) { return A.Atomic; });
}

static void describe(const KernelSummary &K, const Version &V, VersionRecord &R) {
  R.Loop = !V.Strided->Private.empty() ? PLACE_LOOP_PRIVATISED : V.Strided->Interchanged ? PLACE_LOOP_INTERCHANGED : PLACE_LOOP_STRIDED;
  R.Threads = V.Threads;
  R.key("fill", std::to_string(V.Fill));
  if (reducesShortOnes(K, V))
    R.key("short", std::to_string(K.bytesOfAccesses()));
  if (V.Strided->Even)
    R.key("even", "1");
  if (V.Threads)
    R.need(PLACE_NEED_OPEN_THREADS);
  if (!V.Strided->Private.empty())
    R.need(PLACE_NEED_APART);
  if (V.Strided->Wide)
    R.need(PLACE_NEED_READS_ALIGNED, WideBytes);
  if (V.Strided->From == SpreadFrom::Threads) {
    R.need(PLACE_NEED_THREADS_LEAST, 2);
    R.need(PLACE_NEED_ONE_TEAM);
  }
  if (V.Strided->From == SpreadFrom::Teams)
    R.need(PLACE_NEED_SEVERAL_TEAMS);
}

/// All of it with the version's own number of threads.
static void apply(Clone &C) {
  if (unsigned Threads = C.version().Threads)
    fixThreads(C.function(), Threads);
  if (C.version().Apart)
    tellApart(C);
  if (C.version().Strided->Wide)
    tellAligned(C, WideBytes, /*ReadsAlone=*/true);
  if (!C.version().Strided->Private.empty())
    collectUpdates(C);
  unrollStrided(C);
}

static void accompany(const KernelSummary &K, Version &V) { giveStride(K, V); }

const Transform StrideTransform = {isPart, allows, describe, apply, proposeForAll, accompany, proposeWide};

} // namespace place
