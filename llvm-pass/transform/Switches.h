//===- Switches.h - Small switches in loops become selections ---*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   switch (y) { case '0': ++zeros; break; case '1': ++ones; }   ->   zeros = y == '0' ? zeros + 1 : zeros; ...
//
// LLVM makes a switch of comparisons one after the other, and the back end branches of it, at which a warp parts; and a loop of several blocks
// is one whose iterations ptxas does not overlap.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SWITCHES_H
#define PLACE_SWITCHES_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// Of switches in innermost loops, those with few cases that do nothing but compute a little.
void flattenSwitches(llvm::Function &F);

} // namespace place

#endif
