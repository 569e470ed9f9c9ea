//===- WholeCopies.cpp - Structures that are copied as a whole ------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WholeCopies.h"
#include "KnownAlignment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

/// An array of the team's: as long as it is a call, more will be known of how its elements are aligned, which the type of a packed structure denies.
static bool isTeamArray(const Value *Object) { return isa<GlobalVariable, CallBase>(Object); }

/// Bytes of a word; 0: the copy stays as it is.
static uint64_t wordOf(const Instruction &I) {
  const auto *Copy = dyn_cast<MemCpyInst>(&I);
  const auto *Length = Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
  if (!Length || Copy->isVolatile() || Length->isZero() || Length->getValue().ugt(MostCopiedBytes))
    return 0;
  bool OfTeam = false;
  for (const Value *Pointer : {Copy->getRawDest(), Copy->getRawSource()}) {
    const Value *Object = getUnderlyingObject(Pointer);
    if (isa<AllocaInst>(Object))
      return 0; // the optimiser's own passes know better
    OfTeam |= isTeamArray(Object);
  }
  uint64_t Bytes = Length->getZExtValue(), Word = WidestCopiedWord;
  uint64_t Aligned = std::min(destAlignOf(*Copy), sourceAlignOf(*Copy)).value();
  while (Word > Aligned || Bytes % Word)
    Word /= 2;
  if (OfTeam && Word == 1)
    return 0;
  return Bytes / Word <= MostCopiedWords ? Word : 0;
}

bool copiesWhole(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) { return wordOf(I); });
}

void copyByWords(MemCpyInst &Copy, const CopiedWords &Words) {
  IRBuilder<> B(&Copy);
  SmallVector<Value *, MostCopiedWords> Loaded;
  auto At = [&](Value *Pointer, const CopiedWord &W) { return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Pointer, W.At); };
  const Align Source = sourceAlignOf(Copy), Dest = destAlignOf(Copy);
  for (const CopiedWord &W : Words)
    Loaded.push_back(B.CreateAlignedLoad(W.Ty, At(Copy.getRawSource(), W), commonAlignment(Source, W.At)));
  for (auto [Value, W] : zip(Loaded, Words))
    B.CreateAlignedStore(Value, At(Copy.getRawDest(), W), commonAlignment(Dest, W.At));
  Copy.eraseFromParent();
}

static CopiedWords wordsOf(const MemCpyInst &Copy, uint64_t Bytes) {
  CopiedWords All;
  for (uint64_t At = 0; At < cast<ConstantInt>(Copy.getLength())->getZExtValue(); At += Bytes)
    All.push_back({At, Type::getIntNTy(Copy.getContext(), unsigned(Bytes) * 8)});
  return All;
}

bool spellWholeCopies(Function &F) {
  bool Any = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (uint64_t Word = wordOf(I)) {
      copyByWords(cast<MemCpyInst>(I), wordsOf(cast<MemCpyInst>(I), Word));
      Any = true;
    }
  return Any;
}

} // namespace place
