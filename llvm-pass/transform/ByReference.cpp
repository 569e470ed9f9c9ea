//===- ByReference.cpp - Scalars that a kernel reads from memory ----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ByReference.h"

#include "llvm/IR/Function.h"

using namespace llvm;

namespace place {

bool isScalarByReference(const Argument &A) {
  const uint64_t Widest = 8;
  return A.getType()->isPointerTy() && A.getDereferenceableBytes() > 0 && A.getDereferenceableBytes() <= Widest;
}

void tellScalarsApart(Function &Kernel) {
  for (Argument &A : Kernel.args())
    if (isScalarByReference(A))
      A.addAttr(Attribute::NoAlias);
}

} // namespace place
