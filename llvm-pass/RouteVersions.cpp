//===- RouteVersions.cpp - Versions with cache operators --------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paper 002 chooses between L1 and past it for each load, from a profile, and compiles again. Here the compiler makes a few assignments
// that are worth a clone, by how arrays are read; which of them a launch is given, the runtime finds out (model `bypass`, docs/models.md),
// and what else that model would want is asked for in the source.
//
//===----------------------------------------------------------------------===//
#include "RouteVersions.h"
#include "BlockVersions.h"
#include "Source.h"
#include "Transform.h"
#include "Versions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace place {

namespace {

using Routes = std::vector<uint8_t>; // by array

Routes none(const KernelSummary &K) { return Routes(K.Arrays.size(), PLACE_ROUTE_DEFAULT); }

bool isAny(const Routes &R) {
  return any_of(R, [](uint8_t Route) { return Route != PLACE_ROUTE_DEFAULT; });
}

bool mayGo(const KernelSummary &K, size_t Array, place_route Route) {
  Version V;
  V.Route = none(K);
  V.Route[Array] = Route;
  return RouteTransform.IsLegal(K, V);
}

/// What the source asks for, as far as the target has it and the array allows it.
Routes askedRoutes(const KernelSummary &K) {
  Routes R = none(K);
  for (size_t N = 0; N < R.size(); ++N)
    if (int Asked = K.Arrays[N].Route; Asked >= 0 && mayGo(K, N, static_cast<place_route>(Asked)))
      R[N] = uint8_t(Asked);
  return R;
}

/// Which of an assignment's arrays go which way: the first route that there is for an array's.
struct Rule {
  place_route Streams[2], Others[2];
};

/// The likeliest first. What is read once shall not drive out what comes again; or everything that does; or everything (bypass-all,
/// cache-all: the paper's); or L2 is to fetch more, or less, of what lies beside.
const Rule Rules[] = {
    {{PLACE_ROUTE_NO_ALLOCATE, PLACE_ROUTE_CS}, {PLACE_ROUTE_DEFAULT}},
    {{PLACE_ROUTE_CG}, {PLACE_ROUTE_CG}},
    {{PLACE_ROUTE_EVICT_FIRST, PLACE_ROUTE_CS}, {PLACE_ROUTE_EVICT_LAST, PLACE_ROUTE_DEFAULT}},
    {{PLACE_ROUTE_DEFAULT}, {PLACE_ROUTE_NO_ALLOCATE, PLACE_ROUTE_CG}},
    {{PLACE_ROUTE_L2_256B, PLACE_ROUTE_L2_128B}, {PLACE_ROUTE_DEFAULT}},
    {{PLACE_ROUTE_DEFAULT}, {PLACE_ROUTE_L2_64B}},
    {{PLACE_ROUTE_CA}, {PLACE_ROUTE_CA}},
    {{PLACE_ROUTE_LU, PLACE_ROUTE_CS}, {PLACE_ROUTE_DEFAULT}},
};

Routes assign(const KernelSummary &K, const Rule &Rule, Routes Asked) {
  for (size_t N = 0; N < Asked.size(); ++N)
    for (place_route Route : isStreaming(K, int(N)) ? Rule.Streams : Rule.Others)
      if (Asked[N] == PLACE_ROUTE_DEFAULT && Route != PLACE_ROUTE_DEFAULT && mayGo(K, N, Route))
        Asked[N] = Route;
  return Asked;
}

bool isHost(const Version &V) {
  return V.isSpecial() && all_of(V.Space, [](int8_t S) { return S < 0 || S == PLACE_GLOBAL; });
}

/// A version with nothing of its own but its routes.
Version bare(const KernelSummary &K) {
  Version V;
  V.Space = allGlobal(K);
  V.Entry = (K.F->getName() + "_place").str();
  return V;
}

} // namespace

void giveAskedRoutes(const KernelSummary &K, Version &V) {
  if (Routes Asked = askedRoutes(K); isAny(Asked) && V.isSpecial())
    V.Route = std::move(Asked);
}

void addRoutes(const KernelSummary &K, std::vector<Version> &Versions) {
  Routes Asked = askedRoutes(K);
  for (Version &V : Versions)
    giveAskedRoutes(K, V);
  auto Found = find_if(Versions, isHost);
  const Version Host = Found == Versions.end() ? bare(K) : *Found;
  unsigned Left = followsTiles(K, Versions) ? 0 : options().Routes;
  std::vector<Routes> Made{Asked};
  if (Found == Versions.end() && isAny(Asked))
    Made.clear();
  for (const Rule &Rule : Rules) {
    Routes R = assign(K, Rule, Asked);
    if (!Left || is_contained(Made, R))
      continue;
    Version V = Host;
    V.Route = R;
    V.Entry = Host.Entry + "_routes" + std::to_string(options().Routes - Left + 1);
    Versions.push_back(std::move(V));
    Made.push_back(std::move(R));
    --Left;
  }
}

} // namespace place
