//===- Body.h - One iteration of a nest, as a template -----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_BODY_H
#define PLACE_BODY_H

#include "Nest.h"
#include "Parted.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class DominatorTree;
class LoadInst;
class PostDominatorTree;
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

/// A sequential loop of a body whose operands can be staged in strips.
struct StripLoop {
  const llvm::Loop *L;
  std::vector<TileAccess> Operands; // loads
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
  /// Finds the regions in which iterations go different ways, and takes all that is in them for different in each iteration.
  /// False, with nothing changed, if there are none with one way in and one way out, or iterations may wait for each other.
  bool part();
  const PartedRegion *partedFrom(const llvm::BasicBlock *Entry) const;
  const PartedRegion *partedInto(const llvm::BasicBlock *Join, const llvm::BasicBlock *From) const;
  bool isParted(const llvm::BasicBlock *BB) const;
  bool isJoin(const llvm::BasicBlock *BB) const;
  /// Takes comparisons that part iterations for decided the way they go away from the borders of the space: right for a block
  /// only if all of `inside` is at least 0 for all of its iterations, and all of insideNeeded fits. False if none could be.
  bool assume();
  std::optional<bool> assumed(const llvm::Value *Condition) const {
    auto It = Assumed.find(Condition);
    return It == Assumed.end() ? std::nullopt : std::optional<bool>(It->second);
  }
  const std::vector<Poly> &inside() const { return Inside; }
  const Fits &insideNeeded() const { return InsideNeeded; }
  /// Whether the body may read from, or write to, what lies behind an argument of the kernel.
  bool reads(const llvm::Value *Object) const { return Read.count(Object); }
  bool writes(const llvm::Value *Object) const { return Written.count(Object); }

  /// Whether it can be found out before the chunk loop that the polynomials fit.
  bool canCheck(const Fits &Needed) const;
  /// Whether a polynomial changes within a block.
  bool moves(const Poly &P) const;
  /// Whether an access goes to an array of the kernel, at an offset that is a polynomial: fills A but for rows and columns.
  bool affine(llvm::Instruction &I, TileAccess &A) const;
  /// Of a nest of one dimension: what neighbouring iterations read and write side by side.
  struct Runs {
    unsigned Narrowest = 0; // bytes of an element, from the beginning of an array or a multiple of BlockShape::WideBytes on; 0: none, or some lie apart
    bool Only = true;       // they do nothing else with memory, but for what is the same for all
    bool Alike = false;     // nor are elements of other sizes, or begin elsewhere
  };
  Runs runs() const;
  /// How many dimensions out of the last one most accesses run along memory; 0 if they do so in the last, or in none.
  unsigned lanes() const;
  /// Loads and stores that run in every iteration, along a column of memory where neighbouring threads are rows.
  std::vector<TileAccess> transposed() const;
  /// The sequential loops that all iterations go through and whose operands can be staged in strips, one after the other; if there is none, a
  /// reason. Iterations may part in them, and between them.
  std::vector<StripLoop> stripLoops(Reason &Why) const;
  /// Sequential loops, all that the body does, whose iterations may be carried out in any order; none if there are none.
  Nest::Folds foldable() const;
  /// Whether the guard that turns away teams without a chunk of the original's own can go behind the way to the blocks.
  bool canMoveGuard() const;
  /// How often a sequential loop's back edge is taken, if that is the same in all iterations; or null.
  const llvm::SCEV *backedges(const llvm::Loop *L) const;
  /// Whether that can be computed before the chunk loop, in 64 bits.
  bool canCount(const llvm::Loop *L) const;

  /// The folded loop of which this block ends an iteration; or null.
  const llvm::Loop *foldedAt(const llvm::BasicBlock *Latch) const;
  /// What counts a folded loop's iterations in steps of its own.
  struct FoldedCounter : Nest::Recurrence {
    unsigned Dim;
  };
  std::optional<FoldedCounter> foldedCounter(const llvm::Instruction &I) const;

private:
  bool isOwn(const llvm::Instruction &From) const;
  void computeMasks();
  bool mayWait() const;
  bool partsAt(const llvm::BasicBlock *BB) const;
  bool isForAll(const llvm::Loop &L, const llvm::PostDominatorTree &PDT) const;
  void noteMemory(const llvm::Instruction &I);
  bool place(llvm::Instruction &I, Nest::Cell &C, Fits &Needed) const;
  bool readsOwnAlone(Nest::Folds &F) const;
  std::vector<const llvm::Loop *> countedLoops() const;
  bool keepsToItself(const llvm::Instruction &I, const Nest::Folds &F) const;
  bool findSteps(Nest::Cell &C, const Nest::Folds &F) const;
  bool storesToCell(llvm::Instruction &I, Nest::Folds &F) const;
  bool isInOrder(Nest::Folds &F) const;
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
  llvm::SmallPtrSet<const llvm::Value *, 8> Read, Written;
  std::vector<PartedRegion> Regions;
  llvm::DenseMap<const llvm::Value *, bool> Assumed;
  std::vector<Poly> Inside;
  Fits InsideNeeded;
  unsigned BranchMask = 0;
  bool Interleaves = true;
};

/// The nest of a chunk shape, with a sequential loop folded in if there is one that may be; or null. Mode: where no iteration may be carried
/// out twice, none of a sequential loop may be ahead of its turn either, unless what is written lies apart from all else.
std::unique_ptr<Nest> recogniseNest(const ChunkShape &S, const BlockShape &Mode, llvm::LoopInfo &LI, llvm::DominatorTree &DT,
                                    llvm::ScalarEvolution &SE);

} // namespace place

#endif
