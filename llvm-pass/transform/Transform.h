//===- Transform.h - Steps from a kernel to a version -----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// A version is a copy of the kernel to which the steps of Transforms.def are applied, those that are part of it, in the order of
// that list. A new one is a file that defines it, and its line in the list.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_TRANSFORM_H
#define PLACE_TRANSFORM_H

#include "Clone.h"

#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace place {

/// What the runtime is to know of a version (include/place/version.h): Record.h makes it, Table.h prints it.
class VersionRecord {
public:
  enum : int8_t { Anywhere = -1, NotPlaceable = -2 };

  std::string Entry;
  place_role Role = PLACE_ROLE_PLAN;
  place_loop_form Loop = PLACE_LOOP_ORIGINAL;
  std::vector<int8_t> Space;       // by array: enum place_space, Anywhere or NotPlaceable
  std::vector<uint8_t> Route;      // by array: enum place_route; empty: as the spaces say
  std::optional<unsigned> Threads; // of a team; 0: as the original

  void key(llvm::StringRef Name, std::string Value) { Keys.emplace_back(Name.str(), std::move(Value)); }
  void need(place_need_kind Kind, unsigned Value = 0) { Needs.emplace_back(Kind, Value); }

  /// An expression as the value of a key: without blanks.
  static std::string expression(llvm::StringRef Text);

  /// "" without the key.
  std::string valueOf(llvm::StringRef Name) const;
  /// Whether it has no keys but these.
  bool hasOnly(llvm::ArrayRef<const char *> Names) const;
  bool needs(place_need_kind Kind) const;
  std::string needsText() const;

private:
  std::vector<std::pair<std::string, std::string>> Keys;
  std::vector<std::pair<place_need_kind, unsigned>> Needs;
};

struct Transform {
  /// Whether it is part of a version.
  bool (*IsPart)(const Version &V);
  /// Whether the kernel allows what the version asks of it; null: any kernel does.
  bool (*IsLegal)(const KernelSummary &K, const Version &V);
  /// What the launch must have, and what the runtime must know, where it is part of a version; null: nothing.
  void (*Describe)(const KernelSummary &K, const Version &V, VersionRecord &R);
  void (*Apply)(Clone &C);
  /// Adds versions worth having for its sake, with arrays where AsIs has them; null: it comes with others.
  void (*Propose)(const KernelSummary &K, llvm::ArrayRef<int8_t> AsIs, std::vector<Version> &Versions);
  /// Makes itself part of a version that differs from others by its spaces, where it is how such versions of the kernel carry out the
  /// iterations; null: it never is.
  void (*Accompany)(const KernelSummary &K, Version &V) = nullptr;
  /// As Propose, of versions that are listed before the usual one, since of versions alike the first is tried; null: there are none.
  void (*ProposeFirst)(const KernelSummary &K, llvm::ArrayRef<int8_t> AsIs, std::vector<Version> &Versions) = nullptr;
};

/// In the order that they are applied in.
llvm::ArrayRef<const Transform *> transforms();

/// Whether all parts of a version are legal.
bool isLegal(const KernelSummary &K, const Version &V);

#define PLACE_TRANSFORM(Name) extern const Transform Name##Transform;
#include "Transforms.def"
#undef PLACE_TRANSFORM

} // namespace place

#endif
