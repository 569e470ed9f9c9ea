//===- NoDeviceCode.h - Compiles that make no device code ---*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_NO_DEVICE_CODE_H
#define PLACE_NO_DEVICE_CODE_H

namespace clang {
class CompilerInstance;
class SourceLocation;
} // namespace clang

namespace place {

/// One warning a file, if the compile lacks what makes device code of its target constructs. Construct: the first that was read; Unread: the first
/// that was not, for want of OpenMP (Pragmas.h), or a hint; each may be invalid.
void warnOfNoDevice(clang::CompilerInstance &CI, clang::SourceLocation Construct, clang::SourceLocation Unread);

/// One warning a file, if its device code is about to be assembled into what libomptarget cannot load.
void warnOfToolkit(clang::CompilerInstance &CI, clang::SourceLocation Construct);

} // namespace place

#endif
