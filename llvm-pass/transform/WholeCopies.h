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

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace llvm {
class Function;
class MemCpyInst;
class Type;
} // namespace llvm

namespace place {

/// A part of a structure that is loaded and stored by itself.
struct CopiedWord {
  uint64_t At; // bytes behind the copy's begin
  llvm::Type *Ty;
};

/// What may be copied word by word: longer copies stay as they are.
constexpr uint64_t MostCopiedBytes = 128, MostCopiedWords = 16, WidestCopiedWord = 8;
using CopiedWords = llvm::SmallVector<CopiedWord, MostCopiedWords>;

/// Loads of all words, then stores of them, in the place of a copy.
void copyByWords(llvm::MemCpyInst &Copy, const CopiedWords &Words);

/// Whether spellWholeCopies would find something.
bool copiesWhole(const llvm::Function &F);

/// Each copy of a few words between two objects of which neither is private becomes loads of all words, then stores of them: memcpy's
/// objects are one and the same or lie apart. Accesses are as wide as the copy's alignment allows; the optimiser joins them again where the
/// version knows of more. Returns whether there was one.
bool spellWholeCopies(llvm::Function &F);

} // namespace place

#endif
