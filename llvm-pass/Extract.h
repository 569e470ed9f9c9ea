//===- Extract.h - Some kernels of a module in a module of their own *- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is copied and what must stay one object: functions, constants and shared memory are copied and made internal; every other
// variable keeps its one definition in the original module, and is declared.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_EXTRACT_H
#define PLACE_EXTRACT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace place {

/// Whether all that the kernel reaches is known, and leaves nothing of the device runtime in other kernels: no calls into other files or
/// through pointers, no reductions over teams, no iterations handed out one by one (`schedule(dynamic)`), and no variables of which there
/// must be one.
bool isClosed(const llvm::Function &Kernel);

/// Copies the kernels, and what they need, out of M, a module as the front end made it. Either all of them leave the number of
/// threads open (Mark.h), or there is one. Null if M has not all of them.
std::unique_ptr<llvm::Module> extractKernels(const llvm::Module &M, llvm::ArrayRef<std::string> Kernels);

/// The same as they are: the number of threads that they ask for, and what nothing calls yet.
std::unique_ptr<llvm::Module> extractKernelsAsTheyAre(const llvm::Module &M, llvm::ArrayRef<std::string> Kernels);

/// Of a copy: the variables of those names that it has, and what named metadata says of the original module alone.
void eraseVariables(llvm::Module &M, std::initializer_list<llvm::StringRef> Names);
void eraseMetadataOfOriginal(llvm::Module &M);

/// After the optimiser: leaves only what was added beside the kernels, to be linked into the module that they came from.
void keepVersionsOnly(llvm::Module &Few, llvm::ArrayRef<std::string> Kernels);

} // namespace place

#endif
