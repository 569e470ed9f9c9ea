//===- GridLoop.cpp - A thread's share of a loop over the whole grid -----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GridLoop.h"
#include "Finish.h"
#include "LoopProperty.h"
#include "RuntimeCall.h"
#include "Stride.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

static const char StridedLoop[] = "place.strided", GroupedLoop[] = "place.grouped", EvenLoop[] = "place.even";

bool isLoaded(const Value *Variable) {
  return any_of(Variable->users(), [](const User *U) { return isa<LoadInst>(U); });
}

namespace {

using namespace static_init;

class ShareOfGrid {
public:
  explicit ShareOfGrid(const GridLoop &L) : L(L), B(L.Init) {}

  // How many iterations are this thread's is counted in 64 bits; the last step of its counter may pass the counter's range, and
  // nobody looks at it then. The last group may have fewer than the others.
  void take() {
    Grid G = gridOf(B);
    Value *Thread = B.CreateAdd(B.CreateMul(G.Team, G.Threads, "", true, true), G.Thread, "", true, true);
    Value *Lowest = bound(Lower), *Last = B.CreateSub(bound(Upper), Lowest);
    Value *All = B.CreateMul(G.Teams, G.Threads, "", true, true), *LastGroup = B.CreateUDiv(Last, B.getInt64(L.Group));
    Value *Any = B.CreateICmpULT(G.Team, G.Teams);
    if (L.Evenly)
      Thread = B.CreateSelect(B.CreateICmpULT(LastGroup, All), warpByWarp(G, Thread), Thread);
    if (L.Shared.Lanes > 1) {
      // A team of fewer threads than lanes: each thread has all of the inner loop.
      Value *Lanes = B.getInt64(L.Shared.Lanes);
      if (!L.Apart)
        Lanes = B.CreateSelect(B.CreateICmpULT(G.Threads, Lanes), B.getInt64(1), Lanes);
      Value *Number = L.Apart ? G.Thread : Thread, *Each = B.CreateUDiv(L.Apart ? G.Threads : All, Lanes);
      shareLaneLoop(L.Shared, B.CreateURem(Number, Lanes), Lanes);
      Number = B.CreateUDiv(Number, Lanes);
      Any = B.CreateAnd(Any, B.CreateICmpULT(Number, Each)); // all of those that share it are there
      Thread = L.Apart ? B.CreateAdd(B.CreateMul(G.Team, Each, "", true, true), Number, "", true, true) : Number;
      All = L.Apart ? B.CreateMul(G.Teams, Each, "", true, true) : Each;
      All = B.CreateBinaryIntrinsic(Intrinsic::umax, All, B.getInt64(1));
    }
    Any = B.CreateAnd(Any, B.CreateICmpULE(Thread, LastGroup));
    Any = B.CreateAnd(Any, B.CreateICmpULE(Lowest, bound(Upper)));
    if (!L.Init->getCalledFunction()->getName().ends_with("u")) // of a triangle without an iteration
      Any = B.CreateAnd(Any, B.CreateICmpSGE(B.CreateLoad(L.Counter, operand(Upper)), ConstantInt::get(L.Counter, 0)));
    Value *Distance = B.CreateSub(LastGroup, Thread), *Mine = B.CreateAdd(B.CreateUDiv(Distance, All), B.getInt64(1));
    auto HasLast = [&] { return B.CreateIsNull(B.CreateURem(Distance, All)); };
    if (Value *Flag = operand(LastFlag); isLoaded(Flag))
      B.CreateStore(B.CreateZExt(B.CreateAnd(Any, HasLast()), B.getInt32Ty()), Flag);
    if (L.Group > 1) {
      Value *Missing = B.CreateSub(B.getInt64(L.Group - 1), B.CreateURem(Last, B.getInt64(L.Group)));
      Mine = B.CreateSub(B.CreateMul(Mine, B.getInt64(L.Group)), B.CreateSelect(HasLast(), Missing, B.getInt64(0)));
    }
    Mine = B.CreateSelect(Any, Mine, B.getInt64(0), "mine");
    B.CreateStore(B.CreateTrunc(B.CreateAdd(Lowest, B.CreateMul(Thread, B.getInt64(L.Group))), L.Counter), operand(Lower));
    B.CreateStore(B.CreateTrunc(B.CreateSub(B.CreateMul(All, B.getInt64(L.Group)), B.getInt64(L.Group - 1)), L.Counter), operand(Stride));
    countTo(Mine);
    L.Init->eraseFromParent();
  }

  // The loop is found again by this, behind other passes.
  void mark() {
    addLoopProperty(*L.Latch, StridedLoop);
    if (L.Group > 1)
      addLoopProperty(*L.Latch, GroupedLoop);
    if (L.Evenly)
      addLoopProperty(*L.Latch, EvenLoop);
  }

private:
  // The thread's number if all teams' first warps came first, then all second ones. As before in teams of other than whole warps.
  Value *warpByWarp(const Grid &G, Value *Number) {
    Value *Warp = B.getInt64(32), *Lane = B.CreateURem(G.Thread, Warp);
    Value *Before = B.CreateAdd(B.CreateMul(B.CreateUDiv(G.Thread, Warp), G.Teams, "", true, true), G.Team, "", true, true);
    Value *ByWarp = B.CreateAdd(B.CreateMul(Before, Warp, "", true, true), Lane, "", true, true);
    return B.CreateSelect(B.CreateIsNull(B.CreateURem(G.Threads, Warp)), ByWarp, Number);
  }

  Value *operand(unsigned N) { return L.Init->getArgOperand(N); }
  Value *bound(unsigned N) { return B.CreateZExt(B.CreateLoad(L.Counter, operand(N)), B.getInt64Ty()); }

  void countTo(Value *Mine) {
    IRBuilder<> Entry(&*L.Init->getFunction()->getEntryBlock().getFirstInsertionPt());
    Type *Wide = Entry.getInt64Ty();
    AllocaInst *Done = Entry.CreateAlloca(Wide, nullptr, "done");
    B.CreateStore(B.getInt64(0), Done);
    B.SetInsertPoint(L.Guard);
    L.Guard->setCondition(B.CreateICmpULT(B.CreateLoad(Wide, Done), Mine));
    B.SetInsertPoint(L.Latch);
    B.CreateStore(B.CreateAdd(B.CreateLoad(Wide, Done), B.getInt64(1), "", true, true), Done);
    if (L.Group > 1)
      stayInGroup(Done);
  }

  // The next iteration is the neighbour, but for the group's last one.
  void stayInGroup(AllocaInst *Done) {
    B.SetInsertPoint(L.Growth->getNextNode());
    Value *Next = B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Done), B.getInt64(1), "", true, true);
    Value *Ends = B.CreateIsNull(B.CreateAnd(Next, B.getInt64(L.Group - 1)));
    auto *Step = cast<SelectInst>(B.CreateSelect(Ends, L.Growth, ConstantInt::get(L.Counter, 1)));
    L.Growth->replaceUsesWithIf(Step, [&](Use &U) { return U.getUser() != Step; });
  }

  const GridLoop &L;
  IRBuilder<> B;
};

bool hasProperty(const Loop &L, StringRef Name) { return L.getLoopLatch() && hasLoopProperty(*L.getLoopLatch()->getTerminator(), Name); }

} // namespace

// `continue` behind a variable of the body becomes a switch, with a default that is never reached.
BasicBlock *wayOut(const Loop &L) {
  BasicBlock *Only = nullptr;
  for (BasicBlock *BB : L.blocks())
    for (BasicBlock *Next : successors(BB))
      if (!L.contains(Next) && !isa<UnreachableInst>(Next->getFirstNonPHIOrDbg())) {
        if (Only && Only != BB)
          return nullptr;
        Only = BB;
      }
  return Only;
}

std::optional<CountedLoop> countedLoop(const CallInst &Share, const LoopInfo &LI, const DominatorTree &DT) {
  CountedLoop Found;
  auto *Step = dyn_cast<AllocaInst>(Share.getArgOperand(Stride));
  if (!Step)
    return std::nullopt;
  for (User *U : Step->users()) {
    auto *Read = dyn_cast<LoadInst>(U);
    if (!Read)
      continue;
    auto *Add = Read->hasOneUse() ? dyn_cast<BinaryOperator>(*Read->user_begin()) : nullptr;
    auto *Write = Add && Add->getOpcode() == Instruction::Add && Add->hasOneUse() ? dyn_cast<StoreInst>(*Add->user_begin()) : nullptr;
    if (!Write || Found.Counted)
      return std::nullopt;
    Found.Counted = Write, Found.Growth = Read;
  }
  const Loop *L = Found.L = Found.Counted ? LI.getLoopFor(Found.Counted->getParent()) : nullptr;
  if (!L || L->getParentLoop() || L->contains(Share.getParent()) || L->getLoopLatch() != Found.Counted->getParent() ||
      wayOut(*L) != L->getHeader() || !DT.dominates(Share.getParent(), L->getHeader()))
    return std::nullopt;
  Found.Guard = dyn_cast<BranchInst>(L->getHeader()->getTerminator());
  Found.Latch = dyn_cast<BranchInst>(L->getLoopLatch()->getTerminator());
  bool BodyFirst = Found.Guard && Found.Guard->isConditional() && L->contains(Found.Guard->getSuccessor(0));
  return BodyFirst && Found.Latch && Found.Latch->isUnconditional() ? std::optional(Found) : std::nullopt;
}

void strideOverGrid(const GridLoop &L) {
  ShareOfGrid Share(L);
  Share.take();
  Share.mark();
}

bool isStridedLoop(const Loop &L) { return hasProperty(L, StridedLoop); }

bool isGroupedLoop(const Loop &L) { return hasProperty(L, GroupedLoop); }

bool isEvenLoop(const Loop &L) { return hasProperty(L, EvenLoop); }

} // namespace place
