//===- Obstacle.h - What keeps a region from being one loop -------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang gives `target teams distribute parallel for` a form that versions are built on (ChunkShape, Summary.h). What the source says
// beside that can only be seen before inlining: it is noted on the kernel then, and asked for where the form is missed.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_OBSTACLE_H
#define PLACE_OBSTACLE_H

#include "Reason.h"

namespace place {

/// Notes what would have to go first for the kernel to be such a loop, if there is anything. As the front end made it.
void noteObstacle(llvm::Function &Kernel);

/// What was noted, or Otherwise.
Reason obstacle(const llvm::Function &Kernel, const Reason &Otherwise);

} // namespace place

#endif
