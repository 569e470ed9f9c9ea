//===- Rows.h - Teams of another size for nested loops ----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ROWS_H
#define PLACE_ROWS_H

#include "Clone.h"

namespace place {

/// Makes each warp of a clone's teams what the program takes for a team: with 32 threads, a number of its own, barriers and team
/// variables for itself. The clone's kernel was rebuilt without the device runtime, and nothing in it looks at teams or threads.
void makeWarpsTeams(Clone &C);

} // namespace place

#endif
