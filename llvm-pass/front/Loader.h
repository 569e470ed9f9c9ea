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

/// A host module with target regions gets the function that loads the runtime (load_runtime.c).
void registerLoader(llvm::PassBuilder &PB);

/// The same where no pass is run, and the module is only written: with an offload target, clang makes the host's IR in one process
/// and optimises it in another, which -fplugin= does not reach.
void registerLoaderBeforeWriting(llvm::PassBuilder &PB);

/// C source (valid as C++), for the preprocessor's predefines, of a program that is to load nothing, where registerLoader follows
/// in another process: it adds nothing then.
std::string noLoaderSource();

/// Of the clang or opt that this plugin was loaded into: whether it is the LLVM that the plugin was made for. If not, nothing of
/// LLVM may be called; the first call says so on stderr.
bool isOurLLVM();

} // namespace place

#endif
