//===- Stage.h - Copies of arrays in shared memory --------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_STAGE_H
#define PLACE_STAGE_H

#include "Clone.h"

namespace place {

/// Copies the windows of the given arrays into shared memory at kernel entry; if Selected, those whose selector says so.
void emitStaging(Clone &C, llvm::ArrayRef<int> Arrays, bool Selected);

} // namespace place

#endif
