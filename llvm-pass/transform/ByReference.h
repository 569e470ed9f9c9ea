//===- ByReference.h - Scalars that a kernel reads from memory ---*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: a scalar in a map clause, `map(to: n)`, comes to the kernel by reference, and so do all that `defaultmap(tofrom: scalar)` maps. As far
// as the optimiser knows, any store of the loop may change it: the loop's end is loaded in each iteration, and no loop has a form that versions
// could be rebuilt on. A launch whose arrays are known to be apart shows that none does.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_BYREFERENCE_H
#define PLACE_BYREFERENCE_H

namespace llvm {
class Argument;
class Function;
} // namespace llvm

namespace place {

/// Whether it leads to a scalar that the source names: the front end says how many bytes are there, as it does of no array but one whose
/// length is constant.
bool isScalarByReference(const llvm::Argument &A);

/// Before the pipeline: tells the optimiser that nothing that the kernel writes overlaps such scalars. What is made of the kernel then is
/// for launches that show it (PLACE_NEED_APART).
void tellScalarsApart(llvm::Function &Kernel);

} // namespace place

#endif
