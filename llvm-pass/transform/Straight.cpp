//===- Straight.cpp - Straight chunk loops --------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: the guard of the inner chunk loop parts a warp's threads as far as ptxas knows, which keeps it from using uniform
// registers and from scheduling loads of several iterations together; the barriers cost time and protect nothing. Threads
// that leave the kernel do not count as parted. Measured on an H200 (benchmarks/RESULTS.md): a 64-tap filter with its taps in
// constant memory takes 0.398 ms in clang's form, 0.321 in this one, and 0.242 with loads joined (FinishVersionPass).
//
//===----------------------------------------------------------------------===//
#include "Straight.h"
#include "Chunks.h"
#include "CodeSize.h"
#include "CopyBlocks.h"
#include "LaneSums.h"
#include "Narrow.h"
#include "Transform.h"
#include "Unroll.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

//===-- What forms without the chunk loops have in common ----------------------===//

// What nothing writes is then loaded by the read-only route, past which the assembler moves stores freely. The attribute says that nobody else
// writes, either: no other thread, as far as values are known behind a barrier. In clang's chunk loops barriers protect nothing.
void tellApart(Clone &C) {
  bool Meets = C.kernel().Lean && any_of(instructions(C.function()), isMeeting);
  for (const ArraySummary &A : C.kernel().Arrays) {
    if (Meets && (A.Written || A.Atomic))
      continue;
    C.array(A)->addAttr(Attribute::NoAlias);
    if (A.Read && !A.Written && !A.Atomic)
      C.array(A)->addAttr(Attribute::ReadOnly);
  }
}

/// What is made of it is a constant then as well: a loop is recognised by its step.
static void replaceBy(Instruction &I, Constant &By) {
  SmallVector<Instruction *, 8> Users;
  for (User *U : I.users())
    if (!is_contained(Users, U))
      Users.push_back(cast<Instruction>(U));
  I.replaceAllUsesWith(&By);
  for (Instruction *U : Users)
    if (Constant *C = isa<CastInst>(U) || isa<BinaryOperator>(U) ? ConstantFoldInstruction(U, U->getDataLayout()) : nullptr)
      replaceBy(*U, *C);
}

void fixThreads(Function &F, unsigned Threads) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *II = dyn_cast<IntrinsicInst>(&I); II && II->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_ntid_x) {
      replaceBy(*II, *ConstantInt::get(II->getType(), Threads));
      II->eraseFromParent();
    }
}

void runOnce(BasicBlock *Header, BasicBlock *Latch, BasicBlock *Next) {
  for (PHINode &P : Header->phis())
    P.removeIncomingValue(Latch, /*DeletePHIIfEmpty=*/false);
  Latch->getTerminator()->eraseFromParent();
  BranchInst::Create(Next, Latch);
}

void eraseBarriers(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isBarrier(I))
      I.eraseFromParent();
}

BasicBlock *leaveBlock(Function &F) {
  BasicBlock *Leave = BasicBlock::Create(F.getContext(), "leave", &F);
  IRBuilder<> B(Leave);
  B.CreateCall(Intrinsic::getDeclaration(F.getParent(), Intrinsic::nvvm_exit))->setDoesNotReturn();
  B.CreateUnreachable();
  return Leave;
}

namespace {

/// Instructions of a body that there are two copies of.
const unsigned LargestRepeated = 64;

class Straightener {
public:
  explicit Straightener(Clone &C) : C(C), F(C.function()), S(*C.kernel().Chunks) {}

  void run() {
    // With `Size` threads, and launched with no other number, the inner loop goes round once. Where a chunk is as large as the
    // team, it does so with any number.
    if (S.Size)
      fixThreads(F, S.Size);
    BasicBlock *Tail = isLarge() ? nullptr : copyInner();
    runOnce(block(S.InnerHeader), block(S.InnerLatch), block(S.Skip));
    block(S.Skip)->removePredecessor(block(S.Header), /*KeepOneInputPHIs=*/true); // chunks are whole there, or the thread leaves
    if (Tail)
      branch(Tail);
    else
      leaveAtEnd();
    eraseBarriers(F);
  }

private:
  template <typename T> T *value(T *Original) { return cast<T>(C.cloned(Original)); }
  BasicBlock *block(BasicBlock *Original) { return cast<BasicBlock>(C.cloned(Original)); }

  // Of a large body, what the guard costs is nothing beside it, and a second copy takes as much time in ptxas and room in the program.
  bool isLarge() {
    SmallVector<BasicBlock *, 16> Blocks;
    for (BasicBlock *Original : S.Inner)
      Blocks.push_back(block(Original));
    return machineInstructions(Blocks) > LargestRepeated;
  }

  // A chunk in which a thread has no iteration is the last one of its team, or all are so.
  void leaveAtEnd() {
    BasicBlock *Header = block(S.Header), *Inner = block(S.InnerHeader);
    auto *Guard = cast<BranchInst>(Header->getTerminator());
    Guard->setSuccessor(Guard->getSuccessor(0) == Inner, leaveBlock(F));
  }

  // The body once more, behind a block that is returned, ending in a return.
  BasicBlock *copyInner() {
    BasicBlock *Tail = BasicBlock::Create(F.getContext(), "tail", &F);
    ValueToValueMapTy Copy;
    SmallVector<BasicBlock *, 16> Blocks;
    for (BasicBlock *Original : S.Inner)
      Blocks.push_back(block(Original));
    copyBlocks(Blocks, Copy, ".tail", F);
    auto *Header = cast<BasicBlock>(Copy[block(S.InnerHeader)]), *Latch = cast<BasicBlock>(Copy[block(S.InnerLatch)]);
    for (PHINode &P : make_early_inc_range(Header->phis())) {
      P.removeIncomingValue(Latch, /*DeletePHIIfEmpty=*/false);
      P.replaceIncomingBlockWith(block(S.Header), Tail);
    }
    Latch->getTerminator()->eraseFromParent();
    ReturnInst::Create(F.getContext(), Latch);
    BasicBlock *Leave = leaveBlock(F);
    // As the header's guard did: not everybody has an iteration.
    auto *Guard = cast<BranchInst>(block(S.Header)->getTerminator());
    bool EnterIfTrue = Guard->getSuccessor(0) == block(S.InnerHeader);
    BranchInst::Create(EnterIfTrue ? Header : Leave, EnterIfTrue ? Leave : Header, Guard->getCondition(), Tail);
    return Tail;
  }

  Value *size(IRBuilder<> &B, Type *Ty) {
    if (S.Size)
      return ConstantInt::get(Ty, S.Size);
    return B.CreateZExtOrTrunc(B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_x, {}, {}), Ty);
  }

  // Header: a whole chunk, in which every thread has an iteration, or else the tail.
  void branch(BasicBlock *Tail) {
    BasicBlock *Header = block(S.Header);
    auto *Guard = cast<BranchInst>(Header->getTerminator());
    IRBuilder<> B(Guard);
    Value *Base = value(S.Base), *Bound = value(S.Bound);
    Value *Last = B.CreateSub(size(B, Base->getType()), ConstantInt::get(Base->getType(), 1));
    Value *Whole = B.CreateICmpEQ(Bound, B.CreateAdd(Base, Last));
    // What else the guard asks is the same for all chunks: where it says no, no chunk has an iteration.
    if (S.Other) {
      Value *Other = isa<Constant>(S.Other) ? S.Other : C.cloned(S.Other);
      bool Leaves = Guard->getSuccessor(0) != block(S.InnerHeader);
      Whole = B.CreateAnd(Whole, Leaves ? B.CreateNot(Other) : Other);
    }
    B.CreateCondBr(Whole, block(S.InnerHeader), Tail);
    Guard->eraseFromParent();
  }

  Clone &C;
  Function &F;
  const ChunkShape &S;
};

} // namespace

void straightenChunks(Clone &C) { Straightener(C).run(); }

void finishLean(Clone &C, unsigned Sharing) {
  Function &F = C.function();
  if (unsigned Threads = C.version().knownThreads(C.kernel()))
    fixThreads(F, Threads);
  if (C.version().Apart)
    tellApart(C);
  // Of a reduction over teams only so many teams take part as there are slots, and each thread must make up for that.
  const unsigned BytesInFlight = C.kernel().reduces() ? 32 : 16;
  C.Left.Gathers = C.kernel().reduces();
  if (Sharing)
    unrollShared(F, Sharing, BytesInFlight);
  if (unsigned Lanes = C.kernel().LanesOfSums; Sharing && Lanes)
    unrollShared(F, Sharing / Lanes, BytesInFlight);
  SmallVector<BasicBlock *, 16> Blocks;
  for (BasicBlock &BB : F)
    Blocks.push_back(&BB);
  findRemainders(Blocks);
  divideNarrowly(Blocks, F.getParent()->getDataLayout());
}

static bool isPart(const Version &V) { return V.Form == &StraightTransform; }

static bool allows(const KernelSummary &K, const Version &) { return K.Chunks || K.Lean; }

static void describe(const KernelSummary &K, const Version &V, VersionRecord &R) {
  R.Loop = PLACE_LOOP_STRAIGHT;
  R.Threads = V.Threads ? V.Threads : K.Threads;
  if (V.Fill)
    R.key("fill", std::to_string(V.Fill));
  if (K.Team || V.Threads)
    R.need(PLACE_NEED_OPEN_THREADS);
  else if (K.Threads)
    R.need(PLACE_NEED_THREADS, K.Threads);
}

/// What was rebuilt without the device runtime is straight as it is.
static void apply(Clone &C) { C.kernel().Lean ? finishLean(C, C.version().knownThreads(C.kernel())) : straightenChunks(C); }

static void accompany(const KernelSummary &K, Version &V) {
  if (!K.Chunks && !K.Lean)
    return;
  V.Form = &StraightTransform;
  V.SameThreads = true;
  if (K.Lean && K.LanesOfSums) {
    const unsigned ThreadsOfMultiprocessor = 1024;
    V.Threads = threadsOfLaneTeams(*K.F);
    V.Fill = V.Threads ? ThreadsOfMultiprocessor : 0;
  }
}

const Transform StraightTransform = {isPart, allows, describe, apply, nullptr, accompany};

} // namespace place
