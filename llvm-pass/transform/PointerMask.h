//===- PointerMask.h - Aligned pointers that alias analysis is right about *- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: LLVM 19's alias analysis looks through llvm.ptrmask (__builtin_align_down) as if it changed nothing, and takes a load of the element
// itself for one of what stands at the aligned address below it (test/fuzz/found/align_down.c). Whether that is met depends on which
// passes run, so a kernel optimised alone could be wrong where the original is right.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_POINTER_MASK_H
#define PLACE_POINTER_MASK_H

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// p & mask becomes p - (p & ~mask), an offset that nothing is known of.
void spellPointerMasks(llvm::Function &F);

} // namespace place

#endif
