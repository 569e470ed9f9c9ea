//===- LaneLoop.cpp - An inner loop that neighbouring threads share --------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneLoop.h"
#include "ElementCalls.h"
#include "HeldPointers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

/// What is read or written where, in a loop: by loads and stores, and by calls (ElementCalls.h).
struct Uses {
  SmallVector<LoadInst *, 4> Loads;
  SmallVector<StoreInst *, 4> Stores;
  SmallVector<std::pair<CallBase *, TouchedObject>, 4> Calls;
};

class Finder {
public:
  Finder(const Loop &L, const Value *Counter, const DominatorTree &DT, ElementCalls &Calls) : L(L), Counter(Counter), DT(DT), Calls(Calls) {}

  LaneLoop find() {
    if (L.getSubLoops().size() != 1 || !L.getSubLoops()[0]->getSubLoops().empty())
      return {};
    Inner = L.getSubLoops()[0];
    bool Shares = findCounter() && readsAlong() && collect() && all_of(Written, [&](AllocaInst *A) {
      Uses U = usesOf(*A);
      return isSeen(*A) && (isBornInside(*A, U) || isOfIteration(*A, U) || isAlong(*A, U) || isFormed(U));
    });
    return Shares ? std::move(Found) : LaneLoop();
  }

private:
  // The inner loop counts in a variable from 0 to a constant, a multiple of the threads that share it.
  bool findCounter() {
    const uint64_t Fewest = 8, Most = 32;
    auto *Guard = dyn_cast<BranchInst>(Inner->getHeader()->getTerminator());
    ICmpInst::Predicate Less;
    Value *Variable = nullptr;
    uint64_t End = 0;
    if (!Guard || !Guard->isConditional() || Inner->getExitingBlock() != Inner->getHeader() || !Inner->getLoopLatch() ||
        !Inner->contains(Guard->getSuccessor(0)) || !match(Guard->getCondition(), m_ICmp(Less, m_Load(m_Value(Variable)), m_ConstantInt(End))) ||
        (Less != ICmpInst::ICMP_ULT && Less != ICmpInst::ICMP_SLT) || End > INT32_MAX / 2)
      return false;
    J = dyn_cast<AllocaInst>(Variable);
    Found.Lanes = unsigned(std::min<uint64_t>(End & (0 - End), Most));
    Found.Rounds = End;
    return J && End && Found.Lanes >= Fewest && findSteps();
  }

  bool findSteps() {
    StoreInst *Last = nullptr; // of a round
    for (User *U : J->users()) {
      auto *S = dyn_cast<StoreInst>(U);
      if (!S) {
        if (!isa<LoadInst>(U) && !cast<Instruction>(U)->isLifetimeStartOrEnd())
          return false;
        continue;
      }
      if (S->getParent() == Inner->getLoopLatch()) {
        if (Last || !match(S->getValueOperand(), m_OneUse(m_Add(m_Load(m_Specific(J)), m_One()))))
          return false;
        Last = S, Found.Step = cast<BinaryOperator>(S->getValueOperand());
      } else if (Found.Begin || !L.contains(S) || Inner->contains(S) || !match(S->getValueOperand(), m_Zero())) {
        return false;
      } else {
        Found.Begin = S;
      }
    }
    return Found.Begin && Found.Step && DT.dominates(Found.Begin->getParent(), Inner->getHeader()) && all_of(J->users(), [&](User *U) {
      auto *Load = dyn_cast<LoadInst>(U);
      return !Load || (Inner->contains(Load) && (Load->getParent() != Last->getParent() || Load->comesBefore(Last)));
    });
  }

  // Whether neighbours along it are neighbours in some array, and far from each other in none.
  bool readsAlong() const {
    bool Along = false;
    for (BasicBlock *BB : Inner->blocks())
      for (Instruction &I : *BB)
        for (Value *Pointer : readBy(I)) {
          auto *At = dyn_cast<GetElementPtrInst>(elementAt(Pointer).first);
          if (!At || variableOf(At))
            continue;
          Value *Index = *std::prev(At->op_end());
          Along |= hasTerm(Index);
          if (!hasTerm(Index) && dependsOnCounter(Index))
            return false;
        }
    return Along;
  }

  SmallVector<Value *, 2> readBy(Instruction &I) const {
    SmallVector<Value *, 2> Pointers;
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Pointers.push_back(Load->getPointerOperand());
    for (const TouchedObject &T : touchedBy(I))
      Pointers.push_back(T.Pointer);
    return Pointers;
  }

  ElementCalls::Objects touchedBy(Instruction &I) const {
    auto *C = dyn_cast<CallBase>(&I);
    return C ? Calls.touched(*C).value_or(ElementCalls::Objects()) : ElementCalls::Objects();
  }

  // What leads to the object that a pointer leads into, as far as fields of it go, and how far in that is.
  std::pair<Value *, int64_t> elementAt(Value *Pointer) const {
    APInt Offset(64, 0, true);
    Value *At = Pointer->stripAndAccumulateConstantOffsets(L.getHeader()->getDataLayout(), Offset, /*AllowNonInbounds=*/true);
    return {At, Offset.getSExtValue()};
  }

  bool hasTerm(Value *Index) const {
    Value *A = nullptr, *B = nullptr;
    if (match(Index, m_ZExtOrSExt(m_Value(A))))
      return hasTerm(A);
    if (match(Index, m_Add(m_Value(A), m_Value(B))))
      return hasTerm(A) || hasTerm(B);
    return match(Index, m_Load(m_Specific(J)));
  }

  bool dependsOnCounter(Value *Index) const {
    if (auto *Load = dyn_cast<LoadInst>(Index))
      return Load->getPointerOperand() == J;
    auto *I = dyn_cast<Instruction>(Index);
    return I && (isa<CastInst>(I) || isa<BinaryOperator>(I)) && any_of(I->operands(), [&](Value *V) { return dependsOnCounter(V); });
  }

  // What the body writes; false if it does anything else that others may see. The inner loop's header has a round more than its body.
  bool collect() {
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB) {
        if (auto *S = dyn_cast<StoreInst>(&I)) {
          AllocaInst *A = variableOf(S->getPointerOperand());
          if (!A || S->isVolatile() || BB == Inner->getHeader())
            return false;
          if (A != J && A != Counter)
            Written.insert(A);
        } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
          if (Load->isVolatile() || mayBeVariable(Load->getPointerOperand()))
            return false;
        } else if (auto *C = dyn_cast<CallBase>(&I)) {
          if (!collect(*C))
            return false;
        } else if (I.mayWriteToMemory() || I.isVolatile()) {
          return false;
        }
      }
    return true;
  }

  bool collect(CallBase &C) {
    std::optional<ElementCalls::Objects> All = Calls.touched(C);
    return All && all_of(*All, [&](const TouchedObject &T) {
      AllocaInst *A = variableOf(T.Pointer);
      if (C.getParent() == Inner->getHeader() || mayBeVariable(T.Pointer) || (T.IsWritten && (!A || A == J || A == Counter)))
        return false;
      if (T.IsWritten)
        Written.insert(A);
      else if (!A && Inner->contains(&C))
        noteObject(C, T);
      return true;
    });
  }

  // What is copied from where the result leads is a part of the object, too.
  void noteObject(CallBase &C, const TouchedObject &T) {
    const uint64_t Most = 64;
    uint64_t Bytes = T.Bytes;
    if (C.getType()->isPointerTy())
      for (const User *U : C.users())
        Bytes = std::max(Bytes, cast<ConstantInt>(cast<MemTransferInst>(U)->getLength())->getZExtValue());
    for (const Use &U : C.args())
      if (U.get() == T.Pointer && Bytes <= std::min(Most, C.getParamDereferenceableBytes(C.getArgOperandNo(&U))))
        Found.Objects.push_back({&C, C.getArgOperandNo(&U), Bytes});
  }

  // Whether all that the loop does with a variable is known: nothing else can have its address.
  bool isSeen(AllocaInst &A) const {
    SetVector<Instruction *> All;
    findUses(A, All);
    return none_of(All, [&](Instruction *I) { return mayKeep(*I) && isPotentiallyReachable(I, &L.getHeader()->front(), nullptr, &DT); });
  }

  // Whether something that is made of an address may lead to it later.
  bool mayKeep(Instruction &I) const {
    if (auto *S = dyn_cast<StoreInst>(&I)) {
      auto *Holder = dyn_cast<AllocaInst>(S->getPointerOperand());
      return !Holder || !onlyStored(*Holder);
    }
    if (isa<PtrToIntInst>(I)) // a distance is none
      return any_of(I.users(), [](const User *U) { return !match(U, m_Sub(m_Value(), m_Value())); });
    if (auto *C = dyn_cast<CallBase>(&I))
      return !isa<AnyMemIntrinsic>(C) && !Calls.touched(*C);
    return !isa<LoadInst, ICmpInst, GetElementPtrInst, PHINode, SelectInst, AddrSpaceCastInst>(I);
  }

  Uses usesOf(AllocaInst &A) const {
    Uses Found;
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB)
        if (auto *Load = dyn_cast<LoadInst>(&I); Load && variableOf(Load->getPointerOperand()) == &A)
          Found.Loads.push_back(Load);
        else if (auto *Store = dyn_cast<StoreInst>(&I); Store && variableOf(Store->getPointerOperand()) == &A)
          Found.Stores.push_back(Store);
        else
          for (const TouchedObject &T : touchedBy(I))
            if (variableOf(T.Pointer) == &A)
              Found.Calls.push_back({cast<CallBase>(&I), T});
    return Found;
  }

  // A variable that is new in each iteration of the inner loop.
  bool isBornInside(AllocaInst &A, const Uses &U) const {
    return any_of(A.users(), [&](User *Born) {
      auto *Start = dyn_cast<LifetimeIntrinsic>(Born);
      auto IsLater = [&](const Instruction *I) { return DT.dominates(Start, I); };
      return Start && Start->getIntrinsicID() == Intrinsic::lifetime_start && Inner->contains(Start) && all_of(U.Loads, IsLater) &&
             all_of(U.Stores, IsLater) && all_of(U.Calls, [&](const auto &C) { return IsLater(C.first); });
    });
  }

  // Nothing of it is left to the next iteration of either loop: each byte that is read was stored before, in the same one.
  bool isOfIteration(AllocaInst &A, const Uses &U) const {
    bool WrittenInside = any_of(U.Stores, [&](StoreInst *S) { return Inner->contains(S); }) ||
                         any_of(U.Calls, [&](const auto &C) { return C.second.IsWritten && Inner->contains(C.first); });
    auto IsStored = [&](const Instruction &Read, Value *Pointer, uint64_t Bytes) {
      SmallVector<StoreInst *, 4> Before;
      for (StoreInst *S : U.Stores)
        if (DT.dominates(S, &Read) && (!WrittenInside || Inner->contains(S)))
          Before.push_back(S);
      return covers(A, Before, Pointer, Bytes);
    };
    return all_of(U.Loads, [&](LoadInst *L) { return IsStored(*L, L->getPointerOperand(), bytesOf(*L)); }) &&
           all_of(U.Calls, [&](const auto &C) { return IsStored(*C.first, C.second.Pointer, C.second.Bytes); });
  }

  static uint64_t bytesOf(Instruction &Access) { return Access.getDataLayout().getTypeStoreSize(getLoadStoreType(&Access)); }

  // Whether stores to a variable set all bytes of a part of it.
  bool covers(AllocaInst &A, ArrayRef<StoreInst *> Stores, Value *Pointer, uint64_t Bytes) const {
    auto [Object, From] = elementAt(Pointer);
    if (Object != &A)
      return false;
    int64_t End = From + int64_t(Bytes);
    for (bool Grows = true; Grows && From < End;) {
      Grows = false;
      for (StoreInst *S : Stores)
        if (auto [To, At] = elementAt(S->getPointerOperand()); To == &A && At <= From && At + int64_t(bytesOf(*S)) > From)
          From = At + int64_t(bytesOf(*S)), Grows = true;
    }
    return From >= End;
  }

  // An array of which the inner loop's iterations use the element of their number, and nothing else does.
  bool isAlong(AllocaInst &A, const Uses &U) {
    LaneArray Along = {&A, {}};
    auto *Ty = dyn_cast<ArrayType>(A.getAllocatedType());
    const DataLayout &DL = A.getDataLayout();
    auto IsElement = [&](Instruction *Access, Value *Pointer, uint64_t Bytes) {
      auto [Element, Offset] = elementAt(Pointer);
      auto *At = dyn_cast<GetElementPtrInst>(Element);
      if (!Ty || !At || !Inner->contains(Access) || At->getResultElementType() != Ty->getElementType() || Offset < 0 ||
          uint64_t(Offset) + Bytes > DL.getTypeAllocSize(Ty->getElementType()) || !isBegin(At->getPointerOperand(), A) ||
          !isCounter(*std::prev(At->op_end())) || any_of(drop_end(At->indices()), [](const Use &I) { return !match(I.get(), m_Zero()); }))
        return false;
      if (!is_contained(Along.Elements, At))
        Along.Elements.push_back(At);
      return true;
    };
    auto IsAccess = [&](Instruction *I) { return IsElement(I, getLoadStorePointerOperand(I), bytesOf(*I)); };
    if (!all_of(U.Loads, IsAccess) || !all_of(U.Stores, IsAccess) ||
        !all_of(U.Calls, [&](const auto &C) { return IsElement(C.first, C.second.Pointer, C.second.Bytes); }))
      return false;
    Found.Arrays.push_back(std::move(Along));
    return true;
  }

  bool isCounter(Value *Index) const {
    Value *Narrow = nullptr;
    return match(match(Index, m_ZExtOrSExt(m_Value(Narrow))) ? Narrow : Index, m_Load(m_Specific(J)));
  }

  // A sum or the like, or an array of them, in the inner loop alone, of which nothing else is made.
  bool isFormed(const Uses &U) const {
    return U.Calls.empty() && U.Loads.size() == U.Stores.size() && all_of(U.Stores, [&](StoreInst *S) {
      auto *Op = dyn_cast<BinaryOperator>(S->getValueOperand());
      if (!Op || !Inner->contains(S) || !Op->isCommutative())
        return false;
      return any_of(Op->operands(), [&](Value *V) {
        auto *Before = dyn_cast<LoadInst>(V);
        return Before && Before->hasOneUse() && Inner->contains(Before) && Before->getPointerOperand() == S->getPointerOperand() &&
               is_contained(U.Loads, Before);
      });
    });
  }

  const Loop &L;
  const Loop *Inner = nullptr;
  const Value *Counter;
  const DominatorTree &DT;
  ElementCalls &Calls;
  AllocaInst *J = nullptr;
  SetVector<AllocaInst *> Written;
  LaneLoop Found;
};

} // namespace

LaneLoop findLaneLoop(const Loop &L, const Value *Counter, const DominatorTree &DT, ElementCalls &Calls) {
  return Finder(L, Counter, DT, Calls).find();
}

static void readAsWhole(const ReadObject &O) {
  IRBuilder<> Entry(&*O.Call->getFunction()->getEntryBlock().getFirstInsertionPt()), B(O.Call);
  Align Natural = O.Call->getParamAlign(O.Argument).valueOrOne();
  AllocaInst *Copy = Entry.CreateAlloca(ArrayType::get(B.getInt8Ty(), O.Bytes));
  Copy->setAlignment(Natural);
  B.CreateMemCpy(Copy, Natural, O.Call->getArgOperand(O.Argument), Natural, O.Bytes);
  O.Call->setArgOperand(O.Argument, Copy);
}

void shareLaneLoop(const LaneLoop &Shared, Value *Lane, Value *Lanes) {
  for (const ReadObject &O : Shared.Objects)
    readAsWhole(O);
  IRBuilder<> B(Shared.Begin);
  Type *Ty = Shared.Step->getType();
  Shared.Begin->setOperand(0, B.CreateTrunc(Lane, Ty));
  Shared.Step->setOperand(1, B.CreateTrunc(Lanes, Ty));
}

} // namespace place
