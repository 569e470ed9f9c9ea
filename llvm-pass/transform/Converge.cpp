//===- Converge.cpp - Warps come together in front of barriers --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Converge.h"
#include "Chunks.h"
#include "Target.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace place {

static const char WayOut[] = "{ .reg .pred never; .reg .b32 depth; mov.u32 depth, %ntid.z; setp.gt.u32 never, depth, 64; @never exit; }";

bool convergeAtBarriers(Function &F) {
  const unsigned UniformRegisters = 75; // since this compute capability
  if (computeCapability(F) < UniformRegisters)
    return false;
  InlineAsm *Asm = InlineAsm::get(FunctionType::get(Type::getVoidTy(F.getContext()), false), WayOut, "", /*hasSideEffects=*/true);
  bool Any = false;
  for (Instruction &I : instructions(F)) {
    const Instruction *Before = I.getPrevNonDebugInstruction();
    if (!isBarrier(I) || (Before && isBarrier(*Before)))
      continue;
    IRBuilder<>(&I).CreateCall(Asm)->setDoesNotThrow();
    Any = true;
  }
  return Any;
}

} // namespace place
