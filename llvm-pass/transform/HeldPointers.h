//===- HeldPointers.h - Where pointers lead that are variables --*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As the front end made it, a function keeps its arguments, and what it makes of addresses, in variables: a pointer is loaded from one before it is
// used. Where such a variable is given one value and its address goes nowhere, a load of it is that value.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_HELD_POINTERS_H
#define PLACE_HELD_POINTERS_H

#include "llvm/ADT/SetVector.h"

namespace llvm {
class AllocaInst;
class Instruction;
class Value;
} // namespace llvm

namespace place {

/// The only value that a variable is given; null if there are several, or something else may give it one.
llvm::Value *onlyStored(llvm::AllocaInst &Variable);

/// What a pointer leads into.
llvm::Value *objectOf(llvm::Value *Pointer);

/// The thread's variable that a pointer leads into; null: memory that others may see.
llvm::AllocaInst *variableOf(llvm::Value *Pointer);

/// Whether a pointer may lead into a variable that is not known: it is chosen among several, or kept in a variable that has several.
bool mayBeVariable(llvm::Value *Pointer);

/// What an address was made of that is kept in variables which are given one value, or is moved by no element.
llvm::Value *originOf(llvm::Value *Pointer);

/// Whether a pointer is an array's begin. Where the program names a section of an array, clang counts the elements in front of it as the
/// distance between two pointers, though there be none.
bool isBegin(llvm::Value *Pointer, const llvm::AllocaInst &A);

/// What is made of a variable's address, also where it is kept in a variable of its own; stores to it are left out.
void findUses(llvm::Value &Address, llvm::SetVector<llvm::Instruction *> &Found);

} // namespace place

#endif
