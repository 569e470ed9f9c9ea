//===- Regions.h - Every kernel of a module with its versions ---*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_REGIONS_H
#define PLACE_REGIONS_H

#include "Isolate.h"
#include "Transform.h"

namespace place {

/// What the region table will say of a kernel whose versions are made. Some are in modules that wait to be linked back.
struct Region {
  std::string Text;
  std::string Part;    // without which Text is not true, as Isolation::linkBack names it; empty: none
  std::string Without; // in place of Text then
  struct Addition {
    std::string Part;
    std::vector<VersionRecord> Versions;
  };
  std::vector<Addition> More; // to Text

  /// LeftOut: by Isolation::linkBack.
  std::string text(llvm::ArrayRef<std::string> LeftOut) const;
};

/// Makes the versions of the kernels that are worth having.
std::vector<Region> makeRegions(Isolation &Alone, llvm::ArrayRef<llvm::Function *> Kernels, llvm::FunctionAnalysisManager &FAM);

} // namespace place

#endif
