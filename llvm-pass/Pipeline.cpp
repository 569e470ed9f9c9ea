//===- Pipeline.cpp - One run of the default pipeline ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pipeline.h"

#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

using namespace llvm;

namespace place {

std::unique_ptr<TargetMachine> machineFor(const Module &M, const Function &Kernel) {
  std::string Error;
  const Target *T = TargetRegistry::lookupTarget(M.getTargetTriple(), Error);
  if (!T)
    return nullptr;
  return std::unique_ptr<TargetMachine>(T->createTargetMachine(
      M.getTargetTriple(), Kernel.getFnAttribute("target-cpu").getValueAsString(),
      Kernel.getFnAttribute("target-features").getValueAsString(), TargetOptions(), Reloc::PIC_, std::nullopt,
      CodeGenOptLevel::Aggressive));
}

} // namespace place
