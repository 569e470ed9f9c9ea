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

/// Whether threads of a team, or of a warp, may wait for each other there, by a barrier of any kind or in a function that has one: behind it
/// they see what others have written.
bool isMeeting(const llvm::Instruction &I);

/// Whether threads of a team may talk to each other other than by barriers: through shared memory that is read, or by an instruction
/// that they carry out together. (The device runtime stores its launch environment in shared memory in every kernel of a
/// translation unit that has a reduction somewhere.)
bool threadsCooperate(const llvm::Function &F);

} // namespace place

#endif
