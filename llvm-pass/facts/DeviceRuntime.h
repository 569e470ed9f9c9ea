//===- DeviceRuntime.h - What is not the program's own ----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device module has three authors: the program, clang's device runtime (libomptarget-nvptx-*.bc) and CUDA (libdevice.10.bc). Both
// libraries are linked into it before any pass runs, so that names alone tell whose a function or a variable is.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_DEVICE_RUNTIME_H
#define PLACE_DEVICE_RUNTIME_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"

namespace llvm {
class CallBase;
class Function;
class Instruction;
} // namespace llvm

namespace place {

/// Whether a symbol is the device runtime's: what clang calls, OpenMP's own functions and their C++ names in ompx.h, and what the
/// runtime has for itself. What it passes to the host (printf, assert) is none of it, nor are malloc and free.
bool isOfRuntime(llvm::StringRef Symbol);

/// Whether a symbol is libdevice's: mathematics, which needs nothing of the runtime.
bool isOfLibdevice(llvm::StringRef Symbol);

/// Whether a function is the program's own, or of another file of it: neither of the above nor an intrinsic.
bool isOfProgram(const llvm::Function &F);

/// Whether an instruction calls a function that is not known here.
bool callsThroughPointer(const llvm::Instruction &I);

/// Whether an instruction writes a variable that a team's threads share, in memory of the runtime's (__kmpc_alloc_shared).
bool writesTeamVariable(const llvm::Instruction &I);

/// Whether a parallel region (a call of __kmpc_parallel_51) is begun for each chunk of a loop that __kmpc_distribute_static_init
/// distributes, with the chunk's bounds as arguments: one loop that teams and threads share, as the front end made it.
bool beginsForChunk(const llvm::CallBase &Region, const llvm::CallBase &Distribute);

/// Whether a function, or one that it calls, needs what the runtime keeps in shared memory.
bool needsRuntimeState(const llvm::Function &F);

/// What NVIDIA's driver defines in any image: vprintf, malloc and the like.
bool isOfDriver(const llvm::Function &F);

/// Functions of the runtime that openmp-opt puts in after clang has linked the runtime's bitcode, so that they would be calls of another
/// file: what each does, or 0. Threads of a launch of libomptarget's lie along one dimension.
llvm::Intrinsic::ID intrinsicCalledLater(llvm::StringRef Name);

/// Whether a function that is only declared may call the device runtime: code of another file may; of the functions that CUDA has in
/// every program it is known that they do not.
bool mayCallRuntime(const llvm::Function &Declared);

/// Whether a function is code of another file of the program, which may ask for and call anything.
bool isOfAnotherFile(const llvm::Function &F);

} // namespace place

#endif
