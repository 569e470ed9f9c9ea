//===- Mapping.h - Data clauses as OpenMP maps -------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_MAPPING_H
#define PLACE_ACC_MAPPING_H

#include "Symbols.h"

namespace place::acc {

/// One variable of a data clause.
struct Mapping {
  enum Kind { ToFrom, To, From, Alloc, Present, NoCreate, Release, Delete, Attach, Detach } K;
  const Item *What;
  Symbol S;
  bool Zero = false; // cleared on the device if it was not there before
  bool Rows = false; // a[0:n][0:m] of pointers: each row is a mapping of its own
  std::string Alias = {}; // a local pointer to map what a structure's member points to without the structure

  llvm::StringRef mapType() const;
};

/// The mappings of a directive. A variable in copyin and copyout, or in create(zero:) and copyout, is one of them.
std::vector<Mapping> mappingsOf(const Directive &D, const Symbols &S, const SymbolMap &Declared);

/// Gives each section of a structure's member whose structure the directive does not map itself the name of a local pointer.
void aliasMembers(std::vector<Mapping> &All);

/// Names that a directive's data clauses make visible to what is inside.
Names visibleNames(const Directive &D);
/// First names in the clauses of one kind.
Names namesIn(const Directive &D, ClauseKind Kind);

/// The subscripts and sections at an item's end, from the first one on: [0:n] and [0:m] of s.a[0:n][0:m].
struct Section {
  TokenRange Base;                // s.a
  std::vector<TokenRange> Bounds; // without brackets
  TokenRange start(size_t I) const; // empty: 0
  TokenRange count(size_t I) const; // empty: to the end; of [i]: empty, too
  bool isRange(size_t I) const;
};
Section sectionOf(TokenRange Item);
/// Whether an item is p[0:n] of a pointer p.
bool isPointersSection(const Item &I, const Symbol &S);

} // namespace place::acc

#endif
