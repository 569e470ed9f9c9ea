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

/// Made; or no image of their own can be made here; or the assembler refuses the code, as it would in the program's image.
enum class Assembled { Yes, No, Refused };

/// Compiles a module to a device image that needs no linking. Where it cannot, whoever is to know has been told. The module is changed. It must
/// live as long as its context.
using Assembler = std::function<Assembled(llvm::Module &Own, std::string &Image)>;

/// Makes a device image of an optimised module as the rest of this compile would: clang's back end with its options, and ptxas. Empty where
/// the compile asks for something else than assembly, or for code to step through (--cuda-noopt-device-debug), or where no ptxas is found.
/// With -fplugin-arg-place-assembler= that program takes ptxas's place, and a compile that asks for bitcode hands it bitcode.
Assembler assemblerOf(clang::CompilerInstance &CI);

} // namespace place

#endif
