//===- Toolkit.h - The CUDA toolkit that clang takes -------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_TOOLKIT_H
#define PLACE_TOOLKIT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace place {

/// The first version, as cuda.h has it, whose assembler makes device code that libomptarget 19 does not recognise.
constexpr unsigned FirstCudaNotLoaded = 13000;

/// The version of the toolkit that a libdevice is part of, as in its cuda.h (12040: CUDA 12.4); 0: not known.
unsigned cudaVersionOf(llvm::StringRef LibDevice);

/// The path of a program of the toolkit that a libdevice is part of (ptxas), else of the one in PATH; empty: there is none.
std::string toolOf(llvm::StringRef LibDevice, llvm::StringRef Name);

} // namespace place

#endif
