//===- Pressure.cpp - How many registers a kernel wants -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pressure.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace place {

namespace {

using Values = DenseSet<const Instruction *>;

class Liveness {
public:
  explicit Liveness(const Function &F) : F(F), DL(F.getDataLayout()) {}

  unsigned most() {
    settle();
    unsigned Most = 0;
    for (const BasicBlock &BB : F) {
      Values Alive = aliveBehind(BB);
      unsigned Now = 0;
      for (const Instruction *I : Alive)
        Now += registersOf(*I);
      Most = std::max(Most, Now);
      walk(BB, Alive, [&](const Instruction &I, bool Comes) {
        Now = Comes ? Now + registersOf(I) : Now - registersOf(I);
        Most = std::max(Most, Now);
      });
    }
    return Most;
  }

private:
  unsigned registersOf(const Instruction &I) const {
    Type *Ty = I.getType();
    const unsigned Bits = 32;
    return !Ty->isSized() || Ty->isIntegerTy(1) ? 0 : divideCeil(DL.getTypeSizeInBits(Ty).getFixedValue(), Bits);
  }

  /// What has to be kept for the value: a constant distance from a pointer is part of the access.
  static const Instruction *kept(const Value *V) {
    while (const auto *G = dyn_cast<GEPOperator>(V)) {
      if (!G->hasAllConstantIndices())
        break;
      V = G->getPointerOperand();
    }
    return isa<AllocaInst>(V) ? nullptr : dyn_cast<Instruction>(V);
  }

  static bool isFolded(const Instruction &I) { return kept(&I) != &I; }

  Values aliveBehind(const BasicBlock &BB) const {
    Values Alive;
    for (const BasicBlock *Next : successors(&BB)) {
      if (auto Found = AliveAt.find(Next); Found != AliveAt.end())
        Alive.insert(Found->second.begin(), Found->second.end());
      for (const PHINode &P : Next->phis())
        if (const Instruction *I = kept(P.getIncomingValueForBlock(&BB)))
          Alive.insert(I);
    }
    return Alive;
  }

  /// Backwards through a block: what is used comes to life, what is made was not alive before.
  static void walk(const BasicBlock &BB, Values &Alive, function_ref<void(const Instruction &, bool Comes)> Tell) {
    for (const Instruction &I : reverse(BB)) {
      if (isFolded(I))
        continue;
      if (Alive.erase(&I))
        Tell(I, false);
      if (isa<PHINode>(I))
        continue;
      for (const Value *Operand : I.operands())
        if (const Instruction *Used = kept(Operand); Used && Alive.insert(Used).second)
          Tell(*Used, true);
    }
  }

  void settle() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const BasicBlock *BB : post_order(&F)) {
        Values Alive = aliveBehind(*BB);
        walk(*BB, Alive, [](const Instruction &, bool) {});
        Values &Old = AliveAt[BB];
        Changed |= Alive.size() != Old.size();
        Old = std::move(Alive);
      }
    }
  }

  const Function &F;
  const DataLayout &DL;
  DenseMap<const BasicBlock *, Values> AliveAt; // its beginning, without its phi nodes
};

} // namespace

unsigned registersAlive(const Function &F) { return Liveness(F).most(); }

} // namespace place
