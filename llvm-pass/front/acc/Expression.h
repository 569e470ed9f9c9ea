//===- Expression.h - What looks like an expression --------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang checks every expression that reaches the OpenMP made of a directive. Some clauses are hints that nothing is made of: their
// expressions are checked here, by form alone, so that no nonsense passes in silence.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_EXPRESSION_H
#define PLACE_ACC_EXPRESSION_H

#include "Tree.h"

namespace place::acc {

/// Where the tokens stop looking like one expression: an index, Text.size() if something is missing at the end; -1: well formed.
long malformedExpression(TokenRange Text);

/// The same for a variable of a list: a name, members, subscripts and sections.
long malformedVariable(TokenRange Text);

/// Index behind the bracket that closes the one at Open; Text.size() if there is none.
size_t behindBracket(TokenRange Text, size_t Open);

/// Text cut at separators that stand in no brackets. A conditional's colon is no separator.
std::vector<TokenRange> split(TokenRange Text, clang::tok::TokenKind Separator);

} // namespace place::acc

#endif
