//===- Nest.h - The loops that a chunk loop was collapsed from ---*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang counts the iterations of collapsed loops with one counter and finds the loops' own indices by division. Here the
// counter is taken apart again: iv = i0 * d0 + i1 * d1 + ... with a symbol for each index, and every integer of the body is a
// polynomial over these symbols, over the counters of sequential loops in the body, and over values that do not change.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_NEST_H
#define PLACE_NEST_H

#include "Division.h"
#include "Summary.h"

#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace llvm {
class BinaryOperator;
class LoopInfo;
} // namespace llvm

namespace place {

struct NestSymbol {
  enum Kind { Dim, Counter, Invariant, Varying } K;
  llvm::Value *V = nullptr;        // Invariant, Varying: its low `Bits` bits, signed
  unsigned Bits = 0;
  const llvm::Loop *L = nullptr;   // Counter: how often L's back edge has been taken
};

class Nest {
public:
  static const unsigned MaxDims = 3;

  /// The nest of a chunk shape, or null. LI must outlive the nest and belong to the shape's function.
  static std::unique_ptr<Nest> recognise(const ChunkShape &S, llvm::LoopInfo &LI);

  unsigned dims() const { return firstFolded() + unsigned(Folded.Loops.size()); }
  /// What an iteration of folded loops stores of one array: `Bytes` in a row; and how many bytes on it is in each loop's next iteration.
  struct Cell {
    llvm::Argument *Array;
    Poly Place; // but for a constant
    int64_t First, Bytes;
    std::vector<Poly> Steps;
  };
  /// Sequential loops of the body, each the whole body of the one before, that are dimensions of their own, the last ones. No two of their
  /// iterations may store to one element: an array has one cell, as wide as its steps at most, provided that `Needed` hold.
  struct Folds {
    llvm::SmallVector<const llvm::Loop *, 2> Loops;
    std::vector<Cell> Cells;
    Fits Needed;
  };
  /// Together with the others there may be no more than MaxDims.
  void fold(Folds F) { Folded = std::move(F); }
  const Folds &folded() const { return Folded; }
  bool folds() const { return !Folded.Loops.empty(); }
  /// The dimension that the first of them is.
  unsigned firstFolded() const { return unsigned(Divisors.size()) + 1; }
  /// The loop whose body one iteration of the nest is.
  const llvm::Loop *body() const { return folds() ? Folded.Loops.back() : Inner; }
  /// Outermost first; symbol d is the index of dimension d, counted from 0.
  llvm::ArrayRef<llvm::Value *> divisors() const { return Divisors; }
  llvm::PHINode *counter() const { return IV; }
  /// The number of iterations less one; does not change in the chunk loop.
  llvm::Value *last() const { return Last; }
  const NestSymbol &symbol(Poly::Symbol S) const { return Symbols[S]; }
  size_t symbols() const { return Symbols.size(); }
  const llvm::Loop *inner() const { return Inner; }
  /// What must hold for the divisors to be the polynomials that they are taken for.
  const Fits &given() const { return Given; }

  /// A polynomial that is congruent to V modulo 2^Bits (Bits at most V's width, at most 64) provided that `Needed` hold.
  Poly congruent(llvm::Value *V, unsigned Bits, Fits &Needed);
  /// A polynomial that equals V, read as signed or unsigned, provided that `Needed` hold.
  Poly exact(llvm::Value *V, bool Signed, Fits &Needed);
  /// The offset in bytes from an argument that a pointer leads back to by constant and variable offsets only; or null.
  llvm::Argument *address(llvm::Value *Pointer, Poly &Offset, Fits &Needed);

  /// Which dimensions a polynomial depends on, as bits; bit MaxDims: on values that vary in another way.
  unsigned dimsOf(const Poly &P) const;
  /// The counter of a loop in the body, made when first asked for.
  Poly::Symbol counterOf(const llvm::Loop *L);
  /// Whether V has the same value in all iterations of the chunk loop.
  bool isInvariant(const llvm::Value *V) const;

  /// A phi of a sequential loop that steps by a value that does not change: `Start + k * Step` once the back edge has been taken k times.
  struct Recurrence {
    llvm::Value *Start, *Step;
    llvm::BinaryOperator *Next;
  };
  std::optional<Recurrence> recurrence(const llvm::PHINode &P) const;

private:
  Nest(const ChunkShape &S, llvm::LoopInfo &LI);
  bool takeApart(const ChunkShape &S);
  bool divides(Division &D, const Poly &Rest);
  std::vector<Division> divisionsOf(const Poly &Rest);
  llvm::Value *largestDivisor(llvm::ArrayRef<Division> Found);
  bool findQuotients(const Poly &Rest);
  bool isParted(const llvm::Value *V) const;
  Poly inside(Poly::Symbol Outermost) const;
  std::optional<uint64_t> mostOf(Poly::Symbol S) const;
  bool isBelow(const Poly &P, unsigned Bits) const;
  Poly fitted(const Poly &P, unsigned Bits, bool Signed, Fits &Needed) const;
  Poly leaf(llvm::Value *V, unsigned Bits);
  std::optional<Poly> masked(llvm::Instruction *I, unsigned Bits, Fits &Needed);
  Poly congruentOf(llvm::Instruction *I, unsigned Bits, Fits &Needed);

  llvm::LoopInfo &LI;
  const llvm::Loop *Outer = nullptr, *Inner = nullptr;
  Folds Folded;
  llvm::PHINode *IV = nullptr;
  llvm::Value *Last = nullptr;
  llvm::SmallVector<llvm::Value *, 2> Divisors;
  llvm::DenseMap<const llvm::Value *, Poly> Quotients;            // of the counter by divisors
  llvm::DenseMap<const llvm::Value *, Poly::Symbol> Remainders;   // of the counter by the divisor of that dimension
  std::vector<NestSymbol> Symbols;
  Poly Whole; // the counter's
  Fits Given;
  unsigned Depth = 0, Steps = 0;
};

} // namespace place

#endif
