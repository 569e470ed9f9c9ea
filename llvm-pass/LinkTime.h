//===- LinkTime.h - Versions in files that are optimised when linked -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -foffload-lto (and -fopenmp-target-jit) device code leaves the compile as bitcode, optimised for the first half; the device
// runtime joins it, and the rest is done, where no plugin of clang's is loaded. So versions are made in a copy of the file's module
// as the front end made it, which gets the device runtime and the whole pipeline at once, as any file does without -foffload-lto,
// and join the module where its own half ends. The link then optimises them once more, beside the originals, which it makes as
// without place.
//
// What another file defines is unknown in the copy, and may ask the device runtime that the link brings; versions have one of their
// own. Kernels that call into other files are left alone.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_LINKTIME_H
#define PLACE_LINKTIME_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace place {

/// The passes for a file whose device runtime is in the bitcode file options().DeviceRuntime.
void registerLinkTime(llvm::PassBuilder &PB);

} // namespace place

#endif
