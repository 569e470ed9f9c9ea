//===- LeanTeams.cpp - Reductions over teams in kernels without the device runtime -===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In an SPMD kernel each thread has a copy of the variable, and the first one's counts: Finish.h's code does as it is. In a generic kernel
// one thread calls the runtime. Rebuilt, all do, with what is each thread's own or the team's in shared memory:
//
//   mine = variable                                   the threads of the last team collect slots each for itself
//   last = finish(&mine)                              the first thread of the last team has the result
//   if (first thread) result = mine                   in shared memory; the team's variables there are written at once
//   last = any thread's last; variable = result       the whole of the team goes on as one
//
//===----------------------------------------------------------------------===//
#include "DeviceSymbols.h"
#include "Finish.h"
#include "Lean.h"
#include "RuntimeCall.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace place {

namespace {

/// A variable that a reduction is of.
struct Reduced {
  Value *Pointer = nullptr;
  uint64_t Bytes = 0;
  StoreInst *Listed = nullptr;
  bool Own = false; // each thread has one
};

/// Of a variable that begins at the pointer; nothing: it is not known.
std::optional<uint64_t> sizeOf(const Value *Pointer) {
  const auto *A = dyn_cast<AllocaInst>(Pointer);
  if (std::optional<TypeSize> Size = A ? A->getAllocationSize(A->getModule()->getDataLayout()) : std::nullopt; Size && !Size->isScalable())
    return Size->getFixedValue();
  const auto *C = dyn_cast<CallBase>(Pointer);
  const auto *Bytes = C && isCallOf(*C, "__kmpc_alloc_shared") ? dyn_cast<ConstantInt>(C->getArgOperand(0)) : nullptr;
  return Bytes ? std::optional(Bytes->getZExtValue()) : std::nullopt;
}

/// What the list of pointers names: each is stored once.
std::optional<SmallVector<Reduced, 4>> variablesOf(CallInst &Call) {
  const uint64_t MostBytes = 4096; // of a team's 48 KiB
  auto *A = dyn_cast<AllocaInst>(Call.getArgOperand(teams_reduce::List)->stripPointerCasts());
  const DataLayout &DL = Call.getModule()->getDataLayout();
  std::optional<uint64_t> Bytes = A ? sizeOf(A) : std::nullopt;
  SmallVector<Reduced, 4> All(Bytes.value_or(0) / DL.getPointerSize());
  uint64_t Sum = 0;
  for (Instruction &I : instructions(*Call.getFunction())) {
    auto *S = dyn_cast<StoreInst>(&I);
    APInt Offset(64, 0);
    if (!S || S->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, true) != A)
      continue;
    uint64_t N = Offset.getZExtValue() / DL.getPointerSize();
    Value *Variable = S->getValueOperand()->stripPointerCasts();
    std::optional<uint64_t> Size = sizeOf(Variable);
    if (N >= All.size() || All[N].Pointer || !Size)
      return std::nullopt;
    All[N] = {Variable, *Size, S};
    Sum += *Size;
  }
  bool Complete = !All.empty() && all_of(All, [](const Reduced &R) { return R.Pointer; });
  return Complete && Sum <= MostBytes ? std::optional(std::move(All)) : std::nullopt;
}

/// The function that all threads of a team call: with the kernel's first argument and the variables.
class Together {
public:
  Together(CallInst &Call, ArrayRef<Reduced> Variables)
      : Call(Call), Variables(Variables), B(Call.getContext()),
        F(*Function::Create(FunctionType::get(Call.getType(), SmallVector<Type *, 4>(Variables.size() + 1, B.getPtrTy()), false),
                            GlobalValue::InternalLinkage, "place_finish_together", *Call.getModule())) {
    for (Attribute::AttrKind A : {Attribute::AlwaysInline, Attribute::Convergent, Attribute::NoUnwind, Attribute::NoRecurse})
      F.addFnAttr(A);
    F.addFnAttr(LeanFinishAttribute);
  }

  Function &build() {
    B.SetInsertPoint(BasicBlock::Create(F.getContext(), "entry", &F));
    CallInst *Finish = finishOfCopies();
    Instruction *End = B.CreateRet(Finish);
    B.SetInsertPoint(End);
    Value *IsFirst = B.CreateIsNull(B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}));
    B.SetInsertPoint(SplitBlockAndInsertIfThen(IsFirst, End, false));
    for (size_t N = 0; N < Variables.size(); ++N)
      copy(N, Variables[N].Own ? Results[N] : argument(N), Mine[N]);
    B.SetInsertPoint(End);
    Value *Any = B.CreateIntrinsic(Intrinsic::nvvm_barrier0_or, {}, {Finish});
    for (size_t N = 0; N < Variables.size(); ++N)
      if (Variables[N].Own)
        copy(N, argument(N), Results[N]);
    End->setOperand(0, B.CreateZExt(B.CreateIsNotNull(Any), F.getReturnType()));
    finishByAllThreads(*Finish, F.getArg(0));
    return F;
  }

private:
  Value *argument(size_t N) { return F.getArg(unsigned(N) + 1); }

  // On copies, which are a thread's own.
  CallInst *finishOfCopies() {
    Value *Pointers = B.CreateAlloca(ArrayType::get(B.getPtrTy(), Variables.size()));
    for (size_t N = 0; N < Variables.size(); ++N) {
      AllocaInst *Copy = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Variables[N].Bytes));
      Copy->setAlignment(Align(16));
      Mine.push_back(Copy);
      Results.push_back(Variables[N].Own ? result(N) : nullptr);
    }
    for (size_t N = 0; N < Variables.size(); ++N) {
      copy(N, Mine[N], argument(N));
      B.CreateStore(Mine[N], B.CreateConstInBoundsGEP1_64(B.getPtrTy(), Pointers, N));
    }
    auto *Finish = cast<CallInst>(Call.clone());
    Finish->setArgOperand(teams_reduce::List, Pointers);
    for (unsigned N = 0; N < teams_reduce::List; ++N)
      Finish->setArgOperand(N, Constant::getNullValue(Finish->getArgOperand(N)->getType()));
    B.Insert(Finish);
    return Finish;
  }

  Value *result(size_t N) {
    return ConstantExpr::getAddrSpaceCast(teamMemory(*F.getParent(), "team_result", Variables[N].Bytes), B.getPtrTy());
  }

  void copy(size_t N, Value *To, Value *From) { B.CreateMemCpy(To, MaybeAlign(), From, MaybeAlign(), Variables[N].Bytes); }

  CallInst &Call;
  ArrayRef<Reduced> Variables;
  IRBuilder<> B;
  Function &F;
  SmallVector<Value *, 4> Mine, Results;
};

} // namespace

CallBase *finishTogether(CallInst &C, function_ref<bool(const Value *)> IsOwn) {
  std::optional<SmallVector<Reduced, 4>> Variables = variablesOf(C);
  if (!Variables)
    return nullptr;
  SmallVector<Value *, 4> Arguments = {C.getFunction()->getArg(0)};
  for (Reduced &R : *Variables) {
    R.Listed->eraseFromParent();
    R.Own = IsOwn(R.Pointer);
    Arguments.push_back(R.Pointer);
  }
  Function &F = Together(C, *Variables).build();
  CallInst *New = IRBuilder<>(&C).CreateCall(&F, Arguments);
  C.replaceAllUsesWith(New);
  C.eraseFromParent();
  return New;
}

} // namespace place
