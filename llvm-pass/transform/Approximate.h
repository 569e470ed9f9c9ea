//===- Approximate.h - Functions that may be approximated --------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: -ffast-math (-fapprox-func) lets a function's result be an approximation. Clang makes use of that in device code for division,
// square root and powers of two, but calls libdevice's powers and logarithms of full precision: powf takes about a hundred
// instructions for what the GPU has two. nvcc -use_fast_math takes those two.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_APPROXIMATE_H
#define PLACE_APPROXIMATE_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace place {

/// Whether Kernel calls, itself or through others of its module, a function that `approximate` replaces.
bool takesApproximable(const llvm::Function &Kernel);

/// Before the pipeline: calls of libdevice's powf, expf, exp10f, logf, log2f and log10f whose results may be approximations become the
/// GPU's own powers and logarithms to base 2 (ex2.approx, lg2.approx: relative and, near 1, absolute errors of about 2^-22). Of powers,
/// signs and what is no number are as powf's, unlike those of CUDA's __powf, as far as the call does not leave them open (-ffast-math).
void approximate(llvm::Module &One);

/// x / 2^y becomes x * 2^-y where division may be by way of the reciprocal, which takes seven instructions. Returns whether there was one.
bool multiplyByPowers(llvm::Function &F);

/// Where all of -ffast-math holds: the GPU's own powers, logarithms and square roots, and with them all arithmetic of floats, take a denormal
/// number as zero, as the host does in a program that is linked with -ffast-math. Keeping such numbers takes three instructions more with each
/// of these, six with each division. To be called when what F calls is part of it: functions that differ in this are not inlined any more.
/// Returns whether there was one of these.
bool flushDenormals(llvm::Function &F);

} // namespace place

#endif
