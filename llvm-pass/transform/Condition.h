//===- Condition.h - Conditions where they are needed ------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CONDITION_H
#define PLACE_CONDITION_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// At the end of the pipeline. A thread has seven predicate registers, and LLVM hoists conditions that do not change out of loops: of a
/// reduction over teams, six stay alive (the first lane, the first warp, ...). ptxas then has the loop that matters wait for each load in
/// turn. Comparisons with a constant are made again next to what asks for them, unless that is in an innermost loop.
void sinkConditions(llvm::Function &F);

} // namespace place

#endif
