//===- ReducedArray.h - Arrays of a reduction in front end's form -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang makes of a reduction of arrays, on each of the two levels, in a parallel region and over teams:
//
//   for (p = array; p != array + N; ++p) *p = neutral
//   list[] = {array}                                                 pointers to all arrays of the reduction
//   if (reduce(list, ...) == 1)
//     for (d = variable, p = array; d != variable + N; ++d, ++p) *d = *d op *p
//
// Of a class, neutral elements are set and added by calls (ElementCalls.h).
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_REDUCED_ARRAY_H
#define PLACE_REDUCED_ARRAY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class Argument;
class CallBase;
class CallInst;
class DominatorTree;
class Function;
class GetElementPtrInst;
class Instruction;
class PHINode;
class StoreInst;
class Type;
class User;
class Value;
} // namespace llvm

namespace place {

class ElementCalls;

/// The stores that put pointers into a list in F, each in a place of its own; empty: they are not known.
llvm::SmallVector<llvm::StoreInst *, 4> namedBy(llvm::Value *List, llvm::Function &F);

/// The loop that adds an array to a variable.
struct Addition {
  llvm::PHINode *To = nullptr, *From = nullptr; // d and p
  llvm::Value *Variable = nullptr;              // where d begins
  llvm::GetElementPtrInst *End = nullptr;       // where it ends
  llvm::Type *Ty = nullptr;                     // of an element
};

/// What is done where a call returns 1, if that is nothing but such loops, of that many elements, one for each array that is named; else empty.
llvm::SmallVector<Addition, 4> additionsBehind(llvm::CallInst &Call, llvm::ArrayRef<llvm::StoreInst *> Named, unsigned Elements,
                                               const llvm::DominatorTree &DT, ElementCalls &Calls);

/// Whether a call touches nothing but variables of its function's own, and one element each of arrays that are stepped through; of these it
/// may write where MayWrite holds of what steps.
bool isOnElements(const llvm::CallBase &Call, ElementCalls &Calls, llvm::function_ref<bool(const llvm::PHINode &)> MayWrite);

/// A thread's own array, of which one element may be left.
class OwnArray {
public:
  /// Used: what leads to that element, beside what is shown above. Added: p of the loop that adds the array to a variable.
  OwnArray(llvm::AllocaInst &A, unsigned Count, llvm::ArrayRef<llvm::GetElementPtrInst *> Used, const llvm::PHINode *Added, ElementCalls &Calls)
      : A(&A), Count(Count), Used(Used), Added(Added), Calls(&Calls) {}

  /// Whether nothing else is done with it, but that its address is stored.
  bool isShrinkable();

  /// Returns what the array becomes: the element of a thread's number in its team modulo Count. Elements by which neutral ones are set are those
  /// of whole arrays, or, with OriginalsToo, of such as have become one element themselves.
  llvm::AllocaInst *shrink(bool OriginalsToo);

  /// What steps through arrays by whose elements neutral ones are set.
  llvm::ArrayRef<llvm::PHINode *> originals() const { return Originals; }

private:
  bool allows(llvm::User *U, llvm::Value &Of);
  bool setsNeutral(const llvm::PHINode &P);
  void startAtOwn(llvm::PHINode &Original) const;

  llvm::AllocaInst *A;
  unsigned Count;
  llvm::ArrayRef<llvm::GetElementPtrInst *> Used;
  const llvm::PHINode *Added;
  ElementCalls *Calls;
  llvm::SmallVector<llvm::GetElementPtrInst *, 4> Ends;
  llvm::SmallVector<llvm::Instruction *, 2> Lifetimes;
  llvm::SmallVector<llvm::PHINode *, 2> Originals;
};

/// Whether nothing but those additions and steps, and distances, is made of an address.
bool isOnlyAddedTo(const llvm::Argument &Address, llvm::ArrayRef<Addition> All, llvm::ArrayRef<llvm::PHINode *> Steps);

} // namespace place

#endif
