//===- Reason.h - Why something is left as it is ----------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_FACTS_REASON_H
#define PLACE_FACTS_REASON_H

#include "llvm/ADT/Twine.h"
#include <string>

#include "place/reason.h"

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// A line of include/place/reason.def, with its parameter; empty: nothing is in the way.
class Reason {
public:
  Reason() = default;
  Reason(place_reason Why, const llvm::Twine &Parameter = "") : Why(Why), Parameter(Parameter.str()) {}

  bool empty() const { return Why == PLACE_WHY_NONE; }
  place_reason why() const { return Why; }
  llvm::StringRef name() const { return place_reasons[Why].name; }
  llvm::StringRef parameter() const { return Parameter; }
  std::string text() const;  // the sentence
  std::string named() const; // the same with the reason's name behind it, for developers
  void clear() { *this = Reason(); }

  bool operator==(const Reason &Other) const { return Why == Other.Why && Parameter == Other.Parameter; }

private:
  place_reason Why = PLACE_WHY_NONE;
  std::string Parameter;
};

/// A function, or a symbol's name, as a programmer knows it: demangled, without parameters; the C library's for what clang makes of it.
std::string sourceName(const llvm::Function &F);
std::string sourceName(llvm::StringRef Symbol);

} // namespace place

#endif
