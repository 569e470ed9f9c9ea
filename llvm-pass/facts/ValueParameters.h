//===- ValueParameters.h - Scalars that nothing but values depends on -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_VALUE_PARAMETERS_H
#define PLACE_VALUE_PARAMETERS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
} // namespace llvm

namespace place {

/// The scalar parameters of a kernel, 0 the first after the launch environment, on which no branch, address or call in it depends: launches that
/// differ by them alone do the same work, as the steps of a simulation do whose time step is one.
llvm::SmallVector<unsigned, 4> valueParameters(const llvm::Function &Kernel);

} // namespace place

#endif
