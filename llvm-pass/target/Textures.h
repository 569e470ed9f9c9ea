//===- Textures.h - Loads as texture fetches ---------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_TEXTURES_H
#define PLACE_TEXTURES_H

#include <optional>

namespace llvm {
class LoadInst;
class Value;
} // namespace llvm

namespace place {

/// The rows of a texture of two dimensions, by which a texel's number is divided: n / Length is (n * Factor >> 32) >> Shift for n below 2^31.
struct TextureRows {
  llvm::Value *Length, *Factor, *Shift; // i32
};

/// A texture of 32-bit integers that an array is bound to.
struct Texture {
  llvm::Value *Handle;  // i64, of the driver's
  llvm::Value *First;   // i32: the texel that the array's kernel argument lies at
  unsigned TexelBytes;  // 4, 8 or 16: a fetch brings one, two or four of its integers
  std::optional<TextureRows> Rows; // of a texture of two dimensions; texels are numbered row by row
};

/// Replaces a load of the array by unfiltered fetches, which return the bits as they are stored, and erases it. Offset: bytes from the
/// kernel argument to what it loads, as a pointer; a multiple of TexelBytes, as is the load's size. Nothing may write the array while
/// the kernel runs: a fetch reads no memory, as far as the optimiser is told.
void replaceByFetch(llvm::LoadInst &L, const Texture &From, llvm::Value *Offset);

} // namespace place

#endif
