//===- HeldCalls.h - Functions of libdevice that stay calls for a while -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: clang inlines libdevice's functions before anything looks at their calls. Of two exponentials of one value the polynomials are then found
// to be the same, but not the branches for what is too large for them: a kernel with 70 different ones had 140 pairs of branches. nvcc compares
// calls. So in a module of one kernel (Isolate.h) functions of some size that it calls twice alike stay calls, which read no memory and
// return, until the pipeline's first half has found those that are redundant or invariant; then they are inlined.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_HELD_CALLS_H
#define PLACE_HELD_CALLS_H

namespace llvm {
class Function;
class Module;
class PassBuilder;
} // namespace llvm

namespace place {

/// Whether two of five calls of such functions, by Kernel itself or through others of its module, have what seems to be the value of another one: a
/// kernel of fewer is not worth optimising once more for that.
bool repeatsCalls(const llvm::Function &Kernel);

/// Before the pipeline: holds the inlining of functions back that some function of One calls so. Returns whether there are any.
bool holdRepeatedCalls(llvm::Module &One);

/// Holds back one function that neither touches memory that others see nor looks at which other threads run.
void holdBack(llvm::Function &F);

/// In the pipeline of a module with such functions: inlines them. To be registered behind what looks for calls.
void registerRelease(llvm::PassBuilder &PB);

} // namespace place

#endif
