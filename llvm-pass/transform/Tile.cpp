//===- Tile.cpp - Tiles of arrays in shared memory --------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tile.h"
#include "Alike.h"
#include "DeviceSymbols.h"
#include "HiddenCopy.h"
#include "Spaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace place {

bool isOnChip(const Value &Pointer) {
  unsigned Space = Pointer.getType()->getPointerAddressSpace();
  return Space == AddrShared || Space == AddrConstant || isa<AllocaInst>(getUnderlyingObject(&Pointer));
}

unsigned Tile::count(Poly::Symbol S, const BlockShape &Shape) {
  return S == TileAccess::None ? 1 : S < Nest::MaxDims ? Shape.extent(S) : Shape.Strip;
}

// A window reaches from the first iteration's first element to the last one's last: not one element further.
unsigned Tile::columns(const TileAccess &A, const BlockShape &Shape) {
  return count(A.Column, Shape) + (A.Slide == TileAccess::None ? 0 : Shape.Strip - 1);
}

// Threads that are neighbours read along rows (no padding: 16-byte loads stay aligned), or down a column: there an odd
// number of elements from row to row parts the banks, or 16 bytes more where a thread reads several elements of its row.
unsigned Tile::rowBytes(const TileAccess &A, const BlockShape &Shape) {
  unsigned Bytes = columns(A, Shape) * A.Width;
  if (A.Row != Shape.Dims - 1)
    return Bytes;
  return Bytes + (A.Column < Nest::MaxDims ? A.Width : 16);
}

unsigned Tile::bytesOf(const TileAccess &A, const BlockShape &Shape) {
  return count(A.Row, Shape) * rowBytes(A, Shape) * (Shape.Pipelined ? 2 : 1);
}

/// Bytes from one value of a symbol to the next.
unsigned Tile::stride(Poly::Symbol S) const {
  return S == TileAccess::None ? 0 : S == A.Row ? RowBytes : S == A.Column || S == A.Slide ? A.Width : 0;
}

// 48 KiB are what a team may have; what is left over serves arrays that are staged whole.
TilePlan planTiles(const Body &T, const BlockShape &Shape) {
  TilePlan Plan;
  Reason Why;
  if (Shape.Transposed)
    Plan.Turned = T.transposed();
  if (Shape.Strip)
    Plan.Strips = T.stripLoops(Why);
  auto Fit = [&](std::vector<TileAccess> &List, unsigned &Left) {
    erase_if(List, [&](const TileAccess &A) {
      unsigned Bytes = Tile::bytesOf(A, Shape);
      if (Bytes > Left)
        return true;
      Left -= Bytes;
      return false;
    });
  };
  unsigned ForAll = 40 * 1024;
  Fit(Plan.Turned, ForAll);
  for (StripLoop &Strip : Plan.Strips) {
    unsigned Left = ForAll;
    Fit(Strip.Operands, Left);
  }
  erase_if(Plan.Strips, [](const StripLoop &Strip) { return Strip.Operands.empty(); });
  return Plan;
}

std::vector<TileAccess> TilePlan::accesses() const {
  std::vector<TileAccess> All = Turned;
  for (const StripLoop &Strip : Strips)
    append_range(All, Strip.Operands);
  return All;
}

bool mayFetchAlong(const Body &T, const BlockShape &Shape) { return T.canMoveGuard() && mayBeAlike(T, planTiles(T, Shape).Strips); }

Tile::Tile(IRBuilder<> &B, const TileAccess &A, const BlockFrame &F, GlobalVariable &Memory)
    : A(A), Ty(getLoadStoreType(A.I)), Rows(count(A.Row, F.Shape)), Columns(columns(A, F.Shape)),
      RowBytes(rowBytes(A, F.Shape)), Memory(&Memory) {
  Mine = this->Memory;
  for (unsigned D = 0; D < F.Shape.Dims; ++D)
    if (unsigned Bytes = stride(D)) {
      Value *Offset = B.CreateMul(F.Local[D], B.getInt32(Bytes), "", true, true);
      Mine = B.CreateInBoundsGEP(B.getInt8Ty(), Mine, B.CreateZExt(Offset, B.getInt64Ty()));
    }
}

// The constant part comes last: accesses of a thread that differ in it alone can be joined.
Value *Tile::element(IRBuilder<> &B, const BlockFrame &F, const Copy &R, Value *Counter, Value *Second) const {
  Value *At = second(B, Mine, Second);
  for (Poly::Symbol S : {A.Row, A.Column, A.Slide})
    if (S != TileAccess::None && S >= Nest::MaxDims) {
      Value *Offset = B.CreateMul(Counter, B.getInt32(stride(S)), "", true, true);
      At = B.CreateInBoundsGEP(B.getInt8Ty(), At, B.CreateZExt(Offset, B.getInt64Ty()));
    }
  unsigned Fixed = 0;
  for (unsigned D = 0; D < F.Shape.Dims; ++D)
    Fixed += F.Shape.offset(D, R[D]) * stride(D);
  return B.CreateInBoundsGEP(B.getInt8Ty(), At, B.getInt64(Fixed));
}

Value *Tile::second(IRBuilder<> &B, Value *First, Value *Second) const {
  if (!Second)
    return First;
  Value *Offset = B.CreateSelect(Second, B.getInt64(Rows * RowBytes), B.getInt64(0));
  return B.CreateInBoundsGEP(B.getInt8Ty(), First, Offset);
}

void Tile::fetch(IRBuilder<> &B, Value *Shared, Value *Global) const {
  Intrinsic::ID ID = A.Width == 4 ? Intrinsic::nvvm_cp_async_ca_shared_global_4 : Intrinsic::nvvm_cp_async_ca_shared_global_8;
  B.CreateCall(Intrinsic::getDeclaration(B.GetInsertBlock()->getModule(), ID), {Shared, Global});
}

void Tile::copyIn(IRBuilder<> &B, const BlockFrame &F, Value *Counter, Value *Second) const {
  copy(B, F, Counter, Second, true);
}
void Tile::copyOut(IRBuilder<> &B, const BlockFrame &F) const { copy(B, F, nullptr, nullptr, false); }

// Thread t takes elements t, t + Threads, ...: all in its own column if a row is not longer than the team.
Tile::Share Tile::share(IRBuilder<> &B, const BlockFrame &F, Value *Second) const {
  Share S;
  S.Row = Rows > 1 ? B.CreateLShr(F.Thread, Log2_32(Columns)) : B.getInt32(0);
  S.Column = Rows > 1 ? B.CreateAnd(F.Thread, Columns - 1) : F.Thread;
  S.Base = second(B, Memory, Second);
  return S;
}

// Where the first element lies, and how far it is to the next row and column.
void Tile::findMemory(IRBuilder<> &B, const BlockFrame &F, Value *Counter, Share &S) const {
  const Nest &N = F.T.nest();
  SymbolValues First;
  for (unsigned D = 0; D < F.Shape.Dims; ++D)
    First[D] = B.CreateZExt(F.Origin[D], B.getInt64Ty());
  for (Poly::Symbol Of : {A.Row, A.Column, A.Slide})
    if (Of != TileAccess::None && Of >= Nest::MaxDims)
      First[Of] = Counter;
  S.Start = B.CreateGEP(B.getInt8Ty(), A.Array, emitPoly(B, N, A.Offset, First));
  S.Start = B.CreateAddrSpaceCast(S.Start, B.getPtrTy(AddrGlobal));
  auto Step = [&](Poly::Symbol Of) {
    return Of == TileAccess::None ? B.getInt64(0) : emitPoly(B, N, A.Offset.coefficient(Of), First);
  };
  S.RowStep = Step(A.Row), S.ColumnStep = Step(A.Column);
}

std::pair<Value *, Value *> Tile::position(IRBuilder<> &B, const Share &S, unsigned Done) const {
  Value *R = B.CreateAdd(S.Row, B.getInt32(Done / Columns), "", true, true);
  Value *C = B.CreateAdd(S.Column, B.getInt32(Done % Columns), "", true, true);
  return {B.CreateZExt(R, B.getInt64Ty()), B.CreateZExt(C, B.getInt64Ty())};
}

Value *Tile::inMemory(IRBuilder<> &B, const Share &S, unsigned Done) const {
  auto [R, C] = position(B, S, Done);
  return B.CreateGEP(B.getInt8Ty(), S.Start, B.CreateAdd(B.CreateMul(R, S.RowStep), B.CreateMul(C, S.ColumnStep)));
}

Value *Tile::inTile(IRBuilder<> &B, const Share &S, unsigned Done) const {
  auto [R, C] = position(B, S, Done);
  Value *Inside = B.CreateAdd(B.CreateMul(R, B.getInt64(RowBytes)), B.CreateMul(C, B.getInt64(A.Width)));
  return B.CreateInBoundsGEP(B.getInt8Ty(), S.Base, Inside);
}

unsigned Tile::elementsEach(const BlockShape &Shape) const {
  unsigned Elements = Rows * Columns;
  return Elements % Shape.threads() ? 0 : Elements / Shape.threads();
}

// From one element to the next, hidden: a pointer for each, held in registers over the strips' loop, is what the back end would make of it else.
SmallVector<Value *, 16> Tile::load(IRBuilder<> &B, const BlockFrame &F, Value *Counter) const {
  Share S = share(B, F, nullptr);
  findMemory(B, F, Counter, S);
  SmallVector<Value *, 16> Values;
  Value *At = inMemory(B, S, 0);
  for (unsigned N = 0, Threads = F.Shape.threads(); N < elementsEach(F.Shape); ++N) {
    if (N) {
      int Row = N * Threads / Columns - (N - 1) * Threads / Columns, Column = N * Threads % Columns - (N - 1) * Threads % Columns;
      Value *Step = B.CreateAdd(B.CreateMul(B.getInt64(Row), S.RowStep), B.CreateMul(B.getInt64(Column), S.ColumnStep));
      At = B.CreateGEP(B.getInt8Ty(), B.Insert(hiddenCopy(*At, /*Stays=*/false)), Step);
    }
    Values.push_back(B.CreateAlignedLoad(Ty, At, Align(A.Width)));
  }
  return Values;
}

void Tile::store(IRBuilder<> &B, const BlockFrame &F, ArrayRef<Value *> Values) const {
  Share S = share(B, F, nullptr);
  for (auto [N, V] : enumerate(Values))
    B.CreateAlignedStore(V, inTile(B, S, N * F.Shape.threads()), Align(A.Width));
}

void Tile::copy(IRBuilder<> &B, const BlockFrame &F, Value *Counter, Value *Second, bool In) const {
  unsigned Threads = F.Shape.threads(), Elements = Rows * Columns;
  Share S = share(B, F, Second);
  findMemory(B, F, Counter, S);
  SmallVector<Value *, 16> Values, To; // all loads first, so that they are under way together
  unsigned Done = 0;
  for (; Done + Threads <= Elements; Done += Threads) {
    Value *Global = inMemory(B, S, Done), *Shared = inTile(B, S, Done);
    if (Second) {
      fetch(B, Shared, Global);
      continue;
    }
    Values.push_back(B.CreateAlignedLoad(Ty, In ? Global : Shared, Align(A.Width)));
    To.push_back(In ? Shared : Global);
  }
  for (auto [V, Where] : zip(Values, To))
    B.CreateAlignedStore(V, Where, Align(A.Width));
  if (Done == Elements)
    return;
  // Some threads have one more.
  Instruction *Then = SplitBlockAndInsertIfThen(B.CreateICmpULT(F.Thread, B.getInt32(Elements - Done)), &*B.GetInsertPoint(), false);
  B.SetInsertPoint(Then);
  Value *Global = inMemory(B, S, Done), *Shared = inTile(B, S, Done);
  if (Second)
    fetch(B, Shared, Global);
  else
    B.CreateAlignedStore(B.CreateAlignedLoad(Ty, In ? Global : Shared, Align(A.Width)), In ? Shared : Global,
                         Align(A.Width));
}

} // namespace place
