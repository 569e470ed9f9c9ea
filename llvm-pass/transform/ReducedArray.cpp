//===- ReducedArray.cpp - Arrays of a reduction in front end's form --------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReducedArray.h"
#include "ElementCalls.h"
#include "HeldPointers.h"
#include "RuntimeCall.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

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

/// What leads a pointer that steps through elements to the next one; null: it does not.
const GetElementPtrInst *stepOf(const PHINode &P) {
  for (const User *U : P.users())
    if (const auto *Next = dyn_cast<GetElementPtrInst>(U); Next && Next->getNumIndices() == 1 && isNumber(Next->getOperand(1), 1))
      return Next;
  return nullptr;
}

} // namespace

bool isOnElements(const CallBase &Call, ElementCalls &Calls, function_ref<bool(const PHINode &)> MayWrite) {
  std::optional<ElementCalls::Objects> All = Calls.touched(Call);
  return All && all_of(*All, [&](const TouchedObject &T) {
    const auto *P = dyn_cast<PHINode>(T.Pointer);
    const GetElementPtrInst *Step = P ? stepOf(*P) : nullptr;
    return isa<AllocaInst>(T.Pointer) ||
           (Step && T.Bytes <= P->getDataLayout().getTypeAllocSize(Step->getSourceElementType()) && (!T.IsWritten || MayWrite(*P)));
  });
}

namespace {

class Additions {
public:
  Additions(CallInst &Call, unsigned Lanes, ElementCalls &Calls) : Lanes(Lanes), Calls(Calls) {
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
      if (Edge && I.mayHaveSideEffects() && DT.dominates(*Edge, I.getParent()) && !writesOnly(I, Written, DT))
        return {};
    return Found;
  }

private:
  // To elements, and what is the loop's own.
  bool writesOnly(Instruction &I, const SmallPtrSetImpl<const Value *> &Written, const DominatorTree &DT) const {
    if (auto *S = dyn_cast<StoreInst>(&I))
      return Written.count(S->getPointerOperand());
    auto *C = dyn_cast<CallBase>(&I);
    if (!C || C->isLifetimeStartOrEnd())
      return C;
    return isOnElements(*C, Calls, [&](const PHINode &P) { return Written.count(&P); }) && all_of(C->args(), [&](Value *A) {
      return !isa<AllocaInst>(A) || all_of(A->users(), [&](User *U) { return DT.dominates(*Edge, cast<Instruction>(U)->getParent()); });
    });
  }

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
  ElementCalls &Calls;
  std::optional<BasicBlockEdge> Edge;
};

} // namespace

SmallVector<Addition, 4> additionsBehind(CallInst &Call, ArrayRef<StoreInst *> Named, unsigned Elements, const DominatorTree &DT,
                                        ElementCalls &Calls) {
  return Additions(Call, Elements, Calls).find(Named, DT);
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

// By constants, or (omp_orig) by the element of the same number of another array.
bool OwnArray::setsNeutral(const PHINode &P) {
  auto IsKnown = [&](Value *V) {
    auto *Other = dyn_cast<PHINode>(V);
    bool Steps = Other && Other != &P && Other->getParent() == P.getParent() && Other->getNumIncomingValues() == 2 && stepOf(*Other) &&
                 none_of(Other->incoming_values(), [](Value *From) { return isa<AllocaInst>(getUnderlyingObject(From)); });
    if (Steps && !is_contained(Originals, Other))
      Originals.push_back(Other);
    return V == &P || isa<Constant>(V) || Steps;
  };
  return all_of(P.users(), [&](const User *U) {
    if (const auto *C = dyn_cast<CallBase>(U))
      return all_of(C->args(), IsKnown) && isOnElements(*C, *Calls, [&](const PHINode &Written) { return &Written == &P; });
    const auto *S = dyn_cast<StoreInst>(U);
    return isa<GetElementPtrInst>(U) || (S && isa<Constant>(S->getValueOperand()));
  });
}

void OwnArray::startAtOwn(PHINode &Original) const {
  unsigned First = Original.getIncomingValue(0) == stepOf(Original);
  IRBuilder<> B(Original.getIncomingBlock(First)->getTerminator());
  Value *Thread = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {});
  Value *Own = B.CreateZExt(B.CreateURem(Thread, B.getInt32(Count)), B.getInt64Ty());
  Type *Element = cast<ArrayType>(A->getAllocatedType())->getElementType();
  Original.setIncomingValue(First, B.CreateGEP(Element, Original.getIncomingValue(First), Own));
}

AllocaInst *OwnArray::shrink(bool OriginalsToo) {
  Type *Element = cast<ArrayType>(A->getAllocatedType())->getElementType();
  auto *One = new AllocaInst(Element, A->getAddressSpace(), nullptr, A->getAlign(), "", A->getIterator());
  for (GetElementPtrInst *E : Ends)
    E->setOperand(1, ConstantInt::get(E->getOperand(1)->getType(), 1));
  for (GetElementPtrInst *E : Used)
    E->replaceAllUsesWith(One);
  for (Instruction *L : Lifetimes)
    L->eraseFromParent();
  for (PHINode *Original : OriginalsToo ? ArrayRef<PHINode *>() : Originals)
    startAtOwn(*Original);
  A->replaceAllUsesWith(One);
  return One;
}

static bool isHarmless(const Value &Address, ArrayRef<Addition> All, ArrayRef<PHINode *> Steps) {
  return all_of(Address.users(), [&](const User *U) {
    if (const auto *G = dyn_cast<GetElementPtrInst>(U))
      return G->hasAllConstantIndices() && isHarmless(*G, All, Steps);
    return isa<PtrToIntInst>(U) || isa<ICmpInst>(U) || is_contained(Steps, U) || any_of(All, [&](const Addition &A) { return A.To == U; });
  });
}

bool isOnlyAddedTo(const Argument &Address, ArrayRef<Addition> All, ArrayRef<PHINode *> Steps) {
  return all_of(Address.users(), [&](const User *U) {
    const auto *S = dyn_cast<StoreInst>(U);
    const auto *Holder = S && S->getValueOperand() == &Address ? dyn_cast<AllocaInst>(S->getPointerOperand()) : nullptr;
    return Holder && all_of(Holder->users(), [&](const User *H) {
      return H == S || (isa<LoadInst>(H) && isHarmless(*H, All, Steps)) || cast<Instruction>(H)->isLifetimeStartOrEnd();
    });
  });
}

} // namespace place
