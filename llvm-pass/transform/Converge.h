//===- Converge.h - Warps come together in front of barriers ------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: a fault of ptxas (seen in 12.4 for sm_90, with -O2 and more). Where a warp has parted and the code behind it begins with a
// barrier, ptxas leaves bringing the warp together to that (WARPSYNC.ALL in the place of BSSY and BSYNC), but moves instructions on
// uniform registers to before it. The threads that come first carry those out, and the others, which have the same uniform registers,
// read wrong values: of 198 generated programs two had wrong results on an H200, and 12 of their 3,508 versions have the pattern.
//
// With a way out between the two the barrier does not stand for the end of the parting any more, and ptxas keeps BSYNC: no thread
// takes it, as a team has one thread or more in its third dimension. That costs an instruction or two for each barrier, and ends what ptxas
// schedules together: a kernel that passes barriers all the time took 1.3 times as long. So a barrier that a warp reaches as a whole has
// none: since the barrier before it, or the kernel's begin, no thread can have gone another way than its neighbours, be it by a branch or by
// what ptxas makes branches of (divisions, atomic updates, calls).
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CONVERGE_H
#define PLACE_CONVERGE_H

#include "llvm/IR/PassManager.h"

namespace place {

/// At the end of the pipeline: writes that in front of those of a version's barriers that parts of a warp may reach. Whether there are any,
/// and the GPU has such registers.
bool convergeAtBarriers(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace place

#endif
