//===- KnownAlignment.cpp - How addresses are aligned ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KnownAlignment.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace place {

Align knownAlignment(const Value *Pointer, const DataLayout &DL) {
  const unsigned MostSteps = 16; // code that cannot be reached may go in circles
  Align Known = Align(16);
  for (unsigned Steps = 0; Steps < MostSteps; ++Steps) {
    Pointer = Pointer->stripPointerCasts();
    const auto *G = dyn_cast<GEPOperator>(Pointer);
    if (!G)
      return std::min(Known, Pointer->getPointerAlignment(DL));
    const unsigned Bits = DL.getIndexTypeSizeInBits(G->getType());
    MapVector<Value *, APInt> Scaled;
    APInt Fixed(Bits, 0);
    if (!G->collectOffset(DL, Bits, Scaled, Fixed))
      break;
    Known = commonAlignment(Known, Fixed.getZExtValue());
    for (const auto &[Index, Bytes] : Scaled)
      Known = commonAlignment(Known, Bytes.getZExtValue());
    Pointer = G->getPointerOperand();
  }
  return Align(1);
}

Align destAlignOf(const MemCpyInst &Copy) {
  return std::max(Copy.getDestAlign().valueOrOne(), knownAlignment(Copy.getRawDest(), Copy.getDataLayout()));
}

Align sourceAlignOf(const MemCpyInst &Copy) {
  return std::max(Copy.getSourceAlign().valueOrOne(), knownAlignment(Copy.getRawSource(), Copy.getDataLayout()));
}

bool alignPackedAccesses(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  bool Any = false;
  for (Instruction &I : instructions(F)) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    if (!Pointer || getLoadStoreAlignment(&I) >= DL.getABITypeAlign(getLoadStoreType(&I)))
      continue;
    Align Known = knownAlignment(Pointer, DL);
    if (Known <= getLoadStoreAlignment(&I))
      continue;
    if (auto *L = dyn_cast<LoadInst>(&I))
      L->setAlignment(Known);
    else
      cast<StoreInst>(I).setAlignment(Known);
    Any = true;
  }
  return Any;
}

} // namespace place
