//===- MendReduction.h - Faults of clang's reductions ------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each reduction clang makes a function that takes what another lane of the warp has, and reduces with it, and one that moves what warps
// have to the first. Clang 19's have two faults, by which a program's own results may be wrong, too:
//
//   what is taken of half, and of the last one or two bytes of a section (`short s[5]`), is written with the 32 bits that it was shuffled in:
//   beyond the variable's end, so that an optimiser that sees the function in its place may drop it;
//   what warps have is moved word by word, but of the last one or two bytes of more than two, those of the beginning are.
//
// A kernel whose teams have one thread calls neither, and is right.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_MEND_REDUCTION_H
#define PLACE_MEND_REDUCTION_H

namespace llvm {
class Module;
}

namespace place {

/// Mends the first fault, in a copy of the program's module: originals stay as they are. Returns false if it has a reduction with the second.
bool mendReductions(llvm::Module &M);

} // namespace place

#endif
