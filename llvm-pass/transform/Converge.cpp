//===- Converge.cpp - Warps come together in front of barriers --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Converge.h"
#include "Chunks.h"
#include "Target.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace place {

static const uint64_t MostCopied = 64; // bytes, without a loop
static const char WayOut[] = "{ .reg .pred never; .reg .b32 depth; mov.u32 depth, %ntid.z; setp.eq.u32 never, depth, 0; @never exit; }";

/// A few instructions of the machine, without a branch among them.
static bool isStraight(const Instruction &I) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(&I))
    return !Binary->isIntDivRem() && Binary->getOpcode() != Instruction::FDiv && Binary->getOpcode() != Instruction::FRem;
  if (const auto *Copy = dyn_cast<MemIntrinsic>(&I)) {
    const auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
    return Length && Length->getValue().ule(MostCopied);
  }
  const auto *Called = dyn_cast<IntrinsicInst>(&I);
  if (!Called)
    return isa<PHINode, LoadInst, StoreInst, GetElementPtrInst, CmpInst, SelectInst, UnaryInstruction, InsertValueInst, InsertElementInst,
               ExtractElementInst, ShuffleVectorInst>(I) ||
           I.isTerminator();
  switch (Called->getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fabs:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::abs:
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return true;
  default:
    return isa<DbgInfoIntrinsic>(Called);
  }
}

namespace {

/// Where the threads of a warp may have parted since they last met at a barrier.
class Parting {
  UniformityInfo &Uniformity;
  SmallPtrSet<const BasicBlock *, 16> PartedAt; // begins of blocks

public:
  Parting(const Function &F, UniformityInfo &Uniformity) : Uniformity(Uniformity) {
    ReversePostOrderTraversal<const Function *> Order(&F);
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const BasicBlock *BB : Order)
        if (isPartedAtEnd(*BB))
          for (const BasicBlock *Next : successors(BB))
            Changed |= PartedAt.insert(Next).second;
    }
  }

  /// Calls Reached for the barriers of a block that parts of a warp may reach; whether a warp may leave the block in parts.
  template <typename Block, typename Callback> bool follow(Block &BB, Callback Reached) const {
    bool Parted = PartedAt.contains(&BB);
    for (auto &I : BB) {
      if (isBarrier(I)) {
        if (Parted)
          Reached(I);
        Parted = false;
      } else {
        Parted |= !isStraight(I);
      }
    }
    return Parted || Uniformity.hasDivergentTerminator(BB);
  }

private:
  bool isPartedAtEnd(const BasicBlock &BB) const { return follow(BB, [](const Instruction &) {}); }
};

} // namespace

bool convergeAtBarriers(Function &F, FunctionAnalysisManager &FAM) {
  const unsigned UniformRegisters = 75; // since this compute capability
  if (computeCapability(F) < UniformRegisters || none_of(instructions(F), isBarrier))
    return false;
  SmallVector<Instruction *> Reached;
  const Parting Threads(F, FAM.getResult<UniformityInfoAnalysis>(F));
  for (BasicBlock &BB : F)
    Threads.follow(BB, [&](Instruction &Barrier) { Reached.push_back(&Barrier); });
  InlineAsm *Asm = InlineAsm::get(FunctionType::get(Type::getVoidTy(F.getContext()), false), WayOut, "", /*hasSideEffects=*/true);
  for (Instruction *Barrier : Reached)
    IRBuilder<>(Barrier).CreateCall(Asm)->setDoesNotThrow();
  return !Reached.empty();
}

} // namespace place
