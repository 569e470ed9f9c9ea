//===- Version.h - What a version of a kernel is made of --------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_KERNELVERSION_H
#define PLACE_KERNELVERSION_H

#include "Summary.h"
#include "place/version.h"

#include "llvm/ADT/Twine.h"

namespace place {

struct Transform;

/// How a version stands to the others of its kernel: who proposes it says so. One that says nothing is made whatever others there are.
enum class Standing {
  Free,
  Fallback, // others that improve on it are launched in its place
  Improves, // on the fallback, wherever it can be launched
  Refines,  // for few launches, what another version does for all
};

/// One iteration a thread (Natural.h).
struct NaturalShape {
  bool Open = true; // launched with as many teams as that takes; else with as many as the program asks for
  bool AnyThreads = false; // its team may have another number of threads than the original's chunks have iterations
  bool SoonOver = false; // an iteration has no loop of its own, and waits for no atomic update
  bool Ranges = false;   // what its iterations' ranges have is read by whole teams (Ranges.h)
  unsigned Most = 0;    // iterations of a launch that it is worth having for; 0: any number
  unsigned Aligned = 0; // what is only read begins at multiples of so many bytes (ReadsAligned.h); 0: not known
};

/// Teams of another size, each with an iteration of the distributed loop (Rows.h).
struct RowsShape {
  unsigned Each = 1; // iterations that a team carries out at a time: more than one, and each of its warps is a team to the program
  bool Narrow = false; // rows have a counter of 64 bits, and it is replaced by one of 32
};

/// Cells of an array that are only updated atomically, by one operator.
struct PrivateCells {
  int Array = -1;
  uint64_t From = 0;    // bytes from the kernel's argument
  uint64_t Bytes = 0;
  bool Counter = false; // one cell, at that constant place; else the array's first cells
  bool All = false;     // no update of the array is beyond them
};

enum { WideBytes = BlockShape::WideBytes };

/// What a loop's iterations are shared out among where one level alone does that (Spread.h).
enum class SpreadFrom { None, Threads, Teams };

/// A grid-stride loop (Stride.h), on as many teams as the GPU holds at a time.
struct StridedShape {
  bool Even = false; // warps of all teams share few iterations (GridLoop.h)
  bool Wide = false;    // what is only read is aligned to WideBytes, for loads of neighbouring elements in one
  bool Interchanged = false; // of two collapsed loops, the outer one's iterations are neighbours (Interchange.h)
  std::vector<PrivateCells> Private = {};
  SpreadFrom From = SpreadFrom::None;
};

/// What a version does with each array of a kernel, and how it carries out the iterations. What a loop form does beside what is common to
/// them is for its own file alone.
struct Version {
  std::string Entry;
  place_role Role = PLACE_ROLE_PLAN;
  bool Open = false;         // of a plan: where arrays are is left to the launch
  Standing Stands = Standing::Free;
  std::vector<int8_t> Space; // by array: enum place_space, or -1: any (Open) or not placeable
  unsigned Threads = 0;      // of a team that it must be launched with, whatever the original has; 0: no such number
  bool FewerThreads = false; // its code is also right with fewer than these, for versions that share it
  std::string Kernel = {};   // entry of the version whose code it is launched with, other in threads alone; empty: it has its own
  unsigned Fill = 0;         // threads that a multiprocessor is to have: it is launched with as many teams as that takes; 0: as the program asks
  unsigned TeamsAtOnce = 0;  // that a multiprocessor is to have room for; 0: any
  unsigned Registers = 0;    // that a thread may have, instead of TeamsAtOnce; 0: any number
  bool SameThreads = false;  // it must be launched with as many as the kernel was compiled for, where that is known
  bool Apart = false;        // the launch has shown that nothing it writes overlaps another array, and the optimiser is told so
  bool Ahead = false;        // loops read ahead of where they may end (Ahead.h)
  const Transform *Form = nullptr; // its loop form, where nothing more is to be said of that (Transform.h)
  std::optional<NaturalShape> Natural = std::nullopt;
  std::optional<BlockShape> Block = std::nullopt; // iterations in blocks (Block.h)
  std::optional<StridedShape> Strided = std::nullopt;
  std::optional<RowsShape> Rows = std::nullopt;
  unsigned Slice = 0; // iterations of a team, if it can be launched in slices (Slice.h); 0: it cannot
  std::vector<uint8_t> Route = {}; // by array: enum place_route of loads of what is in global memory; empty: the spaces' own

  bool isBase() const { return Role == PLACE_ROLE_BASE; }
  bool isPlan() const { return Role == PLACE_ROLE_PLAN; }
  bool isProfile() const { return Role == PLACE_ROLE_PROFILE; }
  /// Whether it is a plan that knows where its arrays are.
  bool isSpecial() const { return isPlan() && !Open; }
  bool hasLoopForm() const { return Form || Natural || Block || Strided || Rows; }
  /// Threads of a team that its code can be made for; 0: any number.
  unsigned knownThreads(const KernelSummary &K) const { return FewerThreads ? 0 : Threads ? Threads : SameThreads ? K.Threads : 0; }
};

/// Spaces by array with everything in global memory.
std::vector<int8_t> allGlobal(const KernelSummary &K);

/// The name of a version, for people alone: `<kernel>_place_` and what tells it from others; such as its spaces, a letter an array.
std::string versionName(const KernelSummary &K, const llvm::Twine &What);
std::string versionName(const KernelSummary &K, llvm::ArrayRef<int8_t> Space);

/// The kernel as it is, with a timer.
Version baseVersion(const KernelSummary &K);

} // namespace place

#endif
