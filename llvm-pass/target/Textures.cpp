//===- Textures.cpp - Loads as texture fetches -----------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Textures.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace place {

namespace {

const unsigned WordBytes = 4;

/// Writes the fetches of one load.
class Writer {
public:
  Writer(LoadInst &L, const Texture &From) : L(L), From(From), B(&L) {}

  Value *write(Value *Offset) {
    Value *First = texelAt(Offset);
    uint64_t Bytes = L.getModule()->getDataLayout().getTypeStoreSize(L.getType()).getFixedValue();
    SmallVector<Value *, 4> Words;
    for (unsigned N = 0; N < Bytes / From.TexelBytes; ++N)
      fetch(N ? B.CreateAdd(First, B.getInt32(N)) : First, Words);
    return asLoaded(Words);
  }

private:
  // A texture has less than 2^31 texels, and what of the array is read is in it.
  Value *texelAt(Value *Offset) {
    Value *Bytes = B.CreatePtrToInt(Offset, B.getInt64Ty());
    Value *Texels = B.CreateAShr(Bytes, Log2_32(From.TexelBytes), "", /*isExact=*/true);
    return B.CreateAdd(B.CreateTrunc(Texels, B.getInt32Ty()), From.First);
  }

  /// Whatever the array's loads take for its rows: a number is a row and a column of the texture's.
  CallInst *fetchFromRow(Value *Texel) {
    Value *High = B.CreateIntrinsic(Intrinsic::nvvm_mulhi_ui, {}, {Texel, From.Rows->Factor});
    Value *Row = B.CreateLShr(High, From.Rows->Shift);
    Value *Column = B.CreateSub(Texel, B.CreateMul(Row, From.Rows->Length));
    return B.CreateIntrinsic(Intrinsic::nvvm_tex_unified_2d_v4u32_s32, {}, {From.Handle, Column, Row});
  }

  void fetch(Value *Texel, SmallVectorImpl<Value *> &Words) {
    CallInst *Fetch = From.Rows ? fetchFromRow(Texel) : B.CreateIntrinsic(Intrinsic::nvvm_tex_unified_1d_v4u32_s32, {}, {From.Handle, Texel});
    Fetch->setDoesNotAccessMemory();
    Fetch->setDoesNotThrow();
    Fetch->addFnAttr(Attribute::WillReturn);
    Fetch->setDebugLoc(L.getDebugLoc());
    for (unsigned N = 0; N < From.TexelBytes / WordBytes; ++N)
      Words.push_back(B.CreateExtractValue(Fetch, N));
  }

  Value *asLoaded(ArrayRef<Value *> Words) {
    Value *All = Words.front();
    if (Words.size() > 1) {
      All = PoisonValue::get(FixedVectorType::get(B.getInt32Ty(), unsigned(Words.size())));
      for (unsigned N = 0; N < Words.size(); ++N)
        All = B.CreateInsertElement(All, Words[N], N);
    }
    if (!L.getType()->isPointerTy())
      return B.CreateBitCast(All, L.getType());
    Type *Address = B.getIntNTy(unsigned(WordBytes * 8 * Words.size()));
    return B.CreateIntToPtr(B.CreateBitCast(All, Address), L.getType());
  }

  LoadInst &L;
  const Texture &From;
  IRBuilder<> B;
};

} // namespace

void replaceByFetch(LoadInst &L, const Texture &From, Value *Offset) {
  L.replaceAllUsesWith(Writer(L, From).write(Offset));
  L.eraseFromParent();
}

} // namespace place
