//===- Again.h - Modules that a later step of clang optimises again -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -save-temps clang writes what it parsed as bitcode, and optimises it in a process of its own, in which front-end plugins are
// not called. So that the one flag does, the device module is optimised, and its versions are made, where it is parsed. The later
// process runs its pipeline over the result.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_AGAIN_H
#define PLACE_AGAIN_H

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace place {

/// Has openmp-opt leave the module alone: it looks at modules with clang's flags only, which are taken from this one.
void tellOpenMPDone(llvm::Module &M);

/// The same from the end of this pipeline on: it has done its work, and takes barriers of kernels that
/// were rebuilt without the device runtime for superfluous (BarriersKept in Isolate.cpp).
void registerOpenMPDone(llvm::PassBuilder &PB);

} // namespace place

#endif
