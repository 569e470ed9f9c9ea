//===- Body.cpp - One iteration of a nest, as a template --------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Body.h"
#include "Expr.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace place {

Body::Body(const ChunkShape &S, Nest &N, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE)
    : S(S), N(N), LI(LI), DT(DT), SE(SE) {
  LoopBlocksRPO Order(LI.getLoopFor(S.InnerHeader));
  Order.perform(&LI);
  Blocks.assign(Order.begin(), Order.end());
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      Interleaves &= isPlain(I);
      noteMemory(I);
    }
  computeMasks();
}

void Body::noteMemory(const Instruction &I) {
  if (!I.mayReadOrWriteMemory())
    return;
  SmallVector<const Value *, 4> Objects;
  for (const Value *Operand : I.operands())
    if (Operand->getType()->isPointerTy())
      getUnderlyingObjects(Operand, Objects, &LI, 0);
  for (const Value *O : Objects) {
    if (I.mayReadFromMemory())
      Read.insert(O);
    if (I.mayWriteToMemory())
      Written.insert(O);
  }
}

// Private memory is one copy a thread; calls that do more than compute keep their order, as do atomic and volatile loads.
bool Body::isPlain(const Instruction &I) const {
  if (isa<AllocaInst, FenceInst>(I) || ((isa<LoadInst, StoreInst>(I)) && (I.isAtomic() || I.isVolatile())))
    return false;
  const Value *P = getLoadStorePointerOperand(&I);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    P = I.getOperand(0);
  if (P) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(P, Objects, &LI, 0);
    return none_of(Objects, [](const Value *O) { return isa<AllocaInst>(O); });
  }
  if (const auto *II = dyn_cast<IntrinsicInst>(&I); II && II->isAssumeLikeIntrinsic())
    return true;
  if (const auto *C = dyn_cast<CallBase>(&I))
    return C->doesNotAccessMemory() && !C->isConvergent();
  return true;
}

// Whether I counts the iterations of the loop with this latch: its condition, or what a phi of the header is next.
static bool counts(const Instruction &I, const BasicBlock *Header, const BasicBlock *Latch) {
  const auto *Branch = dyn_cast<BranchInst>(Latch->getTerminator());
  const Value *Condition = Branch && Branch->isConditional() ? Branch->getCondition() : nullptr;
  if (&I == Condition)
    return I.hasOneUse();
  for (const PHINode &P : Header->phis())
    if (P.getIncomingValueForBlock(Latch) == &I)
      return all_of(I.users(), [&](const User *U) { return U == &P || (U == Condition && U->hasOneUse()); });
  return false;
}

const Loop *Body::foldedAt(const BasicBlock *Latch) const {
  auto Ends = [&](const Loop *L) { return L->getLoopLatch() == Latch; };
  auto It = find_if(N.folded().Loops, Ends);
  return It == N.folded().Loops.end() ? nullptr : *It;
}

std::optional<Body::FoldedCounter> Body::foldedCounter(const Instruction &I) const {
  const auto *P = dyn_cast<PHINode>(&I);
  for (const auto &[Number, L] : enumerate(N.folded().Loops))
    if (P && P->getParent() == L->getHeader())
      if (std::optional<Nest::Recurrence> By = N.recurrence(*P))
        return FoldedCounter{*By, N.firstFolded() + unsigned(Number)};
  return std::nullopt;
}

bool Body::isControl(const Instruction &I) const {
  auto Counts = [&](const Loop *L) { return counts(I, L->getHeader(), L->getLoopLatch()); };
  return counts(I, S.InnerHeader, S.InnerLatch) || any_of(N.folded().Loops, Counts);
}

/// Whether the body may use a value: its own, or one that is the same in all chunks and to all threads. Of the number of an iteration whose
/// chunk begins at a multiple of the team's size, LLVM takes the low bits from the thread's.
bool Body::isOwn(const Instruction &From) const {
  if (N.isInvariant(&From))
    return !dependsOnRegister(&From);
  return N.inner()->contains(From.getParent()) && !specialRegister(&From);
}

bool Body::isSelfContained() const {
  for (const BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB) {
      if (&I == N.counter() || isControl(I) || &I == S.InnerLatch->getTerminator())
        continue;
      for (const Value *Operand : I.operands())
        if (const auto *From = dyn_cast<Instruction>(Operand); From && !isOwn(*From))
          return false;
    }
  return true;
}

void Body::computeMasks() {
  Fits Ignored; // the counter is what it is
  unsigned Counted = N.dimsOf(N.congruent(N.counter(), widthOf(N.counter()), Ignored));
  Masks[N.counter()] = Counted;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      unsigned Bits = widthOf(&I);
      Fits Needed;
      if (Bits != 32 && Bits != 64)
        continue;
      Poly P = N.congruent(&I, Bits, Needed);
      for (unsigned D = 0; D < N.dims(); ++D)
        if (P == Poly::symbol(D) && Needed.empty())
          Indices[&I] = D;
    }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : Blocks) {
      for (Instruction &I : *BB) {
        unsigned Mask = computeMask(I);
        Changed |= Mask != Masks.lookup(&I);
        Masks[&I] = Mask;
      }
      const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
      if (BB == S.InnerLatch || foldedAt(BB) || (Branch && !Branch->isConditional()))
        continue;
      unsigned Mask = BranchMask | (Branch ? mask(Branch->getCondition()) : (1u << N.dims()) - 1);
      Changed |= Mask != BranchMask;
      BranchMask = Mask;
    }
  }
}

unsigned Body::computeMask(const Instruction &I) {
  unsigned All = (1u << N.dims()) - 1;
  if (&I == N.counter())
    return mask(&I);
  if (isa<StoreInst>(I) || (I.mayHaveSideEffects() && !isa<LoadInst>(I)))
    return All;
  if (auto It = Indices.find(&I); It != Indices.end())
    return 1u << It->second;
  if (std::optional<FoldedCounter> By = foldedCounter(I))
    return mask(By->Start) | 1u << By->Dim;
  if (Assumed.count(&I))
    return 0;
  if (isParted(I.getParent()) || (isa<PHINode>(I) && isJoin(I.getParent())))
    return All;
  unsigned Mask = 0;
  for (const Value *Operand : I.operands())
    Mask |= mask(Operand);
  if (isa<PHINode>(I))
    Mask |= BranchMask;
  unsigned Bits = widthOf(&I);
  if (Mask && (Bits == 32 || Bits == 64)) {
    Fits Needed;
    unsigned Known = N.dimsOf(N.congruent(const_cast<Instruction *>(&I), Bits, Needed));
    if (Needed.empty() && !(Known >> Nest::MaxDims))
      Mask &= Known;
  }
  return Mask;
}

std::optional<unsigned> Body::indexOf(const Value *V) const {
  auto It = Indices.find(V);
  return It == Indices.end() ? std::nullopt : std::optional<unsigned>(It->second);
}

//===-- Loops as dimensions ---------------------------------------------------===//

/// Where a load or store goes to: fills C but for steps.
bool Body::place(Instruction &I, Nest::Cell &C, Fits &Needed) const {
  Value *Pointer = getLoadStorePointerOperand(&I);
  Poly Offset;
  C.Array = Pointer ? N.address(Pointer, Offset, Needed) : nullptr;
  if (!C.Array || !canCheck(Needed) || N.dimsOf(Offset) >> Nest::MaxDims)
    return false;
  C.First = Offset.constant();
  C.Place = Offset - Poly(C.First);
  C.Bytes = int64_t(I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I)).getFixedValue());
  return true;
}

// Whether all that is read of arrays that the loops write is what the same iteration writes. (The arrays themselves lie apart, or
// nothing that is read is written: Shapes.cpp.)
bool Body::readsOwnAlone(Nest::Folds &F) const {
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      SmallVector<const Value *, 4> Objects;
      if (auto *Load = dyn_cast<LoadInst>(&I))
        getUnderlyingObjects(Load->getPointerOperand(), Objects, &LI, 0);
      auto Own = find_if(F.Cells, [&](const Nest::Cell &C) { return is_contained(Objects, C.Array); });
      if (Own == F.Cells.end())
        continue;
      Nest::Cell Read;
      if (!F.Loops.back()->contains(BB) || !place(I, Read, F.Needed) || Read.Place != Own->Place || Read.First < Own->First ||
          Read.First + Read.Bytes > Own->First + Own->Bytes)
        return false;
    }
  return true;
}

/// Whether no value leaves a loop.
bool Body::keepsToItself(const Instruction &I, const Nest::Folds &F) const {
  return all_of(F.Loops, [&](const Loop *L) {
    auto IsInside = [&](const User *U) { return L->contains(cast<Instruction>(U)->getParent()); };
    return !L->contains(I.getParent()) || all_of(I.users(), IsInside);
  });
}

/// In each loop on from cell to cell, by as many bytes as do not change.
bool Body::findSteps(Nest::Cell &C, const Nest::Folds &F) const {
  for (const Loop *L : F.Loops) {
    Poly::Symbol Counter = N.counterOf(L);
    Poly Step = C.Place.coefficient(Counter);
    if (!C.Place.isLinearIn(Counter) || Step.isZero() || moves(Step))
      return false;
    C.Steps.push_back(std::move(Step));
  }
  for (Poly::Symbol S = Nest::MaxDims; S < N.symbols(); ++S)
    if (N.symbol(S).K == NestSymbol::Counter && !is_contained(F.Loops, N.symbol(S).L) && C.Place.uses(S))
      return false;
  return true;
}

/// Whether I is a store to an iteration's cell of an array, which it may widen.
bool Body::storesToCell(Instruction &I, Nest::Folds &F) const {
  Nest::Cell C;
  if (!isa<StoreInst>(I) || !place(I, C, F.Needed) || !findSteps(C, F))
    return false;
  auto Known = find_if(F.Cells, [&](const Nest::Cell &Other) { return Other.Array == C.Array; });
  if (Known == F.Cells.end()) {
    F.Cells.push_back(std::move(C));
    return true;
  }
  int64_t End = std::max(Known->First + Known->Bytes, C.First + C.Bytes);
  Known->First = std::min(Known->First, C.First);
  Known->Bytes = End - Known->First;
  return Known->Place == C.Place;
}

/// Whether a cell is wider than a step, whatever the launch.
static bool overlaps(const Nest::Cell &C) {
  return any_of(C.Steps, [&](const Poly &Step) { return Step.isConstant() && std::abs(Step.constant()) < C.Bytes; });
}

// Nothing leaves the loops but by stores to cells of an iteration's own: then only the same iteration meets an element again.
bool Body::isInOrder(Nest::Folds &F) const {
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      if (!keepsToItself(I, F))
        return false;
      if (auto *II = dyn_cast<IntrinsicInst>(&I); II && II->isAssumeLikeIntrinsic())
        continue;
      if (!I.mayHaveSideEffects() || I.isTerminator())
        continue;
      if (!F.Loops.back()->contains(BB) || !storesToCell(I, F))
        return false;
    }
  return none_of(F.Cells, overlaps) && readsOwnAlone(F);
}

/// Loops that are each the one loop in the one before, whose iterations are counted; no more than there are dimensions for.
std::vector<const Loop *> Body::countedLoops() const {
  std::vector<const Loop *> Found;
  auto Counts = [&](const PHINode &P) { return (widthOf(&P) == 32 || widthOf(&P) == 64) && N.recurrence(P); };
  for (const Loop *In = N.inner(); In->getSubLoops().size() == 1 && N.dims() + Found.size() < Nest::MaxDims;) {
    const Loop *L = In->getSubLoops().front();
    if (!L->getLoopLatch() || L->getExitingBlock() != L->getLoopLatch() || !L->getLoopPredecessor() || !L->getExitBlock() ||
        !canCount(L) || !all_of(L->getHeader()->phis(), Counts))
      break;
    Found.push_back(In = L);
  }
  return Found;
}

Nest::Folds Body::foldable() const {
  for (std::vector<const Loop *> Loops = Interleaves ? countedLoops() : std::vector<const Loop *>(); !Loops.empty(); Loops.pop_back()) {
    Nest::Folds F;
    F.Loops.assign(Loops.begin(), Loops.end());
    if (isInOrder(F))
      return F;
  }
  return {};
}

bool Body::canMoveGuard() const {
  const BasicBlock *Before = LI.getLoopFor(S.Header)->getLoopPreheader(), *From = Before ? Before->getSinglePredecessor() : nullptr;
  auto HasEffects = [](const Instruction &I) { return I.mayHaveSideEffects(); };
  return From && succ_size(From) == 2 && isa<BranchInst>(From->getTerminator()) && none_of(*Before, HasEffects);
}

const SCEV *Body::backedges(const Loop *L) const {
  const SCEV *Taken = SE.getBackedgeTakenCount(L);
  if (isa<SCEVCouldNotCompute>(Taken) || !Taken->getType()->isIntegerTy() || !SE.isLoopInvariant(Taken, LI.getLoopFor(S.Header)))
    return nullptr;
  return Taken;
}

bool Body::canCount(const Loop *L) const {
  const SCEV *Taken = backedges(L);
  const BasicBlock *Before = LI.getLoopFor(S.Header)->getLoopPreheader();
  return Taken && Before && SE.getTypeSizeInBits(Taken->getType()) <= 64 &&
         SCEVExpander(SE, Before->getDataLayout(), "trips").isSafeToExpandAt(Taken, Before->getTerminator());
}

std::unique_ptr<Nest> recogniseNest(const ChunkShape &S, const BlockShape &Mode, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE) {
  std::unique_ptr<Nest> N = Nest::recognise(S, LI);
  if (!N || (Mode.Once && !Mode.Apart))
    return N;
  Body Flat(S, *N, LI, DT, SE);
  if (Flat.isSelfContained() && Flat.canMoveGuard())
    N->fold(Flat.foldable());
  return N;
}

} // namespace place
