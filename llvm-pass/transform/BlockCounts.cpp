//===- BlockCounts.cpp - How many iterations blocks have at a launch --------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockCounts.h"
#include "Natural.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace place {

// While scalar evolution still describes the function: how often the loops in question go round.
void BlockCounts::expandBackedges(Instruction *At) {
  SCEVExpander Expander(SE, At->getDataLayout(), "trips");
  for (const Loop *L : LI.getLoopsInPreorder()) {
    if (!N.inner()->contains(L) || L == N.inner() || !T.canCount(L))
      continue;
    const SCEV *Taken = T.backedges(L);
    IRBuilder<> B(At);
    Backedges[L] = B.CreateZExt(B.CreateFreeze(Expander.expandCodeFor(Taken, nullptr, At->getIterator())), B.getInt64Ty());
  }
}

Value *BlockCounts::check(IRBuilder<> &B, const AffineAccesses &Accesses, const TilePlan &Plan) {
  expandBackedges(&*B.GetInsertPoint());
  assert(all_of(N.folded().Loops, [&](const Loop *L) { return Backedges.lookup(L); }) &&
         "recogniseNest folds loops in only if they are counted before the chunk loop");
  assert(all_of(Plan.Strips, [&](const StripLoop &Strip) { return Backedges.lookup(Strip.L); }) && "strips are of loops that are counted");
  Value *Last = N.last();
  Type *Ty = Last->getType();
  Value *Go = B.CreateICmpULT(Last, ConstantInt::get(Ty, Shape.Once ? uint64_t(MostNaturalIterations) : INT32_MAX - 1));
  Value *Rest = B.CreateTrunc(B.CreateAdd(Last, ConstantInt::get(Ty, 1)), B.getInt32Ty());
  Iterations = Rest;
  unsigned D = 0;
  for (Value *Divisor : N.divisors()) {
    Divisor = B.CreateFreeze(Divisor);
    Go = B.CreateAnd(Go, B.CreateICmpULE(Divisor, B.CreateZExtOrTrunc(Rest, Ty)));
    Value *Small = B.CreateBinaryIntrinsic(Intrinsic::umax, B.CreateTrunc(Divisor, B.getInt32Ty()), B.getInt32(1));
    Extent[D] = B.CreateUDiv(Rest, Small);
    Go = B.CreateAnd(Go, B.CreateICmpEQ(B.CreateMul(Extent[D], Small), Rest));
    Rest = Small;
    ++D;
  }
  Extent[D] = Rest;
  if (N.folds())
    Go = B.CreateAnd(Go, foldedExtents(B));
  for (D = 0; D < Shape.Dims && !Shape.Once; ++D)
    Go = B.CreateAnd(Go, B.CreateICmpUGE(Extent[D], B.getInt32(Shape.extent(D))));
  Fits Needed = N.given();
  Needed.insert(Needed.end(), Accesses.needed().begin(), Accesses.needed().end());
  Needed.insert(Needed.end(), T.insideNeeded().begin(), T.insideNeeded().end());
  Needed.insert(Needed.end(), N.folded().Needed.begin(), N.folded().Needed.end());
  for (const TileAccess &A : Plan.accesses())
    Needed.insert(Needed.end(), A.Needed.begin(), A.Needed.end());
  Go = B.CreateAnd(Go, emitFits(B, N, Needed, [&](Poly::Symbol P) { return most(B, P); }));
  return S.Other ? guarded(B, Go) : Go;
}

// The chunk loop's guard asks for something else that never changes. Where it says no, the rest may be poison: no iteration
// would have used it.
Value *BlockCounts::guarded(IRBuilder<> &B, Value *Go) {
  auto *Guard = cast<BranchInst>(S.Header->getTerminator());
  bool Leaves = Guard->getSuccessor(0) != S.InnerHeader;
  return B.CreateLogicalAnd(Leaves ? B.CreateNot(S.Other) : S.Other, B.CreateFreeze(Go));
}

// All dimensions together must stay below 2^31, too; and no two iterations of folded loops may store to one element.
Value *BlockCounts::foldedExtents(IRBuilder<> &B) {
  Value *Fits = B.getTrue(), *All = B.CreateZExt(Iterations, B.getInt64Ty()), *Most = B.getInt64(INT32_MAX - 1);
  unsigned D = N.firstFolded();
  for (const Loop *L : N.folded().Loops) {
    Extent[D] = B.CreateTrunc(B.CreateAdd(Backedges[L], B.getInt64(1)), B.getInt32Ty());
    All = B.CreateMul(All, B.CreateZExt(Extent[D], B.getInt64Ty()));
    Fits = B.CreateAnd(Fits, B.CreateICmpULT(Backedges[L], Most));
    Fits = B.CreateAnd(Fits, B.CreateICmpULT(All, Most));
    ++D;
  }
  for (const Nest::Cell &C : N.folded().Cells)
    Fits = B.CreateAnd(Fits, storesApart(B, C));
  return Fits;
}

// One loop: its step is no shorter than the cell. Two: one's step is no shorter than the other's whole way.
Value *BlockCounts::storesApart(IRBuilder<> &B, const Nest::Cell &C) {
  Value *Apart = B.getTrue(), *Reaches = nullptr, *Before = nullptr;
  unsigned D = N.firstFolded();
  for (const Poly &P : C.Steps) {
    Value *Step = B.CreateBinaryIntrinsic(Intrinsic::abs, emitPoly(B, N, P, SymbolValues()), B.getFalse());
    Apart = B.CreateAnd(Apart, B.CreateICmpUGE(Step, B.getInt64(uint64_t(C.Bytes))));
    Value *Way = B.CreateMul(Step, B.CreateZExt(Extent[D++], B.getInt64Ty()));
    if (Reaches)
      Apart = B.CreateAnd(Apart, B.CreateOr(B.CreateICmpUGE(Before, Way), B.CreateICmpUGE(Step, Reaches)));
    Before = Step, Reaches = Way;
  }
  return Apart;
}

Value *BlockCounts::most(IRBuilder<> &B, Poly::Symbol P) {
  const NestSymbol &Symbol = N.symbol(P);
  if (Symbol.K == NestSymbol::Dim)
    return B.CreateZExt(B.CreateSub(Extent[P], B.getInt32(1)), B.getInt64Ty());
  return Symbol.K == NestSymbol::Counter ? Backedges.lookup(Symbol.L) : nullptr;
}

} // namespace place
