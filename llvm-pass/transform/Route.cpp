//===- Route.cpp - Loads of a version, each on its array's way ------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceSymbols.h"
#include "Routes.h"
#include "Spaces.h"
#include "Transform.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <array>

using namespace llvm;

namespace place {

// Where an array's elements lie in the constant bank or in shared memory, as if it began at its kernel argument.
static Value *spaceBase(Clone &C, const ArraySummary &A, place_space Space) {
  Module &M = *C.function().getParent();
  IRBuilder<> B(C.start());
  GlobalVariable *G = place_space_home(Space) == PLACE_HOME_CONSTANT ? constantBank(M) : sharedMemory(M);
  // The mask tells the optimiser what the runtime guarantees (abi.h): neighbouring loads can become one of 16 bytes.
  Value *Bias = B.CreateAnd(C.word(A, PLACE_WORD_BIAS), B.getInt64(-int64_t(PLACE_BIAS_ALIGN)));
  return B.CreateGEP(B.getInt8Ty(), G, Bias);
}

// A copy is aligned as its array is only up to what the runtime guarantees.
static void alignAsCopy(LoadInst &L) { L.setAlignment(std::min(L.getAlign(), Align(PLACE_BIAS_ALIGN))); }

static void moveArray(Clone &C, int Array, place_space Space) {
  const ArraySummary &A = C.kernel().Arrays[Array];
  std::vector<LoadInst *> Loads = C.loads(Array);
  for (LoadInst *L : Loads)
    setRoute(L, place_space_route(Space));
  if (!place_space_is_copy(Space))
    return;
  Rebaser To(C.array(A), spaceBase(C, A, Space));
  for (LoadInst *L : Loads) {
    alignAsCopy(*L);
    moveLoad(L, To);
  }
}

// One load of the placement-agnostic version: a switch on the array's selector, uniform over the grid
// (paper 000, Fig. 6d).
static void switchLoad(Clone &C, const ArraySummary &A, LoadInst *L, std::array<std::optional<Rebaser>, PLACE_SPACE_COUNT> &To) {
  std::array<Value *, PLACE_SPACE_COUNT> Pointer = {};
  for (unsigned Space = 0; Space < PLACE_SPACE_COUNT; ++Space)
    if (To[Space])
      Pointer[Space] = To[Space]->rebase(L->getPointerOperand());
  BasicBlock *Head = L->getParent();
  BasicBlock *Tail = SplitBlock(Head, L);
  LLVMContext &Context = L->getContext();
  auto Load = [&](place_space Space) {
    BasicBlock *BB = BasicBlock::Create(Context, place_space_name(Space), Head->getParent(), Tail);
    IRBuilder<> B(BB);
    auto *New = cast<LoadInst>(B.Insert(L->clone()));
    if (Pointer[Space]) {
      New->setOperand(LoadInst::getPointerOperandIndex(), Pointer[Space]);
      alignAsCopy(*New);
    }
    setRoute(New, place_space_route(Space));
    B.CreateBr(Tail);
    return New;
  };
  std::array<LoadInst *, PLACE_SPACE_COUNT> Loads;
  for (unsigned Space = 0; Space < PLACE_SPACE_COUNT; ++Space)
    Loads[Space] = Load(static_cast<place_space>(Space));
  Head->getTerminator()->eraseFromParent();
  IRBuilder<> B(Head);
  Value *Selector = B.CreateTrunc(C.word(A, PLACE_WORD_SELECT), B.getInt8Ty());
  SwitchInst *Switch = B.CreateSwitch(Selector, Loads[PLACE_GLOBAL]->getParent(), PLACE_SPACE_COUNT - 1);
  B.SetInsertPoint(Tail, Tail->begin());
  PHINode *Value = B.CreatePHI(L->getType(), PLACE_SPACE_COUNT);
  for (unsigned Space = 0; Space < PLACE_SPACE_COUNT; ++Space) {
    Value->addIncoming(Loads[Space], Loads[Space]->getParent());
    if (Space != PLACE_GLOBAL)
      Switch->addCase(B.getInt8(Space), Loads[Space]->getParent());
  }
  L->replaceAllUsesWith(Value);
  L->eraseFromParent();
}

static void switchArrays(Clone &C) {
  for (size_t I = 0; I < C.kernel().Arrays.size(); ++I) {
    const ArraySummary &A = C.kernel().Arrays[I];
    if (A.Placeable < 0)
      continue;
    std::array<std::optional<Rebaser>, PLACE_SPACE_COUNT> To;
    for (unsigned Space = 0; Space < PLACE_SPACE_COUNT; ++Space)
      if (place_space_is_copy(static_cast<place_space>(Space)))
        To[Space].emplace(C.array(A), spaceBase(C, A, static_cast<place_space>(Space)));
    std::vector<LoadInst *> Loads = C.loads(int(I));
    for (LoadInst *L : Loads)
      switchLoad(C, A, L, To);
  }
}

static bool isPart(const Version &V) { return V.isPlan(); }

/// What the target has, for arrays of which some load has a route of its own.
static bool allows(const KernelSummary &K, const Version &V) {
  for (size_t N = 0; N < V.Route.size(); ++N) {
    const ArraySummary &A = K.Arrays[N];
    if (V.Route[N] != PLACE_ROUTE_DEFAULT && (!A.Read || A.Atomic || !routeExists(*K.F, static_cast<place_route>(V.Route[N]), A.Written || K.UnknownWrites)))
      return false;
  }
  return true;
}

static void apply(Clone &C) {
  C.Left.Joins = !C.version().Open;
  for (size_t I = 0; I < C.version().Route.size(); ++I)
    if (C.version().Route[I] != PLACE_ROUTE_DEFAULT)
      giveRoute(*C.array(C.kernel().Arrays[I]), static_cast<place_route>(C.version().Route[I]));
  if (C.version().Open)
    return switchArrays(C);
  for (size_t I = 0; I < C.kernel().Arrays.size(); ++I)
    if (int Space = C.version().Space[I]; Space >= 0)
      moveArray(C, int(I), static_cast<place_space>(Space));
}

/// "cg,-,cs": arrays whose loads go the way of their spaces have a dash.
static void describe(const KernelSummary &, const Version &V, VersionRecord &R) { R.Route = V.Route; }

const Transform RouteTransform = {isPart, allows, describe, apply, nullptr};

} // namespace place
