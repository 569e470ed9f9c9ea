//===- Timer.cpp - A version's own clock ------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first thread of a team records when it begins, the first thread of each warp when it leaves: versions without the
// chunk loop's closing barrier have warps that leave long after the team's first one. Where teams are many, the last of them
// are among thousands, and one thread of each is enough.
//
// Where an iteration is soon over, what each warp does for the timer is a good part of what it does at all: a kernel that copies bytes took
// 1.28 times as long with one (H100). There a team's first thread is enough, and what the kernel has read of special registers is at hand.
//
//===----------------------------------------------------------------------===//
#include "DeviceSymbols.h"
#include "Spaces.h"
#include "Transform.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace place {

namespace {

const unsigned ManyTeams = 4096;
const unsigned WarpStride = 29; // odd: the warps of one team have slots of their own

class TimerEmitter {
public:
  explicit TimerEmitter(Clone &C) : C(C), M(*C.function().getParent()), SoonOver(C.kernel().isSoonOver()) {}

  // if (timer != 0 && one of those that record) place_timer[timer - 1][slot].<field> = max(., <clock>)
  void record(Instruction *Before, bool Begin) {
    Value *Entry = C.control(PLACE_CONTROL_TIMER);
    IRBuilder<> B(Before);
    Instruction *IfOn = SplitBlockAndInsertIfThen(B.CreateICmpNE(Entry, B.getInt64(0)), Before, false);
    B.SetInsertPoint(IfOn);
    Instruction *IfRecords = SplitBlockAndInsertIfThen(Begin ? begins(B) : ends(B), IfOn, false);
    B.SetInsertPoint(IfRecords);
    GlobalVariable *Buffer = deviceBuffer(M, PLACE_TIMER_SYMBOL, PLACE_TIMER_BYTES);
    Value *Clock = clock(B);
    Value *First = B.CreateMul(B.CreateSub(Entry, B.getInt64(1)), B.getInt64(PLACE_TIMER_SLOTS));
    Value *At = B.CreateAdd(First, B.CreateZExt(slot(B, Begin), B.getInt64Ty()));
    Value *Offset = B.CreateAdd(B.CreateMul(At, B.getInt64(PLACE_TIMER_SLOT_BYTES)), B.getInt64(Begin ? 0 : 8));
    B.CreateAtomicRMW(AtomicRMWInst::UMax, B.CreateGEP(B.getInt8Ty(), Buffer, Offset), Begin ? B.CreateNot(Clock) : Clock,
                      Align(8), AtomicOrdering::Monotonic);
  }

private:
  Value *clock(IRBuilder<> &B) { return B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_globaltimer, {}, {}); }

  /// Read anew, and not so that the optimiser knows it: what the kernel has read of the register would have to be kept for its end, and what the
  /// optimiser concludes from a thread's being the first would make the number a value that is no register's from there on.
  Value *special(IRBuilder<> &B, const char *Name, Intrinsic::ID ID) {
    if (SoonOver)
      return B.CreateIntrinsic(ID, {}, {});
    auto *Type = FunctionType::get(B.getInt32Ty(), /*isVarArg=*/false);
    CallInst *Read = B.CreateCall(InlineAsm::get(Type, (Twine("mov.u32 $0, %") + Name + ";").str(), "=r", /*hasSideEffects=*/false));
    Read->setDoesNotAccessMemory();
    Read->setDoesNotThrow();
    return Read;
  }

  Value *team(IRBuilder<> &B) { return special(B, "ctaid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x); }
  Value *thread(IRBuilder<> &B) { return special(B, "tid.x", Intrinsic::nvvm_read_ptx_sreg_tid_x); }

  // The team's number; other warps than the first, which end at about the same time, have slots away from those of the next teams.
  Value *slot(IRBuilder<> &B, bool Begin) {
    Value *Slot = team(B);
    if (!Begin && !SoonOver) {
      Value *Warp = B.CreateLShr(thread(B), 5);
      Slot = B.CreateAdd(Slot, B.CreateMul(Warp, B.getInt32(WarpStride)));
    }
    return B.CreateAnd(Slot, PLACE_TIMER_SLOTS - 1);
  }

  // So the last one to end is among those of the last numbers, where no team takes much longer than others: a GPU holds ManyTeams at a time.
  Value *isLate(IRBuilder<> &B) {
    Value *Teams = special(B, "nctaid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
    return B.CreateICmpUGE(B.CreateAdd(team(B), B.getInt32(2 * ManyTeams)), Teams);
  }

  // Teams begin in the order of their numbers.
  Value *begins(IRBuilder<> &B) {
    Value *Early = B.CreateICmpULT(team(B), B.getInt32(ManyTeams));
    return B.CreateAnd(Early, B.CreateIsNull(thread(B)));
  }

  Value *ends(IRBuilder<> &B) {
    if (SoonOver)
      return B.CreateAnd(B.CreateIsNull(thread(B)), isLate(B));
    Value *Few = B.CreateICmpULE(special(B, "nctaid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x), B.getInt32(ManyTeams));
    Value *Others = B.CreateSelect(Few, B.getInt32(31), B.getInt32(-1));
    return B.CreateIsNull(B.CreateAnd(thread(B), Others));
  }

  Clone &C;
  Module &M;
  const bool SoonOver;
};

/// Where threads end: returns, and exits (leaveBlock).
SmallVector<Instruction *, 8> exitsOf(Function &F) {
  SmallVector<Instruction *, 8> Exits;
  for (Instruction &I : instructions(F)) {
    const auto *II = dyn_cast<IntrinsicInst>(&I);
    if (isa<ReturnInst>(I) || (II && II->getIntrinsicID() == Intrinsic::nvvm_exit))
      Exits.push_back(&I);
  }
  return Exits;
}

} // namespace

/// Records the launch's begin and end in the timer buffer.
static void emitTimer(Clone &C) {
  TimerEmitter T(C);
  for (Instruction *I : exitsOf(C.function()))
    T.record(I, /*Begin=*/false);
  T.record(C.start(), /*Begin=*/true);
}

static bool isPart(const Version &V) { return !V.isProfile(); }

const Transform TimerTransform = {isPart, nullptr, nullptr, emitTimer, nullptr};

} // namespace place
