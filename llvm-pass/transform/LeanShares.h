//===- LeanShares.h - Whose the iterations of a loop are --------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls of the device runtime mean by which threads or teams share the iterations of a loop, in the place where they stand. The calls'
// variables are written as the runtime would write them, and the calls go.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_LEAN_SHARES_H
#define PLACE_LEAN_SHARES_H

#include "Lean.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class AllocaInst;
class PHINode;
} // namespace llvm

namespace place {

/// An index and how many there are: threads of a region, or teams.
struct Share {
  llvm::Value *Index, *Count;
};

class LeanShares {
public:
  /// FewTeams: of the function's teams only those that a reduction has slots for take part.
  LeanShares(llvm::Function &F, const LeanPlace &At, bool FewTeams) : F(F), At(At), FewTeams(FewTeams) {}

  Share threads(llvm::IRBuilder<> &B);
  Share teams(llvm::IRBuilder<> &B);

  /// __kmpc_for_static_init_*, __kmpc_distribute_static_init_*. Each returns why it cannot, or nothing.
  Reason forStatic(llvm::CallBase &C, llvm::StringRef Name);
  Reason distribute(llvm::CallBase &C, llvm::StringRef Name);
  /// __kmpc_dispatch_init_*, __kmpc_dispatch_next_*: dynamic and guided schedules.
  Reason dispatchInit(llvm::CallBase &C);
  Reason dispatchNext(llvm::CallBase &C, bool Unsigned);

private:
  Reason staticInit(llvm::CallBase &C, Share Of, llvm::StringRef Name);
  void distributeInTurn(llvm::CallBase &C, llvm::PHINode &Counter);
  Reason distributeNaturally(llvm::CallBase &C);
  void chunks(llvm::CallBase &C, llvm::IRBuilder<> &B, Share Of, bool ByOne);
  void portions(llvm::CallBase &C, llvm::IRBuilder<> &B, Share Of, bool Unsigned);

  llvm::Function &F;
  const LeanPlace &At;
  bool FewTeams;
  llvm::AllocaInst *Next = nullptr, *End = nullptr; // of the loop with a dynamic schedule
};

} // namespace place

#endif
