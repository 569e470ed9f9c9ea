//===- Plugin.h - place in the pass pipeline --------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_PLUGIN_H
#define PLACE_PLUGIN_H

#include <functional>
#include <string>

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace place {

/// Puts the passes into the pipeline: by -fplugin=, else by -fpass-plugin=.
void registerPasses(llvm::PassBuilder &PB);

/// Those of them that make versions, for a module that has the device runtime. Take gets the text of its regions in the end.
void registerVersions(llvm::PassBuilder &PB, std::function<void(llvm::Module &M, const std::string &Regions)> Take);

} // namespace place

#endif
