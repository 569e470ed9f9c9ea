//===- PlanLoop.cpp - What is inside of a compute region ------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Planner.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace place::acc {

using K = ClauseKind;

void Planner::body(const Statement &S, const Context &C) {
  if (S.Acc)
    return construct(S, C);
  S.K == Statement::Plain ? plain(S.Head, C) : W.tokens(S.Head);
  for (const Statement &Inner : S.Body)
    body(Inner, C);
  W.tokens(S.Tail);
}

// Directives may stand in a lambda or in a statement expression.
void Planner::plain(TokenRange Text, const Context &C) {
  const Token *At = llvm::find_if(Text, [](const Token &T) { return deferred(T); });
  W.tokens(TokenRange(Text.begin(), At));
  if (At == Text.end())
    return;
  StatementReader Rest(TokenRange(At, Text.end()));
  body(Rest.read(), C);
  plain(Rest.rest(), C);
}

void Planner::construct(const Statement &S, const Context &C) {
  const Directive &D = *S.Acc;
  checkHints(D, C.Declared);
  switch (D.Kind) {
  case DirectiveKind::Loop:
    if (!S.Body.empty())
      loop(D, S.Body[0], C);
    return;
  case DirectiveKind::Atomic:
    if (!S.Body.empty())
      atomic(D, S.Body[0]);
    return;
  case DirectiveKind::Cache: return;
  default: return error(D.Name, "'" + spelling(D.Kind).str() + "' may not stand inside a compute construct");
  }
}

bool Planner::isLoop(const Directive &L, const Statement &Body) {
  const Statement *S = &innermostOnly(Body);
  while (S->K == Statement::Pragma && !S->Body.empty())
    S = &S->Body[0];
  if (S->K == Statement::For)
    return true;
  error(S->Head.empty() ? L.End : S->Head[0].getLocation(), "expected a for loop after 'loop'");
  return false;
}

void Planner::collapse(const LoopDecision &D) {
  if (D.Collapse > 1)
    W.words("collapse ( " + std::to_string(D.Collapse) + " )");
  else if (!D.Collapse)
    W.wrapped("collapse (", D.CollapseText);
}

void Planner::loopPrivates(const Directive &L, const LoopDecision &D) {
  Names Private = privates(L, K::Private);
  for (const Directive *Inner : D.Merged)
    Private.merge(privates(*Inner, K::Private));
  W.list("private (", Private);
}

// A private section of a pointer is declared at the beginning of each iteration.
void Planner::loopBody(const Directive &L, const Statement &Body, const Context &C) {
  const Statement &For = innermostOnly(Body);
  if (!hasLocalArrays(L) || For.K != Statement::For)
    return body(innermostOnly(Body), C);
  W.tokens(For.Head);
  W.words("{");
  localArrays(L);
  body(For.Body[0], C);
  W.words("}");
}

void Planner::loop(const Directive &L, const Statement &Body, const Context &C) {
  if (Merged.count(&L))
    return body(innermostOnly(Body), C);
  if (!isLoop(L, Body))
    return;
  if (C.At == Level::Host && L.hasAny({K::Gang, K::Worker, K::Vector, K::Independent}))
    warn(L.Name, "'loop' outside of compute constructs and of routines; the loop runs on the host, sequentially");
  LoopDecision How = decideLoop(L, Body, C.At, Unit.KnownRoutines);
  if (How.By == Carrier::Sequential)
    return sequentialLoop(L, Body, C);
  const char *Words = How.By == Carrier::Teams ? "distribute" : How.By == Carrier::Threads ? "parallel for" : "distribute parallel for";
  W.at(L.At);
  W.beginPragma(L, Words);
  collapse(How);
  std::vector<ReductionItem> Reduced = reductionsOfNest(L, Body, C);
  Names Not = countersOf(Body, How);
  Not.merge(privates(L, K::Private));
  for (const Directive *Inner : How.Merged)
    Not.merge(privates(*Inner, K::Private));
  for (const ReductionItem &I : Reduced)
    Not.insert(baseName(I.Text));
  loopPrivates(L, How);
  if (How.By != Carrier::Teams)
    reductions(Reduced);
  W.list("firstprivate (", privateCopies(Body, C, Not));
  W.endPragma(L);
  Context Inside = C;
  Inside.At = How.By == Carrier::Teams ? Level::Gang : Level::Threads;
  Inside.Declared.merge(Table.declaredIn(Body));
  addReductions(Inside.Reduced, Reduced, {});
  Merged.insert(How.Merged.begin(), How.Merged.end());
  loopBody(L, Body, Inside);
}

// One thread runs it: only the private copies are left.
void Planner::sequentialLoop(const Directive &L, const Statement &Body, const Context &C) {
  Names Private = privates(L, K::Private);
  if (Private.empty())
    return loopBody(L, Body, C);
  W.at(L.At);
  W.words("{");
  for (const std::string &Name : Private)
    W.words("__typeof__ ( " + Name + " ) " + Name + " ;");
  loopBody(L, Body, C);
  W.words("}");
}

void Planner::atomic(const Directive &D, const Statement &Body) {
  W.at(D.At);
  W.beginPragma(D, "atomic");
  for (const Clause &C : D.Clauses)
    W.words(spelling(C.Kind));
  W.endPragma(D);
  W.tokens(deferInside(Body));
}

} // namespace place::acc
