//===- Texels.h - What a texture would serve an array's loads by -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_TEXELS_H
#define PLACE_TEXELS_H

namespace place {

struct KernelSummary;

/// Bytes of the largest texel (4, 8 or 16: one, two or four 32-bit integers) that every load of the array is a whole number of,
/// aligned to it; 0: there is none, and no texture serves the array.
unsigned texelBytes(const KernelSummary &K, int Array);

} // namespace place

#endif
