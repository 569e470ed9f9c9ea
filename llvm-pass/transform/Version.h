//===- Version.h - What a version of a kernel is made of --------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_KERNELVERSION_H
#define PLACE_KERNELVERSION_H

#include "Summary.h"
#include "place/route.h"

namespace place {

struct Transform;

/// How a version is made. Table.cpp alone turns this into the record that the runtime reads (include/place/version.h).
enum place_version_kind { PLACE_SPECIAL, PLACE_AGNOSTIC, PLACE_PROFILE, PLACE_BASE, PLACE_BLOCK };

/// One iteration a thread (Natural.h).
struct NaturalShape {
  unsigned Threads = 0; // of a team; 0: whatever it is launched with
  bool Open = true;     // launched with as many teams as that takes; else with as many as the program asks for
  bool Apart = false;   // what the kernel writes is told to be apart from all else that it touches
  bool AnyThreads = false; // its team may have another number of threads than the original's chunks have iterations
  unsigned Most = 0;    // iterations of a launch that it is worth having for; 0: any number
};

/// Teams of another size, each with an iteration of the distributed loop (Rows.h).
struct RowsShape {
  unsigned Threads = 0; // of a team
  unsigned Each = 1;    // iterations that a team carries out at a time: more than one, and each of its warps is a team to the program
  bool Apart = false;   // as in NaturalShape
};

/// Cells of an array that are only updated atomically, by one operator.
struct PrivateCells {
  int Array = -1;
  uint64_t From = 0;    // bytes from the kernel's argument
  uint64_t Bytes = 0;
  bool Counter = false; // one cell, at that constant place; else the array's first cells
  bool All = false;     // no update of the array is beyond them
};

enum { WideBytes = 16 };

/// A grid-stride loop (Stride.h), on as many teams as the GPU holds at a time.
struct StridedShape {
  unsigned Threads = 0; // of a team; 0: whatever it is launched with
  unsigned Fill = 0;    // threads that a multiprocessor is to have
  bool Wide = false;    // what is only read is aligned to WideBytes, for loads of neighbouring elements in one
  bool Interchanged = false; // of two collapsed loops, the outer one's iterations are neighbours (Interchange.h)
  std::vector<PrivateCells> Private = {};
};

/// What a version does with each array of a kernel.
struct Version {
  std::string Entry;
  place_version_kind Kind = PLACE_SPECIAL;
  std::vector<int8_t> Space; // by array: enum place_space, or -1: any (agnostic) or not placeable
  bool Straight = false;     // chunk loop rebuilt (Straight.h); needs exactly as many threads a team as it has
  std::optional<NaturalShape> Natural;
  std::optional<BlockShape> Block; // iterations in blocks (Block.h); needs exactly its threads a team
  std::optional<StridedShape> Strided;
  std::optional<RowsShape> Rows = std::nullopt;
  const Transform *Form = nullptr; // another loop form than these (Transform.h)
  std::vector<uint8_t> Route = {}; // by array: enum place_route of loads of what is in global memory; empty: the spaces' own

  /// Whether the launch has shown that nothing it writes overlaps another array, and the optimiser is told so.
  bool knowsApart() const { return (Natural && Natural->Apart) || (Rows && Rows->Apart); }

  /// Threads of a team that it must be launched with, whatever the original has; 0: no such number.
  unsigned ownThreads() const {
    return Block ? Block->threads() : Natural ? Natural->Threads : Strided ? Strided->Threads : Rows ? Rows->Threads : 0;
  }
};

/// Spaces by array with everything in global memory.
std::vector<int8_t> allGlobal(const KernelSummary &K);

/// The name of a version, for people alone: `<kernel>_place_` and a letter an array, or `agnostic`, or `profile`; with blocks,
/// their shape.
std::string versionName(const KernelSummary &K, place_version_kind Kind, llvm::ArrayRef<int8_t> Space,
                        const BlockShape *Block = nullptr);

} // namespace place

#endif
