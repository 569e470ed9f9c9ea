//===- WholeCopies.h - Structures that are copied as a whole -----*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: `to[i] = from[j]` of a structure (float4, a complex number) is a call of memcpy between two arrays. What is copied so can be
// nowhere but in global memory, and its body cannot be repeated in blocks; a load and a store for each word of it can.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_WHOLE_COPIES_H
#define PLACE_WHOLE_COPIES_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// Whether spellWholeCopies would find something.
bool copiesWhole(const llvm::Function &F);

/// Each copy of a few words between two objects of which neither is private becomes loads of all words, then stores of them: memcpy's
/// objects are one and the same or lie apart. Accesses are as wide as the copy's alignment allows; the optimiser joins them again where the
/// version knows of more. Returns whether there was one.
bool spellWholeCopies(llvm::Function &F);

} // namespace place

#endif
