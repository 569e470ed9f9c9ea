//===- ReducedArray.cpp - Arrays of a reduction in front end's form --------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReducedArray.h"
#include "RuntimeCall.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

SmallVector<StoreInst *, 4> namedBy(Value *List, Function &F) {
  auto *A = dyn_cast<AllocaInst>(List->stripPointerCasts());
  auto *Ty = A ? dyn_cast<ArrayType>(A->getAllocatedType()) : nullptr;
  if (!Ty)
    return {};
  const DataLayout &DL = F.getDataLayout();
  SmallVector<StoreInst *, 4> All(Ty->getNumElements());
  for (Instruction &I : instructions(F)) {
    auto *S = dyn_cast<StoreInst>(&I);
    APInt Offset(64, 0);
    if (!S || S->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, true) != A)
      continue;
    uint64_t N = Offset.getZExtValue() / DL.getPointerSize();
    if (N >= All.size() || All[N])
      return {};
    All[N] = S;
  }
  return is_contained(All, nullptr) ? SmallVector<StoreInst *, 4>() : All;
}

namespace {

class Additions {
public:
  Additions(CallInst &Call, unsigned Lanes) : Lanes(Lanes) {
    auto *Asks = Call.hasOneUse() ? dyn_cast<ICmpInst>(*Call.user_begin()) : nullptr;
    auto *Branch = Asks && Asks->hasOneUse() ? dyn_cast<BranchInst>(*Asks->user_begin()) : nullptr;
    if (Branch && Asks->getPredicate() == ICmpInst::ICMP_EQ && isNumber(Asks->getOperand(1), 1) && Branch->isConditional())
      Edge.emplace(Branch->getParent(), Branch->getSuccessor(0));
  }

  SmallVector<Addition, 4> find(ArrayRef<StoreInst *> Named, const DominatorTree &DT) {
    SmallVector<Addition, 4> Found;
    SmallPtrSet<const Value *, 4> Written;
    for (StoreInst *S : Named) {
      std::optional<Addition> A = Edge ? additionOf(S->getValueOperand(), DT) : std::nullopt;
      if (!A)
        return {};
      Written.insert(A->To);
      Found.push_back(*A);
    }
    for (Instruction &I : instructions(*DT.getRoot()->getParent()))
      if (Edge && I.mayHaveSideEffects() && DT.dominates(*Edge, I.getParent())) {
        auto *S = dyn_cast<StoreInst>(&I);
        bool IsCall = isa<CallBase>(I) && cast<CallBase>(I).isLifetimeStartOrEnd();
        if (!IsCall && (!S || !Written.count(S->getPointerOperand())))
          return {};
      }
    return Found;
  }

private:
  std::optional<Addition> additionOf(Value *Array, const DominatorTree &DT) const {
    for (User *U : Array->users()) {
      auto *P = dyn_cast<PHINode>(U);
      if (!P || !DT.dominates(*Edge, P->getParent()))
        continue;
      Addition A;
      A.From = P;
      for (PHINode &Other : P->getParent()->phis())
        if (&Other != P && Other.getType()->isPointerTy())
          A.To = A.To ? P : &Other; // P: there are several
      int Into = P->getBasicBlockIndex(P->getIncomingBlock(P->getIncomingValue(0) == Array ? 0 : 1));
      if (!A.To || A.To == P || P->getNumIncomingValues() != 2)
        return std::nullopt;
      A.Variable = A.To->getIncomingValueForBlock(P->getIncomingBlock(Into));
      for (User *Of : A.Variable->users())
        if (auto *End = dyn_cast<GetElementPtrInst>(Of); End && End->getNumIndices() == 1 && isNumber(End->getOperand(1), Lanes))
          A.End = End;
      if (!A.End)
        return std::nullopt;
      A.Ty = A.End->getSourceElementType();
      return A;
    }
    return std::nullopt;
  }

  unsigned Lanes;
  std::optional<BasicBlockEdge> Edge;
};

bool setsNeutral(const PHINode &P) {
  return all_of(P.users(), [](const User *U) {
    const auto *S = dyn_cast<StoreInst>(U);
    return isa<GetElementPtrInst>(U) || (S && isa<Constant>(S->getValueOperand()));
  });
}

} // namespace

SmallVector<Addition, 4> additionsBehind(CallInst &Call, ArrayRef<StoreInst *> Named, unsigned Elements, const DominatorTree &DT) {
  return Additions(Call, Elements).find(Named, DT);
}

bool OwnArray::isShrinkable() {
  auto *Ty = dyn_cast<ArrayType>(A->getAllocatedType());
  return Ty && Ty->getNumElements() == Count && !A->isArrayAllocation() && all_of(A->users(), [&](User *U) { return allows(U, *A); });
}

bool OwnArray::allows(User *U, Value &Of) {
  if (U == Added || isa<ICmpInst>(U) || is_contained(Used, U))
    return true;
  if (auto *S = dyn_cast<StoreInst>(U))
    return S->getValueOperand() == &Of;
  if (auto *P = dyn_cast<PHINode>(U))
    return setsNeutral(*P);
  if (auto *I = dyn_cast<Instruction>(U); I && I->isLifetimeStartOrEnd()) {
    Lifetimes.push_back(I);
    return true;
  }
  auto *G = dyn_cast<GetElementPtrInst>(U);
  if (!G)
    return false;
  if (G->getNumIndices() == 1 && isNumber(G->getOperand(1), Count)) {
    Ends.push_back(G);
    return all_of(G->users(), [](User *E) { return isa<ICmpInst>(E); });
  }
  // Where a section begins is a distance from its array's begin: that of findLaneLoop, or one that is taken back where it is added to.
  bool IsBegin = G->hasAllZeroIndices() || (G->getNumIndices() == 1 && !isa<Constant>(G->getOperand(1)));
  return IsBegin && all_of(G->users(), [&](User *Next) { return allows(Next, *G); });
}

AllocaInst *OwnArray::shrink() {
  Type *Element = cast<ArrayType>(A->getAllocatedType())->getElementType();
  auto *One = new AllocaInst(Element, A->getAddressSpace(), nullptr, A->getAlign(), "", A->getIterator());
  for (GetElementPtrInst *E : Ends)
    E->setOperand(1, ConstantInt::get(E->getOperand(1)->getType(), 1));
  for (GetElementPtrInst *E : Used)
    E->replaceAllUsesWith(One);
  for (Instruction *L : Lifetimes)
    L->eraseFromParent();
  A->replaceAllUsesWith(One);
  return One;
}

const Argument *argumentOf(const Value *Pointer) {
  while (const auto *G = dyn_cast_or_null<GetElementPtrInst>(Pointer))
    Pointer = G->hasAllZeroIndices() ? G->getPointerOperand() : nullptr;
  const auto *Kept = dyn_cast_or_null<LoadInst>(Pointer);
  const auto *Holder = Kept ? dyn_cast<AllocaInst>(Kept->getPointerOperand()) : nullptr;
  if (!Holder)
    return nullptr;
  const Argument *Found = nullptr;
  for (const User *U : Holder->users())
    if (const auto *S = dyn_cast<StoreInst>(U)) {
      if (Found)
        return nullptr;
      Found = dyn_cast<Argument>(S->getValueOperand());
    }
  return Found;
}

static bool isHarmless(const Value &Address, ArrayRef<Addition> All) {
  return all_of(Address.users(), [&](const User *U) {
    if (const auto *G = dyn_cast<GetElementPtrInst>(U))
      return G->hasAllConstantIndices() && isHarmless(*G, All);
    return isa<PtrToIntInst>(U) || isa<ICmpInst>(U) || any_of(All, [&](const Addition &A) { return A.To == U; });
  });
}

bool isOnlyAddedTo(const Argument &Address, ArrayRef<Addition> All) {
  return all_of(Address.users(), [&](const User *U) {
    const auto *S = dyn_cast<StoreInst>(U);
    const auto *Holder = S && S->getValueOperand() == &Address ? dyn_cast<AllocaInst>(S->getPointerOperand()) : nullptr;
    return Holder && all_of(Holder->users(), [&](const User *H) {
      return H == S || (isa<LoadInst>(H) && isHarmless(*H, All)) || cast<Instruction>(H)->isLifetimeStartOrEnd();
    });
  });
}

} // namespace place
