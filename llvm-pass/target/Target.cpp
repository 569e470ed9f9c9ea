//===- Target.cpp - What a GPU generation offers ------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace place {

// "sm_90", "sm_90a"
unsigned computeCapability(const Function &F) {
  StringRef CPU = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  if (!CPU.consume_front("sm_") || CPU.take_while(isDigit).getAsInteger(10, Number))
    return 0;
  return Number;
}

// "+ptx84,+sm_90"
unsigned ptxVersion(const Function &F) {
  unsigned Version = 0, Number = 0;
  for (StringRef Feature : split(F.getFnAttribute("target-features").getValueAsString(), ','))
    if (Feature.consume_front("+ptx") && !Feature.getAsInteger(10, Number))
      Version = std::max(Version, Number);
  return Version;
}

void compileLike(Function &F, const Function &Other) {
  for (StringRef Name : {"target-cpu", "target-features"})
    if (Attribute Of = Other.getFnAttribute(Name); Of.isValid())
      F.addFnAttr(Of);
}

bool hasAsyncCopies(const Function &F) { return computeCapability(F) >= 80; }

} // namespace place
