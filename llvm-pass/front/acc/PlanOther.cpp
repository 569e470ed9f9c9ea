//===- PlanOther.cpp - declare, set, init, shutdown -------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Expression.h"
#include "Planner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace place::acc {

using K = ClauseKind;

void Planner::declareGlobal(const Directive &D) {
  for (const Clause &C : D.Clauses) {
    if (C.Kind == K::Deviceptr || C.Kind == K::Present)
      continue; // says where to look, makes nothing
    W.beginPragma(D, C.Kind == K::Link ? "declare target link (" : "declare target to (");
    for (const Item &I : C.Items) {
      if (&I != &C.Items.front())
        W.words(",");
      W.tokens(I.Text);
    }
    W.words(")");
    W.endPragma(D);
  }
}

// What is to be done at the end of the block for what was done at its beginning.
static std::optional<std::pair<ClauseKind, ClauseKind>> enterAndExit(ClauseKind Kind) {
  switch (Kind) {
  case K::Copy: return std::pair(K::Copyin, K::Copyout);
  case K::Copyin: return std::pair(K::Copyin, K::Delete);
  case K::Copyout: return std::pair(K::Create, K::Copyout);
  case K::Create:
  case K::DeviceResident: return std::pair(K::Create, K::Delete);
  default: return std::nullopt;
  }
}

// In a function: mapped here, unmapped at the end of the block and before each return.
void Planner::declare(const Directive &D, StatementReader &In) {
  if (!Table.inFunction())
    return declareGlobal(D);
  Directive Enter = D, Exit = D;
  Enter.Kind = DirectiveKind::EnterData;
  Exit.Kind = DirectiveKind::ExitData;
  Enter.Clauses.clear();
  Exit.Clauses.clear();
  for (const Clause &C : D.Clauses)
    if (auto Both = enterAndExit(C.Kind)) {
      Enter.Clauses.push_back(C);
      Enter.Clauses.back().Kind = Both->first;
      Exit.Clauses.push_back(C);
      Exit.Clauses.back().Kind = Both->second;
    }
  Tokens Text = In.restOfBlock();
  if (!Enter.Clauses.empty())
    standaloneData(Enter);
  Unit.Scopes.push_back({visibleNames(D), namesIn(D, K::Deviceptr), Level::Host});
  StatementReader Rest{TokenRange(Text)};
  bool Returned = false;
  for (Statement S = Rest.read(); !S.Head.empty() || !S.Body.empty(); S = Rest.read()) {
    leaving(S, Exit);
    Returned = S.K == Statement::Plain && S.Head[0].is(tok::kw_return);
  }
  W.at(D.At);
  if (!Exit.Clauses.empty() && !Returned)
    standaloneData(Exit);
  W.token(Unit.defer(nullptr, D.End));
}

void Planner::leaving(const Statement &S, const Directive &Exit) {
  if (S.Acc)
    return W.tokens(deferInside(S));
  if (S.K != Statement::Plain || S.Head[0].isNot(tok::kw_return) || Exit.Clauses.empty()) {
    W.tokens(S.Head);
    for (const Statement &Inner : S.Body)
      leaving(Inner, Exit);
    return W.tokens(S.Tail);
  }
  TokenRange Value = TokenRange(S.Head).drop_front().drop_back();
  W.at(S.Head[0].getLocation());
  W.words("{");
  if (!Value.empty()) {
    W.words(CPlusPlus ? "auto place_acc_result = (" : "__auto_type place_acc_result = (");
    W.tokens(Value);
    W.words(") ;");
  }
  standaloneData(Exit);
  W.words(Value.empty() ? "return ; }" : "return place_acc_result ; }");
}

// Values of acc_device_t in openacc.h.
static int deviceType(const Clause &C) {
  return llvm::StringSwitch<int>(llvm::StringRef(spelling(C.Items[0].Text[0])).lower())
      .Cases("host", "multicore", 2)
      .Case("not_host", 3)
      .Case("nvidia", 4)
      .Case("radeon", 5)
      .Default(1);
}

void Planner::runtimeCall(const Directive &D) {
  W.words("{");
  if (const Clause *If = D.find(K::If))
    W.wrapped("if (", If->Items[0].Text);
  W.words("{");
  bool Set = D.Kind == DirectiveKind::Set;
  if (const Clause *Type = D.find(K::DeviceType); Type && Set)
    W.words("place_acc_set_type ( " + std::to_string(deviceType(*Type)) + " ) ;");
  for (auto [Kind, Call] : {std::pair(K::DeviceNum, "place_acc_set_device ("), std::pair(K::DefaultAsync, "place_acc_set_async (")})
    if (const Clause *C = D.find(Kind)) {
      W.wrapped(Set ? Call : "( void ) (", C->Items[0].Text);
      W.words(";");
    }
  W.words("} }");
}

} // namespace place::acc
