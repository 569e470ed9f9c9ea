//===- Route.cpp - Loads of a version, each on its array's way ------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceSymbols.h"
#include "Routes.h"
#include "Spaces.h"
#include "Textures.h"
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

/// Bits of a word as an integer of 32, the first being From.
static Value *bitsOf(Clone &C, const ArraySummary &A, unsigned Word, unsigned From, unsigned Bits = 32) {
  IRBuilder<> B(C.start());
  return B.CreateZExt(B.CreateTrunc(B.CreateLShr(C.word(A, Word), From), B.getIntNTy(Bits)), B.getInt32Ty());
}

static Texture textureOf(Clone &C, int Array, place_space Space) {
  const ArraySummary &A = C.kernel().Arrays[Array];
  Texture T = {C.word(A, PLACE_WORD_BIAS), bitsOf(C, A, PLACE_WORD_LO, 0), A.TexelBytes, std::nullopt};
  if (Space == PLACE_TEXTURE2D)
    T.Rows = {bitsOf(C, A, PLACE_WORD_SELECT, PLACE_ROW_LENGTH_BIT), bitsOf(C, A, PLACE_WORD_LO, PLACE_ROW_FACTOR_BIT),
              bitsOf(C, A, PLACE_WORD_SELECT, PLACE_ROW_SHIFT_BIT, 8)};
  return T;
}

/// Pointers of the array with its kernel argument taken as 0: as many bytes as they are from there.
static Rebaser offsetsOf(Clone &C, const ArraySummary &A) {
  return Rebaser(C.array(A), ConstantPointerNull::get(PointerType::getUnqual(C.function().getContext())));
}

static void fetchArray(Clone &C, int Array, place_space Space, ArrayRef<LoadInst *> Loads) {
  const Texture From = textureOf(C, Array, Space);
  Rebaser Offsets = offsetsOf(C, C.kernel().Arrays[Array]);
  for (LoadInst *L : Loads)
    replaceByFetch(*L, From, Offsets.rebase(L->getPointerOperand()));
}

static void moveArray(Clone &C, int Array, place_space Space) {
  const ArraySummary &A = C.kernel().Arrays[Array];
  std::vector<LoadInst *> Loads = C.loads(Array);
  if (place_space_home(Space) == PLACE_HOME_TEXTURE)
    return fetchArray(C, Array, Space, Loads);
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

namespace {

/// An array's loads in the placement-agnostic version: a switch on its selector, uniform over the grid (paper 000, Fig. 6d).
class Switcher {
public:
  Switcher(Clone &C, int Array) : C(C), Array(Array), A(C.kernel().Arrays[Array]) {
    for (unsigned S = 0; S < PLACE_SPACE_COUNT; ++S) {
      auto Space = static_cast<place_space>(S);
      if (place_space_is_copy(Space))
        To[S].emplace(C.array(A), spaceBase(C, A, Space));
      else if (place_space_home(Space) == PLACE_HOME_TEXTURE && isCase(Space))
        To[S].emplace(offsetsOf(C, A)), From[S] = textureOf(C, Array, Space);
    }
  }

  void run() {
    for (LoadInst *L : C.loads(Array))
      switchLoad(L);
  }

private:
  bool isCase(place_space Space) const { return A.Candidates & PLACE_SPACE_BIT(Space); }

  /// A block with the load as it goes in the space, of which Pointer is the operand; null: the load's own.
  BasicBlock *loadIn(place_space Space, const LoadInst *L, Value *Pointer, BasicBlock *Tail, PHINode *Loaded) {
    BasicBlock *BB = BasicBlock::Create(L->getContext(), place_space_name(Space), Tail->getParent(), Tail);
    IRBuilder<> B(BB);
    auto *New = cast<LoadInst>(B.Insert(L->clone()));
    B.CreateBr(Tail);
    Loaded->addIncoming(New, BB);
    setRoute(New, place_space_route(Space));
    if (place_space_home(Space) == PLACE_HOME_TEXTURE) {
      replaceByFetch(*New, *From[Space], Pointer);
    } else if (Pointer) {
      New->setOperand(LoadInst::getPointerOperandIndex(), Pointer);
      alignAsCopy(*New);
    }
    return BB;
  }

  void switchLoad(LoadInst *L) {
    std::array<Value *, PLACE_SPACE_COUNT> Pointer = {};
    for (unsigned Space = 0; Space < PLACE_SPACE_COUNT; ++Space)
      if (To[Space])
        Pointer[Space] = To[Space]->rebase(L->getPointerOperand());
    BasicBlock *Head = L->getParent();
    BasicBlock *Tail = SplitBlock(Head, L);
    PHINode *Loaded = PHINode::Create(L->getType(), PLACE_SPACE_COUNT, "", Tail->begin());
    Head->getTerminator()->eraseFromParent();
    IRBuilder<> B(Head);
    Value *Selector = B.CreateTrunc(C.word(A, PLACE_WORD_SELECT), B.getInt8Ty());
    SwitchInst *Switch = B.CreateSwitch(Selector, loadIn(PLACE_GLOBAL, L, Pointer[PLACE_GLOBAL], Tail, Loaded), PLACE_SPACE_COUNT - 1);
    for (unsigned Space = PLACE_GLOBAL + 1; Space < PLACE_SPACE_COUNT; ++Space)
      if (isCase(static_cast<place_space>(Space)))
        Switch->addCase(B.getInt8(Space), loadIn(static_cast<place_space>(Space), L, Pointer[Space], Tail, Loaded));
    L->replaceAllUsesWith(Loaded);
    L->eraseFromParent();
  }

  Clone &C;
  int Array;
  const ArraySummary &A;
  std::array<std::optional<Rebaser>, PLACE_SPACE_COUNT> To;
  std::array<std::optional<Texture>, PLACE_SPACE_COUNT> From;
};

} // namespace

static void switchArrays(Clone &C) {
  for (size_t I = 0; I < C.kernel().Arrays.size(); ++I)
    if (C.kernel().Arrays[I].Placeable >= 0)
      Switcher(C, int(I)).run();
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

static bool mayFetch(const KernelSummary &K, const Version &V, size_t Array, place_space Space) {
  bool Asked = V.Open ? K.Arrays[Array].Placeable >= 0 : V.Space[Array] == Space;
  return Asked && K.Arrays[Array].Candidates & PLACE_SPACE_BIT(Space);
}

/// "4,-,16": arrays that the version never fetches have a dash. The lengths of rows have blanks in them nowhere, and may have commas.
static void describeTextures(const KernelSummary &K, const Version &V, VersionRecord &R) {
  std::string Texels, Rows;
  bool Any = false, AnyRows = false;
  for (size_t N = 0; N < K.Arrays.size(); ++N) {
    bool HasRows = mayFetch(K, V, N, PLACE_TEXTURE2D), May = HasRows || mayFetch(K, V, N, PLACE_TEXTURE);
    Texels += (N ? "," : "") + (May ? std::to_string(K.Arrays[N].TexelBytes) : "-");
    Rows += (N ? ";" : "") + (HasRows ? K.Arrays[N].RowBytes : "-");
    Any |= May, AnyRows |= HasRows;
  }
  if (!Any)
    return;
  R.key("texels", Texels);
  if (AnyRows)
    R.key("pitches", Rows);
  R.need(PLACE_NEED_TEXTURES);
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
static void describe(const KernelSummary &K, const Version &V, VersionRecord &R) {
  R.Route = V.Route;
  describeTextures(K, V, R);
}

const Transform RouteTransform = {isPart, allows, describe, apply, nullptr};

} // namespace place
