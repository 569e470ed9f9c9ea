//===- SlotFunctions.cpp - Partial results in a buffer --------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SlotFunctions.h"
#include "DeviceRuntime.h"
#include "RuntimeCall.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

namespace {

const Align SlotAlign(16);

/// Bytes of the variables that a list names, in its order; empty: it has another form.
SmallVector<uint64_t, 4> sizesOf(const AllocaInst &List, Function &F) {
  const DataLayout &DL = F.getDataLayout();
  std::optional<TypeSize> Whole = List.getAllocationSize(DL);
  SmallVector<uint64_t, 4> Sizes(Whole ? Whole->getFixedValue() / DL.getPointerSize() : 0);
  for (Instruction &I : instructions(F)) {
    auto *S = dyn_cast<StoreInst>(&I);
    APInt Offset(64, 0);
    if (!S || S->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, true) != &List)
      continue;
    const auto *Variable = dyn_cast<AllocaInst>(S->getValueOperand()->stripPointerCasts());
    std::optional<TypeSize> Size = Variable ? Variable->getAllocationSize(DL) : std::nullopt;
    uint64_t N = Offset.getZExtValue() / DL.getPointerSize();
    if (!Size || N >= Sizes.size() || Sizes[N])
      return {};
    Sizes[N] = Size->getFixedValue();
  }
  return is_contained(Sizes, 0u) ? SmallVector<uint64_t, 4>() : Sizes;
}

/// The function that reduces one list with another: what Shuffle calls, but for the runtime's.
Function *operatorOf(Function &Shuffle) {
  Function *Only = nullptr;
  for (Instruction &I : instructions(Shuffle)) {
    Function *Callee = calledFunction(I);
    if (!Callee || isOfRuntime(Callee->getName()) || Callee->isIntrinsic())
      continue;
    if (Only || Callee->arg_size() != 2 || !Callee->getReturnType()->isVoidTy())
      return nullptr;
    Only = Callee;
  }
  return Only;
}

class Maker {
public:
  Maker(Module &M, ArrayRef<uint64_t> Sizes) : M(M), B(M.getContext()), Sizes(Sizes) {
    for (uint64_t Size : Sizes) {
      Offsets.push_back(Bytes);
      Bytes = alignTo(Bytes + Size, SlotAlign);
    }
  }

  uint64_t bytes() const { return Bytes; }

  Function *copy(const char *Name, bool ToSlot) {
    Function *F = begin(Name);
    for (size_t N = 0; N < Sizes.size(); ++N) {
      Value *Listed = variable(*F, N), *InSlot = slot(*F, N);
      B.CreateMemCpy(ToSlot ? InSlot : Listed, MaybeAlign(), ToSlot ? Listed : InSlot, MaybeAlign(), Sizes[N]);
    }
    B.CreateRetVoid();
    return F;
  }

  Function *reduce(const char *Name, Function &Operator) {
    Function *F = begin(Name);
    Value *Others = B.CreateAlloca(ArrayType::get(B.getPtrTy(), Sizes.size()));
    for (size_t N = 0; N < Sizes.size(); ++N)
      B.CreateStore(slot(*F, N), B.CreateConstInBoundsGEP1_64(B.getPtrTy(), Others, N));
    B.CreateCall(&Operator, {F->getArg(2), Others})->setCallingConv(Operator.getCallingConv());
    B.CreateRetVoid();
    return F;
  }

private:
  Function *begin(const char *Name) {
    auto *Type = FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getInt32Ty(), B.getPtrTy()}, false);
    Function *F = Function::Create(Type, GlobalValue::InternalLinkage, Name, M);
    for (Attribute::AttrKind A : {Attribute::AlwaysInline, Attribute::NoUnwind, Attribute::NoRecurse})
      F->addFnAttr(A);
    B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", F));
    return F;
  }

  Value *variable(Function &F, size_t N) { return B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(B.getPtrTy(), F.getArg(2), N)); }

  Value *slot(Function &F, size_t N) {
    Value *Begin = B.CreateMul(B.CreateZExt(F.getArg(1), B.getInt64Ty()), B.getInt64(Bytes));
    return B.CreateInBoundsGEP(B.getInt8Ty(), F.getArg(0), B.CreateAdd(Begin, B.getInt64(Offsets[N])));
  }

  Module &M;
  IRBuilder<> B;
  ArrayRef<uint64_t> Sizes;
  SmallVector<uint64_t, 4> Offsets;
  uint64_t Bytes = 0;
};

} // namespace

std::optional<SlotFunctions> slotFunctions(Value &List, Function &F, Function &Shuffle) {
  auto *Variable = dyn_cast<AllocaInst>(&List);
  SmallVector<uint64_t, 4> Sizes = Variable ? sizesOf(*Variable, F) : SmallVector<uint64_t, 4>();
  Function *Operator = operatorOf(Shuffle);
  if (Sizes.empty() || !Operator)
    return std::nullopt;
  Maker Make(*F.getParent(), Sizes);
  SlotFunctions Made;
  Made.To = Make.copy("place_to_slot", true);
  Made.From = Make.copy("place_from_slot", false);
  Made.ReduceFrom = Make.reduce("place_reduce_from_slot", *Operator);
  Made.Bytes = unsigned(Make.bytes());
  return Made;
}

} // namespace place
