//===- Together.h - Iterations of a loop that are carried out together -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_TOGETHER_H
#define PLACE_TOGETHER_H

namespace llvm {
class Argument;
class BasicBlock;
class Function;
class TargetTransformInfo;
class Value;
} // namespace llvm

namespace place {

/// The kernel's argument that a pointer leads into, whichever way it came and wherever a loop has moved it; null: there is no one such.
const llvm::Argument *arrayOf(const llvm::Value *Pointer);

/// Repeats the body of a loop of one block so often that `Bytes` of an array are loaded in it (Unroll.h), and tells LLVM that what two of its
/// iterations access of arrays is not the same: they are iterations of a loop that the source shares out, which threads of their own could carry
/// out at the same time. So the next one's loads need not wait for this one's stores. Other loops are left for LLVM to unroll.
void carryOutTogether(llvm::Function &F, llvm::BasicBlock &Body, unsigned Bytes, const llvm::TargetTransformInfo &TTI);

} // namespace place

#endif
