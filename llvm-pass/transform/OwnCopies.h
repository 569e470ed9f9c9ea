//===- OwnCopies.h - Structures of a thread's own, copied as a whole -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: `most = std::max(most, in[i])` of a structure copies all of it from one of two places, of which one is the variable itself. As long as
// that is one copy, the variable stays in memory, and each iteration reads and writes it there. A variable of a reduction, whose address
// the device runtime gets in the end, does so with any copy, as SROA leaves it alone: only of loads and stores the loop optimiser makes
// registers. And what two structures of an array change places by (t = a[i]; a[i] = a[j]; a[j] = t) is copied and nothing else, of which
// SROA makes no registers where it is longer than 8 bytes.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_OWN_COPIES_H
#define PLACE_OWN_COPIES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class PassBuilder;
} // namespace llvm

namespace place {

/// Whether F copies from one of several places of which one is a variable of its own.
bool choosesCopies(const llvm::Function &F);

/// Whether F copies to and from a variable of its own that it uses for nothing else.
bool keepsCopies(const llvm::Function &F);

/// Returns whether it found something:
///   copy(to, c ? a : b)      becomes  if (c) copy(to, a) else copy(to, b), of up to four places; nothing is copied to itself
///   a copy of a few words from or to a variable whose address is known elsewhere becomes loads of all words, then stores of them, each of
///   the type by which the variable is accessed there otherwise; so does one from or to a variable that is copied and nothing else, by words that
///   all its copies have
bool spellOwnCopies(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Does that early in the pipeline, behind instcombine.
void registerOwnCopies(llvm::PassBuilder &PB);

} // namespace place

#endif
