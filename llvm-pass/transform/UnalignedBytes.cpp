//===- UnalignedBytes.cpp - Loads of 16 bytes at any address --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UnalignedBytes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

#include <numeric>

using namespace llvm;

namespace place {

const unsigned Bytes = 16, HalfBytes = Bytes / 2;

static bool isUnaligned(LoadInst &L, const DataLayout &DL) {
  const auto *Ty = dyn_cast<FixedVectorType>(L.getType());
  return Ty && Ty->getElementType()->isIntegerTy(8) && Ty->getNumElements() == Bytes && L.getAlign() < Align(Bytes) &&
         getKnownAlignment(L.getPointerOperand(), DL, &L) < Align(Bytes);
}

static void halve(LoadInst &L) {
  IRBuilder<> B(&L);
  auto *Ty = FixedVectorType::get(B.getInt8Ty(), HalfBytes);
  auto Half = [&](unsigned From) {
    Value *Address = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), L.getPointerOperand(), From);
    LoadInst *Part = B.CreateAlignedLoad(Ty, Address, commonAlignment(L.getAlign(), From), L.isVolatile());
    Part->copyMetadata(L);
    return Part;
  };
  Value *First = Half(0), *Second = Half(HalfBytes);
  SmallVector<int, Bytes> All(Bytes);
  std::iota(All.begin(), All.end(), 0);
  L.replaceAllUsesWith(B.CreateShuffleVector(First, Second, All));
  L.eraseFromParent();
}

bool halveUnalignedBytes(Function &F) {
  bool Any = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *L = dyn_cast<LoadInst>(&I); L && isUnaligned(*L, F.getDataLayout())) {
      halve(*L);
      Any = true;
    }
  return Any;
}

} // namespace place
