//===- Reach.cpp - What a function reaches --------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Reach.h"
#include "DeviceRuntime.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace place {

SmallPtrSet<const GlobalValue *, 32> reachedFrom(const GlobalValue &From, function_ref<bool(const Function &)> LooksInto) {
  SmallPtrSet<const GlobalValue *, 32> Reached;
  SmallPtrSet<const Constant *, 32> Seen;
  SmallVector<const Constant *, 32> Left;
  auto Names = [&](const User &U) {
    for (const Use &Operand : U.operands())
      if (const auto *C = dyn_cast<Constant>(Operand.get()); C && !isa<ConstantData>(C) && Seen.insert(C).second)
        Left.push_back(C);
  };
  Seen.insert(&From);
  Left.push_back(&From);
  while (!Left.empty()) {
    const Constant *C = Left.pop_back_val();
    if (const auto *G = dyn_cast<GlobalValue>(C))
      Reached.insert(G);
    const auto *F = dyn_cast<Function>(C);
    if (!F)
      Names(*C);
    else if (LooksInto(*F))
      for (const Instruction &I : instructions(*F))
        Names(I);
  }
  return Reached;
}

SetVector<Function *> programFunctions(Function &Kernel) {
  SetVector<Function *> Found;
  Found.insert(&Kernel);
  for (unsigned N = 0; N < Found.size(); ++N)
    for (Instruction &I : instructions(*Found[N]))
      for (Value *Operand : I.operands())
        if (auto *F = dyn_cast<Function>(Operand->stripPointerCasts()); F && !F->isIntrinsic() && !isOfRuntime(F->getName()))
          Found.insert(F);
  return Found;
}

} // namespace place
