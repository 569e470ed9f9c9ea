//===- PlanHelpers.cpp - What OpenMP has no clause for ---------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over rows, and calls of the functions in openacc/place_support.h, which every unit sees.
//
//===----------------------------------------------------------------------===//
#include "Planner.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace place::acc {

// for (row) { #pragma omp <Head> base[row][...]) }
void Planner::row(const Directive &D, const Mapping &M, llvm::StringRef Head) {
  Section S = sectionOf(M.What->Text);
  auto Start = [&] { S.start(0).empty() ? W.words("0") : W.tokens(S.start(0)); };
  W.words("for ( long place_acc_row = (");
  Start();
  W.words(") ; place_acc_row < (");
  Start();
  W.words(") + (");
  S.count(0).empty() ? W.words("1") : W.tokens(S.count(0));
  W.words(") ; ++ place_acc_row ) {");
  W.beginPragma(D, Head);
  W.tokens(S.Base);
  W.words("[ place_acc_row ]");
  const Token *Behind = S.Bounds[0].end() + 1; // the bracket that closes the first section
  W.tokens(TokenRange(Behind, M.What->Text.data() + M.What->Text.size()));
  W.words(")");
  W.endPragma(D);
  W.words("}");
}

// The pointers themselves: base[start:count].
static TokenRange pointersOf(const Mapping &M) {
  Section S = sectionOf(M.What->Text);
  return TokenRange(M.What->Text.data(), S.Bounds[0].end() + 1);
}

void Planner::enterRows(const Directive &D, const std::vector<Mapping> &All) {
  for (const Mapping &M : All) {
    if (!M.Rows)
      continue;
    W.beginPragma(D, M.K == Mapping::Present ? "target enter data map ( present , alloc :" : "target enter data map ( to :");
    W.tokens(pointersOf(M));
    W.words(")");
    W.endPragma(D);
    row(D, M, M.K == Mapping::To || M.K == Mapping::ToFrom ? "target enter data map ( to :" : "target enter data map ( alloc :");
  }
}

void Planner::exitRows(const Directive &D, const std::vector<Mapping> &All) {
  llvm::StringRef Leave = D.has(ClauseKind::Finalize) ? "target exit data map ( delete :" : "target exit data map ( release :";
  for (const Mapping &M : All) {
    if (!M.Rows)
      continue;
    row(D, M, M.K == Mapping::From || M.K == Mapping::ToFrom ? "target exit data map ( from :" : Leave);
    W.beginPragma(D, Leave);
    W.tokens(pointersOf(M));
    W.words(")");
    W.endPragma(D);
  }
}

// &x, sizeof(x); &p[start], (count) * sizeof(p[0]).
void Planner::addressAndBytes(const Mapping &M, bool Bytes) {
  Section S = sectionOf(M.What->Text);
  bool Whole = S.Bounds.empty();
  W.words("&");
  W.tokens(S.Base);
  if (!Whole) {
    W.words("[");
    S.start(0).empty() ? W.words("0") : W.tokens(S.start(0));
    W.words("]");
  }
  if (!Bytes)
    return;
  W.words(Whole ? ", sizeof (" : ", (");
  if (!Whole) {
    S.count(0).empty() ? W.words("1") : W.tokens(S.count(0));
    W.words(") * sizeof (");
  }
  W.tokens(S.Base);
  W.words(Whole ? ")" : "[ 0 ] )");
}

// int place_acc_absent0 = place_acc_absent(&a[0]); before the mapping
void Planner::zeroBegin(const std::vector<Mapping> &All) {
  unsigned N = 0;
  for (const Mapping &M : All) {
    if (!M.Zero)
      continue;
    W.words("int place_acc_absent" + std::to_string(N++) + " = place_acc_absent (");
    addressAndBytes(M, false);
    W.words(") ;");
  }
}

void Planner::zeroEnd(const std::vector<Mapping> &All) {
  unsigned N = 0;
  for (const Mapping &M : All) {
    if (!M.Zero)
      continue;
    W.words("if ( place_acc_absent" + std::to_string(N++) + " ) place_acc_clear (");
    addressAndBytes(M, true);
    W.words(") ;");
  }
}

void Planner::attach(const std::vector<Mapping> &All, Mapping::Kind K) {
  for (const Mapping &M : All) {
    if (M.K != Mapping::Attach && M.K != Mapping::Detach)
      continue;
    W.words(K == Mapping::Attach ? "place_acc_attach ( &" : "place_acc_detach ( &");
    W.tokens(sectionOf(M.What->Text).Base);
    W.words(") ;");
  }
}

// __typeof__(&s.x[0]) place_acc_member0 = s.x;
void Planner::aliases(const std::vector<Mapping> &All) {
  for (const Mapping &M : All) {
    if (M.Alias.empty())
      continue;
    TokenRange Base = sectionOf(M.What->Text).Base;
    W.words("__typeof__ ( &");
    W.tokens(Base);
    W.words("[ 0 ] ) " + M.Alias + " =");
    W.tokens(Base);
    W.words(";");
  }
}

// The structure may be on the device already, or still: its pointer follows.
void Planner::attachAliases(const std::vector<Mapping> &All, bool Enter) {
  for (const Mapping &M : All) {
    if (M.Alias.empty())
      continue;
    W.words(Enter ? "place_acc_attach ( &" : "place_acc_leave ( &");
    W.tokens(sectionOf(M.What->Text).Base);
    W.words(") ;");
  }
}

bool Planner::clears(const Directive &D) {
  return llvm::any_of(D.Clauses, [](const Clause &C) { return C.Modifier == "zero"; });
}

// What has been cleared is there: the construct itself only holds it.
Directive Planner::withoutZero(const Directive &D) {
  Directive Plain = D;
  for (Clause &C : Plain.Clauses)
    if (C.Modifier == "zero") {
      C.Kind = ClauseKind::Create;
      C.Modifier.clear();
    }
  llvm::erase_if(Plain.Clauses, [](const Clause &C) { return C.Kind == ClauseKind::Attach; });
  return Plain;
}

} // namespace place::acc
