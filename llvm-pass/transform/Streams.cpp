//===- Streams.cpp - Inner loops that go along arrays and only read ----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Streams.h"
#include "CopyAnalyses.h"
#include "LoopProperty.h"
#include "Unroll.h"

#include "llvm/ADT/bit.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

namespace {

/// What one iteration loads and takes.
struct Body {
  unsigned Words = 0, Instructions = 0;
  bool OnlyReads = true, Decides = false;

  bool isStream() const { return OnlyReads && Words && Words <= 4 && Instructions <= 32; }
  bool isSimple() const { return !Decides && Instructions <= 10; } // LLVM and ptxas repeat it themselves, as often as its length is not known
};

class Streams {
public:
  Streams(Function &F, const TargetTransformInfo &TTI) : TTI(TTI), Of(F) {}

  void run() {
    SmallVector<std::pair<Loop *, unsigned>, 4> Decided;
    for (Loop *L : Of.LI.getLoopsInPreorder()) {
      const Body B = isOpen(*L) ? bodyOf(*L) : Body();
      const unsigned InFlight = B.isSimple() ? 32 : 16; // words; a longer body needs more of its registers
      if (!B.isStream() || isShort(*L, InFlight))
        continue;
      const unsigned Times = bit_floor(InFlight / B.Words);
      if (!B.isSimple() && Times > UsualTimes)
        Decided.push_back({L, Times});
      else if (Times > MostByLLVM && Of.SE.getSmallConstantTripCount(L)) // of others ptxas makes as many
        addLoopProperty(*L->getLoopLatch()->getTerminator(), "llvm.loop.unroll.count", Times);
    }
    for (auto [L, Times] : Decided)
      repeat(*L, Times);
  }

private:
  bool goesAlong(const LoadInst &Load, const Loop &L) {
    const auto *At = dyn_cast<SCEVAddRecExpr>(Of.SE.getSCEV(const_cast<Value *>(Load.getPointerOperand())));
    return At && At->getLoop() == &L && At->isAffine();
  }

  Body bodyOf(const Loop &L) {
    Body B;
    B.Decides = L.getNumBlocks() > 1;
    for (const BasicBlock *BB : L.blocks())
      for (const Instruction &I : *BB) {
        B.OnlyReads &= !I.mayHaveSideEffects() && !callsOut(I);
        ++B.Instructions;
        const auto *Load = dyn_cast<LoadInst>(&I);
        if (!Load)
          continue;
        B.OnlyReads &= goesAlong(*Load, L);
        B.Words += unsigned(divideCeil(I.getDataLayout().getTypeStoreSize(I.getType()), 4));
      }
    return B;
  }

  static bool isOpen(const Loop &L) { return L.isInnermost() && openBranch(L) && L.getExitingBlock() == L.getLoopLatch(); }

  bool isShort(const Loop &L, unsigned InFlight) {
    const unsigned Most = Of.SE.getSmallConstantMaxTripCount(&L); // 0: not known
    return isa<SCEVCouldNotCompute>(Of.SE.getBackedgeTakenCount(&L)) || (Most && Most < 2 * InFlight);
  }

  // So often, four times what is left, and then once: short loops are carried out as LLVM would have it.
  void repeat(Loop &L, unsigned Times) {
    Loop *Rest = nullptr;
    if (repeatBody(L, UsualTimes, Of, TTI, Rest) != LoopUnrollResult::PartiallyUnrolled)
      return;
    if (Rest && Rest->getLoopLatch())
      addLoopProperty(*Rest->getLoopLatch()->getTerminator(), "llvm.loop.unroll.disable");
    if (BasicBlock *Latch = L.getLoopLatch())
      setLoopProperty(*Latch->getTerminator(), "llvm.loop.unroll.count", Times / UsualTimes);
  }

  static constexpr unsigned UsualTimes = 4, MostByLLVM = 8; // of loops whose number of iterations is known at the launch; at compile time
  const TargetTransformInfo &TTI;
  CopyAnalyses Of;
};

} // namespace

void unrollStreams(Function &F, const TargetTransformInfo &TTI) { Streams(F, TTI).run(); }

} // namespace place
