//===- Loader.h - How a finished program finds the runtime ------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_LOADER_H
#define PLACE_LOADER_H

#include <string>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace place {

/// For -fpass-plugin= without -fplugin=: a host module with target regions gets the function that loads the runtime.
void registerLoader(llvm::PassBuilder &PB);

/// C source (valid as C++) of the function that loads the runtime, for the preprocessor's predefines.
std::string loaderSource(bool CPlusPlus);

/// The same for a program that is to load nothing, where registerLoader follows in another process: it adds nothing then.
std::string noLoaderSource();

/// Path of this plugin, as it was loaded; empty if unknown.
std::string pluginPath();

} // namespace place

#endif
