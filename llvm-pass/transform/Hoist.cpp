//===- Hoist.cpp - Loads before what waits for them -----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Hoist.h"
#include "CopyAnalyses.h"
#include "HiddenCopy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

namespace {

/// Moves I, with what it is computed from, in front of To. IsThere: one need not be moved. MayMove: a load may, or what is computed; I has depth
/// 0. False: not possible, though some of what it is computed from may have moved.
bool moveUp(Instruction *I, Instruction *&To, function_ref<bool(const Instruction &)> IsThere,
            function_ref<bool(const Instruction &, unsigned)> MayMove, unsigned Depth = 0) {
  const unsigned Most = 12;
  if (IsThere(*I))
    return true;
  bool Computes = isa<LoadInst>(I) || (!I->mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(I));
  if (isa<PHINode>(I) || Depth > Most || !Computes || !MayMove(*I, Depth))
    return false;
  for (Value *Operand : I->operands())
    if (auto *From = dyn_cast<Instruction>(Operand); From && !moveUp(From, To, IsThere, MayMove, Depth + 1))
      return false;
  if (I == To)
    To = I->getNextNode();
  else
    I->moveBefore(To);
  return true;
}

class Hoister {
public:
  Hoister(Loop &L, DominatorTree &DT) : L(L), DT(DT) {
    for (Instruction &I : *L.getHeader())
      if (isa<AtomicRMWInst>(I) || I.isTerminator()) {
        To = &I;
        break;
      }
  }

  /// In front of the first update.
  void hoist(Instruction *I) {
    moveUp(
        I, To, [&](const Instruction &Of) { return DT.dominates(&Of, To); },
        [&](const Instruction &Of, unsigned) { return L.contains(&Of) && (!isa<LoadInst>(Of) || Of.hasMetadata(LLVMContext::MD_invariant_load)); });
  }

private:
  Loop &L;
  DominatorTree &DT;
  Instruction *To = nullptr;
};

/// What a load and a store of one round of a loop are known not to have in common.
class Apartness {
public:
  Apartness(AAResults &AA, ScalarEvolution &SE) : AA(AA), SE(SE) {}

  bool of(const LoadInst &L, const StoreInst &S) {
    return AA.isNoAlias(MemoryLocation::get(&L), MemoryLocation::get(&S)) ||
           differ(elementOf(L.getPointerOperand(), L.getType()), elementOf(S.getPointerOperand(), S.getValueOperand()->getType()));
  }

private:
  struct Element {
    Value *Array = nullptr, *Index = nullptr;
    unsigned Widened = 0; // by which instruction; 0: not
    uint64_t Bytes = 0;
  };

  static Element elementOf(const Value *Pointer, const Type *Accessed) {
    const auto *G = dyn_cast<GetElementPtrInst>(Pointer);
    if (!G || G->getNumIndices() != 1 || G->getSourceElementType() != Accessed)
      return {};
    Value *Index = G->getOperand(1);
    const auto *Cast = dyn_cast<CastInst>(Index);
    bool Widened = Cast && (isa<SExtInst>(Cast) || isa<ZExtInst>(Cast));
    return {G->getOperand(0), Widened ? Cast->getOperand(0) : Index, Widened ? unsigned(Cast->getOpcode()) : 0,
            G->getDataLayout().getTypeAllocSize(G->getSourceElementType())};
  }

  // Alias analysis asks whether indices may overflow before they are widened. They differ in any case.
  bool differ(const Element &A, const Element &B) {
    if (!A.Array || A.Array != B.Array || A.Bytes != B.Bytes || A.Widened != B.Widened || A.Index->getType() != B.Index->getType())
      return false;
    const unsigned Narrow = 31; // bits: no product with an element's size is a multiple of 2^64
    const auto *By = dyn_cast<SCEVConstant>(SE.getMinusSCEV(SE.getSCEV(A.Index), SE.getSCEV(B.Index)));
    return By && !By->isZero() && By->getAPInt().abs().isIntN(Narrow);
  }

  AAResults &AA;
  ScalarEvolution &SE;
};

/// The loads of one block, up to what may write what they read.
class Gatherer {
public:
  Gatherer(BasicBlock &BB, Apartness &Apart) : BB(BB), Apart(Apart) {}

  void run() {
    const unsigned MostBytes = 128; // of a thread's registers, that wait
    for (Instruction &I : make_early_inc_range(BB)) {
      if (auto *S = dyn_cast<StoreInst>(&I); S && S->isSimple())
        Stores.push_back(S);
      else if (I.mayHaveSideEffects())
        To = nullptr, Bytes = 0, Stores.clear();
      auto *L = dyn_cast<LoadInst>(&I);
      if (!L || !L->isSimple())
        continue;
      Bytes += unsigned(BB.getDataLayout().getTypeStoreSize(L->getType()));
      if (!To || Bytes > MostBytes || !mayPass(*L) || !gather(L))
        To = L->getNextNode(), Bytes = Bytes > MostBytes ? 0 : Bytes, Stores.clear();
    }
  }

private:
  bool mayPass(const LoadInst &L) {
    return all_of(Stores, [&](const StoreInst *S) { return Apart.of(L, *S); });
  }

  bool gather(LoadInst *L) {
    return moveUp(
        L, To, [&](const Instruction &Of) { return Of.getParent() != &BB || Of.comesBefore(To); },
        [](const Instruction &Of, unsigned Depth) { return !isa<LoadInst>(Of) || !Depth; });
  }

  BasicBlock &BB;
  Apartness &Apart;
  Instruction *To = nullptr; // behind the last load
  unsigned Bytes = 0;
  SmallVector<StoreInst *, 8> Stores; // behind To
};

/// Loads of an innermost loop, wherever they stand, in its first block: the iterations of an unrolled loop that decide on what they load would
/// load one at a time. Unless the loop may write what they read.
class Forerunner {
public:
  Forerunner(Loop &L, DominatorTree &DT, PostDominatorTree &PDT, Apartness &Apart) : L(L), DT(DT), Apart(Apart) {
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB) {
        if (auto *S = dyn_cast<StoreInst>(&I); S && S->isSimple())
          Stores.push_back(S);
        else
          OnlyStores &= !I.mayHaveSideEffects();
        if (auto *Load = dyn_cast<LoadInst>(&I); Load && BB != L.getHeader() && PDT.dominates(BB, L.getHeader())) // in each iteration
          Loads.push_back(Load);
      }
  }

  // Those whose addresses wait for other loads come behind the others.
  void run() {
    auto First = find_if(*L.getHeader(), [](const Instruction &I) { return isa<LoadInst>(I); });
    if (!OnlyStores || Loads.empty())
      return;
    Instruction *Last = L.getHeader()->getTerminator();
    moveAll(First == L.getHeader()->end() ? Last : First->getNextNode(), [](const Instruction &Of, unsigned Depth) { return !isa<LoadInst>(Of) || !Depth; });
    moveAll(Last, [](const Instruction &, unsigned) { return true; });
  }

private:
  bool mayPass(const LoadInst &Load) {
    return all_of(Stores, [&](const StoreInst *S) { return DT.dominates(&Load, S) || Apart.of(Load, *S); });
  }

  void moveAll(Instruction *To, function_ref<bool(const Instruction &, unsigned)> MayMove) {
    const unsigned Most = 16; // of a thread's registers, that wait
    auto MayPass = [&](const Instruction &Of) { return !isa<LoadInst>(Of) || mayPass(cast<LoadInst>(Of)); };
    for (LoadInst *Load : Loads) {
      unsigned Words = unsigned(divideCeil(Load->getDataLayout().getTypeStoreSize(Load->getType()), 4));
      if (Load->getParent() != L.getHeader() && Waiting + Words <= Most &&
          moveUp(
              Load, To, [&](const Instruction &Of) { return DT.dominates(&Of, To); },
              [&](const Instruction &Of, unsigned Depth) { return L.contains(&Of) && MayPass(Of) && MayMove(Of, Depth); })) {
        Waiting += Words;
        keepInFront(*Load);
      }
    }
  }

  // LLVM's back end takes other loads to where their values are used; and it looks no further than six steps for the array that an address leads into.
  void keepInFront(LoadInst &Load) {
    const unsigned HoweverFar = 0;
    const auto *A = dyn_cast<Argument>(getUnderlyingObject(Load.getPointerOperand(), HoweverFar));
    if (A && A->hasNoAliasAttr() && A->onlyReadsMemory())
      Load.setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Load.getContext(), {}));
    else if (!Stores.empty())
      useInFront(Load);
  }

  void useInFront(LoadInst &Load) {
    const uint64_t Bits = Load.getDataLayout().getTypeSizeInBits(Load.getType());
    if (Load.getType()->isPointerTy() || Load.getType()->isVectorTy() || !is_contained({16u, 32u, 64u}, Bits))
      return;
    IRBuilder<> B(Load.getNextNode());
    Value *Word = B.CreateBitCast(&Load, B.getIntNTy(unsigned(Bits)));
    CallInst *Copy = B.Insert(hiddenCopy(*Word, /*Stays=*/true));
    Copy->setMemoryEffects(MemoryEffects::none()); // loads may still be joined
    Value *Used = B.CreateBitCast(Copy, Load.getType());
    Load.replaceUsesWithIf(Used, [&](const Use &U) { return cast<Instruction>(U.getUser())->getParent() != L.getHeader(); });
  }

  Loop &L;
  DominatorTree &DT;
  Apartness &Apart;
  bool OnlyStores = true;
  SmallVector<LoadInst *, 16> Loads;
  SmallVector<StoreInst *, 8> Stores;
  unsigned Waiting = 0;
};

} // namespace

static void moveLoads(Function &F, bool WithinBlocks) {
  CopyAnalyses Of(F);
  PostDominatorTree PDT(F);
  BasicAAResult Basic(F.getDataLayout(), F, Of.TLI, Of.AC, &Of.DT);
  ScopedNoAliasAAResult Scoped;
  AAResults AA(Of.TLI);
  AA.addAAResult(Basic);
  AA.addAAResult(Scoped);
  Apartness Apart(AA, Of.SE);
  for (Loop *L : Of.LI.getLoopsInPreorder()) {
    if (!L->isInnermost())
      continue;
    for (BasicBlock *BB : L->blocks())
      if (WithinBlocks)
        Gatherer(*BB, Apart).run();
    Forerunner(*L, Of.DT, PDT, Apart).run();
  }
}

void gatherLoads(Function &F) { moveLoads(F, /*WithinBlocks=*/true); }

void loadBeforeBranches(Function &F) { moveLoads(F, /*WithinBlocks=*/false); }

void hoistLoads(Function &F) {
  DominatorTree DT(F);
  PostDominatorTree PDT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!L->isInnermost())
      continue;
    SmallVector<Instruction *, 16> Loads;
    for (BasicBlock *BB : L->blocks())
      if (PDT.dominates(BB, L->getHeader()))
        for (Instruction &I : *BB)
          if (isa<LoadInst>(I))
            Loads.push_back(&I);
    Hoister H(*L, DT);
    for (Instruction *I : Loads)
      H.hoist(I);
  }
}

} // namespace place
