//===- UnalignedBytes.cpp - Loads of 16 bytes at any address --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UnalignedBytes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
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

/// Whether it brings what may begin anywhere into a thread's own variable.
static bool bringsUnaligned(const MemTransferInst &Copy, uint64_t MostBytes) {
  const auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  return Length && Length->getValue().uge(Bytes) && Length->getValue().ule(MostBytes) && !Copy.isVolatile() &&
         Copy.getSourceAlign().valueOrOne() < Align(Bytes) && isa<AllocaInst>(getUnderlyingObject(Copy.getDest()));
}

/// All is read before anything is written, as by a move.
static void spellInWords(MemTransferInst &Copy) {
  IRBuilder<> B(&Copy);
  const uint64_t Length = cast<ConstantInt>(Copy.getLength())->getZExtValue();
  SmallVector<std::pair<uint64_t, Value *>, 16> Words;
  for (uint64_t At = 0, Width; At < Length; At += Width) {
    Width = llvm::bit_floor(std::min<uint64_t>(HalfBytes, Length - At));
    Value *From = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Copy.getSource(), At);
    Words.push_back({At, B.CreateAlignedLoad(B.getIntNTy(8 * Width), From, commonAlignment(Copy.getSourceAlign().valueOrOne(), At))});
  }
  for (auto [At, Word] : Words)
    B.CreateAlignedStore(Word, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Copy.getDest(), At),
                         commonAlignment(Copy.getDestAlign().valueOrOne(), At));
  Copy.eraseFromParent();
}

void copyInWords(Function &F) {
  const uint64_t MostBytes = 1024; // a variable that is longer is not taken into registers
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Copy = dyn_cast<MemTransferInst>(&I); Copy && bringsUnaligned(*Copy, MostBytes))
      spellInWords(*Copy);
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
