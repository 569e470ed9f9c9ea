//===- SoleCalls.h - Large functions that are called once --------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: the optimiser inlines a function of the module's own that is called once, however large it is. But where the caller has been inlined
// itself and is not gone yet, the call stands there twice, and a large function stays one: its pointers pass through memory, its
// arrays cannot be followed, and each thread pays for the call.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SOLE_CALLS_H
#define PLACE_SOLE_CALLS_H

namespace llvm {
class Module;
} // namespace llvm

namespace place {

/// Before the pipeline of a module of few kernels: such functions are to be inlined. Others are left to the optimiser.
void inlineSoleCalls(llvm::Module &Few);

} // namespace place

#endif
