//===- MendReduction.cpp - Faults of clang's reductions --------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MendReduction.h"
#include "RuntimeCall.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

/// The type of what another lane has, if it is narrower than what it was shuffled in and all of that is written; else null.
static Type *narrowerThanWritten(const StoreInst &S) {
  const auto *Taken = dyn_cast<CallBase>(S.getValueOperand());
  const Function *Callee = Taken ? calledFunction(*Taken) : nullptr;
  const auto *Mine = Callee && Callee->getName().starts_with("__kmpc_shuffle_int") ? dyn_cast<CastInst>(Taken->getArgOperand(0)) : nullptr;
  bool IsNarrower = Mine && Mine->getSrcTy()->isIntegerTy() && Mine->getSrcTy()->getScalarSizeInBits() < Taken->getType()->getScalarSizeInBits();
  return IsNarrower ? Mine->getSrcTy() : nullptr;
}

static void narrow(Function &Shuffle) {
  for (Instruction &I : make_early_inc_range(instructions(Shuffle))) {
    auto *S = dyn_cast<StoreInst>(&I);
    Type *Narrow = S ? narrowerThanWritten(*S) : nullptr;
    if (!Narrow)
      continue;
    IRBuilder<> B(S);
    B.CreateStore(B.CreateTrunc(S->getValueOperand(), Narrow), S->getPointerOperand());
    S->eraseFromParent();
  }
}

/// Of what is reduced, and of the lists of pointers to it, there is a variable each: whether one has more than two bytes, but no whole words.
static bool hasTail(const Function &Shuffle) {
  const unsigned Word = 4, Half = 2;
  return any_of(instructions(Shuffle), [&](const Instruction &I) {
    const auto *Variable = dyn_cast<AllocaInst>(&I);
    std::optional<TypeSize> Size = Variable ? Variable->getAllocationSize(Shuffle.getDataLayout()) : std::nullopt;
    return Variable && (!Size || (Size->getFixedValue() > Half && Size->getFixedValue() % Word != 0));
  });
}

/// The functions that take what another lane has.
static SmallPtrSet<Function *, 4> shufflesOf(const Module &M) {
  SmallPtrSet<Function *, 4> Found;
  for (const char *Name : {teams_reduce::Name, parallel_reduce::Name})
    if (const Function *Reduce = M.getFunction(Name))
      for (const User *U : Reduce->users())
        if (const auto *C = dyn_cast<CallBase>(U); C && isCallOf(*C, Name))
          if (Function *Shuffle = shuffleOf(*C))
            Found.insert(Shuffle);
  return Found;
}

bool mendReductions(Module &M) {
  SmallPtrSet<Function *, 4> Shuffles = shufflesOf(M);
  for (Function *Shuffle : Shuffles)
    narrow(*Shuffle);
  return none_of(Shuffles, [](const Function *Shuffle) { return hasTail(*Shuffle); });
}

} // namespace place
