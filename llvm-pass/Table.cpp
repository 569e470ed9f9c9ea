//===- Table.cpp - The region table ------------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form is specified in include/place/region.h.
//
//===----------------------------------------------------------------------===//
#include "Table.h"
#include "Transform.h"

#include "llvm/ADT/STLExtras.h"
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
     << (A.Why.empty() ? "-" : line(A.Why.text())) << "\n";
}

static void access(raw_ostream &OS, int N, const AccessSummary &S) {
  static const char *const Kinds[] = {"read", "write", "atomic"};
  OS << "access " << N << " " << S.Array << " " << Kinds[S.Kind] << " " << S.WidthBytes << " " << S.Loop << " " << S.Guarded
     << " " << S.Line << " " << S.Log << " " << S.IndexSource << " " << (S.Offset.empty() ? "?" : S.Offset) << "\n";
}

//===-- Versions: from what they are made of to the record ------------------===//

namespace {

/// A version's record, its keys in the order of include/place/version.h.
class Record {
public:
  Record(raw_ostream &OS, const KernelSummary &K, const Version &V) : OS(OS), K(K), V(V) {}

  void print() {
    for (const Transform *T : transforms())
      if (T->IsPart(V) && T->Describe)
        T->Describe(K, V, R);
    if (!R.Threads)
      usualThreads();
    if (copies())
      R.need(PLACE_NEED_ALIGNED, PLACE_BIAS_ALIGN);
    R.key("threads", *R.Threads ? std::to_string(*R.Threads) : "");
    R.key("needs", R.needsText());
    OS << "version " << V.Entry << " role=" << place_role_name(V.Role) << " loop=" << place_loop_name(loop());
    spaces();
    for (const char *Key : {"routes", "block", "team", "lanes", "adjacent", "strip", "pipelined", "turned", "wide", "threads", "each", "rows", "fill",
                            "teams", "extents", "tiles", "needs"})
      if (std::string Value = R.valueOf(Key); !Value.empty())
        OS << " " << Key << "=" << Value;
    OS << "\n";
  }

private:
  place_loop_form loop() const {
    return R.Loop ? *R.Loop : K.Alone && V.isSpecial() ? PLACE_LOOP_ISOLATED : PLACE_LOOP_ORIGINAL;
  }

  // What a version must be launched with: libomptarget gives short loops smaller teams than the kernel was compiled for.
  // Threads of a reduction cooperate in any number, and another one would change sums.
  void usualThreads() {
    if (K.Team && !V.isBase()) {
      R.Threads = K.Team;
      return R.need(PLACE_NEED_OPEN_THREADS);
    }
    R.Threads = V.isSpecial() && !K.Reduction ? K.Threads : 0;
    if (*R.Threads)
      R.need(PLACE_NEED_THREADS, *R.Threads);
  }

  void spaces() {
    for (size_t N = 0; N < K.Arrays.size(); ++N)
      OS << (N ? "," : " space=") << letter(N);
  }

  char letter(size_t N) const {
    if (K.Arrays[N].Placeable < 0)
      return '-';
    return V.Space[N] < 0 ? '*' : place_space_letter(static_cast<place_space>(V.Space[N]));
  }

  bool copies() const {
    for (size_t N = 0; N < K.Arrays.size(); ++N)
      if (K.Arrays[N].Placeable >= 0 && (V.Space[N] < 0 || place_space_is_copy(static_cast<place_space>(V.Space[N]))))
        return true;
    return false;
  }

  raw_ostream &OS;
  const KernelSummary &K;
  const Version &V;
  VersionRecord R;
};

} // namespace

static std::string kind(const KernelSummary &K) {
  if (!K.NoVersion.empty())
    return "no-version " + line(K.NoVersion.text());
  if (!K.NothingToPlace.empty())
    return "nothing-to-place " + line(K.NothingToPlace.text());
  return K.BlockReason.empty() ? "spmd" : "spmd " + line(K.BlockReason.text());
}

std::string regionText(const KernelSummary &K, ArrayRef<Version> Versions) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "region " << K.F->getName() << "\n";
  OS << "at " << K.Line << " " << word(K.Function) << " " << line(K.File) << "\n";
  OS << "kind " << kind(K) << "\n";
  OS << "launch " << K.Threads << " " << (K.Teams == PLACE_TEAMS_OPEN ? "open" : "observed") << " "
     << (K.Reduction ? "reduction" : "-") << " " << (K.UnknownWrites ? "unknown-writes" : "-")
     << (K.OpenThreads ? " open-threads" : "") << (K.Team ? " set-threads" : "") << (K.PromisedApart ? " apart" : "") << (K.AskedBlocks ? " blocks" : "")
     << " parameters " << K.F->arg_size() - 1 << "\n";
  for (size_t N = 0; N < K.Loops.size(); ++N)
    OS << "loop " << N << " " << K.Loops[N].Parent << " " << (K.Loops[N].Trips.empty() ? "?" : K.Loops[N].Trips) << "\n";
  for (size_t N = 0; N < K.Arrays.size(); ++N)
    array(OS, int(N), K.Arrays[N]);
  for (size_t N = 0; N < K.Accesses.size(); ++N)
    access(OS, int(N), K.Accesses[N]);
  for (const Version &V : Versions)
    Record(OS, K, V).print();
  return Text;
}

std::string versionText(const KernelSummary &K, const Version &V) {
  std::string Text;
  raw_string_ostream OS(Text);
  Record(OS, K, V).print();
  return Text;
}

std::string tableText(StringRef Regions) {
  std::string Text = "place-table " + std::to_string(PLACE_ABI_VERSION) + "\n" + Regions.str();
  return Text + "end " + hash(Text) + "\n";
}

bool hasTable(const Module &M) {
  return any_of(M.globals(), [](const GlobalVariable &G) { return G.getName().starts_with(PLACE_TABLE_PREFIX); });
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
