//===- Carried.h - Values that go from iteration to iteration ----*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable that is private to a thread keeps what an iteration leaves in it for the thread's next one:
//
//   #pragma omp target teams distribute firstprivate(p)
//   for (i = 0; i < n; i++) { p += 3; a[i] = p; }
//
// Whoever looks at such a value looks at which iterations a thread has. Where the schedule is written out, that is known.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CARRIED_H
#define PLACE_CARRIED_H

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace place {

/// Whether the loop that a call of __kmpc_for_static_init_* or __kmpc_distribute_static_init_* shares out reads, in code as the front end made
/// it, a scalar of the thread's own that has a value from before the loop, and that an earlier iteration may have written. What is reduced,
/// and the loop's own counters, are none such.
bool carriesValues(const llvm::CallBase &Share);

/// Whether any such loop of the module does.
bool anyCarriesValues(const llvm::Module &M);

} // namespace place

#endif
