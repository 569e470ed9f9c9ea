//===- BlockVersions.cpp - Versions with iterations in blocks ---------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockVersions.h"
#include "CodeSize.h"
#include "Pressure.h"
#include "Source.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace place {

/// Whether the source wants an array of which the shape has tiles left where it is.
static bool tilesWhatStays(const KernelSummary &K, const BlockShape &B) {
  return any_of(K.Arrays, [&](const ArraySummary &A) { return A.Hint == PLACE_GLOBAL && B.Tiled.count(A.Arg->getArgNo()); });
}

/// Whether the source asks for tiles, and whether the shape has those.
static bool asksForTiles(const KernelSummary &K) {
  return any_of(K.Arrays, [](const ArraySummary &A) { return A.AskedTile; });
}

static bool hasAskedTiles(const KernelSummary &K, const BlockShape &B) {
  return all_of(K.Arrays, [&](const ArraySummary &A) { return !A.AskedTile || B.Tiled.count(A.Arg->getArgNo()); });
}

bool followsTiles(const KernelSummary &K, ArrayRef<Version> Versions) {
  return asksForTiles(K) && any_of(Versions, [&](const Version &V) { return V.Block && hasAskedTiles(K, *V.Block); });
}

void keepAskedTiles(const KernelSummary &K, std::vector<Version> &Versions) {
  if (!followsTiles(K, Versions))
    return;
  auto Tiles = [&](const Version &V) { return V.Block && hasAskedTiles(K, *V.Block); };
  auto Places = [&](const Version &V) {
    return all_of(seq<size_t>(0, K.Arrays.size()), [&](size_t N) {
      return K.Arrays[N].Hint < 0 || K.Arrays[N].Placeable < 0 || V.Space[N] == K.Arrays[N].Hint;
    });
  };
  bool Both = any_of(Versions, [&](const Version &V) { return Tiles(V) && Places(V); });
  erase_if(Versions, [&](const Version &V) { return !V.isBase() && !(Tiles(V) && (!Both || Places(V))); });
}

/// How many block versions are made. A block repeats the body for each of a thread's iterations, and large ones gained by more than one
/// block version in few kernels, and little (box3d, 3%).
static unsigned mostBlocks(const KernelSummary &K) { return fewerOfLarge(*K.F, breadth().Blocks, 160); }

/// Whether the iterations of a thread are more code than a block is worth: a long body gains little by another one beside it, least where
/// nothing but the next iterations of one loop stands there. (Of 25 such blocks of one loop none was the fastest by more than 3%.)
static bool isTooLarge(const KernelSummary &K, const BlockShape &B) {
  const unsigned MostOfOneLoop = 1300;
  unsigned Most = B.Dims == 1 && !B.Strip && B.Tiled.empty() ? MostOfOneLoop : MostRepeated;
  return !breadth().AllSpaces && !asksForTiles(K) && B.each() > 1 && B.each() * machineInstructions(*K.F) > Most;
}

/// Whether strips of a row for each thread are staged (Shapes.cpp).
static bool stagesRows(const BlockShape &B) { return B.Dims == 1 && B.Strip && !B.Adjacent[0]; }

/// Whether the same block is there with tiles that are fetched when they are wanted. Where that is so, fetching them ahead has been the fastest in
/// one kernel of all measured, by 1.5%, and is the most code that a version can be.
static bool onlyFetchesAhead(const KernelSummary &K, const BlockShape &B) {
  BlockShape Plain = B;
  Plain.Pipelined = false;
  return !breadth().AllSpaces && B.Pipelined && any_of(K.Blocks, [&](const BlockShape &Other) { return Other.name() == Plain.name(); });
}

static Version blockVersion(const KernelSummary &K, const BlockShape &B, const std::vector<int8_t> &Space) {
  Version V;
  V.Entry = versionName(K, Space) + "_" + B.name() + (B.Adjacent[B.Dims - 1] ? "a" : "");
  V.Space = Space;
  V.Threads = B.threads();
  if (B.Strip)
    V.TeamsAtOnce = 2; // one works while the other waits for its tiles
  else
    V.Registers = HalfOfThreadsRegisters;
  V.Block = B;
  return V;
}

/// In constant memory arrays take none of the shared memory that tiles want.
static std::vector<int8_t> inConstant(const KernelSummary &K, ArrayRef<int8_t> Likeliest) {
  std::vector<int8_t> Space = allGlobal(K);
  for (size_t N = 0; N < K.Arrays.size(); ++N)
    if (int S = Likeliest[N]; S >= 0 && place_space_home(static_cast<place_space>(S)) == PLACE_HOME_CONSTANT)
      Space[N] = int8_t(S);
  return Space;
}

/// What staged rows are multiplied by gained nothing in constant memory.
static std::vector<std::vector<int8_t>> spacesOf(const KernelSummary &K, const BlockShape &B, ArrayRef<int8_t> Likeliest) {
  std::vector<std::vector<int8_t>> Spaces = {allGlobal(K)};
  if (!stagesRows(B))
    Spaces.push_back(inConstant(K, Likeliest));
  return Spaces;
}

void addBlocks(const KernelSummary &K, ArrayRef<int8_t> Likeliest, std::vector<Version> &Versions) {
  unsigned Made = 0, Most = mostBlocks(K);
  bool Tiles = asksForTiles(K) && any_of(K.Blocks, [&](const BlockShape &B) { return hasAskedTiles(K, B); });
  for (const BlockShape &B : make_filter_range(K.Blocks, [&](const BlockShape &B) { return !isTooLarge(K, B); }))
    for (const std::vector<int8_t> &Space : spacesOf(K, B, Likeliest)) {
      Version New = blockVersion(K, B, Space);
      bool Known = any_of(Versions, [&](const Version &V) { return V.Entry == New.Entry; });
      if (Made < Most && !Known && !tilesWhatStays(K, B) && (!Tiles || hasAskedTiles(K, B))) {
        if (!onlyFetchesAhead(K, B)) // it has a place all the same: what comes behind it gains less
          Versions.push_back(std::move(New));
        ++Made;
      }
    }
}

} // namespace place
