//===- Tile.cpp - Tiles of arrays in shared memory --------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tile.h"
#include "Spaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace place {

unsigned Tile::count(Poly::Symbol S, const BlockShape &Shape) {
  return S == TileAccess::None ? 1 : S < Nest::MaxDims ? Shape.extent(S) : Shape.Strip;
}

// Threads that are neighbours read along rows (no padding: 16-byte loads stay aligned), or down a column: there an odd
// number of elements from row to row parts the banks, or 16 bytes more where a thread reads several elements of its row.
unsigned Tile::rowBytes(const TileAccess &A, const BlockShape &Shape) {
  unsigned Bytes = count(A.Column, Shape) * A.Width;
  if (A.Row != Shape.Dims - 1)
    return Bytes;
  return Bytes + (A.Column < Nest::MaxDims ? A.Width : 16);
}

unsigned Tile::bytesOf(const TileAccess &A, const BlockShape &Shape) { return count(A.Row, Shape) * rowBytes(A, Shape); }

Tile::Tile(Module &M, const TileAccess &A, const BlockShape &Shape)
    : A(A), Ty(getLoadStoreType(A.I)), Rows(count(A.Row, Shape)), Columns(count(A.Column, Shape)),
      RowBytes(rowBytes(A, Shape)) {
  auto *Bytes = ArrayType::get(Type::getInt8Ty(M.getContext()), Rows * RowBytes);
  Memory = new GlobalVariable(M, Bytes, false, GlobalValue::InternalLinkage, UndefValue::get(Bytes), "place_tile", nullptr,
                              GlobalValue::NotThreadLocal, AddrShared);
  Memory->setAlignment(Align(16));
}

Value *Tile::element(IRBuilder<> &B, const BlockFrame &F, const Copy &R, Value *Counter) const {
  auto Local = [&](Poly::Symbol S) -> Value * {
    return S == TileAccess::None ? B.getInt32(0) : S < Nest::MaxDims ? F.Local[S][R[S]] : Counter;
  };
  Value *Row = B.CreateMul(Local(A.Row), B.getInt32(RowBytes), "", true, true);
  Value *Column = B.CreateMul(Local(A.Column), B.getInt32(A.Width), "", true, true);
  Value *At = B.CreateInBoundsGEP(B.getInt8Ty(), Memory, B.CreateZExt(Row, B.getInt64Ty()));
  return B.CreateInBoundsGEP(B.getInt8Ty(), At, B.CreateZExt(Column, B.getInt64Ty()));
}

void Tile::copyIn(IRBuilder<> &B, const BlockFrame &F, Value *Counter) const { copy(B, F, Counter, true); }
void Tile::copyOut(IRBuilder<> &B, const BlockFrame &F) const { copy(B, F, nullptr, false); }

void Tile::copy(IRBuilder<> &B, const BlockFrame &F, Value *Counter, bool In) const {
  const Nest &N = F.T.nest();
  unsigned Threads = F.Shape.threads(), Elements = Rows * Columns;
  // Where the first element lies, and how far it is to the next row and column.
  SymbolValues First;
  for (unsigned D = 0; D < F.Shape.Dims; ++D)
    First[D] = B.CreateZExt(F.Origin[D], B.getInt64Ty());
  for (Poly::Symbol S : {A.Row, A.Column})
    if (S != TileAccess::None && S >= Nest::MaxDims)
      First[S] = Counter;
  Value *Start = B.CreateGEP(B.getInt8Ty(), A.Array, emitPoly(B, N, A.Offset, First));
  Start = B.CreateAddrSpaceCast(Start, B.getPtrTy(AddrGlobal));
  auto Step = [&](Poly::Symbol S) {
    return S == TileAccess::None ? B.getInt64(0) : emitPoly(B, N, A.Offset.coefficient(S), First);
  };
  Value *RowStep = Step(A.Row), *ColumnStep = Step(A.Column);
  if (Elements < Threads) {
    Instruction *Then = SplitBlockAndInsertIfThen(B.CreateICmpULT(F.Thread, B.getInt32(Elements)), &*B.GetInsertPoint(), false);
    B.SetInsertPoint(Then);
  }
  Value *Row = B.CreateLShr(F.Thread, Log2_32(Columns)), *Column = B.CreateAnd(F.Thread, Columns - 1);
  SmallVector<std::pair<Value *, Value *>, 16> Places; // in memory and in the tile
  for (unsigned Done = 0; Done < Elements; Done += Threads) {
    // Thread t takes elements t, t + Threads, ...: all in its own column if a row is not longer than the team.
    Value *R = B.CreateAdd(Row, B.getInt32(Done / Columns), "", true, true), *C = Column;
    if (Threads < Columns)
      C = B.CreateAdd(Column, B.getInt32(Done % Columns), "", true, true);
    Value *R64 = B.CreateZExt(R, B.getInt64Ty()), *C64 = B.CreateZExt(C, B.getInt64Ty());
    Value *Offset = B.CreateAdd(B.CreateMul(R64, RowStep), B.CreateMul(C64, ColumnStep));
    Value *Inside = B.CreateAdd(B.CreateMul(R64, B.getInt64(RowBytes)), B.CreateMul(C64, B.getInt64(A.Width)));
    Places.push_back({B.CreateGEP(B.getInt8Ty(), Start, Offset), B.CreateInBoundsGEP(B.getInt8Ty(), Memory, Inside)});
  }
  SmallVector<Value *, 16> Values; // all loads first, so that they are under way together
  for (auto &[Global, Shared] : Places)
    Values.push_back(B.CreateAlignedLoad(Ty, In ? Global : Shared, Align(A.Width)));
  for (auto [V, Place] : zip(Values, Places))
    B.CreateAlignedStore(V, In ? Place.second : Place.first, Align(A.Width));
  if (Elements < Threads)
    B.SetInsertPoint(B.GetInsertBlock()->getSingleSuccessor()->getFirstNonPHI());
}

} // namespace place
