//===- Elsewhere.h - Memory that is nobody's array -----------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ELSEWHERE_H
#define PLACE_ELSEWHERE_H

namespace llvm {
class CallBase;
class IntrinsicInst;
class Value;
} // namespace llvm

namespace place {

/// Memory in which no mapped array lies: of a thread (local, heap), of a team (shared), or of the device runtime (the launch
/// environment that is the first argument, and the reduction buffer that it points to). O: an underlying object.
bool isPrivate(const llvm::Value *O);

/// A call whose pointers all lead to memory without mapped arrays.
bool onlyPrivateMemory(const llvm::CallBase &C);

/// Barriers, lifetime markers, assumptions and the like have memory effects in IR but touch no array of the program.
bool touchesMemory(const llvm::IntrinsicInst &II);

} // namespace place

#endif
