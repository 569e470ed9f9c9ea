//===- Texels.cpp - What a texture would serve an array's loads by ---------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Texels.h"
#include "Summary.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <numeric>

using namespace llvm;

namespace place {

static const unsigned LeastBytes = 4, MostBytes = 16;

/// The largest unit of which a load is a whole number, aligned to it; 0: what it loads is more than its bits.
static uint64_t unitOf(const LoadInst &L) {
  const DataLayout &DL = L.getModule()->getDataLayout();
  Type *T = L.getType();
  TypeSize Bits = DL.getTypeSizeInBits(T);
  if (!L.isSimple() || T->isAggregateType() || Bits.isScalable() || (T->isVectorTy() && T->getScalarType()->isPointerTy()))
    return 0;
  if (Bits.getFixedValue() % (8 * LeastBytes))
    return 0;
  return std::gcd<uint64_t>(Bits.getFixedValue() / 8, L.getAlign().value());
}

unsigned texelBytes(const KernelSummary &K, int Array) {
  uint64_t Bytes = MostBytes;
  for (const AccessSummary &S : K.Accesses) {
    if (S.Array != Array)
      continue;
    const auto *L = dyn_cast<LoadInst>(S.I);
    uint64_t Unit = L ? unitOf(*L) : 0;
    if (Unit < LeastBytes)
      return 0;
    Bytes = std::gcd(Bytes, Unit);
  }
  return unsigned(Bytes);
}

} // namespace place
