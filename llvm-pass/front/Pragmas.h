//===- Pragmas.h - OpenMP as the preprocessor meets it ------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_PRAGMAS_H
#define PLACE_PRAGMAS_H

namespace clang {
class CompilerInstance;
class SourceLocation;
} // namespace clang

namespace place {

/// Before the main file is entered: First becomes the first target construct outside of system headers, where the compile is without OpenMP
/// and target constructs are but pragmas that nobody reads. First lives as long as the preprocessor is at work.
void watchUnreadTargets(clang::CompilerInstance &CI, clang::SourceLocation &First);

/// The same for OpenMP in system headers: Found becomes true if there may be any.
void watchSystemHeaders(clang::CompilerInstance &CI, bool &Found);

} // namespace place

#endif
