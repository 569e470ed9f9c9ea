//===- Chunks.h - The loops of a static schedule -----------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CHUNKS_H
#define PLACE_CHUNKS_H

#include "Summary.h"

namespace place {

/// The shape of a kernel whose outer and inner chunk loops, counters and chunk size have been proved, if the rest of it has
/// the form that straightenChunks (Straight.h) can rebuild; nothing otherwise.
std::optional<ChunkShape> recogniseChunks(const llvm::Loop &Outer, const llvm::Loop &Inner, llvm::PHINode &Base,
                                          llvm::PHINode &Bound, unsigned Size);

bool isBarrier(const llvm::Instruction &I);

} // namespace place

#endif
