//===- Expr.h - Scalar evolutions as text of include/place/expr.h -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_EXPR_TEXT_H
#define PLACE_EXPR_TEXT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Instruction;
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

/// Those of the numbered loops that L, which may be null, lies in, L included. An iteration number means something in these only;
/// scalar evolution also names loops that have ended, whose values are used behind them.
llvm::DenseMap<const llvm::Loop *, int> enclosingLoops(const llvm::Loop *L, const llvm::DenseMap<const llvm::Loop *, int> &Numbers);

/// Writes the scalar evolution S of a kernel. Loops maps the loops around S to their numbers in the region table; a value that
/// depends on another loop is 'any'.
ExprText exprText(const llvm::SCEV *S, llvm::ScalarEvolution &SE, const llvm::DenseMap<const llvm::Loop *, int> &Loops);

/// Bits of an integer; 0: it is none.
unsigned widthOf(const llvm::Value *V);

/// Which special register a value reads: "tid", "team", "threads", "teams", or null.
const char *specialRegister(const llvm::Value *V);
bool isRegister(const llvm::Value *V, llvm::StringRef Name); // whether it is the one of that name
bool isThreadNumber(const llvm::Value *V); // "tid", or that widened

/// Whether a value is computed from an instruction of a kind, itself included.
bool dependsOn(const llvm::Value *Root, llvm::function_ref<bool(const llvm::Instruction &)> IsOfKind);

/// Whether a value is computed from a register whose name begins so; from any, if that is empty.
bool dependsOnRegister(const llvm::Value *Root, llvm::StringRef Prefix = "");

} // namespace place

#endif
