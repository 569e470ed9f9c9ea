//===- BodyAlong.cpp - Along which loop accesses run through memory ----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockShape.h"
#include "Body.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

unsigned Body::narrowestRun() const {
  unsigned Narrowest = 0;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      Value *Pointer = getLoadStorePointerOperand(&I);
      Poly Offset;
      Fits Needed;
      if (!Pointer || !N.address(Pointer, Offset, Needed) || (N.dimsOf(Offset) >> Nest::MaxDims) || !Offset.uses(0))
        continue;
      unsigned Width = unsigned(I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I)));
      if (!Offset.isLinearIn(0) || Offset.coefficient(0) != Poly(Width))
        return 0;
      Poly Rest = Offset.without(0);
      if (Rest.isConstant() && Rest.constant() % BlockShape::WideBytes == 0)
        Narrowest = Narrowest ? std::min(Narrowest, Width) : Width;
    }
  return Narrowest;
}

bool Body::onlyRuns(unsigned Width, int64_t Alignment) const {
  auto IsRun = [&](Instruction &I) {
    Value *Pointer = getLoadStorePointerOperand(&I);
    Poly Offset;
    Fits Needed;
    if (!Pointer || !N.address(Pointer, Offset, Needed) || (N.dimsOf(Offset) >> Nest::MaxDims))
      return !I.mayReadOrWriteMemory() || (isa<IntrinsicInst>(I) && cast<IntrinsicInst>(I).isAssumeLikeIntrinsic());
    if (!Offset.uses(0))
      return true;
    auto Bytes = I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I)).getFixedValue();
    Poly Rest = Offset.without(0);
    bool Aligned = Alignment == 1 || (Rest.isConstant() && Rest.constant() % Alignment == 0);
    return Offset.isLinearIn(0) && Offset.coefficient(0) == Poly(int64_t(Bytes)) && Aligned && (!Width || Bytes == Width);
  };
  return all_of(Blocks, [&](BasicBlock *BB) { return all_of(*BB, IsRun); });
}

unsigned Body::lanes() const {
  const int64_t Near = 32; // bytes from one thread's element to the next
  std::array<unsigned, Nest::MaxDims> Along = {};
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      Value *Pointer = getLoadStorePointerOperand(&I);
      Poly Offset;
      Fits Needed;
      if (!Pointer || !N.address(Pointer, Offset, Needed))
        continue;
      for (Poly::Symbol D = 0; D < N.dims(); ++D)
        if (Offset.uses(D) && Offset.isLinearIn(D) && Offset.coefficient(D).isConstant())
          Along[D] += std::abs(Offset.coefficient(D).constant()) <= Near;
    }
  unsigned Last = N.dims() - 1;
  auto Most = std::max_element(Along.begin(), Along.begin() + Last);
  return Last && *Most > Along[Last] ? Last - unsigned(Most - Along.begin()) : 0;
}

} // namespace place
