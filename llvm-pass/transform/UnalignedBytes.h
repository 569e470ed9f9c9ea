//===- UnalignedBytes.h - Loads of 16 bytes at any address ------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: LLVM 19's back end loads a vector of 16 bytes by one instruction whatever its alignment, and the GPU ends the kernel where the address is
// no multiple of 16. (Of all other vectors it asks for their alignment, and so it does where it stores these.) LLVM's vectorizers make such loads
// of unrolled loops over bytes.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_UNALIGNEDBYTES_H
#define PLACE_UNALIGNEDBYTES_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// Loads vectors of 16 bytes that may begin anywhere by halves. Returns whether there are any.
bool halveUnalignedBytes(llvm::Function &F);

/// Copies of memory that may begin anywhere into a thread's variables, by words of 8 bytes: where passes follow that take a variable of bytes into
/// registers (SROA), they would read what was copied as a vector of 16.
void copyInWords(llvm::Function &F);

} // namespace place

#endif
