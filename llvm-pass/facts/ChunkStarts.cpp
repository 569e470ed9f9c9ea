//===- ChunkStarts.cpp - Where a team's chunks begin -------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ChunkStarts.h"
#include "Expr.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

const char Team[] = "team", Teams[] = "teams"; // registers (Expr.h)

/// Where a special register is multiplied by a constant, which goes to Size.
Use *scaled(Value *V, StringRef Register, unsigned &Size) {
  const APInt *By = nullptr;
  Value *Number = nullptr;
  bool Shifts = match(V, m_Shl(m_Value(Number), m_APInt(By)));
  if (!Shifts && !match(V, m_Mul(m_Value(Number), m_APInt(By))))
    return nullptr;
  const uint64_t Most = 1024, LongShift = 32;
  uint64_t Factor = Shifts ? uint64_t(1) << By->getLimitedValue(LongShift) : By->getLimitedValue(Most + 1);
  Size = Factor <= Most ? unsigned(Factor) : 0;
  Value *Read = Number;
  while (isa<ZExtInst, SExtInst>(Read))
    Read = cast<CastInst>(Read)->getOperand(0);
  return Size && isRegister(Read, Register) ? &cast<Instruction>(V)->getOperandUse(0) : nullptr;
}

class Finder {
public:
  explicit Finder(Function &F) : F(F), DT(F), LI(DT) {}

  std::optional<ChunkStarts> find() {
    const Loop *Found = nullptr;
    for (const Loop *L : LI)
      if (isChunkLoop(*L)) {
        if (Found)
          return std::nullopt;
        Found = L;
      }
    if (!Found)
      return std::nullopt;
    collect();
    taint();
    return goesOtherwise(*Found) ? std::nullopt : std::optional(Starts);
  }

private:
  bool isChunkLoop(const Loop &L) {
    const BasicBlock *Before = L.getLoopPredecessor(), *Latch = L.getLoopLatch();
    if (!Before || !Latch)
      return false;
    for (PHINode &P : L.getHeader()->phis()) {
      Value *Step = nullptr;
      unsigned Each = 0, Distance = 0;
      if (scaled(P.getIncomingValueForBlock(Before), Team, Each) &&
          match(P.getIncomingValueForBlock(Latch), m_c_Add(m_Specific(&P), m_Value(Step))) &&
          scaled(Step, Teams, Distance) && Each == Distance)
        return Starts.Size = Each, true;
    }
    return false;
  }

  // All products by that size: no matter how often the optimiser has formed them.
  void collect() {
    for (Instruction &I : instructions(F)) {
      unsigned Size = 0;
      if (Use *U = scaled(&I, Team, Size); U && Size == Starts.Size)
        Starts.Team.push_back(U);
      else if (Use *U = scaled(&I, Teams, Size); U && Size == Starts.Size)
        Starts.Teams.push_back(U);
    }
  }

  // What is computed from the registers other than by those products.
  void taint() {
    SmallPtrSet<const Value *, 4> Products;
    for (const auto &Uses : {Starts.Team, Starts.Teams})
      for (const Use *U : Uses)
        Products.insert(U->getUser());
    SmallVector<const Value *, 16> Work;
    for (const Instruction &I : instructions(F))
      if (isRegister(&I, Team) || isRegister(&I, Teams))
        Work.push_back(&I);
    while (!Work.empty())
      for (const User *U : Work.pop_back_val()->users())
        if (!Products.contains(U) && Tainted.insert(U).second)
          Work.push_back(U);
  }

  // Of the loop, and of what decides how it is come to. Its own first values are the products, and what is computed from them: for the
  // loop alone.
  bool goesOtherwise(const Loop &L) const {
    SmallPtrSet<const BasicBlock *, 16> Before;
    SmallVector<const BasicBlock *, 16> Work{L.getLoopPredecessor()};
    while (!Work.empty()) {
      const BasicBlock *BB = Work.pop_back_val();
      if (Before.insert(BB).second)
        append_range(Work, predecessors(BB));
    }
    auto IsTainted = [&](const Instruction &I) { return Tainted.contains(&I) && !isa<AssumeInst, ZExtInst, SExtInst>(I); };
    return any_of(L.blocks(), [&](const BasicBlock *BB) { return any_of(*BB, IsTainted); }) ||
           any_of(Before, [&](const BasicBlock *BB) { return Tainted.contains(BB->getTerminator()); }) || isUsedBehind(L, Before);
  }

  bool isUsedBehind(const Loop &L, const SmallPtrSetImpl<const BasicBlock *> &Before) const {
    SmallPtrSet<const User *, 16> Seen;
    SmallVector<const User *, 16> Work;
    for (const auto &Uses : {Starts.Team, Starts.Teams})
      for (const Use *U : Uses)
        append_range(Work, U->getUser()->users());
    while (!Work.empty()) {
      const auto *I = cast<Instruction>(Work.pop_back_val());
      if (L.contains(I->getParent()) || !Seen.insert(I).second)
        continue;
      if (!Before.contains(I->getParent()))
        return true;
      append_range(Work, I->users());
    }
    return false;
  }

  Function &F;
  DominatorTree DT;
  LoopInfo LI;
  ChunkStarts Starts;
  SmallPtrSet<const Value *, 32> Tainted;
};

} // namespace

std::optional<ChunkStarts> findChunkStarts(Function &Kernel) { return Finder(Kernel).find(); }

} // namespace place
