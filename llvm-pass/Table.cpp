//===- Table.cpp - The region table ------------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form is specified in include/place/region.h.
//
//===----------------------------------------------------------------------===//
#include "Clone.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

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
     << (A.Reason.empty() ? "-" : line(A.Reason)) << "\n";
}

static void access(raw_ostream &OS, int N, const AccessSummary &S) {
  static const char *const Kinds[] = {"read", "write", "atomic"};
  OS << "access " << N << " " << S.Array << " " << Kinds[S.Kind] << " " << S.WidthBytes << " " << S.Loop << " " << S.Guarded
     << " " << S.Line << " " << S.Log << " " << S.IndexSource << " " << (S.Offset.empty() ? "?" : S.Offset) << "\n";
}

// One team for each block, as an expression of the kernel's arguments.
static std::string blockCount(const KernelSummary &K, const BlockShape &B) {
  std::string Text;
  for (unsigned D = 0; D < B.Dims; ++D) {
    if (K.Extents[D].empty())
      return "?";
    std::string Extent = std::to_string(B.extent(D));
    Text += (D ? "*udiv64(" : "udiv64(") + K.Extents[D] + " + " + Extent + " - 1, " + Extent + ")";
  }
  return Text;
}

static std::string tiles(const KernelSummary &K, const BlockShape &B) {
  std::string Letters;
  for (const ArraySummary &A : K.Arrays)
    Letters += B.Tiled.count(A.Arg->getArgNo()) ? 't' : '-';
  return Letters;
}

static void version(raw_ostream &OS, const KernelSummary &K, const Version &V) {
  static const char *const Kinds[] = {"special", "agnostic", "profile", "base", "block"};
  OS << "version " << V.Entry << " " << Kinds[V.Kind] << " ";
  for (size_t N = 0; N < K.Arrays.size(); ++N)
    OS << (K.Arrays[N].Placeable < 0 ? '-' : V.Space[N] < 0 ? '*' : "grcs"[V.Space[N]]);
  if (V.Block)
    OS << " " << V.Block->threads() << " " << tiles(K, *V.Block) << " " << blockCount(K, *V.Block);
  OS << "\n";
}

std::string regionText(const KernelSummary &K, ArrayRef<Version> Versions) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "region " << K.F->getName() << "\n";
  OS << "at " << K.Line << " " << word(K.Function) << " " << line(K.File) << "\n";
  const std::string &Why = K.Unsupported.empty() ? K.BlockReason : K.Unsupported;
  OS << "kind " << (K.Unsupported.empty() ? "spmd" : "unsupported") << (Why.empty() ? "" : " " + line(Why)) << "\n";
  OS << "launch " << K.Threads << " " << (K.Teams == PLACE_TEAMS_OPEN ? "open" : "observed") << " "
     << (K.Reduction ? "reduction" : "-") << " " << (K.UnknownWrites ? "unknown-writes" : "-") << "\n";
  for (size_t N = 0; N < K.Loops.size(); ++N)
    OS << "loop " << N << " " << K.Loops[N].Parent << " " << (K.Loops[N].Trips.empty() ? "?" : K.Loops[N].Trips) << "\n";
  for (size_t N = 0; N < K.Arrays.size(); ++N)
    array(OS, int(N), K.Arrays[N]);
  for (size_t N = 0; N < K.Accesses.size(); ++N)
    access(OS, int(N), K.Accesses[N]);
  for (const Version &V : Versions)
    version(OS, K, V);
  return Text;
}

std::string tableText(StringRef Regions) {
  std::string Text = "place-table " + std::to_string(PLACE_ABI_VERSION) + "\n" + Regions.str();
  return Text + "end " + hash(Text) + "\n";
}

void emitTable(Module &M, StringRef Text) {
  Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text, /*AddNull=*/false);
  auto *G = new GlobalVariable(M, Bytes->getType(), /*isConstant=*/true, GlobalValue::WeakODRLinkage, Bytes,
                               PLACE_TABLE_PREFIX + hash(Text));
  G->setVisibility(GlobalValue::ProtectedVisibility);
  G->setAlignment(Align(1));
  appendToCompilerUsed(M, {G});
}

} // namespace place
