//===- Install.h - The halves of install() ------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_INSTALL_H
#define PLACE_ACC_INSTALL_H

#include <string>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace place::acc {

/// Translates directives from the main file on; with a Refusal, says that instead.
void installHandlers(clang::CompilerInstance &CI, const std::string &Refusal);

} // namespace place::acc

#endif
