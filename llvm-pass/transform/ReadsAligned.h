//===- ReadsAligned.h - Parts of an element that are loaded at once -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: the members of a structure (a complex number, a matrix of 3 by 3, four floats) lie next to each other, but a load of 16 bytes must
// begin at a multiple of 16, and a type says only that of its members. Where arrays begin at such multiples, as nearly all do, and elements
// have a multiple of 16 bytes, the optimiser joins the loads. The launch is checked (needs=reads-aligned:16; 8 where no more is of use).
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_READS_ALIGNED_H
#define PLACE_READS_ALIGNED_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

class Clone;
struct KernelSummary;

/// What arrays must begin at multiples of for two loads of an iteration to be joined: 8 or 16; 0: none could be. Arrays that may be anywhere
/// are meant, and loads that differ from iteration to iteration.
unsigned alignmentToReadTogether(const KernelSummary &K);

/// Where three members of four are loaded from a multiple of 16 bytes that differs from iteration to iteration, the fourth is loaded with
/// them, for nothing but that the four become one load: an element has it, and it lies in the same 16 bytes. Called before loads are joined.
void loadFourths(llvm::Function &F);

/// The launch has been checked: all arrays, or those that are only read, begin at multiples of that (needs=arrays-aligned, reads-aligned).
void tellAligned(Clone &C, unsigned Bytes, bool ReadsAlone);

} // namespace place

#endif
