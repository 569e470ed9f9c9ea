//===- Stride.h - Grid-stride loops -------------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: clang 19 hands a team one chunk of iterations at a time, and the team forms its sum after each of them; the sums of up to
// 1,024 teams are then added by a single thread. Here each thread keeps its partial result over all of its iterations, the team
// forms its result once, and all threads of the last team form the last one.
//
// The functions that clang outlines for a reduction (shuffle and reduce, copy between warps, copy to and from the device runtime's
// buffer) are used as they are: all operators, types, several variables at a time, array sections, the program's own.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_STRIDE_H
#define PLACE_STRIDE_H

#include "Version.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Loop;
class Module;
class ScalarEvolution;
} // namespace llvm

namespace place {

/// Rewrites the kernel of that name in a module that holds nothing but the kernel and what it calls, as the front end made them
/// (Isolate.h): its one `distribute parallel for` with a reduction over teams becomes
///
///   for (k = 0, iv = size * team + tid; k < mine; ++k, iv += size * teams) body
///
/// and isStrided (Kernel.h) holds for the kernel. Right with any number of threads and teams. Returns whether it has that form and neither
/// threads nor teams are looked at (Mark.cpp); else nothing is changed.
bool strideReduction(llvm::Module &One, llvm::StringRef Kernel);

/// Brings what the kernel calls to reduce over teams into the kernel itself, where the launch's environment is at hand; false if it cannot.
bool inlineTeams(llvm::Module &One, llvm::StringRef Kernel);

/// The same for a kernel without a reduction.
bool strideLoop(llvm::Module &One, llvm::StringRef Kernel);

/// Whether a loop is the strided one of its kernel, and whether a thread takes groups of neighbouring iterations there.
bool isStridedLoop(const llvm::Loop &L);
bool isGroupedLoop(const llvm::Loop &L);

/// Whether warps share few of its iterations evenly (GridLoop.h).
bool isEvenLoop(const llvm::Loop &L);

/// Makes a version one of a grid-stride loop; false where the kernel has none.
bool giveStride(const KernelSummary &K, Version &V);

/// The versions that collect atomic updates in each team (Private.h), with everything in global memory; none, if there are no updates. Where
/// threads take groups, the first is for launches whose arrays are aligned, and loads a group at once.
std::vector<Version> privateVersions(const KernelSummary &K, llvm::ScalarEvolution &SE);

} // namespace place

#endif
