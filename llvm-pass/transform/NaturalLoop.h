//===- NaturalLoop.h - A loop in natural order -------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_NATURAL_LOOP_H
#define PLACE_NATURAL_LOOP_H

namespace llvm {
class BasicBlock;
class ICmpInst;
class Value;
} // namespace llvm

namespace place {

/// What orderNaturally (Natural.h) made of a kernel's loop: values of 32 bits, at its head.
struct NaturalLoop {
  llvm::Value *Chunk = nullptr, *Mine = nullptr; // the team's first iteration, and the thread's
  llvm::Value *Trips = nullptr;                  // how many there are
  llvm::ICmpInst *Below = nullptr;               // Mine < Trips: whether the thread has one; else it goes to Leave
  llvm::BasicBlock *Enter = nullptr, *Leave = nullptr;
};

} // namespace place

#endif
