//===- Transform.cpp - Steps from a kernel to a version -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Transform.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace place {

ArrayRef<const Transform *> transforms() {
  static const Transform *const All[] = {
#define PLACE_TRANSFORM(Name) &Name##Transform,
#include "Transforms.def"
#undef PLACE_TRANSFORM
  };
  return All;
}

bool isLegal(const KernelSummary &K, const Version &V) {
  return all_of(transforms(), [&](const Transform *T) { return !T->IsPart(V) || !T->IsLegal || T->IsLegal(K, V); });
}

std::string VersionRecord::expression(StringRef Text) {
  std::string Value;
  copy_if(Text, std::back_inserter(Value), [](char C) { return C != ' '; });
  return Value;
}

std::string VersionRecord::valueOf(StringRef Name) const {
  auto It = find_if(Keys, [&](const auto &Key) { return Key.first == Name; });
  return It == Keys.end() ? "" : It->second;
}

bool VersionRecord::hasOnly(ArrayRef<const char *> Names) const {
  return all_of(Keys, [&](const auto &Key) { return is_contained(Names, StringRef(Key.first)); });
}

bool VersionRecord::needs(place_need_kind Kind) const {
  return any_of(Needs, [&](const auto &Need) { return Need.first == Kind; });
}

std::string VersionRecord::needsText() const {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const auto &[Kind, Value] : Needs) {
    OS << (Text.empty() ? "" : ",") << place_need_name(Kind);
    if (place_need_is_numbered(Kind))
      OS << ":" << Value;
  }
  return Text;
}

} // namespace place
