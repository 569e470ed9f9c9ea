//===- Spread.h - Loops of one level over the whole grid ---------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: `target parallel for` has one team, on one of the GPU's multiprocessors, and `target teams distribute` one thread a team, of the 32
// that an instruction is carried out for. Either way a program says that the loop's iterations may be carried out side by side, and if
// nothing in it looks at teams or threads, it cannot tell who does.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SPREAD_H
#define PLACE_SPREAD_H

#include "Version.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
} // namespace llvm

namespace place {

/// Rewrites the kernel of that name in a module that holds nothing but the kernel and what it calls, as the front end made them
/// (Isolate.h): its one loop, which hasLoopOfOneLevel (Mark.h) says it has, becomes a grid-stride loop (GridLoop.h), and isStrided
/// (Kernel.h) holds for it. A launch must have several threads, or teams: with one, a program knows that the iterations follow each other. Where
/// threads of a team shared them, it must have one team: each team carries out all of them. None: it has another form, and the module is of
/// no more use.
SpreadFrom spreadLoop(llvm::Module &One, llvm::StringRef Kernel, llvm::FunctionAnalysisManager &FAM);

} // namespace place

#endif
