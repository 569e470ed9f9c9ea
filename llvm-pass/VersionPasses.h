//===- VersionPasses.h - The passes that make versions ----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_VERSIONPASSES_H
#define PLACE_VERSIONPASSES_H

#include "llvm/IR/PassManager.h"
#include <functional>
#include <string>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace place {

/// Gets the text of a module's regions once their versions are in it (Table.h).
using RegionsTaker = std::function<void(llvm::Module &M, const std::string &Regions)>;

/// Puts them into a pipeline, where its stages allow them. The module has the device runtime.
void registerVersions(llvm::PassBuilder &PB, const RegionsTaker &Take);

/// One after the other, for kernels marked already (Mark.h).
void addVersions(llvm::ModulePassManager &MPM, const RegionsTaker &Take);

} // namespace place

#endif
