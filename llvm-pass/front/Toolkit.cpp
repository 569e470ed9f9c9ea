//===- Toolkit.cpp - The CUDA toolkit that clang takes ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Toolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace place {

// <toolkit>/nvvm/libdevice/libdevice.10.bc and <toolkit>/include/cuda.h
unsigned cudaVersionOf(StringRef LibDevice) {
  SmallString<256> Header(LibDevice);
  for (int Up = 0; Up < 3; ++Up)
    sys::path::remove_filename(Header);
  sys::path::append(Header, "include", "cuda.h");
  auto Read = MemoryBuffer::getFile(Header);
  if (!Read)
    return 0;
  StringRef Version = (*Read)->getBuffer().split("#define CUDA_VERSION ").second.ltrim();
  unsigned Number = 0;
  return Version.consumeInteger(10, Number) ? 0 : Number;
}

} // namespace place
