//===- Barriers.cpp - Barriers that nothing needs -------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each chunk of a loop that teams and threads share the device runtime begins a parallel region, between barriers. Its
// iterations are independent of each other, and no thread waits for what another does in one.
//
// Beside the time that they take, they are where ptxas goes wrong (Converge.h).
//
//===----------------------------------------------------------------------===//
#include "Chunks.h"
#include "Mark.h"
#include "Straight.h"
#include "Transform.h"

using namespace llvm;

namespace place {

static void dropBarriers(Clone &C) {
  C.Left.Converges = true;
  if (hasOneSharedLoop(*C.kernel().F) && !threadsCooperate(C.function()))
    eraseBarriers(C.function());
}

// The base version stands for the original kernel.
static bool isPart(const Version &V) { return !V.isBase(); }

const Transform BarriersTransform = {isPart, nullptr, nullptr, dropBarriers, nullptr};

} // namespace place
