//===- SoleLoops.cpp - Loops that a team's first thread carries out --------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SoleLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace place {

namespace {

/// Whether everything that works on a variable of a thread's own, through addresses that come of it, is in the loop.
bool isUsedWithin(const Value &Address, const Loop &L) {
  return all_of(Address.users(), [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    if (isa<GetElementPtrInst>(I) || isa<AddrSpaceCastInst>(I))
      return isUsedWithin(*I, L);
    if (const auto *C = dyn_cast<IntrinsicInst>(I); C && C->isLifetimeStartOrEnd())
      return true;
    bool Keeps = I->getType()->isPointerTy() && !isa<LoadInst>(I); // the address, under another name
    return L.contains(I) && !Keeps && !(isa<StoreInst>(I) && cast<StoreInst>(I)->getValueOperand() == &Address);
  });
}

/// Whether an instruction may write a variable of a thread's own that others than the loop may look at: each thread has one.
bool writesOwnSeenBehind(const Instruction &I, const Loop &L) {
  if (!I.mayWriteToMemory() || (isa<IntrinsicInst>(I) && cast<IntrinsicInst>(I).isAssumeLikeIntrinsic()))
    return false;
  return any_of(I.operands(), [&](const Use &U) {
    if (!U->getType()->isPointerTy())
      return false;
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(U, Objects, nullptr, 0);
    return any_of(Objects, [&](const Value *O) {
      return !isa<Argument, Constant>(O) && !(isa<AllocaInst>(O) && isUsedWithin(*O, L));
    });
  });
}

bool isUsedBehind(const Instruction &I, const Loop &L) {
  return any_of(I.users(), [&](const User *U) { return !L.contains(cast<Instruction>(U)); });
}

/// Whether it does not matter behind the loop by which way it was left.
bool endsOneWay(const BasicBlock &Exit, const Loop &L) {
  return all_of(Exit.phis(), [&](const PHINode &P) {
    const Value *Of = nullptr;
    return all_of(P.blocks(), [&](const BasicBlock *From) {
      const Value *V = P.getIncomingValueForBlock(From);
      if (!L.contains(From))
        return true;
      bool Same = !Of || V == Of;
      Of = V;
      return Same;
    });
  });
}

/// Whether the loop is entered from one block and left to one, which needs nothing of it but its effects.
bool standsAlone(const Loop &L) {
  const BasicBlock *Exit = L.getUniqueExitBlock();
  return L.getLoopPredecessor() && Exit && endsOneWay(*Exit, L) && all_of(L.blocks(), [&](const BasicBlock *BB) {
           return all_of(*BB, [&](const Instruction &I) { return !isUsedBehind(I, L) && !writesOwnSeenBehind(I, L); });
         });
}

bool anyIn(const Loop &L, SoleLoops::Test Is) {
  return any_of(L.blocks(), [&](const BasicBlock *BB) { return any_of(*BB, Is); });
}

} // namespace

SoleLoops::SoleLoops(const LoopInfo &LI, Test HasEffect, Test IsForAll) {
  for (const Loop *L : LI)
    look(*L, HasEffect, IsForAll);
}

void SoleLoops::look(const Loop &L, Test HasEffect, Test IsForAll) {
  if (!anyIn(L, HasEffect))
    return;
  if (anyIn(L, IsForAll) || !standsAlone(L)) {
    for (const Loop *Inner : L)
      look(*Inner, HasEffect, IsForAll);
    return;
  }
  Loops.push_back({L.getHeader(), L.getUniqueExitBlock(), {}});
  Loops.back().Blocks.insert(L.block_begin(), L.block_end());
}

bool SoleLoops::contain(const Instruction &I) const {
  return any_of(Loops, [&](const SoleLoop &L) { return L.Blocks.contains(I.getParent()); });
}

void SoleLoops::leaveToFirst(function_ref<void(Instruction *)> Barrier) const {
  for (const SoleLoop &L : Loops) {
    SmallVector<BasicBlock *, 4> Last;
    copy_if(predecessors(L.Exit), std::back_inserter(Last), [&](BasicBlock *BB) { return L.Blocks.contains(BB); });
    BasicBlock *Behind = SplitBlockPredecessors(L.Exit, Last, ".sole");
    BasicBlock *Before = *find_if(predecessors(L.Header), [&](BasicBlock *BB) { return !L.Blocks.contains(BB); });
    BasicBlock *Entry = SplitEdge(Before, L.Header);
    Instruction *Enter = Entry->getTerminator();
    IRBuilder<> B(Enter);
    B.CreateCondBr(B.CreateIsNull(B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {})), L.Header, Behind);
    Enter->eraseFromParent();
    for (PHINode &P : Behind->phis())
      P.addIncoming(P.getIncomingValue(0), Entry);
    Barrier(&Entry->front());
    Barrier(&*Behind->getFirstNonPHIOrDbgOrAlloca());
  }
}

} // namespace place
