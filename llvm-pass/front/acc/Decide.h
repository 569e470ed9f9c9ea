//===- Decide.h - What carries a loop ----------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenACC names three levels of parallelism, a GPU under OpenMP has two: teams and their threads. Here it is decided, from the shape of
// a nest alone, which of them carries which loop.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_DECIDE_H
#define PLACE_ACC_DECIDE_H

#include "Symbols.h"

namespace place::acc {

/// What executes the code around a loop.
enum class Level {
  Host,       // outside of any compute construct
  Sequential, // one thread of the device
  Teams,      // every team, by one thread each
  Gang,       // one team, inside of a distributed loop
  Threads,    // each thread
};

/// What executes a loop.
enum class Carrier { Sequential, Teams, TeamsAndThreads, Threads };

/// Level of `routine` functions by name: where their bodies run.
using Routines = std::map<std::string, Level>;

struct LoopDecision {
  Carrier By = Carrier::Sequential;
  unsigned Collapse = 1;              // loops, with those merged
  Tokens CollapseText;                // where the program's number is no plain one
  std::vector<const Directive *> Merged; // inner loop directives that became part of this one
};

/// A loop construct whose iterations may be shared out: not seq, not auto.
bool isPartitioned(const Directive &Loop);
/// Whether there are such loops in a statement, or calls of routines that have them.
bool hasPartitioned(const Statement &S, const Routines &Known);

LoopDecision decideLoop(const Directive &Loop, const Statement &Body, Level At, const Routines &Known);

/// The counters of the loops that share one iteration space.
Names countersOf(const Statement &Body, const LoopDecision &D);

/// The bodies of a region taken apart.
struct RegionShape {
  enum Kind { OneLoop, OnlyLoops, Mixed } K = Mixed;
  std::vector<const Statement *> Parts; // of OneLoop and OnlyLoops: the loop constructs
};
RegionShape shapeOf(const Statement &Body);

/// The first loops of a nest, Count of them if they are nested in nothing but blocks.
std::vector<const Statement *> nestOf(const Statement &Body, unsigned Count);

} // namespace place::acc

#endif
