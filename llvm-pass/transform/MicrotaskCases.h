//===- MicrotaskCases.h - Numbers of arguments that no region has --*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_MICROTASK_CASES_H
#define PLACE_MICROTASK_CASES_H

#include "llvm/IR/PassManager.h"

namespace place {

/// The device runtime begins a parallel region by a call with as many arguments as the outlined region takes: a case for each number
/// from 0 to 64, four times over, 13,000 instructions that every pass before inlining walks, openmp-opt's among them. Drops the cases of
/// numbers that no call passes. Inlining does so where clang is left alone: what comes out is the same. Not where the function may stay
/// (a region within a region), a caller may be elsewhere or a number is unknown.
struct MicrotaskCasesPass : llvm::PassInfoMixin<MicrotaskCasesPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace place

#endif
