//===- Parser.h - From tokens to the tree of a directive ---------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_PARSER_H
#define PLACE_ACC_PARSER_H

#include "Tree.h"
#include <optional>

namespace place::acc {

/// Reads the tokens of one line behind `#pragma acc`. Nothing if the directive is wrong, which has then been reported at the token
/// that is.
std::optional<Directive> parseDirective(TokenRange Line, clang::SourceLocation At, clang::SourceLocation End, Reporter Report);

/// Leaves the clauses that hold for the device compiled for: those before any device_type, those of device_type(*), and those of
/// device_type(nvidia); a more special one replaces others of its kind.
void selectDevice(Directive &D);

} // namespace place::acc

#endif
