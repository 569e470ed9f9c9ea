//===- Rules.h - Which clauses may stand where -------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_RULES_H
#define PLACE_ACC_RULES_H

#include "Tree.h"

namespace place::acc {

/// Whether the directive, with both its halves if it is combined, takes such a clause.
bool takes(const Directive &D, ClauseKind Kind);

/// Clauses that repeat, contradict each other, or are missing. False: reported as an error.
bool checkDirective(const Directive &D, Reporter Report);

} // namespace place::acc

#endif
