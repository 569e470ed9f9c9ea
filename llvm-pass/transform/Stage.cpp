//===- Stage.cpp - Copies of arrays in shared memory ------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a team copy the window of each staged array together, in 16-byte steps where the source allows it, and
// wait for each other once before the kernel begins.
//
//===----------------------------------------------------------------------===//
#include "Stage.h"
#include "DeviceSymbols.h"
#include "LoopProperty.h"
#include "Spaces.h"
#include "Transform.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace place {

namespace {

/// Writes `void place_stage(ptr src, ptr addrspace(3) dst, i64 bytes)`, which is inlined at each use.
class StageFunction {
public:
  explicit StageFunction(Module &M) : M(M), B(M.getContext()) {}

  Function *get() {
    if (Function *F = M.getFunction("place_stage"))
      return F;
    auto *Ty = FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getPtrTy(AddrShared), B.getInt64Ty()}, false);
    F = Function::Create(Ty, GlobalValue::InternalLinkage, "place_stage", M);
    F->addFnAttr(Attribute::NoUnwind);
    B.SetInsertPoint(BasicBlock::Create(M.getContext(), "", F));
    Source = B.CreateAddrSpaceCast(F->getArg(0), B.getPtrTy(AddrGlobal));
    Tid = specialRegister(Intrinsic::nvvm_read_ptx_sreg_tid_x);
    Threads = specialRegister(Intrinsic::nvvm_read_ptx_sreg_ntid_x);
    Value *Bytes = F->getArg(2);
    Value *Done = B.getInt64(0);
    for (unsigned Step : {16u, 4u, 1u})
      Done = copy(Step, Done, Bytes);
    B.CreateRetVoid();
    return F;
  }

private:
  Value *specialRegister(Intrinsic::ID ID) {
    return B.CreateZExt(B.CreateCall(Intrinsic::getDeclaration(&M, ID)), B.getInt64Ty());
  }

  // Copies [Done, Bytes) as far as whole steps go, if the source is aligned to a step. Returns how far.
  Value *copy(unsigned Step, Value *Done, Value *Bytes) {
    Value *From = B.CreateGEP(B.getInt8Ty(), Source, Done);
    Value *To = B.CreateGEP(B.getInt8Ty(), F->getArg(1), Done);
    Value *Count = B.CreateUDiv(B.CreateSub(Bytes, Done), B.getInt64(Step));
    if (Step > 1) {
      Value *Low = B.CreateAnd(B.CreatePtrToInt(From, B.getInt64Ty()), B.getInt64(Step - 1));
      Count = B.CreateSelect(B.CreateIsNull(Low), Count, B.getInt64(0));
    }
    Type *Ty = Step == 1 ? B.getInt8Ty() : B.getInt32Ty();
    if (Step == 16)
      Ty = FixedVectorType::get(Ty, 4);
    loop(Count, [&](Value *I) {
      Value *V = B.CreateAlignedLoad(Ty, B.CreateGEP(Ty, From, I), Align(Step));
      B.CreateAlignedStore(V, B.CreateGEP(Ty, To, I), Align(Step));
    }, /*Unroll=*/Step == 16);
    return B.CreateAdd(Done, B.CreateMul(Count, B.getInt64(Step)));
  }

  // for (i = tid; i < Count; i += threads) Body(i)
  template <typename BodyFn> void loop(Value *Count, BodyFn Body, bool Unroll) {
    BasicBlock *Before = B.GetInsertBlock();
    auto *Loop = BasicBlock::Create(M.getContext(), "", F), *After = BasicBlock::Create(M.getContext(), "", F);
    B.CreateCondBr(B.CreateICmpULT(Tid, Count), Loop, After);
    B.SetInsertPoint(Loop);
    PHINode *I = B.CreatePHI(B.getInt64Ty(), 2);
    I->addIncoming(Tid, Before);
    Body(I);
    Value *Next = B.CreateAdd(I, Threads);
    I->addIncoming(Next, Loop);
    BranchInst *Back = B.CreateCondBr(B.CreateICmpULT(Next, Count), Loop, After);
    // Several 16-byte loads in flight hide the latency of a long window; the short ends need no copies of their code.
    if (Unroll)
      setLoopProperty(*Back, "llvm.loop.unroll.count", 4);
    else
      setLoopProperty(*Back, "llvm.loop.unroll.disable");
    B.SetInsertPoint(After);
  }

  Module &M;
  IRBuilder<> B;
  Function *F = nullptr;
  Value *Source = nullptr, *Tid = nullptr, *Threads = nullptr;
};

} // namespace

/// Whether the word selects a space of which each team makes a copy.
static Value *selectsTeamCopy(IRBuilder<> &B, Value *Word) {
  Value *Selector = B.CreateTrunc(Word, B.getInt8Ty()), *Any = nullptr;
  for (unsigned S = 0; S < PLACE_SPACE_COUNT; ++S) {
    if (place_space_copy(static_cast<place_space>(S)) != PLACE_COPY_TEAM)
      continue;
    Value *Is = B.CreateICmpEQ(Selector, B.getInt8(S));
    Any = Any ? B.CreateOr(Any, Is) : Is;
  }
  return Any;
}

void emitStaging(Clone &C, ArrayRef<int> Arrays, bool Selected) {
  if (Arrays.empty())
    return;
  Module &M = *C.function().getParent();
  Function *Stage = StageFunction(M).get();
  SmallVector<CallInst *, 4> Calls;
  Instruction *Start = C.start();
  for (int N : Arrays) {
    const ArraySummary &A = C.kernel().Arrays[N];
    Instruction *At = Start;
    IRBuilder<> B(At);
    Value *Word = C.word(A, PLACE_WORD_SELECT);
    if (Selected) {
      At = SplitBlockAndInsertIfThen(selectsTeamCopy(B, Word), Start, false);
      B.SetInsertPoint(At);
    }
    Value *Lo = C.word(A, PLACE_WORD_LO);
    Value *From = B.CreateGEP(B.getInt8Ty(), C.array(A), Lo);
    Value *To = B.CreateGEP(B.getInt8Ty(), sharedMemory(M), B.CreateAdd(C.word(A, PLACE_WORD_BIAS), Lo));
    Calls.push_back(B.CreateCall(Stage, {From, To, B.CreateLShr(Word, 8)}));
  }
  IRBuilder<> B(Start);
  B.CreateCall(Intrinsic::getDeclaration(&M, Intrinsic::nvvm_barrier0));
  for (CallInst *Call : Calls) {
    InlineFunctionInfo Info;
    InlineFunction(*Call, Info);
  }
  if (Stage->use_empty())
    Stage->eraseFromParent();
}

static bool isPart(const Version &V) { return V.isPlan(); }

static void apply(Clone &C) {
  bool Open = C.version().Open;
  std::vector<int> Staged;
  for (size_t I = 0; I < C.kernel().Arrays.size(); ++I) {
    int Space = C.version().Space[I];
    bool OwnCopy = Space >= 0 && place_space_copy(static_cast<place_space>(Space)) == PLACE_COPY_TEAM;
    if (OwnCopy || (Open && C.kernel().Arrays[I].Placeable >= 0))
      Staged.push_back(int(I));
  }
  emitStaging(C, Staged, Open);
}

const Transform StageTransform = {isPart, nullptr, nullptr, apply, nullptr};

} // namespace place
