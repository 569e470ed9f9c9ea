//===- LeftAlone.cpp - Files whose kernels cannot have versions --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions are made of kernels that openmp-opt has worked on with the device runtime in the same module. Where there is no such
// step in this process, the region table says why, so that the program's report does; PlacePass then finds a table and does
// nothing. -O0 is everyday life and a matter for the report alone; flags by which place is lost unawares are a warning, one a file.
//
//===----------------------------------------------------------------------===//
#include "LeftAlone.h"
#include "Summary.h"
#include "Kernel.h"
#include "Source.h"
#include "Table.h"
#include "Warning.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace place {

namespace {

/// With the device runtime linked in, what starts a kernel has a body, or is inlined and gone.
bool lacksDeviceRuntime(const Module &M) {
  const Function *Init = M.getFunction("__kmpc_target_init");
  return Init && Init->isDeclaration();
}

} // namespace

std::string leftAlone(Function &F, const Reason &Why) {
  KernelSummary K;
  K.F = &F;
  K.NoVersion = Why;
  K.File = F.getParent()->getSourceFileName();
  if (const SourceRegion *Source = sourceRegistry().find(F.getName(), F.arg_size() - 1))
    K.Function = sourceName(Source->Function), K.File = Source->File, K.Line = Source->Line;
  if (options().DumpAccess == "access")
    printSummary(K, errs());
  return regionText(K, {});
}

namespace {

struct LeaveAlonePass : PassInfoMixin<LeaveAlonePass> {
  explicit LeaveAlonePass(OptimizationLevel Level) : Level(Level) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!isDeviceModule(M) || hasTable(M))
      return PreservedAnalyses::all();
    std::vector<Function *> Kernels = offloadKernels(M);
    if (Kernels.empty())
      return PreservedAnalyses::all();
    if (Level == OptimizationLevel::O0)
      return leave(M, Kernels, PLACE_WHY_NO_OPTIMISATION);
    if (!lacksDeviceRuntime(M) || !options().DeviceRuntime.empty())
      return PreservedAnalyses::all();
    sayWarning(M.getContext(), "place: target regions are compiled as without place: the device runtime is not part of this step; "
                               "-S, -emit-llvm and -nogpulib leave it out; with -foffload-lto and -fopenmp-target-jit it is sought beside clang's own "
                               "libraries and in LIBRARY_PATH (libomptarget-nvptx-*.bc)");
    return leave(M, Kernels, PLACE_WHY_NO_DEVICE_RUNTIME);
  }
  static bool isRequired() { return true; }

private:
  PreservedAnalyses leave(Module &M, ArrayRef<Function *> Kernels, place_reason Why) {
    std::string Regions;
    for (Function *F : Kernels)
      Regions += leftAlone(*F, Why);
    emitTable(M, Regions);
    return PreservedAnalyses::none();
  }

  OptimizationLevel Level;
};

} // namespace

void registerLeaveAlone(PassBuilder &PB) {
  PB.registerOptimizerEarlyEPCallback([](ModulePassManager &MPM, OptimizationLevel Level) { MPM.addPass(LeaveAlonePass(Level)); });
}

} // namespace place
