//===- Spaces.h - Loads through another memory -------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SPACES_H
#define PLACE_SPACES_H

#include "llvm/ADT/DenseMap.h"

#include "place/space.h"

namespace llvm {
class Argument;
class LoadInst;
class Value;
} // namespace llvm

namespace place {

/// NVPTX address spaces.
enum : unsigned { AddrGlobal = 1, AddrShared = 3, AddrConstant = 4, AddrPrivate = 5 };

/// Whether Rebaser can follow a pointer from Base to P: through additions of offsets, casts, phis and selects only.
bool canRebase(const llvm::Value *P, const llvm::Argument *Base);

/// Rebuilds address computations on another base pointer, in that pointer's address space. The computations on the
/// old base stay for their other users.
class Rebaser {
public:
  Rebaser(llvm::Argument *OldBase, llvm::Value *NewBase) : OldBase(OldBase), NewBase(NewBase) {}

  /// The pointer P, which canRebase accepts, on the new base. Each step is built once.
  llvm::Value *rebase(llvm::Value *P);

private:
  llvm::Argument *OldBase;
  llvm::Value *NewBase;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Done;
};

/// How a load gets at its memory, as a space says. PLACE_ROUTE_NC: nothing writes what it reads while the kernel runs. What versions
/// say of routes is Routes.h's.
void setRoute(llvm::LoadInst *L, place_route Route);

/// Points a load at the same element behind another base pointer.
void moveLoad(llvm::LoadInst *L, Rebaser &To);

} // namespace place

#endif
