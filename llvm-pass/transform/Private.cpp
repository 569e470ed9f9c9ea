//===- Private.cpp - Atomic updates collected in each team ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   each thread sets its share of the team's cells to the neutral value; barrier
//   update(a + offset)  becomes  if (offset < bytes) update(cells + offset), in shared memory; else update(a + offset)
//   updates of a + constant, a counter, become updates of a register, which goes to the cell at the thread's end
//   barrier; each thread updates a by its share of the cells, as far as they are not neutral
//
// How large the array is need not be known: cells that nobody touches stay neutral.
//
//===----------------------------------------------------------------------===//
#include "Private.h"
#include "Computation.h"
#include "DeviceSymbols.h"
#include "Spaces.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>

using namespace llvm;

namespace place {

//===-- What may be collected ---------------------------------------------------===//

namespace {

using Operator = AtomicRMWInst::BinOp;

bool hasNeutral(Operator Op) {
  switch (Op) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return true;
  default:
    return false;
  }
}

Constant *neutralOf(Operator Op, Type *Ty) {
  unsigned Bits = Ty->getScalarSizeInBits();
  switch (Op) {
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return Constant::getAllOnesValue(Ty);
  case AtomicRMWInst::Max:
    return ConstantInt::get(Ty, APInt::getSignedMinValue(Bits));
  case AtomicRMWInst::Min:
    return ConstantInt::get(Ty, APInt::getSignedMaxValue(Bits));
  default:
    return Constant::getNullValue(Ty);
  }
}

// Types that shared memory has atomic operations of.
bool isCell(const Type *Ty) { return Ty->isIntegerTy(32) || Ty->isIntegerTy(64) || Ty->isFloatTy() || Ty->isDoubleTy(); }

/// Where the pointer is, if it is at a constant place of the array.
std::optional<uint64_t> placeIn(const Value *Pointer, const Argument *Array, const DataLayout &DL) {
  APInt Offset(64, 0);
  if (Pointer->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true) != Array || Offset.isNegative())
    return std::nullopt;
  return Offset.getZExtValue();
}

/// A relaxed update of nothing but the array whose old value nobody asks for.
const AtomicRMWInst *updateOf(const AccessSummary &S, const ArraySummary &A) {
  const auto *U = dyn_cast<AtomicRMWInst>(S.I);
  if (!U || getUnderlyingObject(U->getPointerOperand(), 0) != A.Arg)
    return nullptr;
  bool Plain = U->use_empty() && !U->isVolatile() && U->getOrdering() == AtomicOrdering::Monotonic;
  return Plain && hasNeutral(U->getOperation()) && isCell(U->getValOperand()->getType()) ? U : nullptr;
}

/// Code that orders what threads see, or that leaves otherwise than through the one return.
bool ordersOrLeaves(const Function &F) {
  unsigned Returns = 0;
  for (const Instruction &I : instructions(F)) {
    Returns += isa<ReturnInst>(I);
    const auto *C = dyn_cast<CallBase>(&I);
    if (isa<FenceInst>(I) || isa<UnreachableInst>(I) || (C && isUnknownAssembly(*C)))
      return true;
    if (const auto *II = dyn_cast<IntrinsicInst>(&I)) {
      StringRef Name = II->getCalledFunction()->getName();
      if (Name.starts_with("llvm.nvvm.membar") || Name.starts_with("llvm.nvvm.fence") || II->getIntrinsicID() == Intrinsic::nvvm_exit)
        return true;
    } else if (C && !C->onlyReadsMemory()) {
      return true;
    }
  }
  return Returns != 1;
}

using Updates = SmallVector<const AtomicRMWInst *, 8>;

/// The updates of an array with which the kernel does nothing else; none, if it does, or not all can be collected.
Updates updatesOf(const KernelSummary &K, int Array) {
  Updates Found;
  const ArraySummary &A = K.Arrays[Array];
  if (A.Read || A.Written)
    return {};
  for (const AccessSummary &S : K.Accesses)
    if (S.Array == Array) {
      Found.push_back(updateOf(S, A));
      if (!Found.back())
        return {};
    }
  return Found;
}

bool areAlike(const AtomicRMWInst *A, const AtomicRMWInst *B) {
  return A->getOperation() == B->getOperation() && A->getValOperand()->getType() == B->getValOperand()->getType();
}

uint64_t widthOf(const AtomicRMWInst *U, const DataLayout &DL) { return DL.getTypeStoreSize(U->getValOperand()->getType()); }

/// One operator for each cell, if all updates are at constant places of cells that do not overlap.
std::vector<PrivateCells> counters(const KernelSummary &K, int Array, const Updates &All, const DataLayout &DL) {
  std::map<uint64_t, const AtomicRMWInst *> First;
  std::vector<PrivateCells> Found;
  for (const AtomicRMWInst *U : All) {
    std::optional<uint64_t> At = placeIn(U->getPointerOperand(), K.Arrays[Array].Arg, DL);
    bool Fits = At && widthOf(U, DL) == widthOf(All.front(), DL) && *At % widthOf(U, DL) == 0;
    if (!Fits || !areAlike(First.insert({*At, U}).first->second, U))
      return {};
  }
  for (auto [At, U] : First)
    Found.push_back({Array, At, widthOf(U, DL), true, true});
  return Found;
}

/// The array's first cells, as many as its updates can reach, or Most; nothing if operators differ.
std::vector<PrivateCells> firstCells(const KernelSummary &K, int Array, const Updates &All, uint64_t Most, ScalarEvolution &SE) {
  const SCEV *Base = SE.getSCEV(K.Arrays[Array].Arg);
  PrivateCells Cells{Array, 0, 0, false, true};
  for (const AtomicRMWInst *U : All) {
    if (!areAlike(U, All.front()))
      return {};
    const SCEV *Offset = SE.getMinusSCEV(SE.getSCEV(const_cast<Value *>(U->getPointerOperand())), Base);
    uint64_t Width = widthOf(U, SE.getDataLayout());
    APInt Last = isa<SCEVCouldNotCompute>(Offset) ? APInt::getMaxValue(64) : SE.getUnsignedRangeMax(Offset);
    Cells.All &= Last.ule(Most * Width - Width);
    Cells.Bytes = std::max(Cells.Bytes, Cells.All ? Last.getZExtValue() / Width * Width + Width : Most * Width);
  }
  return {Cells};
}

} // namespace

std::vector<PrivateCells> privateCells(const KernelSummary &K, ScalarEvolution &SE) {
  const uint64_t MostCells = 2048, MostBytes = 32 * 1024;
  std::vector<PrivateCells> Found;
  uint64_t Bytes = 0;
  if (K.isLeftAlone() || K.UnknownWrites || K.ReadsElsewhere || K.Teams != PLACE_TEAMS_OPEN || ordersOrLeaves(*K.F))
    return {};
  for (int N = 0; N < int(K.Arrays.size()); ++N) {
    Updates All = updatesOf(K, N);
    if (All.empty())
      continue;
    std::vector<PrivateCells> Cells = counters(K, N, All, SE.getDataLayout());
    if (Cells.empty())
      Cells = firstCells(K, N, All, MostCells, SE);
    Found.insert(Found.end(), Cells.begin(), Cells.end());
  }
  for (const PrivateCells &C : Found)
    Bytes += C.Bytes;
  return Bytes <= MostBytes ? Found : std::vector<PrivateCells>();
}

//===-- Collecting ----------------------------------------------------------------===//

namespace {

class Collector {
public:
  Collector(Clone &C, const PrivateCells &P)
      : C(C), F(C.function()), P(P), Arg(C.array(C.kernel().Arrays[P.Array])) {
    const DataLayout &DL = F.getParent()->getDataLayout();
    for (const AccessSummary &S : C.kernel().Accesses) {
      auto *U = S.Array == P.Array ? cast<AtomicRMWInst>(C.access(S)) : nullptr;
      if (U && (!P.Counter || placeIn(U->getPointerOperand(), Arg, DL) == P.From))
        Updates.push_back(U);
    }
    Op = Updates.front()->getOperation(), Ty = Updates.front()->getValOperand()->getType();
    Scope = Updates.front()->getSyncScopeID();
    Neutral = neutralOf(Op, Ty);
    Width = F.getParent()->getDataLayout().getTypeStoreSize(Ty);
    Cells = teamMemory(*F.getParent(), "place_cells", P.Bytes, 8);
  }

  // In front of the barrier at the start.
  void clear(Instruction *Start) {
    forEachCell(Start, [&](IRBuilder<> &B, Value *Offset) { B.CreateAlignedStore(Neutral, cell(B, Offset), Align(Width)); });
  }

  void redirect() {
    if (P.Counter)
      count();
    else
      for (AtomicRMWInst *U : Updates)
        redirect(U);
  }

  // In front of the barrier at the end.
  void addCounter(Instruction *End) {
    if (!Counter)
      return;
    IRBuilder<> B(End);
    Value *Mine = B.CreateLoad(Ty, Counter);
    B.SetInsertPoint(SplitBlockAndInsertIfThen(isTouched(B, Mine), End, false));
    collect(B, cell(B, B.getInt64(0)), Mine);
  }

  // Behind it.
  void flush(Instruction *End) {
    forEachCell(End, [&](IRBuilder<> &B, Value *Offset) {
      Value *Collected = B.CreateAlignedLoad(Ty, cell(B, Offset), Align(Width));
      B.SetInsertPoint(SplitBlockAndInsertIfThen(isTouched(B, Collected), &*B.GetInsertPoint(), false));
      update(B, B.CreateGEP(B.getInt8Ty(), Arg, B.CreateAdd(Offset, B.getInt64(P.From))), Collected);
    });
  }

private:
  Value *cell(IRBuilder<> &B, Value *Offset) { return B.CreateGEP(B.getInt8Ty(), Cells, Offset); }

  AtomicRMWInst *update(IRBuilder<> &B, Value *Pointer, Value *By) {
    Align Whole(By->getType()->getScalarSizeInBits() / 8);
    return B.CreateAtomicRMW(Op, Pointer, By, Whole, AtomicOrdering::Monotonic, Scope);
  }

  /// An update of a cell. For most of 64 bits in shared memory the GPU has a loop of comparisons and exchanges, for those of 32 bits single
  /// instructions; and nothing looks at a cell before all updates are made.
  void collect(IRBuilder<> &B, Value *Cell, Value *By) {
    bool Bitwise = Op == AtomicRMWInst::And || Op == AtomicRMWInst::Or || Op == AtomicRMWInst::Xor;
    if (Width != 8 || !(Bitwise || Op == AtomicRMWInst::Add)) {
      update(B, Cell, By);
      return;
    }
    Type *Half = B.getInt32Ty();
    Value *Low = B.CreateTrunc(By, Half), *High = B.CreateTrunc(B.CreateLShr(By, 32), Half);
    Value *Before = update(B, Cell, Low);
    if (!Bitwise) {
      Value *Overflows = B.CreateICmpUGT(Before, B.CreateNot(Low));
      High = B.CreateAdd(High, B.CreateZExt(Overflows, Half));
      B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateIsNotNull(High), &*B.GetInsertPoint(), false));
    }
    update(B, B.CreateConstGEP1_32(B.getInt8Ty(), Cell, 4), High);
  }

  /// Not neutral; for floating point, bit by bit.
  Value *isTouched(IRBuilder<> &B, Value *V) {
    Type *Bits = B.getIntNTy(Ty->getScalarSizeInBits());
    return B.CreateICmpNE(B.CreateBitCast(V, Bits), B.CreateBitCast(Neutral, Bits));
  }

  // for (offset = width * tid; offset < bytes; offset += width * threads)
  void forEachCell(Instruction *Before, function_ref<void(IRBuilder<> &, Value *Offset)> Body) {
    BasicBlock *From = Before->getParent(), *Rest = SplitBlock(From, Before);
    BasicBlock *Loop = BasicBlock::Create(F.getContext(), "cells", &F, Rest), *Next = BasicBlock::Create(F.getContext(), "", &F, Rest);
    From->getTerminator()->eraseFromParent();
    IRBuilder<> B(From);
    auto Bytes = [&](Intrinsic::ID ID) { return B.CreateMul(B.CreateZExt(B.CreateIntrinsic(ID, {}, {}), B.getInt64Ty()), B.getInt64(Width)); };
    Value *First = Bytes(Intrinsic::nvvm_read_ptx_sreg_tid_x), *Step = Bytes(Intrinsic::nvvm_read_ptx_sreg_ntid_x);
    B.CreateCondBr(B.CreateICmpULT(First, B.getInt64(P.Bytes)), Loop, Rest);
    B.SetInsertPoint(Loop);
    PHINode *Offset = B.CreatePHI(B.getInt64Ty(), 2);
    Offset->addIncoming(First, From);
    BranchInst *End = B.CreateBr(Next);
    B.SetInsertPoint(End);
    Body(B, Offset);
    B.SetInsertPoint(Next);
    Value *Later = B.CreateAdd(Offset, Step);
    Offset->addIncoming(Later, Next);
    B.CreateCondBr(B.CreateICmpULT(Later, B.getInt64(P.Bytes)), Loop, Rest);
  }

  // A register of each thread.
  void count() {
    IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
    Counter = B.CreateAlloca(Ty, nullptr, "counter");
    B.SetInsertPoint(C.start());
    B.CreateStore(Neutral, Counter);
    for (AtomicRMWInst *U : Updates) {
      B.SetInsertPoint(U);
      B.CreateStore(combine(B, B.CreateLoad(Ty, Counter), U->getValOperand()), Counter);
      U->eraseFromParent();
    }
  }

  Value *combine(IRBuilder<> &B, Value *X, Value *Y) {
    switch (Op) {
    case AtomicRMWInst::FAdd: return B.CreateFAdd(X, Y);
    case AtomicRMWInst::And: return B.CreateAnd(X, Y);
    case AtomicRMWInst::Or: return B.CreateOr(X, Y);
    case AtomicRMWInst::Xor: return B.CreateXor(X, Y);
    case AtomicRMWInst::Max: return B.CreateBinaryIntrinsic(Intrinsic::smax, X, Y);
    case AtomicRMWInst::Min: return B.CreateBinaryIntrinsic(Intrinsic::smin, X, Y);
    case AtomicRMWInst::UMax: return B.CreateBinaryIntrinsic(Intrinsic::umax, X, Y);
    case AtomicRMWInst::UMin: return B.CreateBinaryIntrinsic(Intrinsic::umin, X, Y);
    default: return B.CreateAdd(X, Y);
    }
  }

  void redirect(AtomicRMWInst *U) {
    IRBuilder<> B(U);
    Type *Wide = B.getInt64Ty();
    Value *Offset = B.CreateSub(B.CreatePtrToInt(U->getPointerOperand(), Wide), B.CreatePtrToInt(Arg, Wide));
    if (!P.All) {
      Instruction *Then = nullptr, *Else = nullptr;
      SplitBlockAndInsertIfThenElse(B.CreateICmpULT(Offset, B.getInt64(P.Bytes)), U, &Then, &Else);
      U->clone()->insertBefore(Else->getIterator());
      B.SetInsertPoint(Then);
    }
    collect(B, cell(B, Offset), U->getValOperand());
    U->eraseFromParent();
  }

  Clone &C;
  Function &F;
  const PrivateCells &P;
  Argument *Arg;
  std::vector<AtomicRMWInst *> Updates;
  Operator Op = AtomicRMWInst::Add;
  SyncScope::ID Scope = SyncScope::System;
  Type *Ty = nullptr;
  Constant *Neutral = nullptr;
  uint64_t Width = 0;
  GlobalVariable *Cells = nullptr;
  AllocaInst *Counter = nullptr;
};

void barrier(Instruction *Before) { IRBuilder<>(Before).CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {}); }

} // namespace

void collectUpdates(Clone &C) {
  C.Left.Hoists = true;
  std::vector<Collector> All;
  for (const PrivateCells &P : C.version().Strided->Private)
    All.emplace_back(C, P);
  for (Collector &One : All)
    One.redirect();
  // Nothing that the kernel reads is written to: its loads can go before updates.
  for (size_t N = 0; N < C.kernel().Arrays.size(); ++N)
    if (C.kernel().Arrays[N].Placeable >= 0)
      for (LoadInst *L : C.loads(int(N)))
        setRoute(L, PLACE_ROUTE_NC);
  Instruction *Start = C.start();
  while (isa<StoreInst>(Start)) // of counters
    Start = Start->getNextNode();
  for (Collector &One : All)
    One.clear(Start);
  barrier(Start);
  Instruction *End = C.returns().front();
  for (Collector &One : All)
    One.addCounter(End);
  barrier(End);
  for (Collector &One : All)
    One.flush(End);
}

} // namespace place
