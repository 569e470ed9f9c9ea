//===- Moves.h - Long moves between address spaces ---------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: LLVM 19's back end for NVPTX makes loops of long memmoves, and none of one between different address spaces, which it leaves out
// without a word (NVPTXLowerAggrCopies; what expandMemMoveAsLoop answers is not looked at). A loop that copies an array of sums from shared
// memory to the reduction's buffer is such a memmove once the optimiser has recognised it, and address spaces are found out as late as in
// the back end.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_MOVES_H
#define PLACE_MOVES_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// After the optimiser: both ends of such moves become generic addresses that nobody can tell the space of. Returns whether there was one.
bool hideSpacesOfMoves(llvm::Function &F);

} // namespace place

#endif
