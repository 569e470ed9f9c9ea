//===- Body.h - One iteration of a nest, as a template -----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_BODY_H
#define PLACE_BODY_H

#include "Nest.h"

namespace llvm {
class DominatorTree;
class LoadInst;
class ScalarEvolution;
class SCEV;
class StoreInst;
} // namespace llvm

namespace place {

/// An access that may go through a tile of shared memory: its address is affine in a row and a column symbol, and the
/// elements of a row follow each other in memory.
struct TileAccess {
  static const Poly::Symbol None = ~0u;
  llvm::Instruction *I = nullptr; // load or store
  llvm::Argument *Array = nullptr;
  Poly Offset; // bytes
  Poly::Symbol Row = None, Column = None;
  Poly::Symbol Slide = None; // a counter that moves along the column as well: the tile is a window, wider by a strip
  unsigned Width = 0; // bytes of an element
  Fits Needed;
};

/// What there is to know about the body of a nest before it is rebuilt: on which dimensions each value depends, and which
/// accesses want a tile.
class Body {
public:
  Body(const ChunkShape &S, Nest &N, llvm::LoopInfo &LI, llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);

  Nest &nest() const { return N; }
  const ChunkShape &shape() const { return S; }
  /// In reverse post-order, the inner loop's header first.
  llvm::ArrayRef<llvm::BasicBlock *> blocks() const { return Blocks; }

  /// Dimensions on which V's value depends, as bits. 0 for values from outside of the body.
  unsigned mask(const llvm::Value *V) const { return Masks.lookup(V); }
  /// The dimension whose index V is, if it is nothing else.
  std::optional<unsigned> indexOf(const llvm::Value *V) const;
  /// Dimensions on which the control flow inside the body depends.
  unsigned branchMask() const { return BranchMask; }
  /// Whether an instruction does nothing but count and compare the collapsed counter.
  bool isControl(const llvm::Instruction &I) const;
  /// Whether everything that the body needs is there before the chunk loop.
  bool isSelfContained() const;
  /// Whether several iterations can be carried out by one thread step by step together.
  bool canInterleave() const { return Interleaves; }

  /// Whether it can be found out before the chunk loop that the polynomials fit.
  bool canCheck(const Fits &Needed) const;
  /// Whether a polynomial changes within a block.
  bool moves(const Poly &P) const;
  /// Whether an access goes to an array of the kernel, at an offset that is a polynomial: fills A but for rows and columns.
  bool affine(llvm::Instruction &I, TileAccess &A) const;
  /// Loads and stores that run in every iteration, along a column of memory where neighbouring threads are rows.
  std::vector<TileAccess> transposed() const;
  /// The sequential loop whose operands can be staged in strips; null and a reason if there is none. Its loads: in `Loads`.
  const llvm::Loop *stripLoop(std::vector<TileAccess> &Loads, std::string &Why) const;
  /// A sequential loop, all that the body does, whose iterations may be carried out in any order; or null.
  /// Apart: Nest::fold.
  const llvm::Loop *foldable(std::vector<Poly> &Apart) const;
  /// How often a sequential loop's back edge is taken, if that is the same in all iterations; or null.
  const llvm::SCEV *backedges(const llvm::Loop *L) const;

  /// The block that ends an iteration of the folded loop, and where it goes on; or null.
  llvm::BasicBlock *foldedLatch() const;

private:
  void computeMasks();
  bool isInOrder(const llvm::Loop *L, std::vector<Poly> &Apart) const;
  unsigned computeMask(const llvm::Instruction &I);
  bool isPlain(const llvm::Instruction &I) const;
  bool isOnlyStore(const TileAccess &T) const;
  void stripAccess(llvm::LoadInst &L, Poly::Symbol Counter, std::vector<TileAccess> &Loads) const;

  const ChunkShape &S;
  Nest &N;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  std::vector<llvm::BasicBlock *> Blocks;
  llvm::DenseMap<const llvm::Value *, unsigned> Masks;
  llvm::DenseMap<const llvm::Value *, unsigned> Indices;
  unsigned BranchMask = 0;
  bool Interleaves = true;
};

/// The nest of a chunk shape, with a sequential loop folded in if there is one that may be; or null.
std::unique_ptr<Nest> recogniseNest(const ChunkShape &S, llvm::LoopInfo &LI, llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);

} // namespace place

#endif
