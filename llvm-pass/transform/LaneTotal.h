//===- LaneTotal.h - Adding up what lanes have ------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_LANE_TOTAL_H
#define PLACE_LANE_TOTAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallInst;
class Function;
class GlobalVariable;
class Module;
class Type;
class Value;
} // namespace llvm

namespace place {

class ElementCalls;

/// What clang's function of a reduction, which adds arrays of so many elements to others, does with their first elements: void (ptr to
/// pointers to where the result goes, ptr to pointers to what is added). Shuffle: clang's function that calls that. Null: it has another form.
llvm::Function *elementOperator(llvm::Function &Shuffle, llvm::ArrayRef<llvm::Type *> Types, unsigned Lanes, ElementCalls &Calls);

/// Room in shared memory for so many bytes of each of so many threads.
llvm::GlobalVariable *roomForElements(llvm::Module &M, unsigned Threads, uint64_t BytesOfThread);

/// What the elements of a reduction are, by array.
struct LaneElements {
  llvm::ArrayRef<llvm::Type *> Types;
  unsigned Lanes = 1;
  llvm::Function *Operator = nullptr;
  llvm::GlobalVariable *Room = nullptr; // for all elements of so many threads, a multiple of Lanes
  unsigned Threads = 0;
  unsigned Most = 0;                    // threads of a team
};

/// In front of a call by all threads of a team: threads below Lanes come to what the team's threads of the same lane have. Mine: pointers to a
/// thread's own elements; List: of those pointers. Returns whether the thread is one of these, as an i1.
llvm::Value *addInTeam(llvm::CallInst &Before, const LaneElements &E, llvm::Value *List, llvm::ArrayRef<llvm::Value *> Mine);

/// A function for all threads of all teams: void (kernel's first argument; for each array, pointers to where the team's result is and to where
/// the whole one goes). OfTeam: a team's threads have one array of results; else threads below Lanes have an element each.
llvm::Function *lanesFinish(llvm::Module &M, const LaneElements &E, bool OfTeam);

} // namespace place

#endif
