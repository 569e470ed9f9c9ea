//===- Timer.cpp - A version's own clock ------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first thread of each team records when it begins, the first thread of each warp when it leaves: versions without the
// chunk loop's closing barrier have warps that leave long after the team's first one. Threads of the last, partial chunk that
// have no iteration leave without a record; a warp's first thread is among them only if the whole warp is.
//
//===----------------------------------------------------------------------===//
#include "Clone.h"
#include "Spaces.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace place {

// if (timer != 0 && first thread) place_timer[timer - 1].<field> = max(., <clock>)
static void record(Clone &C, Instruction *Before, bool Begin) {
  Module &M = *C.function().getParent();
  Value *Entry = C.control(PLACE_CONTROL_TIMER);
  IRBuilder<> B(Before);
  Value *On = B.CreateICmpNE(Entry, B.getInt64(0));
  Instruction *IfOn = SplitBlockAndInsertIfThen(On, Before, false);
  B.SetInsertPoint(IfOn);
  Value *Tid = B.CreateCall(Intrinsic::getDeclaration(&M, Intrinsic::nvvm_read_ptx_sreg_tid_x));
  Value *First = Begin ? Tid : B.CreateAnd(Tid, B.getInt32(31));
  Instruction *IfFirst = SplitBlockAndInsertIfThen(B.CreateIsNull(First), IfOn, false);
  B.SetInsertPoint(IfFirst);
  GlobalVariable *Buffer = deviceBuffer(M, PLACE_TIMER_SYMBOL, PLACE_TIMER_ENTRIES * 16);
  Value *Clock = B.CreateCall(Intrinsic::getDeclaration(&M, Intrinsic::nvvm_read_ptx_sreg_globaltimer));
  Value *Offset = B.CreateAdd(B.CreateShl(Entry, 4), B.getInt64(Begin ? -16 : -8));
  B.CreateAtomicRMW(AtomicRMWInst::UMax, B.CreateGEP(B.getInt8Ty(), Buffer, Offset), Begin ? B.CreateNot(Clock) : Clock,
                    Align(8), AtomicOrdering::Monotonic);
}

void emitTimer(Clone &C) {
  for (ReturnInst *R : C.returns())
    record(C, R, /*Begin=*/false);
  record(C, C.start(), /*Begin=*/true);
}

} // namespace place
