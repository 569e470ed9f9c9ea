//===- Profile.cpp - The profiling version ----------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A full kernel, part of the program's real work, in which a few warps spread over the grid write down which elements
// they read (layout: include/place/abi.h). All other warps pay a test of a register an access.
//
//===----------------------------------------------------------------------===//
#include "DeviceSymbols.h"
#include "Spaces.h"
#include "Transform.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace place {

namespace {

class Profiler {
public:
  explicit Profiler(Clone &C)
      : C(C), F(C.function()), M(*F.getParent()),
        Buffer(deviceBuffer(M, PLACE_PROFILE_SYMBOL, uint64_t(PLACE_PROFILE_WORDS) * 4)) {}

  void run() {
    IRBuilder<> B(C.start());
    for (const AccessSummary &S : C.kernel().Accesses)
      if (S.Log >= 0) {
        AllocaInst *Counter = B.CreateAlloca(B.getInt32Ty());
        B.CreateStore(B.getInt32(0), Counter);
        Counters.push_back({&S, Counter});
      }
    sampled(B);
    for (auto &[S, Counter] : Counters)
      log(*S, Counter);
    for (ReturnInst *R : C.returns())
      storeCounts(R);
    promote();
  }

private:
  Value *sreg(IRBuilder<> &B, Intrinsic::ID ID) { return B.CreateCall(Intrinsic::getDeclaration(&M, ID)); }

  // Sampled: this thread is in a sampled warp; Word: slot * ACCESSES * 32 + lane.
  void sampled(IRBuilder<> &B) {
    Value *Team = sreg(B, Intrinsic::nvvm_read_ptx_sreg_ctaid_x), *Teams = sreg(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
    Value *Tid = sreg(B, Intrinsic::nvvm_read_ptx_sreg_tid_x), *Threads = sreg(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x);
    Value *Stride = B.CreateBinaryIntrinsic(Intrinsic::umax, B.CreateLShr(Teams, Log2_32(PLACE_PROFILE_SLOTS)), B.getInt32(1));
    Value *Slot = B.CreateUDiv(Team, Stride);
    Value *First = B.CreateICmpEQ(B.CreateMul(Slot, Stride), Team);
    Value *InRange = B.CreateICmpULT(Slot, B.getInt32(PLACE_PROFILE_SLOTS));
    Value *Warps = B.CreateLShr(B.CreateAdd(Threads, B.getInt32(31)), 5);
    Value *MyWarp = B.CreateICmpEQ(B.CreateURem(Slot, Warps), B.CreateLShr(Tid, 5));
    Sampled = B.CreateAnd(B.CreateAnd(First, InRange), MyWarp);
    Word = B.CreateAdd(B.CreateMul(Slot, B.getInt32(PLACE_PROFILE_ACCESSES * 32)), B.CreateAnd(Tid, B.getInt32(31)));
  }

  // if (sampled) { if (count < ENTRIES) entries[...][count] = element; ++count; }
  void log(const AccessSummary &S, AllocaInst *Counter) {
    auto *L = cast<LoadInst>(C.access(S));
    Instruction *IfSampled = SplitBlockAndInsertIfThen(Sampled, L, false);
    IRBuilder<> B(IfSampled);
    Value *Count = B.CreateLoad(B.getInt32Ty(), Counter);
    B.CreateStore(B.CreateAdd(Count, B.getInt32(1)), Counter);
    Value *Room = B.CreateICmpULT(Count, B.getInt32(PLACE_PROFILE_ENTRIES));
    Instruction *IfRoom = SplitBlockAndInsertIfThen(Room, IfSampled, false);
    B.SetInsertPoint(IfRoom);
    Value *Base = C.array(C.kernel().Arrays[S.Array]);
    Value *Bytes = B.CreateSub(B.CreatePtrToInt(L->getPointerOperand(), B.getInt64Ty()), B.CreatePtrToInt(Base, B.getInt64Ty()));
    Value *Element = B.CreateTrunc(B.CreateUDiv(Bytes, B.getInt64(S.WidthBytes)), B.getInt32Ty());
    // ((slot * ACCESSES + access) * ENTRIES + entry) * 32 + lane, from slot * ACCESSES * 32 + lane
    Value *Lane = B.CreateAnd(Word, B.getInt32(31));
    Value *Row = B.CreateAdd(B.CreateLShr(Word, 5), B.getInt32(S.Log));
    Value *Index = B.CreateAdd(B.CreateMul(Row, B.getInt32(PLACE_PROFILE_ENTRIES)), Count);
    Index = B.CreateAdd(B.CreateAdd(B.CreateShl(Index, 5), Lane), B.getInt32(PLACE_PROFILE_COUNT_WORDS));
    B.CreateStore(Element, B.CreateGEP(B.getInt32Ty(), Buffer, Index));
  }

  void storeCounts(ReturnInst *R) {
    Instruction *IfSampled = SplitBlockAndInsertIfThen(Sampled, R, false);
    IRBuilder<> B(IfSampled);
    for (auto &[S, Counter] : Counters) {
      Value *Index = B.CreateAdd(Word, B.getInt32(S->Log * 32));
      B.CreateStore(B.CreateLoad(B.getInt32Ty(), Counter), B.CreateGEP(B.getInt32Ty(), Buffer, Index));
    }
  }

  void promote() {
    DominatorTree DT(F);
    std::vector<AllocaInst *> Allocas;
    for (auto &[S, Counter] : Counters)
      Allocas.push_back(Counter);
    PromoteMemToReg(Allocas, DT);
  }

  Clone &C;
  Function &F;
  Module &M;
  GlobalVariable *Buffer;
  std::vector<std::pair<const AccessSummary *, AllocaInst *>> Counters;
  Value *Sampled = nullptr, *Word = nullptr;
};

} // namespace

/// Logs the accesses that have a log index.
static void emitProfile(Clone &C) { Profiler(C).run(); }

static bool isPart(const Version &V) { return V.isProfile(); }

const Transform ProfileTransform = {isPart, nullptr, nullptr, emitProfile, nullptr};

} // namespace place
