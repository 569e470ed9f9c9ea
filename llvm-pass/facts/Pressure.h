//===- Pressure.h - How many registers a kernel wants -----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_PRESSURE_H
#define PLACE_PRESSURE_H

namespace llvm {
class Function;
}

namespace place {

/// The most registers of 32 bits that what is alive at one point of the function takes, in the order in which its instructions stand.
/// Arguments take none: they are in constant memory.
unsigned registersAlive(const llvm::Function &F);

/// Of a thread, so that a multiprocessor has room for 1,024: ptxas takes more where it unrolls and sends loads ahead, which is worth less.
enum { HalfOfThreadsRegisters = 64 };

/// Whether the function would not have to keep values in memory if a thread had no more than that: below, ptxas takes more by its own choice.
inline bool fitsInto(const llvm::Function &F, unsigned Registers) { return registersAlive(F) <= Registers * 3 / 4; }

} // namespace place

#endif
