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

/// What an address is computed from, and bytes behind that.
static std::pair<const Value *, int64_t> placeOf(const LoadInst &L, const DataLayout &DL) {
  APInt Offset(64, 0);
  const Value *From = L.getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  return {From, Offset.getSExtValue()};
}

unsigned alignmentToReadTogether(const KernelSummary &K) {
  const DataLayout &DL = K.F->getDataLayout();
  DenseMap<std::pair<const Value *, int64_t>, int64_t> Widths; // of loads, by where
  for (const AccessSummary &S : K.Accesses)
    if (const auto *L = dyn_cast<LoadInst>(S.I); L && K.Arrays[S.Array].Placeable >= 0)
      if (auto Place = placeOf(*L, DL); !isa<Argument>(Place.first)) // else it is the same for all iterations
        Widths[Place] = S.WidthBytes;
  int64_t Most = 0;
  for (const auto &[Place, Width] : Widths) {
    auto Next = Widths.find({Place.first, Place.second + Width});
    if (Next == Widths.end() || Next->second != Width || Place.second % (2 * Width))
      continue;
    int64_t Multiple = std::min<int64_t>(multipleOf(Place.first, DL), WideBytes);
    if (2 * Width <= Multiple)
      Most = std::max(Most, Multiple);
  }
  return unsigned(Most);
}

namespace {

const unsigned MemberBytes = 4, Members = WideBytes / MemberBytes;

/// The first loads of an element's members.
using Element = std::array<LoadInst *, Members>;

/// By what addresses are computed from, and the members' type.
using Elements = MapVector<std::pair<const Value *, Type *>, Element>;

} // namespace

static Elements elementsOf(BasicBlock &BB, const DataLayout &DL) {
  Elements Found;
  for (Instruction &I : BB) {
    auto *L = dyn_cast<LoadInst>(&I);
    if (!L || !L->isSimple() || L->getType()->isVectorTy() || DL.getTypeStoreSize(L->getType()) != MemberBytes)
      continue;
    auto [From, Offset] = placeOf(*L, DL);
    if (!isa<GetElementPtrInst>(From) || Offset < 0 || Offset >= WideBytes || Offset % MemberBytes)
      continue;
    LoadInst *&First = Found[{From, L->getType()}][Offset / MemberBytes];
    First = First ? First : L;
  }
  return Found;
}

/// Whether it reads a variable, such as copies in constant and shared memory are, behind which lies nothing of an array.
static bool isOfVariable(const LoadInst &L) {
  const Value *Object = getUnderlyingObject(L.getPointerOperand());
  return isa<GlobalVariable>(Object) || isa<AllocaInst>(Object);
}

void loadFourths(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  for (BasicBlock &BB : F)
    for (const auto &[Key, Loads] : elementsOf(BB, DL)) {
      LoadInst *First = Loads.front();
      if (Loads.back() || is_contained(drop_end(Loads), nullptr) || isOfVariable(*First) ||
          getKnownAlignment(First->getPointerOperand(), DL, First) < WideBytes)
        continue;
      IRBuilder<> B(First->getNextNode());
      Value *Address = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), First->getPointerOperand(), WideBytes - MemberBytes);
      LoadInst *Fourth = B.CreateAlignedLoad(First->getType(), Address, Align(MemberBytes));
      Fourth->setMetadata(LLVMContext::MD_invariant_load, First->getMetadata(LLVMContext::MD_invariant_load));
    }
}

void tellAligned(Clone &C, unsigned Bytes, bool ReadsAlone) {
  for (const ArraySummary &A : C.kernel().Arrays)
    if (!ReadsAlone || A.Placeable >= 0)
      C.array(A)->addAttr(Attribute::getWithAlignment(C.function().getContext(), Align(Bytes)));
}

} // namespace place
