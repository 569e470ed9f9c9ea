//===- Unroll.cpp - Loads of several iterations in flight -----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Unroll.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

static Metadata *property(LLVMContext &Context, StringRef Name, std::optional<unsigned> Value = std::nullopt) {
  SmallVector<Metadata *, 2> Words = {MDString::get(Context, Name)};
  if (Value)
    Words.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), *Value)));
  return MDNode::get(Context, Words);
}

static void addProperty(Loop &L, Metadata *Property) {
  LLVMContext &Context = L.getHeader()->getContext();
  SmallVector<Metadata *, 4> Properties = {nullptr}; // itself
  if (const MDNode *Before = L.getLoopID())
    append_range(Properties, drop_begin(Before->operands()));
  Properties.push_back(Property);
  MDNode *ID = MDNode::getDistinct(Context, Properties);
  ID->replaceOperandWith(0, ID);
  L.setLoopID(ID);
}

/// Whether the source, or a step before, has said how often the loop is to be unrolled.
static bool isSettled(const Loop &L) {
  const MDNode *ID = L.getLoopID();
  return ID && any_of(drop_begin(ID->operands()), [](const MDOperand &Operand) {
    const auto *Property = dyn_cast<MDNode>(Operand);
    const auto *Name = Property && Property->getNumOperands() ? dyn_cast<MDString>(Property->getOperand(0)) : nullptr;
    return Name && Name->getString().starts_with("llvm.loop.unroll");
  });
}

/// How often a body is worth repeating; 1: not at all.
static unsigned timesFor(const Loop &L, unsigned Bytes) {
  const unsigned Most = 16, InstructionsOfOne = 20;
  unsigned Instructions = 0, Widest = 0;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      const auto *C = dyn_cast<CallBase>(&I);
      if (C && (C->isConvergent() || !isa<IntrinsicInst>(C)))
        return 1;
      if (isa<LoadInst>(I))
        Widest = std::max<unsigned>(Widest, I.getDataLayout().getTypeStoreSize(I.getType()));
      ++Instructions;
    }
  unsigned Wanted = Widest ? std::min(Most, Bytes / Widest) : 1;
  unsigned Times = std::min(Wanted, Wanted * InstructionsOfOne / Instructions);
  return Times < 2 ? 1 : llvm::bit_floor(Times);
}

void unrollToLoad(Loop &L, unsigned Bytes) {
  if (!L.isInnermost() || !L.getLoopLatch() || isSettled(L))
    return;
  if (unsigned Times = timesFor(L, Bytes); Times > 1)
    addProperty(L, property(L.getHeader()->getContext(), "llvm.loop.unroll.count", Times));
}

static bool goesBy(const Loop &L, unsigned Step) {
  BasicBlock *Latch = L.getLoopLatch();
  return Latch && any_of(L.getHeader()->phis(), [&](PHINode &P) {
    return match(P.getIncomingValueForBlock(Latch), m_c_Add(m_Specific(&P), m_SpecificInt(Step)));
  });
}

void unrollShared(Function &F, unsigned Threads) {
  const unsigned BytesInFlight = 16;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  SmallPtrSet<Loop *, 8> Around;
  for (Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost() && goesBy(*L, Threads)) {
      unrollToLoad(*L, BytesInFlight);
      for (Loop *Outer = L->getParentLoop(); Outer; Outer = Outer->getParentLoop())
        Around.insert(Outer);
    }
  for (Loop *L : LI.getLoopsInPreorder())
    if (Around.count(L) && L->getLoopLatch() && !isSettled(*L))
      addProperty(*L, property(F.getContext(), "llvm.loop.unroll.disable"));
}

} // namespace place
