//===- Strip.cpp - Sequential loops in strips --------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (k = 0; k < trips; ++k) body
// becomes
//   for (strip = 0; strip + S <= trips; strip += S) {
//     barrier; tiles = operands of [strip, strip + S); barrier;
//     for (t = 0; t < S; ++t) body on the tiles
//   }
//   for (; k < trips; ++k) body                                            as it was
// The loop's own phis run through all three loops. Where a thread copies few elements, those of strip + S are loaded into registers before
// strip is worked on. Pipelined, strip + S is fetched into a second set of tiles, asynchronously, while strip is worked on.
//
//===----------------------------------------------------------------------===//
#include "Clone.h"
#include "CodeSize.h"
#include "CopyBlocks.h"
#include "LoopProperty.h"
#include "Spaces.h"
#include "Edge.h"
#include "Tile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace place {

namespace {

class StripMiner {
public:
  StripMiner(BodyEmitter &E, const BlockFrame &F, const Loop *L, Value *Trips)
      : E(E), F(F), Trips(Trips), Context(Trips->getContext()) {
    for (BasicBlock *BB : L->blocks())
      Blocks.push_back(E.block(BB));
    Header = E.block(L->getHeader());
    Latch = E.block(L->getLoopLatch());
    Before = E.block(L->getLoopPredecessor());
  }

  void run(ArrayRef<Tile> Tiles) {
    dedicateEntry();
    IRBuilder<> B(Before->getTerminator());
    Main = B.CreateAnd(Trips, B.getInt64(-int64_t(F.Shape.Strip)));
    Worker = isWorker(B, F);
    dedicateExit();
    copyBlocks(Blocks, Copy, ".strip", *Header->getParent());
    for (const char *Name : {"strip", "strip.end", "strip.rest"})
      Parts.push_back(BasicBlock::Create(Context, Name, Header->getParent(), Header));
    Strip = Parts[0], End = Parts[1], Rest = Parts[2];
    link();
    if (F.Shape.Pipelined)
      pipeline(Tiles);
    else if (mayHold(Tiles))
      stageHeld(Tiles);
    else
      stage(Tiles);
    redirectLoads(Tiles);
    unroll();
  }

private:
  template <typename T> T *inner(T *V) { return cast<T>(Copy[V]); }
  Value *innerValue(Value *V) {
    auto It = Copy.find(V);
    return It == Copy.end() ? V : static_cast<Value *>(It->second);
  }

  // A block in front of the loop that leads nowhere else.
  void dedicateEntry() {
    BasicBlock *From = Before;
    Before = BasicBlock::Create(Context, "strip.enter", Header->getParent(), Header);
    BranchInst::Create(Header, Before);
    From->getTerminator()->replaceSuccessorWith(Header, Before);
    Header->replacePhiUsesWith(From, Before);
  }

  // A block behind the loop that only the loop leads to, with a phi for each value that is used behind the loop.
  void dedicateExit() {
    auto *Branch = cast<BranchInst>(Latch->getTerminator());
    unsigned Out = Branch->getSuccessor(0) == Header ? 1 : 0;
    BasicBlock *Target = Branch->getSuccessor(Out);
    Exit = BasicBlock::Create(Context, "strip.exit", Header->getParent(), Target);
    Branch->setSuccessor(Out, Exit);
    BranchInst::Create(Target, Exit);
    Target->replacePhiUsesWith(Latch, Exit);
    SmallPtrSet<BasicBlock *, 8> Inside(Blocks.begin(), Blocks.end());
    for (BasicBlock *BB : Blocks)
      for (Instruction &I : *BB) {
        SmallVector<Use *, 4> Outside;
        for (Use &U : I.uses()) {
          BasicBlock *User = cast<Instruction>(U.getUser())->getParent();
          if (!Inside.count(User) && User != Exit)
            Outside.push_back(&U);
        }
        if (Outside.empty())
          continue;
        PHINode *P = PHINode::Create(I.getType(), 2, "", Exit->begin());
        P->addIncoming(&I, Latch);
        for (Use *U : Outside)
          U->set(P);
      }
  }

  void link() {
    IRBuilder<> B(Before->getTerminator());
    B.CreateCondBr(B.CreateICmpNE(Main, B.getInt64(0)), Strip, Header);
    Before->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Strip);
    First = B.CreatePHI(B.getInt64Ty(), 2, "strip.first");
    First->addIncoming(B.getInt64(0), Before);
    BasicBlock *InnerHeader = inner(Header), *InnerLatch = inner(Latch);
    for (PHINode &P : Header->phis()) {
      PHINode *Across = B.CreatePHI(P.getType(), 2), *Inside = inner(&P);
      Value *Next = behindStrip(innerValue(P.getIncomingValueForBlock(Latch)), Across);
      Across->addIncoming(P.getIncomingValueForBlock(Before), Before);
      Across->addIncoming(Next, End);
      Inside->setIncomingValueForBlock(Before, Across);
      Inside->replaceIncomingBlockWith(Before, Strip);
      P.addIncoming(Next, Rest);
    }
    if (F.Shape.Alike > 1)
      B.CreateCondBr(Worker, InnerHeader, End);
    else
      B.CreateBr(InnerHeader);
    // The inner loop goes round S times.
    B.SetInsertPoint(InnerHeader, InnerHeader->begin());
    Counter = B.CreatePHI(B.getInt32Ty(), 2, "strip.t");
    Counter->addIncoming(B.getInt32(0), Strip);
    Instruction *Old = InnerLatch->getTerminator();
    B.SetInsertPoint(Old);
    Value *Next = B.CreateAdd(Counter, B.getInt32(1), "", true, true);
    Counter->addIncoming(Next, InnerLatch);
    Back = B.CreateCondBr(B.CreateICmpEQ(Next, B.getInt32(F.Shape.Strip)), End, InnerHeader);
    Old->eraseFromParent();
    setLoopProperty(*Latch->getTerminator(), "llvm.loop.unroll.disable");
    B.SetInsertPoint(End);
    Value *Following = B.CreateAdd(First, B.getInt64(F.Shape.Strip), "", true, true);
    First->addIncoming(Following, End);
    B.CreateCondBr(B.CreateICmpULT(Following, Main), Strip, Rest);
    B.SetInsertPoint(Rest);
    B.CreateCondBr(B.CreateOr(B.CreateICmpEQ(Main, Trips), B.CreateNot(Worker)), Exit, Header);
    for (PHINode &P : Exit->phis())
      P.addIncoming(behindStrip(innerValue(P.getIncomingValueForBlock(Latch)), Constant::getNullValue(P.getType())), Rest);
  }

  /// What a value of the strip's last iteration is behind the strip, and what those have in its place that only fetch.
  Value *behindStrip(Value *V, Value *Fetching) {
    if (F.Shape.Alike == 1)
      return V;
    PHINode *P = PHINode::Create(V->getType(), 2, "", End->begin());
    P->addIncoming(V, inner(Latch));
    P->addIncoming(Fetching, Strip);
    return P;
  }

  /// Strip has been split, and ends in Last now.
  void moveEnd(BasicBlock *Last) {
    inner(Header)->replacePhiUsesWith(Strip, Last);
    End->replacePhiUsesWith(Strip, Last);
  }

  /// Whether the strip's iterations go to memory still, each by itself.
  bool goesToMemory() {
    return any_of(Blocks, [&](BasicBlock *BB) {
      return any_of(*inner(BB), [](const Instruction &I) {
        const Value *Pointer = getLoadStorePointerOperand(&I);
        return Pointer && !isOnChip(*Pointer);
      });
    });
  }

  /// The strip's loop is unrolled as far as its code does not grow too large; where memory sets the pace, until enough is in flight.
  void unroll() {
    const unsigned Most = goesToMemory() ? MostBesideMemory : MostRepeated;
    unsigned Times = F.Shape.Strip, OfOne = machineInstructions(Blocks);
    while (Times > 1 && Times * OfOne > Most)
      Times /= 2;
    if (Times == F.Shape.Strip)
      setLoopProperty(*Back, "llvm.loop.unroll.full");
    else if (Times > 1)
      setLoopProperty(*Back, "llvm.loop.unroll.count", Times);
    else
      setLoopProperty(*Back, "llvm.loop.unroll.disable");
  }

  void stage(ArrayRef<Tile> Tiles) {
    Function *Barrier = Intrinsic::getDeclaration(Header->getModule(), Intrinsic::nvvm_barrier0);
    // Staging may split the block: its phis stay, its end moves.
    Instruction *Last = Strip->getTerminator();
    IRBuilder<> B(Last);
    B.CreateCall(Barrier);
    for (const Tile &T : Tiles) {
      T.copyIn(B, F, First);
      B.SetInsertPoint(Last);
    }
    B.CreateCall(Barrier);
    if (Last->getParent() != Strip)
      moveEnd(Last->getParent());
  }

  /// Whether a thread has registers for what it copies of the next strip, beside those of what it works on.
  bool mayHold(ArrayRef<Tile> Tiles) {
    const unsigned MostWords = 16;
    unsigned Words = 0;
    for (const Tile &T : Tiles) {
      if (!T.elementsEach(F.Shape))
        return false;
      Words += T.elementsEach(F.Shape) * divideCeil(T.access().Width, 4);
    }
    return Words <= MostWords;
  }

  using Held = SmallVector<SmallVector<Value *, 16>, 4>; // by tile

  Held loadAll(IRBuilder<> &B, ArrayRef<Tile> Tiles, Value *From) {
    Held All;
    for (const Tile &T : Tiles)
      All.push_back(T.load(B, F, From));
    return All;
  }

  /// The next strip is loaded into registers before this one is worked on. Behind the last one it is that one again: without a branch the back
  /// end leaves the loads in front of the work.
  void stageHeld(ArrayRef<Tile> Tiles) {
    BasicBlock *Enter = SplitEdge(Before, Strip);
    IRBuilder<> B(Enter->getTerminator());
    Held Now = loadAll(B, Tiles, B.getInt64(0));
    B.SetInsertPoint(Strip, Strip->begin());
    for (auto &Of : Now)
      for (Value *&V : Of) {
        PHINode *P = B.CreatePHI(V->getType(), 2);
        P->addIncoming(V, Enter);
        V = P;
      }
    B.SetInsertPoint(Strip->getTerminator());
    call(B, Intrinsic::nvvm_barrier0);
    for (auto [T, Values] : zip(Tiles, Now))
      T.store(B, F, Values);
    call(B, Intrinsic::nvvm_barrier0);
    Value *Following = B.CreateAdd(First, B.getInt64(F.Shape.Strip), "", true, true);
    Held Next = loadAll(B, Tiles, B.CreateSelect(B.CreateICmpULT(Following, Main), Following, First));
    for (auto [Of, Ahead] : zip(Now, Next))
      for (auto [V, L] : zip(Of, Ahead))
        cast<PHINode>(V)->addIncoming(L, End);
  }

  CallInst *call(IRBuilder<> &B, Intrinsic::ID ID, ArrayRef<Value *> Operands = {}) {
    return B.CreateCall(Intrinsic::getDeclaration(Header->getModule(), ID), Operands);
  }

  void fetch(IRBuilder<> &B, Instruction *At, ArrayRef<Tile> Tiles, Value *From, Value *Which) {
    for (const Tile &T : Tiles) {
      B.SetInsertPoint(At);
      T.copyIn(B, F, From, Which);
    }
    B.SetInsertPoint(At);
  }

  void pipeline(ArrayRef<Tile> Tiles) {
    // The first strip, once nobody reads the block before this one any more.
    BasicBlock *Enter = SplitEdge(Before, Strip);
    IRBuilder<> B(Enter->getTerminator());
    call(B, Intrinsic::nvvm_barrier0);
    fetch(B, Enter->getTerminator(), Tiles, B.getInt64(0), B.getFalse());
    call(B, Intrinsic::nvvm_cp_async_commit_group);
    BasicBlock *Entered = B.GetInsertBlock();
    // The next one, as far as there is one; then the wait for this one.
    Instruction *Last = Strip->getTerminator();
    B.SetInsertPoint(Strip, Strip->begin());
    PHINode *Which = B.CreatePHI(B.getInt1Ty(), 2);
    Second = Which;
    B.SetInsertPoint(Last);
    Value *Other = B.CreateNot(Which), *Following = B.CreateAdd(First, B.getInt64(F.Shape.Strip), "", true, true);
    Which->addIncoming(B.getFalse(), Entered);
    Which->addIncoming(Other, End);
    Instruction *More = SplitBlockAndInsertIfThen(B.CreateICmpULT(Following, Main), Last, false);
    fetch(B, More, Tiles, Following, Other);
    B.SetInsertPoint(Last);
    call(B, Intrinsic::nvvm_cp_async_commit_group);
    call(B, Intrinsic::nvvm_cp_async_wait_group, {B.getInt32(1)});
    call(B, Intrinsic::nvvm_barrier0);
    moveEnd(Last->getParent());
    // Nobody fetches into a tile that others still read.
    B.SetInsertPoint(End->getTerminator());
    call(B, Intrinsic::nvvm_barrier0);
  }

  void redirectLoads(ArrayRef<Tile> Tiles) {
    for (const Tile &T : Tiles) {
      Instruction *Template = T.access().I;
      forEachCopy(F.Shape, F.T.mask(Template), [&](const place::Copy &R) {
        auto *Load = cast<LoadInst>(innerValue(E.lookup(Template, R)));
        IRBuilder<> B(Load);
        Value *New = B.CreateAlignedLoad(Load->getType(), T.element(B, F, R, Counter, Second), Align(T.access().Width));
        Load->replaceAllUsesWith(New);
        Load->eraseFromParent();
      });
    }
  }

  BodyEmitter &E;
  const BlockFrame &F;
  Value *Trips, *Main = nullptr, *Worker = nullptr;
  LLVMContext &Context;
  SmallVector<BasicBlock *, 8> Blocks;
  SmallVector<BasicBlock *, 3> Parts;
  BranchInst *Back = nullptr; // of the strip's loop
  BasicBlock *Header, *Latch, *Before, *Exit = nullptr, *Strip = nullptr, *End = nullptr, *Rest = nullptr;
  PHINode *First = nullptr, *Counter = nullptr;
  Value *Second = nullptr; // pipelined: whether the second set of tiles is the one to read
  ValueToValueMapTy Copy;
};

} // namespace

void stripMine(BodyEmitter &E, const BlockFrame &F, const Loop *L, ArrayRef<Tile> Tiles, Value *Trips) {
  StripMiner(E, F, L, Trips).run(Tiles);
}

} // namespace place
