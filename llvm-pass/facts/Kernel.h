//===- Kernel.h - Kernels of a device module ---------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes a function a kernel for NVPTX and libomptarget: its annotations, and its environment, a constant of its name.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_KERNEL_H
#define PLACE_KERNEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include <optional>
#include <vector>

namespace llvm {
class Function;
class FunctionType;
class GlobalVariable;
class MDNode;
class Module;
class TargetTransformInfo;
} // namespace llvm

namespace place {

/// Whether the module is device code for NVPTX.
bool isDeviceModule(const llvm::Module &M);

/// All kernels of a module, with a body.
std::vector<llvm::Function *> kernelsOf(llvm::Module &M);

/// Those that are ours to look at: named __omp_offloading_*, with an argument, and no versions themselves.
std::vector<llvm::Function *> offloadKernels(llvm::Module &M);

/// A kernel that is a version of another one. It stays marked wherever it is linked.
void markVersion(llvm::Function &Kernel);
bool isVersion(const llvm::Function &Kernel);

/// How libomptarget launches a kernel, from its environment.
enum class ExecutionMode {
  Unknown = 0,
  Generic = 1,     // one thread a team runs what stands outside of parallel regions
  Spmd = 2,        // a combined construct
  GenericSpmd = 3, // generic in the source, all threads run all of it after openmp-opt
};
ExecutionMode executionMode(const llvm::Function &Kernel);

/// A kernel whose loop was made a grid-stride loop (Stride.h): right with any number of teams and threads.
void markStrided(llvm::Function &Kernel);
bool isStrided(const llvm::Function &Kernel);

/// One whose grid-stride loop may have an interval of the iterations (SliceLoop.h).
void markIntervals(llvm::Function &Kernel);
bool hasIntervals(const llvm::Function &Kernel);

/// A kernel whose reduction has an element of each array for a thread (LaneSums.h): right with at least so many threads a team; 0: any number.
void markLaneSums(llvm::Function &Kernel, unsigned Lanes);
unsigned lanesOfSums(const llvm::Function &Kernel);

/// Fields of the environment's configuration.
enum EnvironmentField : unsigned { EnvExecMode = 2, EnvLeastThreads = 3, EnvMostThreads = 4, EnvReductionDataSize = 7, EnvReductionSlots = 8 };

/// Attributes of kernels: threads of a team that `#pragma place team(N)` asks versions to have, and that the kernel was made one of
/// (TeamSize.h).
inline const char AskedTeamAttribute[] = "place-asked-team", TeamAttribute[] = "place-team";

/// What a kernel's environment, which libomptarget looks up, is called beside the kernel; the variable, or null.
inline const char EnvironmentSuffix[] = "_kernel_environment";
llvm::GlobalVariable *environmentOf(const llvm::Function &Kernel);

/// A field of the kernel's configuration, or nothing if the kernel has no environment.
std::optional<uint64_t> environmentField(const llvm::Function &Kernel, EnvironmentField Field);

/// Threads that a team of the kernel has at most; 0: not known. A program may ask for more than any device has: nothing is known then.
unsigned mostThreads(const llvm::Function &Kernel);

/// The function that an entry of nvvm.annotations is about, or null if it is gone; and whether it has that key.
llvm::Function *annotatedFunction(const llvm::MDNode &Annotation);
bool isAnnotation(const llvm::MDNode &Annotation, llvm::StringRef Key);

/// Drops the annotations of functions that are gone, and of those for which Wanted does not hold.
void keepAnnotations(llvm::Module &M, llvm::function_ref<bool(const llvm::Function &)> Wanted);

/// Gives a function's annotation of that key another value; adds one if it has none.
void replaceAnnotation(llvm::Function &F, llvm::StringRef Key, uint64_t Value);

/// Copies the annotations of From to To, key by key as Change says; Change may replace key and value.
void copyAnnotations(llvm::Function &From, llvm::Function &To,
                     llvm::function_ref<void(llvm::StringRef &Key, uint64_t &Value)> Change);
void addAnnotation(llvm::Function &F, llvm::StringRef Key, uint64_t Value);

/// A new function beside Like, of another type and name, that NVPTX takes for a kernel: Annotate gives it its annotations.
///
/// LLVM 19's NVPTX target remembers the annotations of a function by its address, also after the function is gone. A new
/// function at the address of a dead one would not be emitted as a kernel. The target's own answer shows such an address
/// (a kernel's arguments are uniform); it is then kept occupied, and another one is tried.
llvm::Function *createKernel(llvm::Function &Like, llvm::FunctionType *Type, llvm::StringRef Name,
                             const llvm::TargetTransformInfo &TTI, llvm::function_ref<void(llvm::Function &)> Annotate);

/// Gives the kernel of that name another address if NVPTX does not take it for one where it is.
void settleKernel(llvm::Module &M, llvm::StringRef Name, llvm::FunctionAnalysisManager &FAM);

} // namespace place

#endif
