//===- WholeCopies.cpp - Structures that are copied as a whole ------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WholeCopies.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

static const uint64_t MostBytes = 128, MostWords = 16, WidestWord = 8;

/// An array of the team's: the back end will know how its elements are aligned, which the type of a packed structure denies.
static bool isTeamArray(const Value *Object) { return isa<GlobalVariable, CallBase>(Object); }

/// Bytes of a word; 0: the copy stays as it is.
static uint64_t wordOf(const Instruction &I) {
  const auto *Copy = dyn_cast<MemCpyInst>(&I);
  const auto *Length = Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
  if (!Length || Copy->isVolatile() || Length->isZero() || Length->getValue().ugt(MostBytes))
    return 0;
  bool OfTeam = false;
  for (const Value *Pointer : {Copy->getRawDest(), Copy->getRawSource()}) {
    const Value *Object = getUnderlyingObject(Pointer);
    if (isa<AllocaInst>(Object))
      return 0; // the optimiser's own passes know better
    OfTeam |= isTeamArray(Object);
  }
  uint64_t Bytes = Length->getZExtValue(), Word = WidestWord;
  uint64_t Aligned = std::min(Copy->getDestAlign().valueOrOne(), Copy->getSourceAlign().valueOrOne()).value();
  while (Word > Aligned || Bytes % Word)
    Word /= 2;
  if (OfTeam && Word == 1)
    return 0;
  return Bytes / Word <= MostWords ? Word : 0;
}

bool copiesWhole(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) { return wordOf(I); });
}

static void spell(MemCpyInst &Copy, uint64_t Word) {
  IRBuilder<> B(&Copy);
  Type *Of = B.getIntNTy(unsigned(Word) * 8);
  uint64_t Words = cast<ConstantInt>(Copy.getLength())->getZExtValue() / Word;
  SmallVector<Value *, MostWords> Loaded;
  auto At = [&](Value *Pointer, uint64_t N) { return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Pointer, N * Word); };
  auto Aligned = [&](MaybeAlign Whole, uint64_t N) { return commonAlignment(Whole.valueOrOne(), N * Word); };
  for (uint64_t N = 0; N < Words; ++N)
    Loaded.push_back(B.CreateAlignedLoad(Of, At(Copy.getRawSource(), N), Aligned(Copy.getSourceAlign(), N)));
  for (uint64_t N = 0; N < Words; ++N)
    B.CreateAlignedStore(Loaded[N], At(Copy.getRawDest(), N), Aligned(Copy.getDestAlign(), N));
  Copy.eraseFromParent();
}

bool spellWholeCopies(Function &F) {
  bool Any = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (uint64_t Word = wordOf(I)) {
      spell(cast<MemCpyInst>(I), Word);
      Any = true;
    }
  return Any;
}

} // namespace place
