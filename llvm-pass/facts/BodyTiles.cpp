//===- BodyTiles.cpp - Accesses that may go through tiles -----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Body.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

bool Body::affine(Instruction &I, TileAccess &T) const {
  auto *L = dyn_cast<LoadInst>(&I);
  auto *Store = dyn_cast<StoreInst>(&I);
  Value *Pointer = getLoadStorePointerOperand(&I);
  if (!Pointer)
    return false;
  Type *Ty = getLoadStoreType(&I);
  if ((L && !L->isSimple()) || (Store && !Store->isSimple()) || !(Ty->isIntegerTy() || Ty->isFloatingPointTy()))
    return false;
  T.I = &I;
  T.Width = unsigned(I.getDataLayout().getTypeStoreSize(Ty));
  if ((T.Width != 4 && T.Width != 8) || getLoadStoreAlignment(&I) < T.Width)
    return false;
  T.Array = N.address(Pointer, T.Offset, T.Needed);
  return T.Array && canCheck(T.Needed) && !(N.dimsOf(T.Offset) >> Nest::MaxDims) && Pointer->getType()->getPointerAddressSpace() == 0;
}

// What limits an index or a counter must be known before the chunk loop.
bool Body::canCheck(const Fits &Needed) const {
  for (const Fit &F : Needed)
    for (const auto &[M, C] : F.P.terms())
      for (Poly::Symbol S : M)
        if (N.symbol(S).K == NestSymbol::Varying || (N.symbol(S).K == NestSymbol::Counter && !backedges(N.symbol(S).L)))
          return false;
  return true;
}

// Whether neighbouring threads meet the same or neighbouring elements.
static bool runsAlong(const Poly &Step, unsigned Width) {
  return Step.isConstant() && std::abs(Step.constant()) <= int64_t(Width);
}

bool Body::moves(const Poly &P) const {
  for (Poly::Symbol S = 0; S < N.symbols(); ++S)
    if (N.symbol(S).K != NestSymbol::Invariant && P.uses(S))
      return true;
  return false;
}

// A store by way of a tile happens behind the body: nothing else may be stored to the array.
bool Body::isOnlyStore(const TileAccess &T) const {
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      if (auto *Other = dyn_cast<StoreInst>(&I); Other && Other != T.I) {
        SmallVector<const Value *, 4> Objects;
        getUnderlyingObjects(Other->getPointerOperand(), Objects, &LI, 0);
        if (is_contained(Objects, T.Array))
          return false;
      }
  return true;
}

// Rows and columns change places: neighbouring threads (the last dimension) are rows of memory, and another one runs along it.
std::vector<TileAccess> Body::transposed() const {
  std::vector<TileAccess> Found;
  Poly::Symbol X = N.dims() - 1;
  for (BasicBlock *BB : Blocks) {
    if (LI.getLoopFor(BB) != N.body() || !DT.dominates(BB, N.body()->getLoopLatch()))
      continue;
    for (Instruction &I : *BB) {
      TileAccess T;
      if (N.dims() < 2 || !affine(I, T) || !T.Offset.isLinearIn(X) || runsAlong(T.Offset.coefficient(X), T.Width))
        continue;
      // A tile is filled before the body, or written out behind it.
      if (isa<StoreInst>(I) ? reads(T.Array) : writes(T.Array))
        continue;
      T.Row = X;
      for (Poly::Symbol D = 0; D < X; ++D)
        if (T.Offset.coefficient(D) == Poly(T.Width))
          T.Column = D;
      bool Others = false;
      for (Poly::Symbol S = X + 1; S < N.symbols(); ++S)
        Others |= N.symbol(S).K == NestSymbol::Counter && T.Offset.uses(S);
      if (isa<StoreInst>(I) && !isOnlyStore(T))
        continue;
      if (T.Column != TileAccess::None && T.Column == X - 1 && !Others && !T.Offset.coefficient(X).uses(T.Column))
        Found.push_back(T);
    }
  }
  return Found;
}

// An operand of the sequential loop: it moves with the loop's counter and with at most one dimension, and one of the two
// runs along memory.
void Body::stripAccess(LoadInst &L, Poly::Symbol Counter, std::vector<TileAccess> &Loads) const {
  TileAccess T;
  if (!affine(L, T) || writes(T.Array) || !T.Offset.isLinearIn(Counter) || !T.Offset.uses(Counter))
    return;
  // What lies outside of rows and columns is the same for a whole block.
  unsigned Outside = N.dims() > 2 ? (1u << (N.dims() - 2)) - 1 : 0, Mask = N.dimsOf(T.Offset) & ~Outside;
  if (Mask & (Mask - 1)) // more than one dimension
    return;
  for (Poly::Symbol S = Nest::MaxDims; S < N.symbols(); ++S)
    if (S != Counter && N.symbol(S).K == NestSymbol::Counter && T.Offset.uses(S))
      return;
  Poly Step = T.Offset.coefficient(Counter);
  if (N.dimsOf(Step))
    return;
  T.Column = Counter;
  if (Mask) {
    T.Row = Poly::Symbol(Log2_32(Mask));
    Poly Row = T.Offset.coefficient(T.Row);
    if (!T.Offset.isLinearIn(T.Row) || Row.uses(T.Row) || Row.uses(Counter))
      return;
    if (Row == Poly(T.Width) && Step == Row) {
      T.Slide = Counter;
      T.Column = T.Row;
      T.Row = TileAccess::None;
    } else if (Row == Poly(T.Width))
      std::swap(T.Row, T.Column);
    else if (Step != Poly(T.Width))
      return;
  } else if (!Step.isConstant()) {
    return;
  }
  Loads.push_back(T);
}

// A loop lies between no branch at which iterations part and the place where they meet again.
bool Body::isForAll(const Loop &L, const PostDominatorTree &PDT) const {
  return none_of(Blocks, [&](BasicBlock *From) {
    auto *Meet = partsAt(From) ? PDT.getNode(From)->getIDom() : nullptr;
    SmallPtrSet<BasicBlock *, 2> Beyond = {N.body()->getLoopLatch()};
    if (Meet)
      Beyond.insert(Meet->getBlock());
    return partsAt(From) && any_of(successors(From), [&](BasicBlock *To) {
             return !Beyond.contains(To) && isPotentiallyReachable(To, L.getHeader(), &Beyond, &DT, &LI);
           });
  });
}

std::vector<StripLoop> Body::stripLoops(Reason &Why) const {
  std::vector<StripLoop> Found;
  Why = PLACE_WHY_NO_SEQUENTIAL_LOOP;
  if (!Interleaves) {
    Why = PLACE_WHY_PRIVATE_MEMORY;
    return Found;
  }
  std::unique_ptr<PostDominatorTree> PDT = BranchMask ? std::make_unique<PostDominatorTree>(*S.InnerHeader->getParent()) : nullptr;
  for (const Loop *L : N.body()->getSubLoops()) {
    if (PDT && !isForAll(*L, *PDT)) {
      Why = PLACE_WHY_THREADS_PART;
      continue;
    }
    BasicBlock *Latch = L->getLoopLatch();
    if (!Latch || !L->isInnermost() || L->getExitingBlock() != Latch || !L->getLoopPredecessor() || !L->getExitBlock() ||
        !canCount(L)) {
      Why = PLACE_WHY_LOOP_TO_NO_COMMON_END;
      continue;
    }
    StripLoop Strip{L, {}};
    for (BasicBlock *BB : L->blocks())
      for (Instruction &I : *BB)
        if (auto *Load = dyn_cast<LoadInst>(&I); Load && DT.dominates(BB, Latch))
          stripAccess(*Load, N.counterOf(L), Strip.Operands);
    if (Strip.Operands.empty())
      Why = PLACE_WHY_NO_EVEN_READ;
    else
      Found.push_back(std::move(Strip));
  }
  return Found;
}

} // namespace place
