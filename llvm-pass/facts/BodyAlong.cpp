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

/// Whether the instruction leaves memory alone, as far as a program can tell.
static bool isQuiet(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return !I.mayReadOrWriteMemory() || (II && II->isAssumeLikeIntrinsic());
}

Body::Runs Body::runs() const {
  Runs R;
  unsigned Widest = 0;
  bool Aligned = true;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      Value *Pointer = getLoadStorePointerOperand(&I);
      Poly Offset;
      Fits Needed;
      bool Known = Pointer && N.address(Pointer, Offset, Needed) && !(N.dimsOf(Offset) >> Nest::MaxDims);
      if (!Known || !Offset.uses(0)) {
        R.Only &= Known || isQuiet(I);
        continue;
      }
      unsigned Width = unsigned(I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I)));
      if (!Offset.isLinearIn(0) || Offset.coefficient(0) != Poly(Width))
        return Runs{0, false, false};
      Poly Rest = Offset.without(0);
      bool Begins = Rest.isConstant() && Rest.constant() % BlockShape::WideBytes == 0;
      if (Begins)
        R.Narrowest = R.Narrowest ? std::min(R.Narrowest, Width) : Width;
      Widest = std::max(Widest, Width);
      Aligned &= Begins;
    }
  R.Alike = R.Only && Aligned && R.Narrowest == Widest;
  return R;
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
