//===- RowLength.h - How long the rows of an array are -----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ROWLENGTH_H
#define PLACE_ROWLENGTH_H

#include <string>

namespace place {

struct KernelSummary;

/// Bytes of a row of the array, as an expression over the kernel's arguments: what most of its loads multiply a row's number by, where
/// that is an argument, as n in a[i * n + j]; empty: there is none. It says nothing of where the loads are, and may be wrong.
std::string rowBytes(const KernelSummary &K, int Array);

} // namespace place

#endif
