//===- Chunks.cpp - Straight chunk loops -------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: the guard of the inner chunk loop parts a warp's threads as far as ptxas knows, which keeps it from using uniform
// registers and from scheduling loads of several iterations together; the barriers cost time and protect nothing. Threads
// that leave the kernel do not count as parted. Measured on an H200 (benchmarks/RESULTS.md): a 64-tap filter with its taps in
// constant memory takes 0.398 ms in clang's form, 0.321 in this one, and 0.242 with loads joined (FinishVersionPass).
//
//===----------------------------------------------------------------------===//
#include "Chunks.h"
#include "Clone.h"
#include "Expr.h"
#include "Spaces.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

bool isBarrier(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && II->getIntrinsicID() == Intrinsic::nvvm_barrier0;
}

/// Whether threads of a team may talk to each other: through shared memory that is read, or other than by barriers in front
/// of and around the chunk loop's body. (The device runtime stores its launch environment in shared memory in every kernel
/// of a translation unit that has a reduction somewhere.)
bool cooperates(const Function &F, const Loop &Inner) {
  for (const Instruction &I : instructions(F)) {
    if (isBarrier(I)) {
      if (Inner.contains(I.getParent()))
        return true;
      continue;
    }
    if (const auto *C = dyn_cast<CallBase>(&I); C && C->isConvergent())
      return true;
    const auto *S = dyn_cast<StoreInst>(&I);
    for (const Value *Operand : I.operands())
      if (Operand->getType()->isPointerTy() && Operand->getType()->getPointerAddressSpace() == AddrShared &&
          !(S && S->getPointerOperand() == Operand && isa<GlobalVariable>(Operand)))
        return true;
  }
  return false;
}

/// Nothing but a return behind the loop.
bool endsKernel(const Loop &Outer) {
  const BasicBlock *Exit = Outer.getExitBlock();
  return Exit && isa<ReturnInst>(Exit->front());
}

/// Nothing computed in the inner loop is used outside of it but by phis of Skip.
bool keepsToItself(const Loop &Inner, const BasicBlock *Skip) {
  for (const BasicBlock *BB : Inner.blocks())
    for (const Instruction &I : *BB)
      for (const User *U : I.users()) {
        const auto *User = cast<Instruction>(U);
        if (!Inner.contains(User->getParent()) && !(isa<PHINode>(User) && User->getParent() == Skip))
          return false;
      }
  return true;
}

/// The bound goes on as the least of itself, a chunk further, and the last iteration's number.
Value *lastIteration(const Loop &Outer, const PHINode &Bound) {
  const BasicBlock *Latch = Outer.getLoopLatch();
  auto *Next = Latch ? dyn_cast<MinMaxIntrinsic>(Bound.getIncomingValueForBlock(Latch)) : nullptr;
  if (!Next)
    return nullptr;
  bool Left = Outer.isLoopInvariant(Next->getLHS()), Right = Outer.isLoopInvariant(Next->getRHS());
  return Left == Right ? nullptr : Left ? Next->getLHS() : Next->getRHS();
}

/// A comparison of Base + tid with Bound that holds, or fails, for threads without an iteration.
bool comparesWithBound(Value *V, PHINode &Base, PHINode &Bound) {
  Value *Mine = nullptr, *Tid = nullptr;
  auto Limit = m_CombineOr(m_Specific(&Bound), m_Add(m_Specific(&Bound), m_One())); // <=, or < the next
  if (!match(V, m_c_ICmp(m_Value(Mine), Limit)) || !match(Mine, m_c_Add(m_Specific(&Base), m_Value(Tid))))
    return false;
  match(Tid, m_ZExtOrSExt(m_Value(Tid)));
  const char *Register = specialRegister(Tid);
  return Register && StringRef(Register) == "tid";
}

/// The guard's other part x, where it leaves if `x || no iteration`, or enters if `x && iteration`; null if there is none.
/// Nothing if the guard has another form, or x changes from chunk to chunk.
std::optional<Value *> otherCondition(const BranchInst &Guard, const BasicBlock *Inside, const Loop &Outer, PHINode &Base,
                                      PHINode &Bound) {
  Value *Condition = Guard.getCondition(), *A = nullptr, *B = nullptr;
  if (comparesWithBound(Condition, Base, Bound))
    return nullptr;
  bool Leaves = Guard.getSuccessor(0) != Inside;
  if (!(Leaves ? match(Condition, m_LogicalOr(m_Value(A), m_Value(B))) : match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))))
    return std::nullopt;
  if (comparesWithBound(A, Base, Bound))
    std::swap(A, B);
  if (!comparesWithBound(B, Base, Bound) || !Outer.isLoopInvariant(A))
    return std::nullopt;
  return A;
}

} // namespace

std::optional<ChunkShape> recogniseChunks(const Loop &Outer, const Loop &Inner, PHINode &Base, PHINode &Bound, unsigned Size) {
  ChunkShape S;
  S.Header = Outer.getHeader(), S.Latch = Outer.getLoopLatch();
  S.InnerHeader = Inner.getHeader();
  S.InnerLatch = Inner.getLoopLatch();
  S.Skip = Inner.getExitBlock();
  S.Base = &Base, S.Bound = &Bound, S.Size = Size;
  S.Last = lastIteration(Outer, Bound);
  S.Inner.assign(Inner.block_begin(), Inner.block_end());
  const Function &F = *S.Header->getParent();
  if (Outer.getParentLoop() || !S.Skip || !S.InnerLatch || Inner.getExitingBlock() != S.InnerLatch ||
      Outer.getExitingBlock() != Outer.getLoopLatch() || !endsKernel(Outer) || cooperates(F, Inner))
    return std::nullopt;
  // Header: if (guard) inner loop; either way on to Skip.
  auto *Guard = dyn_cast<BranchInst>(S.Header->getTerminator());
  if (!Guard || !Guard->isConditional() || Guard->getSuccessor(0) == Guard->getSuccessor(1) ||
      !is_contained(successors(S.Header), S.Skip) || !is_contained(successors(S.Header), S.InnerHeader))
    return std::nullopt;
  std::optional<Value *> Other = otherCondition(*Guard, S.InnerHeader, Outer, Base, Bound);
  if (!Other)
    return std::nullopt;
  S.Other = *Other;
  for (const BasicBlock *P : predecessors(S.Skip))
    if (P != S.Header && P != S.InnerLatch)
      return std::nullopt;
  for (const BasicBlock *P : predecessors(S.InnerHeader))
    if (P != S.Header && P != S.InnerLatch)
      return std::nullopt;
  if (!keepsToItself(Inner, S.Skip))
    return std::nullopt;
  return S;
}

//===-- What forms without the chunk loops have in common ----------------------===//

void fixThreads(Function &F, unsigned Threads) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *II = dyn_cast<IntrinsicInst>(&I); II && II->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_ntid_x) {
      II->replaceAllUsesWith(ConstantInt::get(II->getType(), Threads));
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

class Straightener {
public:
  explicit Straightener(Clone &C) : C(C), F(C.function()), S(*C.kernel().Chunks) {}

  void run() {
    // With `Size` threads, and launched with no other number, the inner loop goes round once. Where a chunk is as large as the
    // team, it does so with any number.
    if (S.Size)
      fixThreads(F, S.Size);
    BasicBlock *Tail = BasicBlock::Create(F.getContext(), "tail", &F);
    copyInner(Tail);
    runOnce(block(S.InnerHeader), block(S.InnerLatch), block(S.Skip));
    branch(Tail);
    eraseBarriers(F);
  }

private:
  template <typename T> T *value(T *Original) { return cast<T>(C.cloned(Original)); }
  BasicBlock *block(BasicBlock *Original) { return cast<BasicBlock>(C.cloned(Original)); }

  // The body once more, behind Tail, ending in a return.
  void copyInner(BasicBlock *Tail) {
    ValueToValueMapTy Copy;
    SmallVector<BasicBlock *, 16> Blocks;
    for (BasicBlock *Original : S.Inner) {
      BasicBlock *BB = block(Original);
      BasicBlock *New = CloneBasicBlock(BB, Copy, ".tail", &F);
      Copy[BB] = New;
      Blocks.push_back(New);
    }
    remapInstructionsInBlocks(Blocks, Copy);
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
    for (PHINode &P : make_early_inc_range(block(S.Skip)->phis()))
      P.removeIncomingValue(Header, /*DeletePHIIfEmpty=*/false);
    B.CreateCondBr(Whole, block(S.InnerHeader), Tail);
    Guard->eraseFromParent();
  }

  Clone &C;
  Function &F;
  const ChunkShape &S;
};

} // namespace

void straightenChunks(Clone &C) { Straightener(C).run(); }

} // namespace place
