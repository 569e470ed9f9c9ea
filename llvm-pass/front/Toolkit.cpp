//===- Toolkit.cpp - The CUDA toolkit that clang takes ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Toolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace place {

// <toolkit>/nvvm/libdevice/libdevice.10.bc, <toolkit>/include/cuda.h, <toolkit>/bin/ptxas
static SmallString<256> inToolkit(StringRef LibDevice, StringRef Folder, StringRef Name) {
  SmallString<256> Path(LibDevice);
  for (int Up = 0; Up < 3; ++Up)
    sys::path::remove_filename(Path);
  sys::path::append(Path, Folder, Name);
  return Path;
}

unsigned cudaVersionOf(StringRef LibDevice) {
  auto Read = MemoryBuffer::getFile(inToolkit(LibDevice, "include", "cuda.h"));
  if (!Read)
    return 0;
  StringRef Version = (*Read)->getBuffer().split("#define CUDA_VERSION ").second.ltrim();
  unsigned Number = 0;
  return Version.consumeInteger(10, Number) ? 0 : Number;
}

std::string toolOf(StringRef LibDevice, StringRef Name) {
  SmallString<256> Path = inToolkit(LibDevice, "bin", Name);
  if (sys::fs::can_execute(Path))
    return Path.str().str();
  ErrorOr<std::string> Found = sys::findProgramByName(Name);
  return Found ? *Found : "";
}

} // namespace place
