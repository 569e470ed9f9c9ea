//===- Again.cpp - Modules that a later step of clang optimises again ------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Again.h"
#include "Kernel.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace place {

namespace {

struct OpenMPDonePass : PassInfoMixin<OpenMPDonePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (isDeviceModule(M))
      tellOpenMPDone(M);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

void tellOpenMPDone(Module &M) {
  NamedMDNode *Flags = M.getModuleFlagsMetadata();
  if (!Flags)
    return;
  SmallVector<MDNode *, 8> Others;
  for (MDNode *Flag : Flags->operands())
    if (auto *Name = dyn_cast<MDString>(Flag->getOperand(1)); !Name || (Name->getString() != "openmp" && Name->getString() != "openmp-device"))
      Others.push_back(Flag);
  Flags->clearOperands();
  for (MDNode *Flag : Others)
    Flags->addOperand(Flag);
}

void registerOpenMPDone(PassBuilder &PB) {
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(OpenMPDonePass()); });
}

} // namespace place
