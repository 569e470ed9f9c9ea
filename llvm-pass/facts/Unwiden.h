//===- Unwiden.h - Counters of one width ---------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_UNWIDEN_H
#define PLACE_UNWIDEN_H

#include "llvm/ADT/SmallVector.h"

#include <utility>

namespace llvm {
class Function;
class Instruction;
class PHINode;
class Use;
class Value;
} // namespace llvm

namespace place {

/// Takes wide copies of loop counters out of a function for as long as it lives (Thaw.h), so that a loop has one counter; then the function is
/// as it was.
///
/// Where a counter of 32 bits is an index of 64 bits as well, LLVM may count with both, the wide one extended anew in each iteration, and
/// compare that:
///
///     wide = phi [extended start], [extended next]          wide = extended counter
///     exit = extended next > extended bound                 exit = next > bound, if that is not negative
class Unwiden {
public:
  explicit Unwiden(llvm::Function &F);
  ~Unwiden();
  Unwiden(const Unwiden &) = delete;
  Unwiden &operator=(const Unwiden &) = delete;

  bool changed() const { return !Made.empty(); }

private:
  struct Removed {
    llvm::Instruction *I, *Next; // Next: what it stood in front of
    llvm::SmallVector<llvm::Value *, 4> Operands;
  };

  void narrow(llvm::PHINode &Wide, llvm::PHINode &Counter);
  void narrowComparisons(llvm::Instruction &Extended);
  void replace(llvm::Instruction &Old, llvm::Instruction &New);
  void remove(llvm::Instruction &I);

  llvm::SmallVector<std::pair<llvm::Use *, llvm::Value *>, 8> Uses; // and what they were of
  llvm::SmallVector<Removed, 8> Without;
  llvm::SmallVector<llvm::Instruction *, 4> Made;
};

} // namespace place

#endif
