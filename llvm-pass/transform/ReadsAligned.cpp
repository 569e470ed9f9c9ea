//===- ReadsAligned.cpp - Parts of an element that are loaded at once -----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReadsAligned.h"
#include "Clone.h"
#include "Summary.h"
#include "Version.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

#include <array>

using namespace llvm;

namespace place {

/// What an address is a multiple of, if the array that it leads into is.
static uint64_t multipleOf(const Value *Address, const DataLayout &DL) {
  APInt Constant(64, 0);
  MapVector<Value *, APInt> Variable;
  const auto *GEP = dyn_cast<GEPOperator>(Address);
  if (!GEP || !GEP->collectOffset(DL, 64, Variable, Constant))
    return 1;
  unsigned Zeros = 64;
  for (const auto &[V, Scale] : Variable)
    Zeros = std::min(Zeros, Scale.countr_zero() + computeKnownBits(V, DL).countMinTrailingZeros());
  if (!Constant.isZero())
    Zeros = std::min(Zeros, Constant.countr_zero());
  uint64_t Multiple = uint64_t(1) << std::min(Zeros, 32u);
  return isa<GEPOperator>(GEP->getPointerOperand()) ? std::min(Multiple, multipleOf(GEP->getPointerOperand(), DL)) : Multiple;
}

unsigned alignmentToReadTogether(const KernelSummary &K) {
  const DataLayout &DL = K.F->getDataLayout();
  DenseMap<std::pair<const Value *, int64_t>, uint64_t> Loads; // their widths, by what their addresses are computed from and bytes behind it
  for (const AccessSummary &S : K.Accesses) {
    const auto *L = dyn_cast<LoadInst>(S.I);
    if (!L || K.Arrays[S.Array].Placeable < 0)
      continue;
    APInt Offset(64, 0);
    const Value *From = L->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
    if (!isa<Argument>(From)) // else it is the same for all iterations
      Loads[{From, Offset.getSExtValue()}] = S.WidthBytes;
  }
  uint64_t Most = 0;
  for (const auto &[Where, Width] : Loads) {
    auto Next = Loads.find({Where.first, Where.second + int64_t(Width)});
    if (Next == Loads.end() || Next->second != Width || Where.second % int64_t(2 * Width))
      continue;
    uint64_t Multiple = multipleOf(Where.first, DL);
    if (2 * Width <= std::min<uint64_t>(Multiple, WideBytes))
      Most = std::max(Most, std::min<uint64_t>(Multiple, WideBytes));
  }
  return unsigned(Most);
}

void loadFourths(Function &F) {
  const unsigned Member = 4, Members = WideBytes / Member;
  const DataLayout &DL = F.getDataLayout();
  for (BasicBlock &BB : F) {
    // by what an address is computed from and the member's type: the loads of the first members, and which are loaded
    MapVector<std::pair<const Value *, Type *>, std::pair<std::array<LoadInst *, Members>, unsigned>> Elements;
    for (Instruction &I : BB) {
      auto *L = dyn_cast<LoadInst>(&I);
      if (!L || !L->isSimple() || DL.getTypeStoreSize(L->getType()) != Member || L->getType()->isVectorTy())
        continue;
      APInt Offset(64, 0);
      const Value *From = L->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
      if (!isa<GetElementPtrInst>(From) || Offset.uge(WideBytes) || Offset.urem(Member))
        continue;
      auto &[Load, Count] = Elements[{From, L->getType()}];
      LoadInst *&Own = Load[Offset.getZExtValue() / Member];
      Count += !Own;
      Own = Own ? Own : L;
    }
    for (auto &[Key, Element] : Elements) {
      auto &[Load, Count] = Element;
      if (Count != Members - 1 || !Load[0] || Load[Members - 1] || getKnownAlignment(Load[0]->getPointerOperand(), DL, Load[0]) < WideBytes)
        continue;
      IRBuilder<> B(Load[0]->getNextNode());
      Value *Address = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Load[0]->getPointerOperand(), (Members - 1) * Member);
      LoadInst *Fourth = B.CreateAlignedLoad(Key.second, Address, Align(Member));
      Fourth->setMetadata(LLVMContext::MD_invariant_load, Load[0]->getMetadata(LLVMContext::MD_invariant_load));
    }
  }
}

void tellReadsAligned(Clone &C, unsigned Bytes) {
  for (const ArraySummary &A : C.kernel().Arrays)
    if (A.Placeable >= 0)
      C.array(A)->addAttr(Attribute::getWithAlignment(C.function().getContext(), Align(Bytes)));
}

} // namespace place
