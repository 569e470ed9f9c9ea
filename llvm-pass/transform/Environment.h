//===- Environment.h - Kernels with another environment ----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constant of a kernel's name by which libomptarget and the device runtime know how to begin it.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ENVIRONMENT_H
#define PLACE_ENVIRONMENT_H

namespace llvm {
class Constant;
class Function;
} // namespace llvm

namespace place {

/// A kernel's environment with other numbers of threads.
llvm::Constant *withThreads(llvm::Constant *Environment, unsigned Threads);

/// A kernel's environment that asks for a buffer of so many slots, of so many bytes each, for a reduction over teams.
llvm::Constant *withReduction(llvm::Constant *Environment, unsigned BytesOfSlot, unsigned Slots);

/// All threads of a generic kernel begin it, as of one that openmp-opt has turned. Its code must mean the same for each.
void startAsSpmd(llvm::Function &Kernel);

} // namespace place

#endif
