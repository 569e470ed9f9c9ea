//===- Assemble.h - A device image within the compile -----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ASSEMBLE_H
#define PLACE_ASSEMBLE_H

#include <functional>
#include <string>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace llvm {
class Module;
} // namespace llvm

namespace place {

/// With -save-temps, where each step's file stays, and IR goes from one to the next as bitcode; without it, it is the user who asks for IR.
bool savesSteps(const clang::CompilerInstance &CI);

/// Makes a device image of an optimised module as the rest of this compile would: clang's back end with its options, and ptxas. Empty where
/// the compile asks for something else than assembly, or for code to step through (--cuda-noopt-device-debug), or where no ptxas is found.
/// With -fplugin-arg-place-assembler= that program takes ptxas's place, and a compile that asks for bitcode hands it bitcode.
std::function<bool(llvm::Module &Own, std::string &Image)> assemblerOf(clang::CompilerInstance &CI);

} // namespace place

#endif
