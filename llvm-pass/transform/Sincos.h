//===- Sincos.h - Sine and cosine of one angle -------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: libdevice's sine and cosine each reduce their argument to a quarter of the circle and evaluate one of two polynomials. Where
// a program takes both of the same angle, as rotations and Fourier transforms do, libdevice's sincos does the reduction once, with
// the same bits in both results. Clang inlines the two functions before anything could pair them.
//
// So in a module of one kernel (Isolate.h) both stay calls until the pipeline's first half is over, and each pair of them becomes
// one call; then all are inlined. As calls that read no memory they are also found invariant and redundant on the way.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SINCOS_H
#define PLACE_SINCOS_H

namespace llvm {
class Function;
class Module;
class PassBuilder;
} // namespace llvm

namespace place {

/// Whether Kernel calls, itself or through others of its module, a sine and a cosine of the same precision.
bool takesSineAndCosine(const llvm::Function &Kernel);

/// Before the pipeline: links libdevice's sincos into One, where a sine and a cosine are called and the front end said where
/// libdevice is (options().LibDevice), and holds their inlining back. Returns whether it did.
bool holdSineAndCosine(llvm::Module &One);

/// In the pipeline of such a module: pairs. What was held is released behind that (HeldCalls.h).
void registerSincos(llvm::PassBuilder &PB);

} // namespace place

#endif
