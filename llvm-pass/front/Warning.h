//===- Warning.h - Warnings of the middle end -------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_WARNING_H
#define PLACE_WARNING_H

namespace llvm {
class LLVMContext;
class Twine;
} // namespace llvm

namespace place {

/// A warning that reaches clang's user as any other of a back end does.
void sayWarning(llvm::LLVMContext &Context, const llvm::Twine &Text);

} // namespace place

#endif
