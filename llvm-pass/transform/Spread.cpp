//===- Spread.cpp - Loops of one level over the whole grid ---------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang makes of them, before any optimisation, is one of two loops; iv, lb, ub and stride are variables:
//
//   of portions                              of chunks, which `parallel for` has of one iteration each
//     static_init(&lb, &ub, &stride)           static_init(&lb, &ub, &stride)
//     iv = lb                                  for (; ub = min(ub, last), iv = lb, iv <= ub; lb += stride, ub += stride)
//     for (; iv <= ub; iv += 1) body             for (; iv <= ub; iv += 1) body
//
//===----------------------------------------------------------------------===//
#include "Spread.h"
#include "Carried.h"
#include "DeviceRuntime.h"
#include "Environment.h"
#include "GridLoop.h"
#include "Kernel.h"
#include "Mark.h"
#include "RuntimeCall.h"
#include "SpreadSums.h"
#include "TeamSize.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

namespace {

using namespace static_init;

/// The one instruction of a function for which that holds; null: there is none, or several.
template <typename Predicate> Instruction *onlyOne(Function &F, Predicate Wanted) {
  Instruction *Only = nullptr;
  for (Instruction &I : instructions(F))
    if (Wanted(I) && std::exchange(Only, &I))
      return nullptr;
  return Only;
}

class Spreader {
public:
  Spreader(Module &One, Function &Kernel, FunctionAnalysisManager &FAM) : One(One), Kernel(Kernel), FAM(FAM) {}

  bool recognise() {
    for (Function &F : One)
      if (Instruction *I = onlyOne(F, isSharedOut))
        Init = cast<CallInst>(I);
    return Init && hasLoop() && findGridSums(*Init, *Whole, DT, Sums) && actsInLoopOnly() && isReachedOnce() && barriersEndIt();
  }

  SpreadFrom rewrite() {
    bool OfTeams = isDistribute(*Init);
    Function &F = *Init->getFunction();
    Chunks ? joinChunks() : stepByStride();
    strideOverGrid({Init, Guard, Latch, Counter});
    for (Instruction *I : Barriers)
      I->eraseFromParent();
    bool Generic = executionMode(Kernel) == ExecutionMode::Generic;
    if (Generic)
      startAsSpmd(Kernel); // all threads begin what one did
    if (Generic || Sums.Finish)
      giveEachItsOwn(F);
    if (OfTeams)
      widenTeams();
    if (Sums.Finish && !sumByGrid(One, Kernel, FAM))
      return SpreadFrom::None;
    markStrided(Kernel);
    return OfTeams ? SpreadFrom::Teams : SpreadFrom::Threads;
  }

private:
  unsigned kind() const { return scheduleOf(*Init).value_or(0); }

  //===-- The loop --------------------------------------------------------------===//

  // Of chunks that the source asks for, a program knows that each is carried out in order.
  bool hasUsualChunks() const {
    const Value *Size = Init->getArgOperand(Chunk);
    while (const auto *Cast = dyn_cast<CastInst>(Size))
      Size = Cast->getOperand(0);
    const auto *Threads = dyn_cast<Instruction>(Size);
    return kind() == schedule::ForChunked ? isNumber(Size, 1) : Threads && isCallOf(*Threads, "__kmpc_get_hardware_num_threads_in_block");
  }

  bool hasLoop() {
    Counter = Init->getArgOperand(Increment)->getType();
    if (!isNumber(Init->getArgOperand(Increment), 1))
      return false;
    DT.recalculate(*Init->getFunction());
    LI.releaseMemory();
    LI.analyze(DT);
    if (carriesValues(*Init))
      return false;
    if (kind() == schedule::ForChunked || kind() == schedule::DistributeChunked)
      return hasUsualChunks() && findChunks();
    return (kind() == schedule::For || kind() == schedule::Distribute) && findPortion();
  }

  bool isLoadOf(const Value *V, unsigned Operand) const {
    const auto *L = dyn_cast<LoadInst>(V);
    return L && L->getPointerOperand() == Init->getArgOperand(Operand);
  }

  // iv = lb in front of the loop, iv += 1 in its latch
  bool findPortion() {
    Instruction *Start = onlyOne(*Init->getFunction(), [&](const Instruction &I) {
      const auto *S = dyn_cast<StoreInst>(&I);
      return S && isLoadOf(S->getValueOperand(), Lower) && DT.dominates(Init, S);
    });
    Value *Variable = Start ? cast<StoreInst>(Start)->getPointerOperand() : nullptr;
    Instruction *Next = onlyOne(*Init->getFunction(), [&](const Instruction &I) {
      const auto *S = dyn_cast<StoreInst>(&I);
      return S && S->getPointerOperand() == Variable && &I != Start;
    });
    if (!Next || !isa<AllocaInst>(Variable))
      return false;
    Step = dyn_cast<BinaryOperator>(cast<StoreInst>(Next)->getValueOperand());
    const auto *Before = Step ? dyn_cast<LoadInst>(Step->getOperand(0)) : nullptr;
    bool Steps = Before && Step->hasOneUse() && Step->getOpcode() == Instruction::Add && isNumber(Step->getOperand(1), 1) &&
                 Before->getPointerOperand() == Variable && Before->getParent() == Next->getParent();
    return Steps && setLoop(LI.getLoopFor(Next->getParent()), Next->getParent()) && !Whole->contains(Start);
  }

  // lb and ub grow by the stride in the latch
  bool findChunks() {
    BasicBlock *Grows = nullptr;
    for (User *U : Init->getArgOperand(Stride)->users()) {
      auto *L = dyn_cast<LoadInst>(U);
      if (L && Grows && L->getParent() != Grows)
        return false;
      Grows = L ? L->getParent() : Grows;
    }
    Chunks = true;
    return Grows && setLoop(LI.getLoopFor(Grows), Grows);
  }

  // The loop with that latch: one way out, and nothing to be seen before it is taken.
  bool setLoop(Loop *L, BasicBlock *End) {
    BasicBlock *Out = L ? wayOut(*L) : nullptr;
    if (!Out || L->getParentLoop() || L->getLoopLatch() != End || L->contains(Init->getParent()) ||
        !DT.dominates(Init->getParent(), L->getHeader()))
      return false;
    Whole = L;
    Guard = dyn_cast<BranchInst>(Out->getTerminator());
    Latch = dyn_cast<BranchInst>(End->getTerminator());
    if (!Guard || !Guard->isConditional() || !L->contains(Guard->getSuccessor(0)) || !Latch || !Latch->isUnconditional())
      return false;
    return all_of(L->blocks(), [&](BasicBlock *BB) {
      return DT.properlyDominates(Out, BB) || none_of(*BB, [](const Instruction &I) { return hasVisibleEffect(I); });
    });
  }

  //===-- What stands around it ----------------------------------------------------===//

  bool actsInLoopOnly() {
    return all_of(instructions(*Init->getFunction()), [&](const Instruction &I) {
      return Whole->contains(&I) || !hasVisibleEffect(I) || writesTeamVariable(I) || is_contained(Sums.Firsts, &I) ||
             (Sums.Result && DT.dominates(Sums.Result, I.getParent()));
    });
  }

  // From the kernel to the loop's function: one use of each, in no loop, and nothing else to be seen.
  bool isReachedOnce() {
    Function *F = Init->getFunction();
    for (unsigned Level = 0; F != &Kernel; ++Level) {
      const unsigned MostLevels = 4;
      auto *Call = F->hasOneUse() ? dyn_cast<CallBase>(*F->user_begin()) : nullptr;
      if (!Call || Level == MostLevels || !(Call->getCalledFunction() == F || beginsAllThreads(*Call, *F)))
        return false;
      F = Call->getFunction();
      DominatorTree Tree(*F);
      if (LoopInfo(Tree).getLoopFor(Call->getParent()) || any_of(instructions(*F), [&](const Instruction &I) {
            return &I != Call && hasVisibleEffect(I) && !writesTeamVariable(I); // which is each thread's then
          }))
        return false;
    }
    return true;
  }

  bool beginsAllThreads(const CallBase &Region, const Function &F) const {
    using namespace parallel_51;
    return isCallOf(Region, "__kmpc_parallel_51") && isNumber(Region.getArgOperand(If), 1) &&
           isNumber(Region.getArgOperand(NumThreads), -1) && Region.getArgOperand(Outlined)->stripPointerCasts() == &F;
  }

  bool isForSums(const Function &F) const {
    return Sums.Finish && any_of(Sums.Finish->args(), [&](const Use &U) { return U->stripPointerCasts() == &F; });
  }

  // Barriers of the parallel region are for what follows the loop: nothing does.
  bool barriersEndIt() {
    for (Function &F : One)
      for (Instruction &I : instructions(F))
        if (isCallOf(I, "__kmpc_barrier") && !isForSums(F))
          Barriers.push_back(&I);
    return all_of(Barriers, [&](Instruction *I) { return I->getFunction() == Init->getFunction() && !Whole->contains(I); });
  }

  //===-- Rewriting ------------------------------------------------------------------===//

  void stepByStride() {
    IRBuilder<> B(Step);
    Step->setOperand(1, B.CreateLoad(Counter, Init->getArgOperand(Stride)));
    Step->setHasNoSignedWrap(false); // of the step behind the last iteration, at which nobody looks
    Step->setHasNoUnsignedWrap(false);
  }

  // Each chunk is of one iteration: the inner loop goes round once.
  void joinChunks() {
    IRBuilder<> B(&*Guard->getSuccessor(0)->getFirstInsertionPt());
    B.CreateStore(B.CreateLoad(Counter, Init->getArgOperand(Lower)), Init->getArgOperand(Upper));
  }

  // With `simd`, teams are made to have one thread.
  void widenTeams() {
    const unsigned Warp = 32, Usual = 128;
    if (unsigned Most = mostThreads(Kernel); Most && Most < Warp)
      limitThreads(Kernel, Usual);
  }

  // What was the team's while it had one thread.
  static void giveEachItsOwn(Function &F) {
    const Align Runtimes(16);
    SmallVector<Instruction *, 8> Ends;
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Bytes = isCallOf(I, "__kmpc_alloc_shared") ? dyn_cast<ConstantInt>(cast<CallBase>(I).getArgOperand(0)) : nullptr;
      if (!Bytes)
        continue;
      IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      AllocaInst *Own = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes->getZExtValue()));
      Own->setAlignment(Runtimes);
      for (User *U : I.users())
        if (auto *End = cast<Instruction>(U); isCallOf(*End, "__kmpc_free_shared"))
          Ends.push_back(End);
      I.replaceAllUsesWith(Own);
      I.eraseFromParent();
    }
    for (Instruction *End : Ends)
      End->eraseFromParent();
  }

  Module &One;
  Function &Kernel;
  FunctionAnalysisManager &FAM;
  SmallVector<Instruction *, 2> Barriers;
  DominatorTree DT;
  LoopInfo LI;
  CallInst *Init = nullptr;
  GridSums Sums;
  Type *Counter = nullptr;
  Loop *Whole = nullptr;
  BranchInst *Guard = nullptr, *Latch = nullptr;
  BinaryOperator *Step = nullptr; // of a loop of portions
  bool Chunks = false;
};

} // namespace

SpreadFrom spreadLoop(Module &One, StringRef Kernel, FunctionAnalysisManager &FAM) {
  Function *F = One.getFunction(Kernel);
  if (!F || !hasLoopOfOneLevel(*F))
    return SpreadFrom::None;
  Spreader S(One, *F, FAM);
  return S.recognise() ? S.rewrite() : SpreadFrom::None;
}

} // namespace place
