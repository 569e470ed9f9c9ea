//===- CodeSize.cpp - How much machine code IR becomes --------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CodeSize.h"
#include "RuntimeCall.h"
#include "Source.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

static bool isSquareRoot(const Instruction &I) {
  const Function *Callee = calledFunction(I);
  return Callee && Callee->getName().contains("sqrt");
}

// What ptxas 12.4 makes of one for sm_90, without the slow path that all in a kernel share.
static unsigned machineInstructions(const Instruction &I) {
  const unsigned OfFloat = 9, OfDouble = 16, OfInteger = 16;
  if (isa<DbgInfoIntrinsic>(I) || isa<PHINode>(I))
    return 0;
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return isa<Constant>(I.getOperand(1)) ? 1 : OfInteger;
  case Instruction::FDiv:
    return I.isFast() ? 2 : I.getType()->isDoubleTy() ? OfDouble : OfFloat;
  default:
    return !isSquareRoot(I) || I.isFast() ? 1 : I.getType()->isDoubleTy() ? OfDouble : OfFloat;
  }
}

unsigned machineInstructions(ArrayRef<BasicBlock *> Blocks) {
  unsigned Count = 0;
  for (const BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB)
      Count += machineInstructions(I);
  return Count;
}

unsigned machineInstructions(Function &F) {
  SmallVector<BasicBlock *, 32> Blocks;
  for (BasicBlock &BB : F)
    Blocks.push_back(&BB);
  return machineInstructions(Blocks);
}

unsigned fewerOfLarge(const Function &F, unsigned Most, unsigned Large) {
  return breadth().AllSpaces || F.getInstructionCount() <= Large ? Most : std::min(Most, 1u);
}

} // namespace place
