//===- PlanRoutine.cpp - routine ---------------------------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Expression.h"
#include "Planner.h"

#include "llvm/ADT/STLExtras.h"

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

// name = [...
static std::string declaredLambda(TokenRange Text) {
  for (size_t I = 1; I + 1 < Text.size() && !Text[I].isOneOf(tok::l_paren, tok::l_brace); ++I)
    if (Text[I].is(tok::equal) && Text[I - 1].is(tok::identifier) && Text[I + 1].is(tok::l_square))
      return spelling(Text[I - 1]);
  return "";
}

void Planner::routine(const Directive &D, StatementReader &In) {
  if (D.HasArguments)
    return routineNamed(D);
  Tokens Text = boundCalls(In.declaration());
  std::string Lambda = declaredLambda(Text), Name = Lambda.empty() ? declaredFunction(Text) : Lambda;
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
    bind(D, Name, !Lambda.empty());
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
    bind(D, Name, Table.isLambda(Name, D.End));
}

// On the device, calls of Name are calls of another function.
void Planner::bind(const Directive &D, const std::string &Name, bool Lambda) {
  const Token &To = D.find(K::Bind)->Items[0].Text[0];
  std::string Target = spelling(To);
  if (To.is(tok::string_literal))
    Target = Target.substr(1, Target.size() - 2);
  if (Table.inClass())
    return error(D.find(K::Bind)->At, "'bind' of a member function is not supported");
  if (Lambda || Table.isLambda(Target, D.End)) {
    Unit.Bound[Name] = Target;
    return;
  }
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

// OpenMP has variants of functions only. Calls of what is bound, where a lambda is on either side, become
// (place_acc_on_host_() ? +f : +bound)(...): pointers to functions of one type, of which the compiler knows which.
Tokens Planner::boundCalls(TokenRange Text) {
  Tokens Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    bool Call = Text[I].is(tok::identifier) && I + 1 < Text.size() && Text[I + 1].is(tok::l_paren) &&
                !(I && Text[I - 1].isOneOf(tok::period, tok::arrow, tok::coloncolon));
    auto Found = Call ? Unit.Bound.find(spelling(Text[I])) : Unit.Bound.end();
    if (Found == Unit.Bound.end()) {
      Out.push_back(Text[I]);
      continue;
    }
    const auto &[Name, Target] = *Found;
    if (!Table.isVariable(Target))
      error(Text[I].getLocation(), "'" + Name + "' is bound to '" + Target + "', which is not declared yet");
    llvm::append_range(Out, W.made("( place_acc_on_host_ ( ) ? + " + Name + " : + " + Target + " )"));
  }
  return Out;
}

void Planner::bindCalls(Statement &S) {
  S.Head = boundCalls(S.Head);
  S.Tail = boundCalls(S.Tail);
  for (Statement &Inner : S.Body)
    bindCalls(Inner);
}

} // namespace place::acc
