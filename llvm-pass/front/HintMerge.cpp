//===- HintMerge.cpp - Several pragmas of one construct ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Hints.h"

#include "llvm/ADT/ArrayRef.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace place {

std::string suggestion(StringRef Written, ArrayRef<std::string> Names) {
  unsigned Length = unsigned(Written.size()), Least = std::min(Length, Length / 3 + 2);
  StringRef Nearest;
  for (StringRef Name : Names)
    if (unsigned Distance = Written.edit_distance_insensitive(Name); Distance < Least)
      Least = Distance, Nearest = Name;
  return Nearest.empty() ? "" : ": did you mean '" + Nearest.str() + "'?";
}

std::string twice(const std::string &Array, enum place_space Before, enum place_space Space) {
  return "'#pragma place' asks for '" + Array + "' in " + place_space_name(Before) + " and in " + place_space_name(Space) +
         " memory; the latter counts";
}

std::string tilesToo(const std::string &Array, enum place_space Space) {
  return "'#pragma place' asks for '" + Array + "' in " + place_space_name(Space) + " memory and for tiles of it; the latter counts";
}

std::string twoRoutes(const std::string &Array, place_route Before, place_route Route) {
  return "'#pragma place' asks for '" + Array + "' by " + place_route_name(Before) + " and by " + place_route_name(Route) +
         " loads; the latter counts";
}

static std::string teams(const Hints &H) {
  return H.KeepThreads ? "as many threads as the program asks for (keep(threads))" : std::to_string(H.Team) + " threads";
}

std::string contradiction(const Hints &Before, const Hints &Then) {
  bool Both = (Before.Team || Before.KeepThreads) && (Then.Team || Then.KeepThreads);
  if (!Both || (Before.Team == Then.Team && Before.KeepThreads == Then.KeepThreads))
    return "";
  return "'#pragma place' asks for teams of " + teams(Before) + " and of " + teams(Then) + "; the latter counts";
}

void addHints(Hints &All, const Hints &Then) {
  All.NoPlace |= Then.NoPlace;
  All.Apart |= Then.Apart;
  if (Then.Team || Then.KeepThreads)
    All.Team = Then.Team, All.KeepThreads = Then.KeepThreads;
  for (const auto &[Name, Route] : Then.Routes)
    All.Routes[Name] = Route;
  for (const auto &[Name, Space] : Then.Spaces) {
    All.Spaces[Name] = Space;
    All.Tiles.erase(Name);
  }
  for (const std::string &Name : Then.Tiles) {
    All.Tiles.insert(Name);
    All.Spaces.erase(Name);
  }
  for (const auto &[Hint, At] : Then.At)
    All.At[Hint] = At;
}

} // namespace place
