//===- SpreadSums.h - Sums by all threads of the grid -------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `target teams distribute reduction`: each team's one thread has a partial result, of which the device runtime forms the whole.
// `target parallel for reduction`: each thread of the one team has one. Where all threads of the grid take iterations, each of them has a
// partial result; teams form theirs first, and the last team the whole (Finish.h).
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SPREAD_SUMS_H
#define PLACE_SPREAD_SUMS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class CallInst;
class DominatorTree;
class Function;
class Loop;
class Module;
class StoreInst;
} // namespace llvm

namespace place {

/// The end of the function's reduction, behind its one loop. Only set where each thread may have variables of its own for what is
/// reduced: they get their first values in front of the loop, and only the loop, and the thread that has the result, do more with them.
struct GridSums {
  llvm::CallInst *Finish = nullptr;         // of the runtime's function for teams, or for the threads of one
  const llvm::BasicBlock *Result = nullptr; // entered by the thread that has the result
  llvm::SmallVector<const llvm::StoreInst *, 4> Firsts; // write first values
};

/// Init: shares the loop's iterations out. Returns false if there is a reduction that has another form. None: Finish is null.
bool findGridSums(llvm::CallInst &Init, const llvm::Loop &L, const llvm::DominatorTree &DT, GridSums &Found);

/// All threads of the grid come to the end of the module's one reduction, in an SPMD kernel: they form their team's partial result first,
/// which goes to the buffer that the kernel's environment asks for. What is called to that end becomes part of the kernel. Returns false if
/// it cannot; the module is of no more use then.
bool sumByGrid(llvm::Module &One, llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM);

} // namespace place

#endif
