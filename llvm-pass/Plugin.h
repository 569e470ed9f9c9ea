//===- Plugin.h - place in the pass pipeline --------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_PLUGIN_H
#define PLACE_PLUGIN_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace place {

/// Puts the passes into the pipeline: by -fplugin=, else by -fpass-plugin=.
void registerPasses(llvm::PassBuilder &PB);

} // namespace place

#endif
