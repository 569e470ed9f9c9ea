//===- Tile.h - Tiles of arrays in shared memory ------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_TILE_H
#define PLACE_TILE_H

#include "Emit.h"

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace place {

/// The accesses of a body that go through tiles in a block of a shape.
struct TilePlan {
  std::vector<TileAccess> Turned; // along columns, copied in before the body or out behind it
  std::vector<StripLoop> Strips;  // copied in strip by strip, each loop's to where the one's before were

  /// All of them.
  std::vector<TileAccess> accesses() const;
};
TilePlan planTiles(const Body &T, const BlockShape &Shape);

/// Whether a shape's threads that only fetch (BlockShape::Alike) may go along with those that carry out iterations, in teams that the original would
/// have no chunk for.
bool mayFetchAlong(const Body &T, const BlockShape &Shape);

/// What tiles need to know of a block under construction.
struct BlockFrame {
  const Body &T;
  const BlockShape &Shape;
  llvm::Value *Thread = nullptr; // number within the team, 32 bits
  std::array<llvm::Value *, 3> Origin = {}; // first index of the block, 32 bits
  std::array<llvm::Value *, 3> Local = {};  // a thread's first index less the origin, 32 bits
};

/// One tile: rows of a memory's columns, padded so that neither side meets bank conflicts.
class Tile {
public:
  /// With B, in front of the block loop, what a thread needs for each access. Memory: of bytesOf bytes, at least.
  Tile(llvm::IRBuilder<> &B, const TileAccess &A, const BlockFrame &F, llvm::GlobalVariable &Memory);

  const TileAccess &access() const { return A; }
  static unsigned bytesOf(const TileAccess &A, const BlockShape &Shape);

  /// The threads of a team copy the tile's elements in, Counter being the sequential loop's counter at its first one (null:
  /// there is none), or out. Neighbouring threads take neighbouring elements of memory. Second: i1, whether the second of a
  /// pipelined shape's two tiles is meant; then the copy is asynchronous (cp.async), and has to be waited for.
  void copyIn(llvm::IRBuilder<> &B, const BlockFrame &F, llvm::Value *Counter, llvm::Value *Second = nullptr) const;
  void copyOut(llvm::IRBuilder<> &B, const BlockFrame &F) const;
  /// copyIn in two halves: what the thread copies, in registers, and from there into the tile. elementsEach: how many that are; 0: not all
  /// threads copy as many, then there are no halves.
  unsigned elementsEach(const BlockShape &Shape) const;
  llvm::SmallVector<llvm::Value *, 16> load(llvm::IRBuilder<> &B, const BlockFrame &F, llvm::Value *Counter) const;
  void store(llvm::IRBuilder<> &B, const BlockFrame &F, llvm::ArrayRef<llvm::Value *> Values) const;
  /// The place of an element: of iteration R, and the sequential loop's counter within the strip, 32 bits.
  llvm::Value *element(llvm::IRBuilder<> &B, const BlockFrame &F, const Copy &R, llvm::Value *Counter,
                       llvm::Value *Second = nullptr) const;

private:
  static unsigned count(Poly::Symbol S, const BlockShape &Shape);
  static unsigned columns(const TileAccess &A, const BlockShape &Shape);
  static unsigned rowBytes(const TileAccess &A, const BlockShape &Shape);
  unsigned stride(Poly::Symbol S) const;
  /// What a thread copies: Row and Column of its first element, 32 bits; where the tile is; where its first element comes from or goes
  /// to in memory, and how many bytes it is to the next row and column there.
  struct Share {
    llvm::Value *Row, *Column, *Base, *Start = nullptr, *RowStep = nullptr, *ColumnStep = nullptr;
  };
  Share share(llvm::IRBuilder<> &B, const BlockFrame &F, llvm::Value *Second) const;
  void findMemory(llvm::IRBuilder<> &B, const BlockFrame &F, llvm::Value *Counter, Share &S) const;
  std::pair<llvm::Value *, llvm::Value *> position(llvm::IRBuilder<> &B, const Share &S, unsigned Done) const;
  llvm::Value *inMemory(llvm::IRBuilder<> &B, const Share &S, unsigned Done) const;
  llvm::Value *inTile(llvm::IRBuilder<> &B, const Share &S, unsigned Done) const;
  void copy(llvm::IRBuilder<> &B, const BlockFrame &F, llvm::Value *Counter, llvm::Value *Second, bool In) const;
  llvm::Value *second(llvm::IRBuilder<> &B, llvm::Value *First, llvm::Value *Second) const;
  void fetch(llvm::IRBuilder<> &B, llvm::Value *Shared, llvm::Value *Global) const;

  const TileAccess A;
  llvm::Type *Ty;
  unsigned Rows, Columns, RowBytes;
  llvm::GlobalVariable *Memory;
  llvm::Value *Mine; // place of the thread's first row and column
};

/// Whether an access goes to no memory that other multiprocessors see: to tiles, constants or a thread's own variables.
bool isOnChip(const llvm::Value &Pointer);

/// Splits a sequential loop that a body emitter has written into strips of Shape.Strip iterations, whose operands are staged,
/// and a loop for what remains. Trips: how often the loop goes round, 64 bits, before the block loop.
void stripMine(BodyEmitter &E, const BlockFrame &F, const llvm::Loop *L, llvm::ArrayRef<Tile> Tiles, llvm::Value *Trips);

/// Around a body that an emitter has written, from Enter, which leads to it, to Out, which has no terminator yet and goes on to After: loads
/// down a column are read from a tile that was filled before the body, stores down a column go to one that is written out behind it.
void turnColumns(BodyEmitter &E, const BlockFrame &F, llvm::ArrayRef<Tile> Tiles, llvm::Instruction *Enter, llvm::BasicBlock *Out,
                 llvm::BasicBlock *After);

} // namespace place

#endif
