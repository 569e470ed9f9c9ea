//===- Examine.h - A kernel's summary, and the versions worth having *- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_EXAMINE_H
#define PLACE_EXAMINE_H

#include "Version.h"

namespace place {

struct LeanKernel;

/// A kernel's summary, and its versions. As long as the kernel is not changed.
struct Examined {
  KernelSummary K;
  std::vector<Version> Versions;

  bool hasLoopForms() const {
    return llvm::any_of(Versions, [](const Version &V) { return V.hasLoopForm(); });
  }
};

/// The summary of a kernel, and the versions worth having of it. Alone: it is optimised in a module of its own (Isolate.h). Lean: it was
/// rebuilt without the device runtime, or null.
Examined examine(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, bool Alone = false, const LeanKernel *Lean = nullptr);

/// If there are no versions, the summary says why.
void explain(KernelSummary &K, llvm::ArrayRef<Version> Versions);

/// The summary, if the user asks to see it.
void tell(const KernelSummary &K);

} // namespace place

#endif
