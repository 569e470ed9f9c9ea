//===- GuardedWrites.h - What one thread writes for its team -----*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: where openmp-opt turns a generic kernel into an SPMD one, all threads carry out what was the main thread's alone, and what it wrote is
// guarded:
//
//   x = load p; if (thread == 0) store x + 1, p; barrier
//
// LLVM 19 has no barrier in front: thread 0 may have written before another thread has read, which goes on with another x then, into another
// branch. Copies of generic kernels get that barrier.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_GUARDED_WRITES_H
#define PLACE_GUARDED_WRITES_H

namespace llvm {
class AAResults;
class Function;
class Module;
} // namespace llvm

namespace place {

/// Whether the program has threads of a team wait for each other, by a barrier or at the end of a loop that they share: to be asked of a kernel's
/// module as the front end made it. Only some threads may come to such a barrier.
bool hasOwnBarriers(const llvm::Module &M);

enum class GuardsMade { Unchanged, Changed, CannotTell };

/// Of each `if (thread == 0)` that a barrier ends: what thread 0 alone needs is read inside; and where all threads may have read, since the last
/// barrier, what is written inside, there is one in front of it. OwnBarriers: the latter may be the program's guard, in front of which not all threads
/// come by; then CannotTell, and the kernel must not be used.
GuardsMade makeGuardsWait(llvm::Function &F, llvm::AAResults &AA, bool OwnBarriers);

} // namespace place

#endif
