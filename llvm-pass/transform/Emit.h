//===- Emit.h - Polynomials and iterations as code ----------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_EMIT_H
#define PLACE_EMIT_H

#include "BlockShape.h"
#include "Body.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <functional>
#include <tuple>

namespace place {

/// Values of a polynomial's symbols, 64 bits wide; what it does not give is taken from the nest (values that do not change).
using SymbolValues = llvm::DenseMap<Poly::Symbol, llvm::Value *>;

/// Computes a polynomial with 64-bit arithmetic.
llvm::Value *emitPoly(llvm::IRBuilder<> &B, const Nest &N, const Poly &P, const SymbolValues &Values);

/// Whether each polynomial lies in its range for all values of the indices. Most: the greatest value of a dimension's index
/// or a loop's counter, 64 bits; null if that is not known, then the answer is no. Evaluated in doubles, on the safe side.
llvm::Value *emitFits(llvm::IRBuilder<> &B, const Nest &N, const Fits &Needed,
                      const std::function<llvm::Value *(Poly::Symbol)> &Most);

/// One of the iterations that a thread carries out together, by dimension.
using Copy = std::array<unsigned, 3>;

/// All copies of a value that depends on the dimensions in Mask.
void forEachCopy(const BlockShape &Shape, unsigned Mask, llvm::function_ref<void(const Copy &)> Body);

/// The accesses of a body whose addresses are polynomials. Elements that several copies read (neighbouring rows of a stencil, a
/// window that slides) are loaded once, unless the body may have written them in between. Addresses are computed anew, with
/// 32-bit arithmetic, a constant part last; that they fit is among what has to hold.
class AffineAccesses {
public:
  AffineAccesses(const Body &T, const BlockShape &Shape);

  const Fits &needed() const { return Needed; }

  /// The element of a copy: elements of its width from the array's beginning, without the constant part; and that, in bytes.
  struct Element {
    llvm::Argument *Array;
    unsigned Width;
    Poly Index;
    int64_t Bytes;
    bool operator<(const Element &E) const {
      return std::tie(Array, Width, Index, Bytes) < std::tie(E.Array, E.Width, E.Index, E.Bytes);
    }
  };
  std::optional<Element> element(const llvm::Instruction &I, const Copy &R) const;

private:
  void consider(llvm::Instruction &I, const Body &T);

  const BlockShape &Shape;
  llvm::DenseMap<const llvm::Instruction *, TileAccess> Accesses;
  Fits Needed;
};

/// Writes a body for several iterations at once: each instruction as often as the dimensions that it depends on demand.
class BodyEmitter {
public:
  /// Index[d][r]: the thread's r-th index of dimension d, 32 bits, at the place where the body goes.
  BodyEmitter(const Body &T, const BlockShape &Shape, const AffineAccesses &Accesses,
              std::array<llvm::SmallVector<llvm::Value *, 8>, 3> Index)
      : T(T), Shape(Shape), Accesses(Accesses), Index(std::move(Index)) {}

  /// Emits the body between From, which has no terminator yet, and To.
  void emit(llvm::BasicBlock *From, llvm::BasicBlock *To);

  /// What V of the template is in a copy.
  llvm::Value *lookup(llvm::Value *V, const Copy &R);
  llvm::BasicBlock *block(llvm::BasicBlock *Template) const { return BlockMap.lookup(Template); }

private:
  unsigned number(unsigned Mask, const Copy &R) const;
  llvm::Value *indexValue(llvm::Value *V, unsigned D, unsigned R);
  llvm::Value *counterValue(const Copy &R);
  llvm::Value *narrow(const Poly &P);
  llvm::Value *loopCounter(Poly::Symbol S);
  llvm::Value *pointer(llvm::BasicBlock *BB, AffineAccesses::Element E);
  llvm::Value *foldedCounter(const Body::FoldedCounter &By, llvm::BasicBlock *BB, const Copy &R);
  void emitCopy(llvm::Instruction &I, llvm::BasicBlock *BB, const Copy &R);
  bool isCarriedOut(const llvm::Instruction &I) const;
  void emitInstruction(llvm::Instruction &I, llvm::BasicBlock *BB);
  void emitOne(llvm::Instruction &I, llvm::BasicBlock *BB, const Copy &R);
  void emitTerminator(llvm::Instruction &I, llvm::BasicBlock *BB, const Copy &R);
  void forget(const llvm::Instruction &I);
  void finishPhi(llvm::PHINode &P, const Copy &R);
  // EmitParted.cpp
  void emitParted(const PartedRegion &Region);
  llvm::BasicBlock *edgeFrom(const llvm::BasicBlock *From, const llvm::BasicBlock *To) const;
  llvm::BasicBlock *emitRegionCopy(const PartedRegion &Region, llvm::BasicBlock *X, const Copy &R);
  void finishPhis(const PartedRegion &Region, llvm::BasicBlock *Join, const Copy &R);
  void finishJoin(llvm::PHINode &P, llvm::PHINode *New, const Copy &R);

  const Body &T;
  const BlockShape &Shape;
  const AffineAccesses &Accesses;
  std::map<std::pair<AffineAccesses::Element, llvm::Type *>, llvm::Value *> Loaded; // in the block that is being written
  std::map<AffineAccesses::Element, llvm::Value *> Pointers;                        // there, too, without constant parts
  std::map<Poly, llvm::Value *> Narrow;                                             // 32-bit values in Entry
  llvm::DenseMap<Poly::Symbol, llvm::Value *> LoopCounters;                         // 32 bits, in the loops' headers
  std::array<llvm::SmallVector<llvm::Value *, 8>, 3> Index;
  // Copies may share a load; where it gives way to a tile's, it does so for all of them.
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<llvm::WeakTrackingVH, 8>> Copies;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> BlockMap;
  // What a region's copies hand on to a phi of its join, by the region's entry; and the last copy's join.
  llvm::DenseMap<std::pair<const llvm::PHINode *, const llvm::BasicBlock *>, llvm::SmallVector<llvm::Value *, 8>> HandedOn;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> LastJoin;
  // The region of which a copy is being written, with the block that enters the copy, and the copy's join.
  struct OpenRegion {
    const PartedRegion *Region = nullptr;
    llvm::BasicBlock *X = nullptr, *Join = nullptr;
  } Open;
  llvm::DenseMap<std::pair<llvm::Type *, unsigned>, llvm::Value *> Widened;
  llvm::DenseMap<unsigned, llvm::Value *> Counters;
  llvm::BasicBlock *Entry = nullptr; // where values that all copies need are computed
};

} // namespace place

#endif
