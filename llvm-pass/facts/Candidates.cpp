//===- Candidates.cpp - Which arrays can be placed, which reads are logged ===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Candidates.h"
#include "RowLength.h"
#include "Source.h"
#include "Texels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace place {

static Reason whyGlobal(const KernelSummary &K, const ArraySummary &A) {
  if (!K.NoVersion.empty())
    return K.NoVersion;
  if (A.Atomic)
    return PLACE_WHY_ATOMIC;
  if (A.Written)
    return PLACE_WHY_WRITTEN;
  if (K.UnknownWrites)
    return K.UnknownWritesReason;
  return A.Why.empty() && !A.Read ? Reason(PLACE_WHY_NOT_ACCESSED) : A.Why;
}

/// Textures gain on few GPUs, so that there are none unless they are asked for.
static bool isAsked(const ArraySummary &A, place_space Space) { return options().Textures & PLACE_SPACE_BIT(Space) || A.Hint == Space; }

static bool isCandidate(const ArraySummary &A, place_space Space) {
  return place_space_home(Space) != PLACE_HOME_TEXTURE ||
         (isAsked(A, Space) && A.TexelBytes && (Space != PLACE_TEXTURE2D || !A.RowBytes.empty()));
}

void decideCandidates(KernelSummary &K) {
  int Next = 0;
  for (size_t N = 0; N < K.Arrays.size(); ++N) {
    ArraySummary &A = K.Arrays[N];
    A.Why = whyGlobal(K, A);
    if (A.Why.empty() && Next == PLACE_MAX_PLACEABLE)
      A.Why = {PLACE_WHY_TOO_MANY_ARRAYS, Twine(PLACE_MAX_PLACEABLE)};
    if (!A.Why.empty())
      continue;
    A.Placeable = Next++;
    if (isAsked(A, PLACE_TEXTURE) || isAsked(A, PLACE_TEXTURE2D))
      A.TexelBytes = uint8_t(texelBytes(K, int(N)));
    if (isAsked(A, PLACE_TEXTURE2D))
      A.RowBytes = rowBytes(K, int(N));
    for (unsigned S = 0; S < PLACE_SPACE_COUNT; ++S)
      if (isCandidate(A, static_cast<place_space>(S)))
        A.Candidates |= PLACE_SPACE_BIT(S);
  }
}

static bool unknownTrips(const KernelSummary &K, int L) {
  for (; L >= 0; L = K.Loops[L].Parent)
    if (K.Loops[L].Trips.empty())
      return true;
  return false;
}

void chooseLogged(KernelSummary &K) {
  std::vector<AccessSummary *> Irregular;
  for (AccessSummary &S : K.Accesses)
    if (S.Kind == PLACE_READ && K.Arrays[S.Array].Placeable >= 0 && (!S.Known || unknownTrips(K, S.Loop)))
      Irregular.push_back(&S);
  auto Depth = [&](const AccessSummary *S) { return S->Loop < 0 ? 0 : int(K.Loops[S->Loop].L->getLoopDepth()); };
  stable_sort(Irregular, [&](auto *A, auto *B) { return Depth(A) > Depth(B); });
  for (size_t I = 0; I < Irregular.size() && I < PLACE_PROFILE_ACCESSES; ++I)
    Irregular[I]->Log = int(I);
}

} // namespace place
