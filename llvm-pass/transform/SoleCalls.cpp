//===- SoleCalls.cpp - Large functions that are called once ---------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SoleCalls.h"
#include "DeviceRuntime.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

static const unsigned Large = 250; // instructions with those of what is called: the optimiser inlines what has fewer

/// Instructions of a function and of what it calls, as many as count; Large: at least that, or it calls itself.
static unsigned sizeOf(const Function &F, DenseMap<const Function *, unsigned> &Known) {
  auto [Entry, New] = Known.try_emplace(&F, Large); // which a recursion finds
  if (!New)
    return Entry->second;
  unsigned Size = 0;
  for (const Instruction &I : instructions(F)) {
    const auto *C = dyn_cast<CallBase>(&I);
    const Function *Callee = C ? C->getCalledFunction() : nullptr;
    Size += Callee && !Callee->isDeclaration() ? sizeOf(*Callee, Known) : 1;
    if (Size >= Large)
      break;
  }
  return Known[&F] = std::min(Size, Large);
}

/// The only place that it is called from, if nothing else refers to it.
static const CallBase *soleCall(const Function &F) {
  const auto *C = F.hasOneUse() ? dyn_cast<CallBase>(*F.user_begin()) : nullptr;
  return C && C->getCalledFunction() == &F && C->getFunction() != &F ? C : nullptr;
}

void inlineSoleCalls(Module &Few) {
  DenseMap<const Function *, unsigned> Known;
  for (Function &F : Few) {
    bool Own = F.hasLocalLinkage() && !F.isDeclaration() && !isOfRuntime(F.getName()) && !isOfLibdevice(F.getName());
    bool Kept = F.hasFnAttribute(Attribute::NoInline) || F.hasFnAttribute(Attribute::OptimizeNone) || F.isVarArg();
    const CallBase *Call = Own && !Kept ? soleCall(F) : nullptr;
    if (Call && !Call->isNoInline() && sizeOf(F, Known) >= Large)
      F.addFnAttr(Attribute::AlwaysInline);
  }
}

} // namespace place
