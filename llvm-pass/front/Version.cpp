//===- Version.cpp - Which LLVM the plugin was loaded into --------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Loader.h"

#include "llvm/Config/llvm-config.h"

#include <cstdio>
#include <dlfcn.h>

// Of LLVM's C interface, which stays; null before LLVM 16.
static unsigned majorVersion() {
  unsigned Major = 0, Minor, Patch;
  if (void *Get = dlsym(RTLD_DEFAULT, "LLVMGetVersion"))
    reinterpret_cast<void (*)(unsigned *, unsigned *, unsigned *)>(Get)(&Major, &Minor, &Patch);
  return Major;
}

bool place::isOurLLVM() {
  static const unsigned Major = majorVersion();
  static bool Said = Major == LLVM_VERSION_MAJOR;
  if (!Said && Major)
    fprintf(stderr, "place: libplace.so is for clang and LLVM %d; this is version %u, which compiles as without it\n", LLVM_VERSION_MAJOR, Major);
  else if (!Said)
    fprintf(stderr, "place: libplace.so is for clang and LLVM %d; this is an older version, which compiles as without it\n", LLVM_VERSION_MAJOR);
  Said = true;
  return Major == LLVM_VERSION_MAJOR;
}
