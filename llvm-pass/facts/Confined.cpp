//===- Confined.cpp - Calls that write what they are given ------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang puts a function's arguments into variables first: a pointer that is loaded from a variable which is stored to once is what was stored.
//
//===----------------------------------------------------------------------===//
#include "Confined.h"
#include "RuntimeCall.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

namespace {

/// What is stored to a variable, if that is one value, and nothing else is done with it but loading; else null.
const Value *onlyValueOf(const AllocaInst &Variable) {
  const Value *Only = nullptr;
  for (const User *U : Variable.users()) {
    const auto *S = dyn_cast<StoreInst>(U);
    const auto *II = dyn_cast<IntrinsicInst>(U);
    if (isa<LoadInst>(U) || (II && II->isLifetimeStartOrEnd()))
      continue;
    if (!S || S->getValueOperand() == &Variable || Only)
      return nullptr;
    Only = S->getValueOperand();
  }
  return Only;
}

/// What a pointer points into: a variable of the function, one of its arguments' objects, or something else.
const Value *objectOf(const Value *Pointer) {
  const unsigned Most = 8;
  for (unsigned N = 0; N < Most; ++N) {
    const Value *Object = getUnderlyingObject(Pointer);
    const auto *L = dyn_cast<LoadInst>(Object);
    const auto *Variable = L ? dyn_cast<AllocaInst>(L->getPointerOperand()) : nullptr;
    const Value *Stored = Variable ? onlyValueOf(*Variable) : nullptr;
    if (!Stored)
      return Object;
    Pointer = Stored;
  }
  return Pointer;
}

/// Own: of the function that the question is about, where what the device runtime gives may be the whole team's. OwnOrGiven: of one that it
/// calls, for which the runtime gives variables whose addresses are taken to each thread that calls it.
enum class Whose { Own, OwnOrGiven };

bool isOf(const Value *Pointer, Whose W) {
  const Value *Object = objectOf(Pointer);
  const auto *I = dyn_cast<Instruction>(Object);
  return isa<AllocaInst>(Object) || (W == Whose::OwnOrGiven && (isa<Argument>(Object) || (I && isCallOf(*I, "__kmpc_alloc_shared"))));
}

bool isConfined(const CallBase &C, Whose W, unsigned Depth);

bool writesSuchAlone(const Instruction &I, Whose W, unsigned Depth) {
  if (const auto *S = dyn_cast<StoreInst>(&I))
    return S->isSimple() && isOf(S->getPointerOperand(), W);
  if (const auto *Memory = dyn_cast<MemIntrinsic>(&I))
    return !Memory->isVolatile() && isOf(Memory->getRawDest(), W);
  if (const auto *II = dyn_cast<IntrinsicInst>(&I))
    return !II->isConvergent() && (!II->mayWriteToMemory() || II->isAssumeLikeIntrinsic());
  if (isCallOf(I, "__kmpc_alloc_shared") || isCallOf(I, "__kmpc_free_shared"))
    return true;
  if (const auto *C = dyn_cast<CallBase>(&I))
    return isConfined(*C, W, Depth + 1);
  return !I.mayWriteToMemory() && !I.isVolatile();
}

/// Whether the call writes what is its caller's, or was given to it, alone.
bool isConfined(const CallBase &C, Whose W, unsigned Depth) {
  const unsigned Most = 6;
  const Function *Callee = C.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || Callee->isInterposable() || Depth > Most)
    return false;
  for (const Value *Argument : C.args())
    if (Argument->getType()->isPointerTy() && !isOf(Argument, W))
      return false;
  return all_of(instructions(*Callee), [&](const Instruction &I) { return writesSuchAlone(I, Whose::OwnOrGiven, Depth); });
}

} // namespace

bool writesOwnVariablesAlone(const CallBase &C) { return isConfined(C, Whose::Own, 0); }

} // namespace place
