//===- Source.cpp - What the source says about target regions -------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Source.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace place {

SourceRegistry &sourceRegistry() {
  static SourceRegistry Registry;
  return Registry;
}

Options &options() {
  static Options O;
  return O;
}

const SourceRegion *SourceRegistry::find(StringRef KernelName, unsigned Arguments) const {
  // The line is the last "_l<digits>", followed by "_<count>" from the second construct of a function on one line on.
  size_t At = KernelName.rfind("_l");
  if (At == StringRef::npos)
    return nullptr;
  unsigned Line = 0, Count = 0;
  StringRef Digits = KernelName.drop_front(At + 2).take_while(isDigit), Rest = KernelName.drop_front(At + 2 + Digits.size());
  if (Digits.getAsInteger(10, Line))
    return nullptr;
  if (Rest.consume_front("_"))
    (void)Rest.take_while(isDigit).getAsInteger(10, Count);
  auto IsIn = [&](const SourceRegion &R) {
    StringRef Before = KernelName.take_front(At);
    return R.Line == Line && ((!R.Function.empty() && Before.ends_with("_" + R.Function)) ||
                              (!R.Variant.empty() && Before.ends_with("_" + R.Variant)));
  };
  for (const SourceRegion &R : Regions)
    if (IsIn(R) && Count-- == 0 && R.Captures.size() == Arguments)
      return &R;
  const SourceRegion *ByLine = nullptr;
  for (const SourceRegion &R : Regions) {
    if (R.Line != Line || R.Captures.size() != Arguments)
      continue;
    if (IsIn(R))
      return &R;
    ByLine = &R;
  }
  return ByLine;
}

Breadth breadth() {
  static const Breadth ByEffort[] = {{1, 1, 1, false, true, false}, {2, 1, 3, false, false, false}, {6, 6, 6, true, false, true}};
  const Options &O = options();
  Breadth B = ByEffort[O.Effort - 1];
  B.Spaces = O.MaxVersions.value_or(B.Spaces);
  B.LeanSpaces = O.MaxVersions.value_or(B.LeanSpaces);
  B.Blocks = O.MaxBlocks.value_or(B.Blocks);
  B.Agnostic &= !O.NoAgnostic;
  return B;
}

static std::string parseCount(StringRef Name, StringRef Value, std::optional<unsigned> &Count) {
  unsigned N;
  if (Value.getAsInteger(10, N) || N > 64)
    return (Name + " takes a number from 0 to 64, not '" + Value + "'").str();
  Count = N;
  return "";
}

static std::string parseEffort(StringRef Value) {
  if (Value != "1" && Value != "2" && Value != "3")
    return ("effort takes 1, 2 or 3, not '" + Value + "'").str();
  options().Effort = unsigned(Value[0] - '0');
  return "";
}

// Without a number: as many as are likely to be worth their code.
static std::string parseRoutes(StringRef Value) {
  const unsigned Usual = 4;
  std::optional<unsigned> Count = Usual;
  std::string Error = Value.empty() ? "" : parseCount("routes", Value, Count);
  options().Routes = *Count;
  return Error;
}

// All other spaces have versions anyway, as far as the effort goes.
static std::string parseSpaces(StringRef Value) {
  for (StringRef Name : split(Value, ',')) {
    place_space Space;
    if (place_space_parse(Name.data(), Name.size(), &Space) || place_space_home(Space) != PLACE_HOME_TEXTURE)
      return ("spaces takes texture and texture2d, not '" + Name + "'").str();
    options().Textures |= PLACE_SPACE_BIT(Space);
  }
  return "";
}

std::string parseOption(StringRef Text) {
  auto [Name, Value] = Text.split('=');
  if (Name == "effort")
    return parseEffort(Value);
  if (Name == "max-versions")
    return parseCount(Name, Value, options().MaxVersions);
  if (Name == "max-blocks")
    return parseCount(Name, Value, options().MaxBlocks);
  if (Name == "routes")
    return parseRoutes(Value);
  if (Name == "spaces")
    return parseSpaces(Value);
  if (Name == "no-agnostic" && Value.empty()) {
    options().NoAgnostic = true;
  } else if (Name == "no-isolate" && Value.empty()) {
    options().Isolate = false;
  } else if (Name == "one-image" && Value.empty()) {
    options().OwnImage = false;
  } else if (Name == "assembler" && !Value.empty()) {
    options().Assembler = Value.str();
  } else if (Name == "no-load" && Value.empty()) {
    options().Load = false;
  } else if (Name == "no-acc" && Value.empty()) {
    options().Acc = false;
  } else if (Name == "dump" && (Value == "acc" || Value == "access" || Value == "table")) {
    options().DumpAccess = Value.str();
  } else {
    return "unknown option '" + Text.str() + "'; known: effort=1..3, max-versions=N, max-blocks=N, routes[=N], spaces=texture[,texture2d], no-agnostic, no-isolate, one-image, assembler=PROGRAM, no-load, no-acc, dump=acc, dump=access, dump=table";
  }
  return "";
}

} // namespace place
