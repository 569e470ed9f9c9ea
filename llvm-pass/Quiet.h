//===- Quiet.h - What LLVM says of versions ---------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's remarks, and its warnings of what it could not do ("loop not vectorized"), are about a function at a line. A kernel's versions, and
// the copies that pipelines of their own are run on, are other functions at the same lines, so that the user would read each sentence
// several times. What LLVM says of them is left out; records (-fsave-optimization-record), which name functions, have all.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_QUIET_H
#define PLACE_QUIET_H

namespace llvm {
class LLVMContext;
} // namespace llvm

namespace place {

/// From now on, until the compiler takes its handler of diagnostics back.
void quietVersions(llvm::LLVMContext &C);

/// While it lives, what is said of any function counts as said of a copy. Only one thread may have one.
class AllAreCopies {
public:
  AllAreCopies();
  ~AllAreCopies();
  AllAreCopies(const AllAreCopies &) = delete;
  AllAreCopies &operator=(const AllAreCopies &) = delete;
};

} // namespace place

#endif
