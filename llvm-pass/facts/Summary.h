//===- Summary.h - What is known of a kernel --------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The access summary of a kernel: its loops, its arrays (pointer arguments), and each access as an offset in bytes from
// the argument. Expressions are text in the form of include/place/expr.h. The summary becomes the region table.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SUMMARY_H
#define PLACE_SUMMARY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/PassManager.h"
#include <optional>
#include <string>
#include <vector>

#include "BlockShape.h"
#include "Kernel.h"
#include "Reason.h"
#include "place/region.h"

namespace llvm {
class Argument;
class BasicBlock;
class Function;
class Instruction;
class Loop;
class PHINode;
class Value;
} // namespace llvm

namespace place {

struct Hints;

struct LoopSummary {
  const llvm::Loop *L = nullptr; // valid while the analysis that it came from is
  int Parent = -1;
  std::string Trips; // empty: unknown
  std::string Steps; // Trips - 1, as far as the loop moves an address
  bool Chunk = false; // walks a team's or thread's share of the iteration space
};

struct ArraySummary {
  llvm::Argument *Arg = nullptr;
  int ArgNumber = 0; // kernel argument; 0 is the first after the launch environment
  std::string Name;
  unsigned ElementBytes = 0;
  bool Read = false, Written = false, Atomic = false;
  int Placeable = -1;
  place_space_set Candidates = PLACE_SPACE_BIT(PLACE_GLOBAL);
  int Hint = -1;
  int Route = -1; // that the source asks for
  bool AskedTile = false; // the source asks for blocks that have tiles of it in shared memory
  uint8_t TexelBytes = 0; // of a texture that serves all of its loads (Texels.h); 0: none shall
  std::string RowBytes;   // of the rows that its loads find their elements in, as an expression (RowLength.h); empty: not known
  std::string Ahead;      // bytes from the kernel's argument on that loops may read before they end, as an expression (Ahead.h); empty: none
  Reason Why;   // it stays global
  std::string TeamFootprint; // bytes that one team touches each chunk of iterations, as an expression; empty: unknown
};

struct AccessSummary {
  llvm::Instruction *I = nullptr; // load, store, atomic or memory intrinsic in the original kernel
  int Array = -1;
  place_access_kind Kind = PLACE_READ;
  unsigned WidthBytes = 0;
  int Loop = -1;
  bool Guarded = false;
  unsigned Line = 0;
  int Log = -1;
  int IndexSource = -1;
  std::string Offset; // empty: irregular
  bool Known = false; // the offset can be evaluated: no unknown value in it
  bool UsesLane = false, UsesTeam = false, UsesLoop = false;
  std::optional<int64_t> LaneStride; // bytes from one thread to the next, if constant
};

/// The form that clang gives `distribute parallel for` with schedules of the implementation's choice, after inlining:
///
///   for (base = size * team; base < trip; base += size * teams) {          // Outer
///     barriers; bound = min(base + size - 1, last);
///     if (base + tid <= bound)                                             // Guard, in Header
///       for (iv = base + tid; iv <= bound; iv += threads) body             // Inner: once, with `size` threads
///     barriers                                                             // Skip
///   }
///   return
struct ChunkShape {
  llvm::BasicBlock *Header = nullptr, *Latch = nullptr, *Skip = nullptr; // of Outer
  llvm::BasicBlock *InnerHeader = nullptr, *InnerLatch = nullptr;
  std::vector<llvm::BasicBlock *> Inner;                        // all blocks of the inner loop
  llvm::PHINode *Base = nullptr, *Bound = nullptr;
  llvm::Value *Last = nullptr;  // the number of iterations less one, the same for all chunks; null: not found
  llvm::Value *Other = nullptr; // what Guard asks beside, or null
  bool OtherLeaves = false;     // and whether it leaves where that holds
  // Guard may ask one after the other, and be followed by a block that leads on to Inner; in a version both are one (Clone.h).
  llvm::BasicBlock *Check = nullptr, *Entry = nullptr;
  unsigned Size = 0; // 0: as many as the team has threads, whatever number that is
};

struct KernelSummary {
  llvm::Function *F = nullptr;
  std::optional<ChunkShape> Chunks; // set if versions may be rebuilt on it (Chunks.cpp)
  std::vector<BlockShape> Blocks;   // worth trying (Block.cpp)
  Reason BlockReason;               // why there is none
  Reason StripReason;               // why none stages the operands of a sequential loop in strips
  std::vector<std::string> Extents; // of the collapsed loops, outermost first, as expressions; empty: unknown
  Reason LoopReason;                // why the device runtime stays in it (Lean.h), where that was tried
  bool Alone = false;               // optimised in a module of its own (Isolate.h): as such a version
  bool Lean = false;                // and without the device runtime (Lean.h): straight as it is
  bool LeanNatural = false;         // one iteration a thread
  bool LeanRows = false;            // an iteration of its one distributed loop for each team, whatever its size
  std::string Function, File;
  unsigned Line = 0;
  Reason NoVersion;      // why no versions are made
  Reason NothingToPlace; // why none would be worth having
  unsigned Threads = 0; // of a team at most; 0: not known at compile time
  place_teams_clause Teams = PLACE_TEAMS_OBSERVED;
  bool OpenThreads = false; // nothing looks at the number of threads
  const Hints *Asked = nullptr; // what the source asks for, of the registry; null: not known
  unsigned AskedTeam = 0; // threads of a team that the source asks versions to have; 0: it does not
  unsigned Team = 0;      // and that this copy of the kernel was compiled for (TeamSize.h)
  bool AskedBlocks = false;   // its versions are those with the tiles that the source asks for
  bool PromisedApart = false; // the source says that nothing that it writes overlaps another of its arrays
  bool ReadsElsewhere = false; // memory that is not one of its arrays, a constant, or a thread's own
  unsigned ReductionBytes = 0; // of what a thread brings to a reduction over teams; 0: there is none
  unsigned LanesOfSums = 0; // threads of a team that its reduction needs (LaneSums.h); 0: any number
  bool Strided = false; // in a grid-stride loop: right with any number of teams and threads (Stride.h)
  bool Intervals = false; // and that may have an interval of the iterations (SliceLoop.h)
  bool GainsByInterchange = false; // and is collapsed from two loops that had better change places (Interchange.h)
  bool JoinsAhead = false; // loads of several iterations ahead are of neighbouring elements (Ahead.h)
  bool HasRanges = false;  // iterations walk along ranges, and what they read there does not depend on whose range it is (RangeLoop.h)
  bool UnknownWrites = false;
  Reason UnknownWritesReason;
  std::vector<LoopSummary> Loops;
  std::vector<ArraySummary> Arrays;
  std::vector<AccessSummary> Accesses;

  bool reduces() const { return ReductionBytes; }
  /// Whether it has loops that may read ahead of where they end.
  bool readsAhead() const;
  /// Whether an iteration has a loop of its own.
  bool hasLoopInside() const;
  /// Whether an iteration is soon over: it has none, and few values.
  bool isSoonOver() const;
  /// Bytes that all accesses are wide, together, from 1 to 2^16: what an iteration moves that has no loop.
  unsigned bytesOfAccesses() const;
  bool isLeftAlone() const { return !NoVersion.empty() || !NothingToPlace.empty(); }
  unsigned placeableCount() const;
  /// Whether the launch can find out that nothing written overlaps another array: all that is accessed is known arrays.
  bool mayBeApart() const { return !UnknownWrites && !ReadsElsewhere; }
  /// Whether that is worth finding out, too: it writes some.
  bool wantsApart() const;
  int arrayOf(const llvm::Argument *A) const; // index, or -1
};

/// For readers: one block of text a kernel.
void printSummary(const KernelSummary &K, llvm::raw_ostream &OS);

} // namespace place

#endif
