//===- Environment.cpp - Kernels with another environment ------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Environment.h"
#include "Kernel.h"

#include "llvm/IR/ConstantFold.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

// { { ..., i8 mode, i32 least, i32 most, ... }, ... }
static Constant *withFields(Constant *Environment, ArrayRef<EnvironmentField> Fields, unsigned Value) {
  enum { Configuration = 0 };
  auto *Inner = cast<Constant>(Environment->getAggregateElement(unsigned(Configuration)));
  for (EnvironmentField Field : Fields)
    Inner = ConstantFoldInsertValueInstruction(Inner, ConstantInt::get(Inner->getAggregateElement(unsigned(Field))->getType(), Value),
                                               unsigned(Field));
  return ConstantFoldInsertValueInstruction(Environment, Inner, unsigned(Configuration));
}

Constant *withThreads(Constant *Environment, unsigned Threads) {
  return withFields(Environment, {EnvLeastThreads, EnvMostThreads}, Threads);
}

Constant *withReduction(Constant *Environment, unsigned BytesOfSlot, unsigned Slots) {
  return withFields(withFields(Environment, {EnvReductionDataSize}, BytesOfSlot), {EnvReductionSlots}, Slots);
}

void startAsSpmd(Function &Kernel) {
  if (GlobalVariable *G = environmentOf(Kernel))
    G->setInitializer(withFields(G->getInitializer(), {EnvExecMode}, unsigned(ExecutionMode::GenericSpmd)));
}

} // namespace place
