//===- Hoist.h - Loads before atomic updates --------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_HOIST_H
#define PLACE_HOIST_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// At the end of the pipeline, on a version that collects updates: loads of all unrolled iterations before the first update.
void hoistLoads(llvm::Function &F);

} // namespace place

#endif
