//===- FarAngles.h - Angles far from zero, out of line ------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: sinf, cosf, sincosf and tanf of libdevice reduce an angle in six instructions, and in a hundred where it is 105,615 or more. Few programs
// have such angles, but the hundred stand wherever the function is called: blocks of several iterations are too large to be made, and a loop
// keeps its pointers in no registers. Out of line they cost a call's conventions, which a loop is worth (mri-q on an H200 1.17 ms before, 0.96
// with one iteration a thread, 0.91 in blocks), and one angle an iteration is not (0.101 for 0.095).
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_FARANGLES_H
#define PLACE_FARANGLES_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace place {

/// Whether Kernel calls, itself or through others of its module, a function of libdevice that reduces angles so, and one is called in a loop of an
/// iteration, in code as the front end made it.
bool reducesAngles(const llvm::Function &Kernel);

/// Before the pipeline: the reduction of such angles becomes a function of its own, which is not inlined, if one is called in a loop.
void reduceFarAnglesApart(llvm::Module &One);

} // namespace place

#endif
