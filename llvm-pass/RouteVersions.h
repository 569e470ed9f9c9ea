//===- RouteVersions.h - Versions with cache operators ----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ROUTEVERSIONS_H
#define PLACE_ROUTEVERSIONS_H

#include "Version.h"

namespace place {

/// Gives the routes that the source asks for to a version.
void giveAskedRoutes(const KernelSummary &K, Version &V);

/// The same for all versions of a kernel; and adds, where the option `routes` says so, versions that differ from the first one with everything in
/// global memory by nothing but routes.
void addRoutes(const KernelSummary &K, std::vector<Version> &Versions);

} // namespace place

#endif
