//===- Table.h - The region table -------------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_TABLE_H
#define PLACE_TABLE_H

#include "Transform.h"

namespace place {

/// The text of a region, and of a whole table with its checksum (include/place/region.h).
std::string regionText(const KernelSummary &K, llvm::ArrayRef<VersionRecord> Versions);
std::string tableText(llvm::StringRef Regions);

/// Versions' lines, for a region's text to which they are added.
std::string versionTexts(llvm::ArrayRef<VersionRecord> Versions);

/// Emits the region table of the module, of its regions' texts; prints it if that is asked for.
void emitTable(llvm::Module &M, const std::string &Regions);

/// Whether the module has a region table, and so has been worked on.
bool hasTable(const llvm::Module &M);

} // namespace place

#endif
