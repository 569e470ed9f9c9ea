//===- CodeSize.h - How much machine code IR becomes ------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CODE_SIZE_H
#define PLACE_CODE_SIZE_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace place {

/// What is repeated in code, as the iterations of a thread and of an unrolled loop are, has so many machine instructions at most: 50 KB,
/// and an instruction cache of an SM holds 128.
const unsigned MostRepeated = 3300;
/// So many of iterations that go to global memory each, which hides what a loop costs.
const unsigned MostBesideMemory = 800;

/// Machine instructions of the blocks, about: one for each of IR, more for divisions and square roots, which ptxas expands.
unsigned machineInstructions(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
unsigned machineInstructions(llvm::Function &F);

/// So many versions, but one of a kernel of more instructions than Large, before loops are unrolled: it takes much room, and time in ptxas.
unsigned fewerOfLarge(const llvm::Function &F, unsigned Most, unsigned Large);

} // namespace place

#endif
