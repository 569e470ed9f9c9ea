//===- OwnImage.h - Versions in a device image of their own -----*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions are several times the code of the program's own kernels. So those of a translation unit are assembled by themselves and packed
// (include/place/packed.h); the unit's own module is left with what plain clang makes of it, the region table, and one byte array. The
// runtime unpacks the image and registers it beside the program's.
//
// What may move: versions that reach nothing of which there must be one in the program. A variable of the program, a function of
// another file or one called through a pointer keeps the versions of the kernels that use it where they are. The device runtime's own state may be there twice: clang links its
// bitcode into each unit, so that no kernel shares it with those of another.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_OWNIMAGE_H
#define PLACE_OWNIMAGE_H

#include "Assemble.h"

namespace llvm {
class Module;
} // namespace llvm

namespace place {

/// The one of this compiler process; empty where IR is all that is asked for, or no assembler is known.
Assembler &assembler();

/// Moves the versions of M, whose table has been emitted, to an image of their own as far as they may, and packs it. At the end of M's pipeline, of
/// which nothing but GlobalDCE follows. What the assembler refuses is left out: with it, the program could not be built. Returns whether it moved any.
bool moveVersions(llvm::Module &M, const Assembler &Assemble);

} // namespace place

#endif
