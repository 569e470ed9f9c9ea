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
  bool Short = V.getType()->isIntegerTy(32);
  auto *Type = FunctionType::get(V.getType(), V.getType(), false);
  return CallInst::Create(Type, InlineAsm::get(Type, Short ? "mov.b32 $0, $1;" : "mov.b64 $0, $1;", Short ? "=r,r" : "=l,l", Stays), {&V});
}

} // namespace place
