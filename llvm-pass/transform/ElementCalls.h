//===- ElementCalls.h - Calls that work on single objects -------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a class, `sums[j] += a[i]` is a call. In front end's form it stays one, and what looks for an element that is loaded, added to and stored is to
// know that the call does as much: that it reads and writes the objects that its arguments lead to, and nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ELEMENT_CALLS_H
#define PLACE_ELEMENT_CALLS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace place {

/// What a call reads, or reads and writes: so many bytes at most from where the pointer leads.
struct TouchedObject {
  llvm::Value *Pointer = nullptr;
  uint64_t Bytes = 0;
  bool IsWritten = false;
};

/// What calls touch. Remembers functions: none may change while this is in use.
class ElementCalls {
public:
  using Objects = llvm::SmallVector<TouchedObject, 4>;

  /// For a call of a function with a body, or a copy of memory (memcpy, memmove, memset) of constant length: all that it touches, if it does
  /// nothing else and keeps no address; where a call's result leads, there only copies read. Nothing: it is a marker (of lifetimes, for debuggers),
  /// or accesses no memory. None: more than that, or it is not known.
  std::optional<Objects> touched(const llvm::CallBase &Call);

  /// What is known of a function.
  struct Effect {
    Objects ByArgument;                      // from where the argument leads
    llvm::SmallVector<unsigned, 2> Returned; // the arguments that the result may be; empty: not known
  };

private:
  const Effect *effectOf(const llvm::CallBase &Call);
  std::optional<Objects> touchedByCopy(const llvm::CallBase &Copy);

  llvm::DenseMap<const llvm::Function *, std::optional<Effect>> Known;
};

/// Inlines everything that a function calls. What it leaves to the device runtime, in case other threads are told of it, becomes a variable of
/// its own: nothing may keep an address. False: it cannot, and has done a part of it.
bool inlineElementCalls(llvm::Function &F);

} // namespace place

#endif
