//===- Expr.h - Scalar evolutions as text of include/place/expr.h -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_EXPR_TEXT_H
#define PLACE_EXPR_TEXT_H

#include "llvm/ADT/DenseMap.h"
#include <string>

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace place {

/// An expression as text, and what it depends on.
struct ExprText {
  std::string Text;    // empty: cannot be expressed
  bool Known = true;   // free of 'any'
  bool UsesLane = false, UsesTeam = false, UsesLoop = false;
  const llvm::Value *Unknown = nullptr; // one of the values behind 'any'
};

/// Writes the scalar evolution S of a kernel. Loops maps each loop of the kernel to its number in the region table.
ExprText exprText(const llvm::SCEV *S, llvm::ScalarEvolution &SE, const llvm::DenseMap<const llvm::Loop *, int> &Loops);

/// Which special register a value reads: "tid", "team", "threads", "teams", or null.
const char *specialRegister(const llvm::Value *V);

} // namespace place

#endif
