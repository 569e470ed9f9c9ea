//===- Install.h - The halves of install() ------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_INSTALL_H
#define PLACE_ACC_INSTALL_H

namespace clang {
class CompilerInstance;
} // namespace clang

namespace place::acc {

/// Whether the main file has anything of OpenACC, or -fopenacc asks for it: OpenACC begins with definitions of its own, without which the others are
/// compiled. Call before the main file is entered.
bool isMentioned(const clang::CompilerInstance &CI);

/// Makes the compile read `#pragma acc`: the handler, _OPENACC, openacc.h. Call before the main file is entered. Does nothing but
/// warn, at the first directive, where OpenMP is off or openacc.h is not beside the plugin.
void install(clang::CompilerInstance &CI);

} // namespace place::acc

#endif
