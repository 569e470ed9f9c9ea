//===- Blocks.cpp - What the runtime must know of blocks ------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Block.h"
#include "Transform.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include <iterator>

using namespace llvm;

namespace place {

static std::string dims(const BlockShape &B, function_ref<unsigned(unsigned)> Value) {
  std::string Text;
  for (unsigned D = 0; D < B.Dims; ++D)
    Text += (D ? "x" : "") + std::to_string(Value(D));
  return Text;
}

static void describeShape(const BlockShape &B, VersionRecord &R) {
  R.key("block", dims(B, [&](unsigned D) { return B.extent(D); }));
  R.key("team", dims(B, [&](unsigned D) { return B.Threads[D]; }));
  if (B.Alike > 1)
    R.key("alike", std::to_string(B.Alike));
  if (B.Lanes)
    R.key("lanes", std::to_string(B.Lanes));
  R.key("adjacent", dims(B, [&](unsigned D) { return unsigned(B.Adjacent[D]); }));
  if (B.Strip)
    R.key("strip", std::to_string(B.Strip));
  if (B.Pipelined)
    R.key("pipelined", "1");
  if (B.Transposed)
    R.key("turned", "1");
  if (B.Wide)
    R.key("wide", "1");
}

// One team for each block.
static void describeExtents(const KernelSummary &K, const BlockShape &B, VersionRecord &R) {
  std::string Teams, Extents;
  for (unsigned D = 0; D < B.Dims; ++D) {
    if (K.Extents[D].empty())
      return;
    std::string Extent = VersionRecord::expression(K.Extents[D]), Size = std::to_string(B.extent(D));
    Teams += (D ? "*" : "") + ("udiv64(" + Extent + "+" + Size + "-1," + Size + ")");
    Extents += (D ? ";" : "") + Extent;
  }
  R.key("teams", Teams);
  R.key("extents", Extents);
}

static void describeTiles(const KernelSummary &K, const BlockShape &B, VersionRecord &R) {
  std::string Tiles;
  for (size_t N = 0; N < K.Arrays.size(); ++N)
    if (B.Tiled.count(K.Arrays[N].Arg->getArgNo()))
      Tiles += (Tiles.empty() ? "" : ",") + std::to_string(N);
  if (!Tiles.empty())
    R.key("tiles", Tiles);
}

// Blocks change the order of iterations and may carry some out twice: then nothing that is read may be written. Tiles are
// written out behind an iteration's other stores.
static void describeNeeds(const BlockShape &B, VersionRecord &R) {
  R.need(PLACE_NEED_OPEN_TEAMS);
  R.need(PLACE_NEED_OPEN_THREADS);
  if (B.Apart) {
    R.need(PLACE_NEED_APART);
  } else if (!B.Once) {
    R.need(PLACE_NEED_READS_UNWRITTEN);
    R.need(PLACE_NEED_WRITES_APART);
  }
  if (B.Wide)
    R.need(PLACE_NEED_ARRAYS_ALIGNED, BlockShape::WideBytes);
}

static bool isPart(const Version &V) { return V.Block.has_value(); }

static bool allows(const KernelSummary &K, const Version &V) {
  return any_of(K.Blocks, [&](const BlockShape &B) { return B.name() == V.Block->name(); });
}

static void describe(const KernelSummary &K, const Version &V, VersionRecord &R) {
  R.Loop = PLACE_LOOP_BLOCK;
  R.Threads = V.Threads;
  describeShape(*V.Block, R);
  describeExtents(K, *V.Block, R);
  describeTiles(K, *V.Block, R);
  describeNeeds(*V.Block, R);
}

static void apply(Clone &C) {
  // A thread's iterations have values in common.
  C.Left.Recombines = true;
  rebuildBlocks(C);
}

const Transform BlocksTransform = {isPart, allows, describe, apply, nullptr};

} // namespace place
