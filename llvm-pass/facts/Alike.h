//===- Alike.h - Iterations that several threads carry out ------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where rows are few, a thread for each fetches too little at a time. More threads to a row fetch more: they go the way of the row's own, to the
// same barriers, but leave out the strips of its loops (Strip.cpp), and what they come to is thrown away.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ALIKE_H
#define PLACE_ALIKE_H

#include "llvm/ADT/ArrayRef.h"

namespace place {

class Body;
struct StripLoop;

/// Whether several threads may go the way of the same iterations of a body if one of them alone stores: nothing else has an effect, and neither what
/// the loops in Strips come to, nor what is read from memory that iterations write (before or after another thread's store), decides where a
/// thread goes or which memory it accesses.
bool mayBeAlike(const Body &T, llvm::ArrayRef<StripLoop> Strips);

} // namespace place

#endif
