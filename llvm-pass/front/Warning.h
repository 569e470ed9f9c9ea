//===- Warning.h - Warnings of the middle end -------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_WARNING_H
#define PLACE_WARNING_H

#include <functional>
#include <string>

namespace llvm {
class LLVMContext;
class Twine;
} // namespace llvm

namespace place {

/// A warning that reaches clang's user as any other of a back end does.
void sayWarning(llvm::LLVMContext &Context, const llvm::Twine &Text);

/// Says a warning at a place in the source: a clang::SourceLocation as it is stored.
using SourceWarning = std::function<void(unsigned At, const std::string &Text)>;

/// The one of this compiler process, set by the front end before the passes run; empty: there is none (opt), so that places are unknown.
SourceWarning &sourceWarning();

} // namespace place

#endif
