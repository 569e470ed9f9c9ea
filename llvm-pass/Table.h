//===- Table.h - The region table -------------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_TABLE_H
#define PLACE_TABLE_H

#include "Version.h"

namespace place {

/// The text of a region, and of a whole table with its checksum (include/place/region.h).
std::string regionText(const KernelSummary &K, llvm::ArrayRef<Version> Versions);
std::string tableText(llvm::StringRef Regions);

/// A version's line, for a region's text to which it is added.
std::string versionText(const KernelSummary &K, const Version &V);

/// Emits the region table of the module.
void emitTable(llvm::Module &M, llvm::StringRef Text);

/// Whether the module has a region table, and so has been worked on.
bool hasTable(const llvm::Module &M);

} // namespace place

#endif
