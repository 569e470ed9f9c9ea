//===- Record.cpp - What the region table says of a version -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Record.h"
#include "Kernel.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace place {

static std::vector<int8_t> spaces(const KernelSummary &K, const Version &V) {
  std::vector<int8_t> Space(K.Arrays.size(), VersionRecord::Anywhere);
  for (size_t N = 0; N < K.Arrays.size(); ++N)
    if (K.Arrays[N].Placeable < 0)
      Space[N] = VersionRecord::NotPlaceable;
    else if (V.Space[N] >= 0)
      Space[N] = V.Space[N];
  return Space;
}

// What a version must be launched with: libomptarget gives short loops smaller teams than the kernel was compiled for.
// Threads of a reduction cooperate in any number, and another one would change sums.
static void usualThreads(const KernelSummary &K, const Version &V, VersionRecord &R) {
  if (K.Team && !V.isBase()) {
    R.Threads = K.Team;
    return R.need(PLACE_NEED_OPEN_THREADS);
  }
  R.Threads = V.isSpecial() && !K.reduces() ? K.Threads : 0;
  if (*R.Threads)
    R.need(PLACE_NEED_THREADS, *R.Threads);
}

// A generic kernel's last warp is for its first thread alone. One that the link makes an SPMD kernel (-foffload-lto) is launched without
// it, and its versions stay as they were made.
static void ownWarp(const KernelSummary &K, VersionRecord &R) {
  const unsigned WarpAndWorker = 33;
  if (executionMode(*K.F) == ExecutionMode::Generic && !R.needs(PLACE_NEED_THREADS_LEAST))
    R.need(PLACE_NEED_THREADS_LEAST, WarpAndWorker);
}

// A version with a number of its own is launched with that.
static void threadsOfLanes(const KernelSummary &K, const Version &V, VersionRecord &R) {
  if (K.LanesOfSums && !V.isBase() && !*R.Threads && !R.needs(PLACE_NEED_THREADS_LEAST))
    R.need(PLACE_NEED_THREADS_LEAST, K.LanesOfSums);
}

static bool mayCopy(int8_t Space) { return Space == VersionRecord::Anywhere || (Space >= 0 && place_space_is_copy(static_cast<place_space>(Space))); }

VersionRecord recordOf(const KernelSummary &K, const Version &V) {
  VersionRecord R;
  R.Entry = V.Entry;
  R.Role = V.Role;
  R.Loop = K.Alone && V.isSpecial() ? PLACE_LOOP_ISOLATED : PLACE_LOOP_ORIGINAL;
  R.Space = spaces(K, V);
  if (!V.Kernel.empty())
    R.key("kernel", V.Kernel);
  for (const Transform *T : transforms())
    if (T->IsPart(V) && T->Describe)
      T->Describe(K, V, R);
  if (V.Apart && !R.needs(PLACE_NEED_APART))
    R.need(PLACE_NEED_APART);
  if (!R.Threads)
    usualThreads(K, V, R);
  ownWarp(K, R);
  threadsOfLanes(K, V, R);
  if (any_of(R.Space, mayCopy))
    R.need(PLACE_NEED_ALIGNED, PLACE_BIAS_ALIGN);
  return R;
}

std::vector<VersionRecord> recordsOf(const KernelSummary &K, ArrayRef<Version> Versions) {
  std::vector<VersionRecord> Records;
  for (const Version &V : Versions)
    Records.push_back(recordOf(K, V));
  return Records;
}

} // namespace place
