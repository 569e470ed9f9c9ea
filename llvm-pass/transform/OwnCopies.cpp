//===- OwnCopies.cpp - Structures of a thread's own, copied as a whole ----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OwnCopies.h"
#include "KnownAlignment.h"
#include "WholeCopies.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>

using namespace llvm;

namespace place {

namespace {

const AllocaInst *ownOf(const Value *Pointer) { return dyn_cast<AllocaInst>(getUnderlyingObject(Pointer)); }

//===-- From one of several places ---------------------------------------------------===//

/// Where a pointer leads that is chosen by selections and joined ways, and those.
struct Places {
  SmallSetVector<Value *, 4> All;
  SmallSetVector<Value *, 16> Steps;
};

/// No places: they may be too many.
Places placesOf(Value *Pointer) {
  const size_t Most = 4, MostSteps = 16;
  Places P;
  P.Steps.insert(Pointer);
  for (size_t N = 0; N < P.Steps.size(); ++N) {
    if (auto *S = dyn_cast<SelectInst>(P.Steps[N])) {
      P.Steps.insert(S->getTrueValue());
      P.Steps.insert(S->getFalseValue());
    } else if (auto *Phi = dyn_cast<PHINode>(P.Steps[N]))
      P.Steps.insert(Phi->op_begin(), Phi->op_end());
    else
      P.All.insert(P.Steps[N]);
    if (P.Steps.size() > MostSteps || P.All.size() > Most)
      return {};
  }
  return P;
}

/// Of a copy from one of several, of which one is a variable; else none.
Places placesOf(const Instruction &I) {
  const auto *Copy = dyn_cast<MemCpyInst>(&I);
  if (!Copy || Copy->isVolatile() || !isa<SelectInst, PHINode>(Copy->getRawSource()))
    return {};
  Places P = placesOf(Copy->getRawSource());
  return any_of(P.All, ownOf) ? P : Places();
}

/// Whether a place, as it is known in front of the copy, is where the pointer would lead: not where a later round of a loop leads, through
/// which the pointer is carried.
bool isThere(Value *Place, const Places &P, const Instruction &Copy, const DominatorTree &DT) {
  const auto *I = dyn_cast<Instruction>(Place);
  return !I || (DT.dominates(I, &Copy) && none_of(P.Steps, [&](Value *Step) {
           return Step != Place && DT.dominates(Step, I) && placesOf(Step).All.contains(Place);
         }));
}

/// Whether a pointer is chosen to be one of its places.
class IsPlace {
public:
  IsPlace(LLVMContext &C, const Value *Place) : B(C), Place(Place) {}

  Value *of(Value *Pointer) {
    auto *I = dyn_cast<Instruction>(Pointer);
    if (!I || !isa<SelectInst, PHINode>(I))
      return B.getInt1(Pointer == Place);
    if (Value *Known = Made.lookup(Pointer))
      return Known;
    if (auto *S = dyn_cast<SelectInst>(I)) {
      Value *True = of(S->getTrueValue()), *False = of(S->getFalseValue());
      B.SetInsertPoint(S);
      return Made[S] = B.CreateSelect(S->getCondition(), True, False);
    }
    auto *P = cast<PHINode>(I);
    B.SetInsertPoint(P);
    PHINode *New = B.CreatePHI(B.getInt1Ty(), P->getNumIncomingValues());
    Made[P] = New;
    for (auto [V, From] : zip(P->incoming_values(), P->blocks()))
      New->addIncoming(of(V), From);
    return New;
  }

private:
  IRBuilder<> B;
  const Value *Place;
  DenseMap<Value *, Value *> Made;
};

/// The copy from one of them, in front of an instruction.
void copyFrom(MemCpyInst &Copy, Value *Source, Instruction *Before) {
  if (Source->stripPointerCasts() == Copy.getRawDest()->stripPointerCasts())
    return;
  auto *One = cast<MemCpyInst>(Copy.clone());
  One->setSource(Source);
  One->insertBefore(Before);
}

void copyFromEach(MemCpyInst &Copy, ArrayRef<Value *> All) {
  Instruction *Else = &Copy;
  for (Value *Place : All.drop_back()) {
    Value *Condition = IsPlace(Copy.getContext(), Place).of(Copy.getRawSource());
    Instruction *Then = nullptr, *Before = Else;
    SplitBlockAndInsertIfThenElse(Condition, Before, &Then, &Else);
    copyFrom(Copy, Place, Then);
  }
  copyFrom(Copy, All.back(), Else);
  Copy.eraseFromParent();
}

SmallVector<MemCpyInst *, 8> copiesOf(Function &F) {
  SmallVector<MemCpyInst *, 8> All;
  for (Instruction &I : instructions(F))
    if (auto *Copy = dyn_cast<MemCpyInst>(&I))
      All.push_back(Copy);
  return All;
}

/// Where all places are known in front of a copy, it is made from where they are.
bool copyFromPlaces(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<std::pair<MemCpyInst *, Places>, 8> Found;
  for (MemCpyInst *Copy : copiesOf(F))
    if (Places P = placesOf(*Copy); !P.All.empty())
      Found.push_back({Copy, P});
  if (Found.empty())
    return false;
  const DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  erase_if(Found, [&](const auto &One) {
    return any_of(One.second.All, [&](Value *V) { return !isThere(V, One.second, *One.first, DT); });
  });
  for (auto &[Copy, P] : Found)
    copyFromEach(*Copy, P.All.getArrayRef());
  return !Found.empty();
}

//===-- Word by word -----------------------------------------------------------------===//

/// The copies from and to a variable that is copied as a whole and nothing else, by which SROA leaves it alone: what two elements of an array change
/// places by. None if anything else is done with it.
SmallVector<const MemCpyInst *, 4> onlyCopies(const AllocaInst &Variable) {
  SmallVector<const MemCpyInst *, 4> All;
  for (const User *U : Variable.users()) {
    const auto *Copy = dyn_cast<MemCpyInst>(U);
    if (Copy && !Copy->isVolatile() && Copy->getRawDest() != Copy->getRawSource() && isa<ConstantInt>(Copy->getLength()))
      All.push_back(Copy);
    else if (!cast<Instruction>(U)->isLifetimeStartOrEnd())
      return {};
  }
  return All;
}

Align alignOf(const MemCpyInst &Copy) { return std::min(destAlignOf(Copy), sourceAlignOf(Copy)); }

/// By which types a variable's bytes are loaded and stored, by offset.
using Accesses = std::map<uint64_t, Type *>;

Accesses accessesOf(const AllocaInst &Variable) {
  Accesses All;
  const DataLayout &DL = Variable.getModule()->getDataLayout();
  for (const Instruction &I : instructions(*Variable.getFunction())) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    APInt Offset(64, 0);
    if (Pointer && Pointer->stripAndAccumulateConstantOffsets(DL, Offset, true) == &Variable && !Offset.isNegative())
      All.try_emplace(Offset.getZExtValue(), isa<LoadInst>(I) ? I.getType() : I.getOperand(0)->getType());
  }
  return All;
}

/// A variable's bytes in words that all its copies have at such an alignment. None where that are many bytes: as long as nothing is known of where a
/// packed structure lies, more may be known later, once a pointer has become an array of the team's.
Accesses wordsOf(const AllocaInst &Variable, ArrayRef<const MemCpyInst *> Copies) {
  const DataLayout &DL = Variable.getDataLayout();
  uint64_t Bytes = DL.getTypeAllocSize(Variable.getAllocatedType()).getFixedValue(), Word = WidestCopiedWord;
  for (const MemCpyInst *Copy : Copies) {
    uint64_t Length = cast<ConstantInt>(Copy->getLength())->getZExtValue();
    Word = std::min({Word, alignOf(*Copy).value(), Length & (0 - Length)});
  }
  Accesses All;
  if (Word > 1 || Bytes <= WidestCopiedWord)
    for (uint64_t At = 0; At + Word <= Bytes && Word; At += Word)
      All[At] = Type::getIntNTy(Variable.getContext(), unsigned(Word) * 8);
  return All;
}

/// What a copy is made of.
class Words {
public:
  explicit Words(const MemCpyInst &Copy) : Copy(Copy), DL(Copy.getModule()->getDataLayout()) {}

  /// Nothing: it stays as it is.
  CopiedWords split() {
    const auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
    CopiedWords All;
    if (Copy.isVolatile() || !Length || Length->getValue().ugt(MostCopiedBytes) || mayBeChoice(Copy.getRawSource()) ||
        !(find(Copy.getRawDest()) || find(Copy.getRawSource())))
      return All;
    for (uint64_t At = 0, Bytes = Length->getZExtValue(); At < Bytes; At += DL.getTypeStoreSize(All.back().Ty)) {
      All.push_back({At, typeAt(At, Bytes)});
      if (All.size() > MostCopiedWords)
        return {};
    }
    return All;
  }

private:
  /// Or may become one, once a call is inlined.
  static bool mayBeChoice(const Value *Source) { return isa<SelectInst, PHINode, CallBase>(getUnderlyingObject(Source)); }

  /// A variable that SROA leaves alone, if the copy is from or to such a one.
  bool find(const Value *Pointer) {
    APInt Offset(64, 0);
    const auto *Variable = dyn_cast<AllocaInst>(Pointer->stripAndAccumulateConstantOffsets(DL, Offset, true));
    if (!Variable || Offset.isNegative())
      return false;
    From = Offset.getZExtValue();
    if (auto Copies = onlyCopies(*Variable); !Copies.empty()) {
      Known = wordsOf(*Variable, Copies);
      return !Known.empty();
    }
    if (!PointerMayBeCaptured(Variable, /*ReturnCaptures=*/false, /*StoreCaptures=*/true))
      return false;
    Known = accessesOf(*Variable);
    return true;
  }

  Align alignAt(uint64_t At) const { return commonAlignment(alignOf(Copy), At); }

  Type *typeAt(uint64_t At, uint64_t Bytes) const {
    auto Same = Known.find(From + At);
    if (Same != Known.end() && Same->second->isSingleValueType() && At + DL.getTypeStoreSize(Same->second) <= Bytes &&
        DL.getTypeStoreSize(Same->second) == DL.getTypeAllocSize(Same->second) && DL.getABITypeAlign(Same->second) <= alignAt(At))
      return Same->second;
    auto Next = Known.upper_bound(From + At);
    uint64_t End = Next == Known.end() ? Bytes : std::min(Bytes, Next->first - From), Size = WidestCopiedWord;
    while (Size > alignAt(At).value() || At + Size > End)
      Size /= 2;
    return Type::getIntNTy(Copy.getContext(), unsigned(Size) * 8);
  }

  const MemCpyInst &Copy;
  const DataLayout &DL;
  uint64_t From = 0; // of the variable
  Accesses Known;
};

/// A packed structure of a thread's own can lie as well as any.
void alignCopied(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && !onlyCopies(*Variable).empty())
      Variable->setAlignment(std::max(Variable->getAlign(), Align(WidestCopiedWord)));
}

bool copyAllByWords(Function &F) {
  SmallVector<std::pair<MemCpyInst *, CopiedWords>, 8> Found;
  const SmallVector<MemCpyInst *, 8> Copies = copiesOf(F);
  if (Copies.empty())
    return false;
  alignCopied(F);
  for (MemCpyInst *Copy : Copies)
    if (CopiedWords All = Words(*Copy).split(); !All.empty())
      Found.push_back({Copy, std::move(All)});
  for (auto &[Copy, All] : Found)
    copyByWords(*Copy, All);
  return !Found.empty();
}

struct OwnCopiesPass : PassInfoMixin<OwnCopiesPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    return spellOwnCopies(F, FAM) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

bool spellOwnCopies(Function &F, FunctionAnalysisManager &FAM) {
  bool Chosen = copyFromPlaces(F, FAM), Spelled = copyAllByWords(F);
  if (!Chosen && !Spelled)
    return false;
  FAM.invalidate(F, PreservedAnalyses::none());
  SROAPass(SROAOptions::ModifyCFG).run(F, FAM);
  return true;
}

bool keepsCopies(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) { return isa<AllocaInst>(I) && !onlyCopies(cast<AllocaInst>(I)).empty(); });
}

bool choosesCopies(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) { return !placesOf(I).All.empty(); });
}

void registerOwnCopies(PassBuilder &PB) {
  PB.registerPeepholeEPCallback([](FunctionPassManager &FPM, OptimizationLevel) { FPM.addPass(OwnCopiesPass()); });
}

} // namespace place
