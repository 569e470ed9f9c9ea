//===- BlockShape.h - How a team's block of iterations looks ----*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_BLOCKSHAPE_H
#define PLACE_BLOCKSHAPE_H

#include <array>
#include <set>
#include <string>

namespace place {

/// How a team's block of iterations looks: dimension by dimension, outermost first.
struct BlockShape {
  unsigned Dims = 1;
  std::array<unsigned, 3> Threads = {1, 1, 1}; // of a team along the dimension; powers of two
  std::array<unsigned, 3> Each = {1, 1, 1};    // iterations along the dimension that one thread carries out together
  unsigned Alike = 1;                          // threads to an iteration: the first carries it out, the others fetch tiles with it
  unsigned Lanes = 0;                          // how many dimensions out of the last neighbouring threads lie
  std::array<bool, 3> Adjacent = {};           // a thread's iterations follow each other; else they lie Threads apart
  unsigned Strip = 0;                          // iterations of the sequential loop staged at a time; 0: none
  bool Pipelined = false;                      // a strip is fetched while the one before it is worked on: two tiles of each
  bool Transposed = false;                     // accesses along columns go through tiles
  bool Once = false;                           // no iteration is carried out twice: blocks at the end have guards (Edge.h)
  bool Parts = false;                          // iterations go different ways: there a thread carries them out one by one
  bool Interior = false;                       // guards of the space's borders are gone from blocks that do not meet them
  bool Wide = false;                           // neighbours go to and from memory in one access: arrays are aligned to WideBytes
  bool Apart = false;                          // what is written overlaps no other array, which the launch checks
  std::set<unsigned> Tiled;                    // numbers of the kernel's arguments that have tiles

  static const unsigned WideBytes = 16;
  /// Threads with iterations of their own. Those behind them in the team leave out strips and stores.
  unsigned workers() const { return Threads[0] * Threads[1] * Threads[2]; }
  unsigned threads() const { return workers() * Alike; }
  unsigned each() const { return Each[0] * Each[1] * Each[2]; }
  unsigned extent(unsigned D) const { return Threads[D] * Each[D]; }
  /// The dimension along which neighbouring threads lie.
  unsigned lanes() const { return Dims - 1 - Lanes; }
  /// How far a thread's r-th index lies from its first one.
  unsigned offset(unsigned D, unsigned R) const { return Adjacent[D] ? R : R * Threads[D]; }
  /// "64x64t256k16p": extents, threads, strip, pipelined; the end of the version's name.
  std::string name() const;
};

} // namespace place

#endif
