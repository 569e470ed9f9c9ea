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

struct LeanKernel;
enum class SpreadFrom;

class Isolation {
public:
  Isolation();
  ~Isolation();

  /// Keeps a copy of M if it is a device module with offload kernels.
  void remember(const llvm::Module &M, llvm::OptimizationLevel Level);

  /// Whether the device runtime has left something in a kernel that it might not leave in one optimised alone, or the kernel gains
  /// there for another reason (Approximate.h, FarAngles.h, HeldCalls.h, Sincos.h, TeamSize.h, ThreadSums.h, WholeCopies.h).
  bool wants(const llvm::Function &Kernel) const;

  /// Whether the runtime's state is still in the kernel.
  static bool keepsState(const llvm::Function &Kernel);

  /// Whether the kernel can be optimised together with others of which that holds: nothing in it keeps state in them.
  bool sharesWork(const llvm::Function &Kernel) const;

  /// Optimises the kernel of that name alone. Make is called once, early in the pipeline of the new module (Plugin.cpp), with
  /// the kernel there; what it adds beside the kernel is kept until linkBack. Returns whether it was called.
  using Maker = std::function<void(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM)>;
  bool alone(llvm::StringRef Kernel, const Maker &Make);

  /// The same for several kernels in one module, which costs little more than for one. Make is called with each.
  bool together(llvm::ArrayRef<std::string> Kernels, const Maker &Make);

  /// The same for the kernel rebuilt to do without the device runtime (Lean.h); where it cannot be, Lean says why. In linkBack's
  /// answer the kernel is called leanName(Kernel).
  bool aloneLean(llvm::StringRef Kernel, LeanKernel &Lean, const Maker &Make);
  static std::string leanName(llvm::StringRef Kernel) { return Kernel.str() + " lean"; }

  /// Whether one thread carries out what stands around parallel regions, as the front end made the kernel.
  bool isGeneric(llvm::StringRef Kernel) const;

  /// The same for a kernel without a reduction whose loop can become a grid-stride loop (Stride.h). In linkBack's answer the kernel
  /// is called stridedName(Kernel).
  bool aloneStrided(llvm::StringRef Kernel, const Maker &Make);
  static std::string stridedName(llvm::StringRef Kernel) { return Kernel.str() + " strided"; }

  /// The same for a kernel whose loop can be spread over the whole grid (Spread.h), from what From says. In linkBack's answer the kernel is
  /// called spreadName(Kernel).
  bool aloneSpread(llvm::StringRef Kernel, SpreadFrom &From, const Maker &Make);
  static std::string spreadName(llvm::StringRef Kernel) { return Kernel.str() + " spread"; }

  /// The same for the kernel where nothing that it writes overlaps a scalar that it has by reference (ByReference.h). In linkBack's answer the
  /// kernel is called apartName(Kernel).
  bool aloneApart(llvm::StringRef Kernel, const Maker &Make);
  static std::string apartName(llvm::StringRef Kernel) { return Kernel.str() + " apart"; }

  /// Brings what was made into M. A kernel's part that refers to a variable that M no longer has is left out; the kernels' names
  /// are returned.
  std::vector<std::string> linkBack(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

private:
  std::unique_ptr<llvm::Module> extract(llvm::ArrayRef<std::string> Kernels) const;
  bool make(std::unique_ptr<llvm::Module> Few, llvm::ArrayRef<std::string> Kernels, std::vector<std::string> Names, const Maker &Make,
            bool AreGeneric);
  bool optimise(llvm::Module &M, llvm::ArrayRef<std::string> Kernels, const Maker &Make, bool AreGeneric);

  std::unique_ptr<llvm::Module> Copy;
  std::unique_ptr<llvm::TargetMachine> Machine;
  llvm::OptimizationLevel Level = llvm::OptimizationLevel::O3;
  std::vector<std::unique_ptr<llvm::Module>> Parts;   // versions that wait to be linked,
  std::vector<std::vector<std::string>> NamesOfParts; // and of which kernels
};

} // namespace place

#endif
