//===- Isolate.h - Kernels optimised in a module of their own ----*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: openmp-opt folds the device runtime's state (team state in shared memory, nesting levels, barriers, a call for each
// parallel region) only if no kernel of the translation unit needs it. One region with num_threads, one call into another
// file, one printf, and every kernel of the file keeps all of it: no analysis sees through, and each launch pays for it.
// A kernel that is optimised alone, with copies of what it calls, loses it (LLVM issue 60641 describes the entanglement).
//
// The order of things, within the pipeline of one device module:
//   start        remember() keeps a copy of the module as the front end made it
//   early        alone(): what one kernel needs of the copy, as a module of its own, through the whole default pipeline; the
//                caller's passes make versions in it, where that pipeline is at the same point
//   last         linkBack(): the versions, optimised, join the module
// The module itself, and so the original kernels, are not touched before that.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ISOLATE_H
#define PLACE_ISOLATE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
class TargetMachine;
class TargetTransformInfo;
} // namespace llvm

namespace place {

class Isolation {
public:
  Isolation();
  ~Isolation();

  /// Keeps a copy of M if it is a device module with offload kernels.
  void remember(const llvm::Module &M, llvm::OptimizationLevel Level);

  /// Whether the device runtime has left something in a kernel that it might not leave in one optimised alone.
  bool wants(const llvm::Function &Kernel) const;

  /// Optimises the kernel of that name alone. Make is called once, early in the pipeline of the new module (Plugin.cpp), with
  /// the kernel there; what it adds beside the kernel is kept until linkBack. Returns whether it was called.
  using Maker = std::function<void(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM)>;
  bool alone(llvm::StringRef Kernel, const Maker &Make);

  /// Brings what was made into M. A kernel's part that refers to a variable that M no longer has is left out; the kernels' names
  /// are returned.
  std::vector<std::string> linkBack(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

private:
  struct Part;
  std::unique_ptr<llvm::Module> extract(llvm::StringRef Kernel) const;
  void optimise(llvm::Module &One, llvm::StringRef Kernel, const Maker &Make, bool &Made);

  std::unique_ptr<llvm::Module> Copy;
  std::unique_ptr<llvm::TargetMachine> Machine;
  llvm::OptimizationLevel Level = llvm::OptimizationLevel::O3;
  std::vector<Part> Parts;
};

} // namespace place

#endif
