//===- KnownAlignment.h - How addresses are aligned -------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: a structure that the program declares as packed is aligned to one byte, as far as its type tells, and is read and written by bytes. An
// array of the team's of such structures begins at a multiple of 16, which LLVM's own analyses do not see through the address space cast that
// leads to it in front of the back end.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_KNOWN_ALIGNMENT_H
#define PLACE_KNOWN_ALIGNMENT_H

#include "llvm/Support/Alignment.h"

namespace llvm {
class DataLayout;
class Function;
class MemCpyInst;
class Value;
} // namespace llvm

namespace place {

/// Of an address, as far as the variable and the elements tell that lead to it: up to that of the widest access.
llvm::Align knownAlignment(const llvm::Value *Pointer, const llvm::DataLayout &DL);

/// Of the places that are copied to and from: what the copy tells, or what is known of them if that is more.
llvm::Align destAlignOf(const llvm::MemCpyInst &Copy);
llvm::Align sourceAlignOf(const llvm::MemCpyInst &Copy);

/// Tells loads and stores that are aligned to less than their type of what is known. Returns whether there was one.
bool alignPackedAccesses(llvm::Function &F);

} // namespace place

#endif
