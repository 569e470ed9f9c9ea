//===- Independence.h - Whether a loop's iterations are independent -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inside `kernels` a compiler may run a loop in parallel if it can prove that it makes no difference. Here that is proven from the
// source alone, for the plain case: every array that is written is known to overlap no other, each access of it has the same subscripts,
// and one of them is the counter itself.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_INDEPENDENCE_H
#define PLACE_ACC_INDEPENDENCE_H

#include "Symbols.h"

namespace place::acc {

enum class Dependence {
  None,    // proven independent
  Carried, // an iteration reads what another writes
  Unknown
};

/// Of the outermost loop, For.
Dependence dependenceOf(const Statement &For, const Symbols &Table);

} // namespace place::acc

#endif
