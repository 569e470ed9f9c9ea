//===- LeanReduce.cpp - Reductions of a parallel region -----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Lean.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace place {

namespace {

/// What the two functions of a reduction do is fixed between clang and the runtime: shuffle(data, lane, distance, 0: all lanes |
/// 1: the lower half of an odd number of lanes) adds what the lane at that distance has; copy(data, warps) moves each warp's first
/// thread's data to the first threads of the first warp.
class TeamReduction {
public:
  TeamReduction(Instruction &Before, Value &Data, Function &Shuffle, Function &Copy) : Before(Before), Shuffle(Shuffle), Copy(Copy), Data(&Data) {}

  Value *emit() {
    IRBuilder<> B(&Before);
    Value *Count = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_x, {}, {});
    Value *Tid = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}), *Lane = B.CreateAnd(Tid, 31);
    Value *Warps = B.CreateLShr(B.CreateAdd(Count, B.getInt32(31)), 5);
    // The last warp may have fewer threads.
    halve(Before, B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateSub(Count, B.CreateSub(Tid, Lane)), B.getInt32(32)), Lane);
    B.SetInsertPoint(&Before);
    Instruction *IfSeveral = SplitBlockAndInsertIfThen(B.CreateICmpUGT(Warps, B.getInt32(1)), &Before, false);
    B.SetInsertPoint(IfSeveral);
    B.CreateCall(&Copy, {Data, Warps});
    Instruction *IfFirst = SplitBlockAndInsertIfThen(B.CreateICmpULT(Tid, B.getInt32(32)), IfSeveral, false);
    halve(*IfFirst, Warps, Tid);
    B.SetInsertPoint(&Before);
    return B.CreateZExt(B.CreateIsNull(Tid), B.getInt32Ty());
  }

private:
  // A full warp in five steps, each of half the distance; less than a warp in up to five, each for what the one before left.
  void halve(Instruction &Before, Value *Lanes, Value *Lane) {
    IRBuilder<> B(&Before);
    Instruction *Full = nullptr, *Part = nullptr;
    SplitBlockAndInsertIfThenElse(B.CreateICmpEQ(Lanes, B.getInt32(32)), &Before, &Full, &Part);
    B.SetInsertPoint(Full);
    for (unsigned Distance : {16, 8, 4, 2, 1})
      B.CreateCall(&Shuffle, {Data, B.getInt16(0), B.getInt16(Distance), B.getInt16(0)});
    B.SetInsertPoint(Part);
    Value *Left = Lanes, *Lane16 = B.CreateTrunc(Lane, B.getInt16Ty());
    for (unsigned Step = 0; Step < 5; ++Step) {
      B.SetInsertPoint(Part);
      Value *Half = B.CreateLShr(Left, 1);
      Instruction *If = SplitBlockAndInsertIfThen(B.CreateICmpUGT(Left, B.getInt32(1)), Part, false);
      B.SetInsertPoint(If);
      B.CreateCall(&Shuffle, {Data, Lane16, B.CreateTrunc(Half, B.getInt16Ty()), B.getInt16(1)});
      B.SetInsertPoint(Part);
      Left = B.CreateLShr(B.CreateAdd(Left, B.getInt32(1)), 1);
    }
  }

  Instruction &Before;
  Function &Shuffle, &Copy;
  Value *Data;
};

} // namespace

Value *reduceInTeam(Instruction &Before, Value &Data, Function &Shuffle, Function &Copy) {
  return TeamReduction(Before, Data, Shuffle, Copy).emit();
}

} // namespace place
