//===- Computation.cpp - Assembly that only computes ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Computation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

/// PTX's arithmetic, logic and moves, by the part of an instruction's name in front of its first dot.
static bool isArithmetic(StringRef Name) {
  static const StringSet<> Names = {
      "abs", "add", "addc", "and", "bfe", "bfi", "bfind", "bmsk", "brev", "clz", "cnot", "copysign", "cos", "cvt", "div", "dp2a", "dp4a",
      "ex2", "fma", "lg2", "lop3", "mad", "madc", "max", "min", "mov", "mul", "neg", "not", "or", "popc", "prmt", "rcp", "rem", "rsqrt",
      "sad", "selp", "set", "setp", "shf", "shl", "shr", "sin", "slct", "sqrt", "sub", "subc", "tanh", "testp", "xor"};
  return Names.contains(Name);
}

/// Neither memory nor a special register is named, and no other threads are asked: what clang is not told of is often in assembly that is not volatile.
static bool onlyComputes(StringRef Text) {
  return Text.find_first_of("[%@") == StringRef::npos && all_of(split(Text, ';'), [](StringRef Instruction) {
           Instruction = Instruction.ltrim(" \t\n{").rtrim(" \t\n");
           return Instruction.empty() || Instruction == "}" || Instruction.starts_with(".reg ") || isArithmetic(Instruction.split('.').first);
         });
}

bool isComputation(const CallBase &C) {
  const auto *Assembly = dyn_cast<InlineAsm>(C.getCalledOperand());
  return Assembly && !Assembly->hasSideEffects() && C.doesNotAccessMemory() && !C.isConvergent() && onlyComputes(Assembly->getAsmString());
}

bool isUnknownAssembly(const CallBase &C) { return C.isInlineAsm() && !isComputation(C); }

static SmallVector<CallBase *, 8> tell(Function &F) {
  SmallVector<CallBase *, 8> Told;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I); C && !C->willReturn() && isComputation(*C)) {
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
