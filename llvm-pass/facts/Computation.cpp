//===- Computation.cpp - Assembly that only computes ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Computation.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

bool isComputation(const CallBase &C) {
  const auto *Assembly = dyn_cast<InlineAsm>(C.getCalledOperand());
  return Assembly && !Assembly->hasSideEffects() && C.doesNotAccessMemory() && !C.isConvergent();
}

static SmallVector<CallBase *, 8> tell(Function &F) {
  SmallVector<CallBase *, 8> Told;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I); C && isComputation(*C) && !C->willReturn()) {
      C->addFnAttr(Attribute::WillReturn);
      Told.push_back(C);
    }
  return Told;
}

void tellComputationsReturn(Module &M) {
  for (Function &F : M)
    tell(F);
}

ComputationsReturn::ComputationsReturn(Function &F, FunctionAnalysisManager &FAM) : F(F), FAM(FAM), Told(tell(F)) {
  if (!Told.empty())
    FAM.invalidate(F, PreservedAnalyses::none());
}

ComputationsReturn::~ComputationsReturn() {
  for (CallBase *C : Told)
    C->removeFnAttr(Attribute::WillReturn);
  if (!Told.empty())
    FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace place
