//===- Elsewhere.cpp - Memory that is nobody's array -----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Elsewhere.h"
#include "Spaces.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

bool isPrivate(const Value *O) {
  unsigned AS = O->getType()->getPointerAddressSpace();
  if (isa<AllocaInst>(O) || isNoAliasCall(O) || AS == AddrShared || AS == AddrPrivate)
    return true;
  if (const auto *C = dyn_cast<CallBase>(O))
    return C->getCalledFunction() && C->getCalledFunction()->getName() == "malloc";
  if (const auto *L = dyn_cast<LoadInst>(O))
    O = getUnderlyingObject(L->getPointerOperand(), 0);
  const auto *A = dyn_cast<Argument>(O);
  return A && A->getArgNo() == 0;
}

bool onlyPrivateMemory(const CallBase &C) {
  if (!C.onlyAccessesArgMemory())
    return false;
  for (const Use &U : C.args())
    if (U->getType()->isPointerTy() && !isPrivate(getUnderlyingObject(U.get(), 0)))
      return false;
  return true;
}

bool touchesMemory(const IntrinsicInst &II) {
  if (II.isAssumeLikeIntrinsic() || II.doesNotAccessMemory())
    return false;
  StringRef Name = II.getCalledFunction()->getName();
  for (StringRef Quiet : {"llvm.nvvm.barrier", "llvm.nvvm.bar.", "llvm.nvvm.membar", "llvm.nvvm.read.ptx", "llvm.nvvm.shfl",
                          "llvm.nvvm.vote", "llvm.nvvm.activemask", "llvm.nvvm.redux", "llvm.nvvm.match", "llvm.stack",
                          "llvm.trap", "llvm.dbg", "llvm.fence"})
    if (Name.starts_with(Quiet))
      return false;
  return true;
}

} // namespace place
