//===- NoDeviceCode.cpp - Compiles that make no device code --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NoDeviceCode.h"
#include "Hints.h"
#include "Source.h"
#include "Toolkit.h"

#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace place {

void warnOfNoDevice(CompilerInstance &CI, SourceLocation Construct, SourceLocation Unread) {
  const LangOptions &Language = CI.getLangOpts();
  if (!Language.OpenMP && Unread.isInvalid() && !hintStore().unused().empty())
    Unread = hintStore().unused().front().At;
  if (!Language.OpenMP && Unread.isValid())
    warn(CI.getDiagnostics(), Unread, "place: compiled without OpenMP, so that target constructs and '#pragma place' have no effect; add -fopenmp and "
                                      "--offload-arch=sm_90, or what the GPU is, or -Wno-backend-plugin if that is meant");
  else if (Construct.isValid() && !Language.OpenMPIsTargetDevice && !Language.OpenMPSimd && Language.OMPTargetTriples.empty())
    warn(CI.getDiagnostics(), Construct, "place: target regions are compiled for the host alone, where place does nothing; add --offload-arch=sm_90, or "
                                         "what the GPU is");
}

void warnOfToolkit(CompilerInstance &CI, SourceLocation Construct) {
  unsigned Version = CI.getLangOpts().OpenMPIsTargetDevice && Construct.isValid() ? cudaVersionOf(options().LibDevice) : 0;
  std::string Name = std::to_string(Version / 1000) + "." + std::to_string(Version % 1000 / 10);
  if (Version >= FirstCudaNotLoaded)
    warn(CI.getDiagnostics(), Construct, "place: clang's CUDA toolkit is CUDA " + Name + ", whose device code libomptarget 19 cannot load: the program would "
                                         "see no device. Add --cuda-path=, with one of 11.8 to 12.x; place-cuda-toolkit gets it");
}

} // namespace place
