//===- Barriers.cpp - Barriers that nothing needs -------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each chunk of a loop that teams and threads share the device runtime begins a parallel region, between barriers. Its
// iterations are independent of each other, and no thread waits for what another does in one.
//
// Beside the time that they take, such barriers meet a fault of ptxas (12.4, sm_90; wrong results of generated programs 94155 and
// 94193): where part of a warp passes a chunk by, ptxas counts on the barrier behind it to bring the warp together (WARPSYNC.ALL), but
// moves writes of uniform registers in front of that, where they spoil what the other part of the warp still reads.
//
//===----------------------------------------------------------------------===//
#include "Chunks.h"
#include "Mark.h"
#include "Straight.h"
#include "Transform.h"

using namespace llvm;

namespace place {

static void dropBarriers(Clone &C) {
  if (hasOneSharedLoop(*C.kernel().F) && !threadsCooperate(C.function()))
    eraseBarriers(C.function());
}

// The base version stands for the original kernel.
static bool isPart(const Version &V) { return V.Kind != PLACE_BASE; }

const Transform BarriersTransform = {"barriers", isPart, nullptr, nullptr, dropBarriers, nullptr};

} // namespace place
