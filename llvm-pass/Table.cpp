//===- Table.cpp - The region table ------------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form is specified in include/place/region.h.
//
//===----------------------------------------------------------------------===//
#include "Table.h"
#include "DeviceSymbols.h"
#include "Source.h"
#include "ValueParameters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace place {

static std::string hash(StringRef Text) {
  uint64_t H = 0xcbf29ce484222325u;
  for (unsigned char C : Text)
    H = (H ^ C) * 0x100000001b3u;
  std::string Hex;
  raw_string_ostream(Hex) << format_hex_no_prefix(H, 16);
  return Hex;
}

// A word of the table: never empty, no blanks.
static std::string word(StringRef Text) {
  std::string Word = Text.empty() ? "?" : Text.str();
  for (char &C : Word)
    if (isSpace(C))
      C = '_';
  return Word;
}

static std::string line(StringRef Text) {
  std::string Line = Text.empty() ? "?" : Text.str();
  for (char &C : Line)
    if (C == '\n' || C == '\r')
      C = ' ';
  return Line;
}

static std::string rights(const ArraySummary &A) {
  std::string R = std::string(A.Read ? "r" : "") + (A.Written ? "w" : "") + (A.Atomic ? "a" : "");
  return R.empty() ? "-" : R;
}

static std::string spaces(place_space_set Set) {
  std::string Names;
  for (unsigned S = 0; S < PLACE_SPACE_COUNT; ++S)
    if (Set & PLACE_SPACE_BIT(S))
      Names += (Names.empty() ? "" : ",") + std::string(place_space_name(static_cast<place_space>(S)));
  return Names;
}

static void array(raw_ostream &OS, int N, const ArraySummary &A) {
  OS << "array " << N << " " << A.ArgNumber << " " << word(A.Name) << " " << std::max(A.ElementBytes, 1u) << " " << rights(A)
     << " " << A.Placeable << " " << spaces(A.Candidates) << " "
     << (A.Hint < 0 ? "-" : place_space_name(static_cast<place_space>(A.Hint))) << " "
     << (A.Why.empty() ? "-" : line(A.Why.text())) << "\n";
}

static void access(raw_ostream &OS, int N, const AccessSummary &S) {
  static const char *const Kinds[] = {"read", "write", "atomic"};
  OS << "access " << N << " " << S.Array << " " << Kinds[S.Kind] << " " << S.WidthBytes << " " << S.Loop << " " << S.Guarded
     << " " << S.Line << " " << S.Log << " " << S.IndexSource << " " << (S.Offset.empty() ? "?" : S.Offset) << "\n";
}

//===-- Versions: the record's keys, in the order of include/place/version.h -===//

static char letter(int8_t Space) {
  switch (Space) {
  case VersionRecord::NotPlaceable:
    return '-';
  case VersionRecord::Anywhere:
    return '*';
  default:
    return place_space_letter(static_cast<place_space>(Space));
  }
}

static std::string letters(ArrayRef<int8_t> Space) {
  return join(map_range(Space, [](int8_t S) { return std::string(1, letter(S)); }), ",");
}

static std::string routes(ArrayRef<uint8_t> Route) {
  auto Name = [](uint8_t R) { return std::string(R == PLACE_ROUTE_DEFAULT ? "-" : place_route_name(static_cast<place_route>(R))); };
  return join(map_range(Route, Name), ",");
}

static std::string valueOf(const VersionRecord &R, StringRef Key) {
  if (Key == "space")
    return letters(R.Space);
  if (Key == "routes")
    return routes(R.Route);
  if (Key == "threads")
    return R.Threads.value_or(0) ? std::to_string(*R.Threads) : "";
  return Key == "needs" ? R.needsText() : R.valueOf(Key);
}

static void version(raw_ostream &OS, const VersionRecord &R) {
  static const char *const Keys[] = {"space", "routes", "texels", "pitches", "block", "team", "alike", "lanes", "adjacent", "strip", "pipelined", "turned",  "wide",
                                     "kernel", "threads", "each", "short", "rows", "fill", "even", "teams", "slice", "origin", "ahead", "extents", "tiles", "needs"};
  assert(R.hasOnly(Keys) && "a key that is not listed here would be lost");
  OS << "version " << R.Entry << " role=" << place_role_name(R.Role) << " loop=" << place_loop_name(R.Loop);
  for (const char *Key : Keys)
    if (std::string Value = valueOf(R, Key); !Value.empty())
      OS << " " << Key << "=" << Value;
  OS << "\n";
}

static std::string kind(const KernelSummary &K) {
  if (!K.NoVersion.empty())
    return "no-version " + line(K.NoVersion.text());
  if (!K.NothingToPlace.empty())
    return "nothing-to-place " + line(K.NothingToPlace.text());
  return K.BlockReason.empty() ? "spmd" : "spmd " + line(K.BlockReason.text());
}

/// Parameters that are values alone, of the first 64.
static std::string values(const KernelSummary &K) {
  std::string Text;
  for (unsigned N : valueParameters(*K.F))
    if (N < 64)
      Text += (Text.empty() ? " values " : ",") + std::to_string(N);
  return Text;
}

std::string regionText(const KernelSummary &K, ArrayRef<VersionRecord> Versions) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "region " << K.F->getName() << "\n";
  OS << "at " << K.Line << " " << word(K.Function) << " " << line(K.File) << "\n";
  OS << "kind " << kind(K) << "\n";
  OS << "launch " << K.Threads << " " << (K.Teams == PLACE_TEAMS_OPEN ? "open" : "observed") << " "
     << (K.reduces() ? "reduction" : "-") << " " << (K.UnknownWrites ? "unknown-writes" : "-")
     << (K.OpenThreads ? " open-threads" : "") << (K.Team ? " set-threads" : "") << (K.PromisedApart ? " apart" : "") << (K.AskedBlocks ? " blocks" : "")
     << " parameters " << K.F->arg_size() - 1 << values(K) << "\n";
  for (size_t N = 0; N < K.Loops.size(); ++N)
    OS << "loop " << N << " " << K.Loops[N].Parent << " " << (K.Loops[N].Trips.empty() ? "?" : K.Loops[N].Trips) << "\n";
  for (size_t N = 0; N < K.Arrays.size(); ++N)
    array(OS, int(N), K.Arrays[N]);
  for (size_t N = 0; N < K.Accesses.size(); ++N)
    access(OS, int(N), K.Accesses[N]);
  return Text + versionTexts(Versions);
}

std::string versionTexts(ArrayRef<VersionRecord> Versions) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const VersionRecord &R : Versions)
    version(OS, R);
  return Text;
}

std::string tableText(StringRef Regions) {
  std::string Text = "place-table " + std::to_string(PLACE_ABI_VERSION) + "\n" + Regions.str();
  return Text + "end " + hash(Text) + "\n";
}

bool hasTable(const Module &M) {
  return any_of(M.globals(), [](const GlobalVariable &G) { return G.getName().starts_with(PLACE_TABLE_PREFIX); });
}

void emitTable(Module &M, const std::string &Regions) {
  std::string Text = tableText(Regions);
  if (options().DumpAccess == "table")
    errs() << Text;
  constantBytes(M, PLACE_TABLE_PREFIX + hash(Text), Text);
}

} // namespace place
