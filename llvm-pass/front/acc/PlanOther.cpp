//===- PlanOther.cpp - routine, declare, set, init, shutdown -----------------------------===//
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

static Level levelOf(const Directive &Routine) {
  if (Routine.has(K::Gang))
    return Level::Teams;
  return Routine.hasAny({K::Worker, K::Vector}) ? Level::Gang : Level::Sequential;
}

// The name in front of the first parentheses of a function's declaration.
static std::string declaredFunction(TokenRange Text) {
  for (size_t I = 1; I < Text.size(); ++I) {
    if (Text[I].isNot(tok::l_paren))
      continue;
    if (Text[I - 1].is(tok::identifier))
      return spelling(Text[I - 1]);
    I = behindBracket(Text, I) - 1;
  }
  return "";
}

void Planner::routine(const Directive &D, StatementReader &In) {
  if (D.HasArguments)
    return routineNamed(D);
  Tokens Text = In.declaration();
  std::string Name = declaredFunction(Text);
  if (Name.empty())
    error(D.Name, "expected the declaration of a function after 'routine'");
  else
    Unit.KnownRoutines[Name] = levelOf(D);
  // What target regions call and is defined in the unit is compiled for the device in any case: members are left to that.
  bool Mark = !Table.inClass();
  if (Mark) {
    W.beginPragma(D, "begin declare target");
    W.endPragma(D);
  }
  Scope S;
  S.At = levelOf(D);
  hostScope(D, Text, S);
  if (Mark) {
    W.beginPragma(D, "end declare target");
    W.endPragma(D);
  }
  if (D.has(K::Bind) && !Name.empty())
    bind(D, Name);
}

void Planner::routineNamed(const Directive &D) {
  std::string Name = baseName(D.Items[0].Text);
  Unit.KnownRoutines[Name] = levelOf(D);
  if (Table.inClass() || Table.inFunction() || Table.isOverloaded(Name)) // what regions call is compiled for the device in any case
    return;
  W.beginPragma(D, "declare target to (");
  W.tokens(D.Items[0].Text);
  W.words(")");
  W.endPragma(D);
  if (D.has(K::Bind))
    bind(D, Name);
}

// On the device, calls of Name are calls of another function.
void Planner::bind(const Directive &D, const std::string &Name) {
  const Token &To = D.find(K::Bind)->Items[0].Text[0];
  std::string Target = spelling(To);
  if (To.is(tok::string_literal))
    Target = Target.substr(1, Target.size() - 2);
  if (Table.inClass())
    return error(D.find(K::Bind)->At, "'bind' of a member function is not supported");
  if (!Table.isVariable(Target)) {
    W.beginPragma(D, "begin declare target");
    W.endPragma(D);
    W.words("extern __typeof__ ( " + Name + " ) " + Target + " ;");
    W.beginPragma(D, "end declare target");
    W.endPragma(D);
  }
  W.beginPragma(D, "declare variant ( " + Target + " ) match ( device = { kind ( nohost ) } )");
  W.endPragma(D);
  W.words("extern __typeof__ ( " + Name + " ) " + Name + " ;");
}

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
