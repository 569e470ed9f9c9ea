//===- HiddenCopy.cpp - Values that are not known to be equal ---------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HiddenCopy.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

CallInst *hiddenCopy(Value &V, bool Stays) {
  auto *Type = FunctionType::get(V.getType(), V.getType(), false);
  auto Move = [&](const char *Text, const char *Registers) { return CallInst::Create(Type, InlineAsm::get(Type, Text, Registers, Stays), {&V}); };
  if (V.getType()->isIntegerTy(16))
    return Move("mov.b16 $0, $1;", "=h,h");
  return V.getType()->isIntegerTy(32) ? Move("mov.b32 $0, $1;", "=r,r") : Move("mov.b64 $0, $1;", "=l,l");
}

} // namespace place
