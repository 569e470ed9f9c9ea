//===- TeamSize.h - Teams of a size that the source asks for ----*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#pragma place team(N)`: the copy of a kernel that is optimised alone (Isolate.h) is made one that the program compiled for teams of N
// threads, before anything is known of a thread's number in it. All that is made of the copy then is for such teams.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_TEAMSIZE_H
#define PLACE_TEAMSIZE_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// Makes a kernel that asks for it one of such teams. Of partial results the number of threads shapes sums: SumsByItself says that the
/// kernel's do not depend on it, as in a grid-stride loop.
void setTeam(llvm::Function &Kernel, bool SumsByItself);

/// Makes a kernel one that the program compiled for teams of so many threads. False: it has no environment, and stays as it is.
bool limitThreads(llvm::Function &Kernel, unsigned Threads);

/// Keeps the optimiser from using how many threads a team has, for versions with others (Rows.h). The environment says it still.
void leaveTeamOpen(llvm::Function &Kernel);

} // namespace place

#endif
