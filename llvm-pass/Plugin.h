//===- Plugin.h - Entry points of the plugin's halves ------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_PLUGIN_H
#define PLACE_PLUGIN_H

#include <string>

namespace llvm {
class LLVMContext;
class Module;
class PassBuilder;
class Twine;
} // namespace llvm

namespace place {

/// Puts the passes into the pipeline: by -fplugin=, else by -fpass-plugin=.
void registerPasses(llvm::PassBuilder &PB);

/// The last step of every version, at the end of the pipeline that it goes through.
void registerFinish(llvm::PassBuilder &PB);

/// The pass for files whose kernels cannot have versions (LeftAlone.cpp), before those that make them.
void registerLeaveAlone(llvm::PassBuilder &PB);

/// Whether the module has a region table, and so has been worked on.
bool hasTable(const llvm::Module &M);

/// A warning that reaches clang's user as any other of a back end does.
void sayWarning(llvm::LLVMContext &Context, const llvm::Twine &Text);

/// For -fpass-plugin= without -fplugin=: a host module with target regions gets the function that loads the runtime.
void registerLoader(llvm::PassBuilder &PB);

/// For a compiler that parses in one process and optimises in another (Carry.cpp): what the first leaves in the module, and
/// the pass by which the second takes it out.
std::string carriedText();
void registerCarried(llvm::PassBuilder &PB);

/// C source (valid as C++) of the function that loads the runtime, for the preprocessor's predefines.
std::string loaderSource(bool CPlusPlus);

/// The same for a program that is to load nothing, where registerLoader follows in another process: it adds nothing then.
std::string noLoaderSource();

/// Path of this plugin, as it was loaded; empty if unknown.
std::string pluginPath();

} // namespace place

#endif
