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

static bool repeats(const Statement &S) {
  return S.K == Statement::For || (S.K == Statement::Control && S.Head[0].isOneOf(tok::kw_while, tok::kw_do));
}

void Planner::body(const Statement &S, const Context &C) {
  if (S.Acc)
    return construct(S, C);
  Context Inside = C;
  if (repeats(S))
    Inside.Repeated = &S;
  S.K == Statement::Plain ? plain(S.Head, C) : W.tokens(S.Head);
  for (const Statement &Inner : S.Body)
    body(Inner, Inside);
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
  if (For.K != Statement::For)
    return body(For, C);
  W.tokens(For.Head);
  if (!hasLocalArrays(L))
    return body(For.Body[0], C);
  W.words("{");
  localArrays(L);
  body(For.Body[0], C);
  W.words("}");
}

// Names that stand in Text for more than to be assigned.
static bool isRead(TokenRange Text, llvm::StringRef Name) {
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I].is(tok::identifier) && spelling(Text[I]) == Name && !(I + 1 < Text.size() && Text[I + 1].is(tok::equal)))
      return true;
  return false;
}

// Scalars that a loop of threads reduces, which the sequential loop around it reads before.
Names Planner::readBefore(const Directive &L, const std::vector<ReductionItem> &Reduced, const Context &C) const {
  Names Found;
  if (!C.Repeated)
    return Found;
  SymbolMap Own = Table.declaredIn(*C.Repeated);
  for (const ReductionItem &I : Reduced) {
    std::string Name = baseName(I.Text);
    Symbol S = variable(Name, C);
    bool Behind = false;
    walk(*C.Repeated, [&](const Statement &Before) {
      Behind |= Before.Acc == &L;
      if (!Behind && !Before.Acc && S.F == Symbol::Scalar && !Own.count(Name) && isRead(Before.Head, Name))
        Found.insert(Name);
      return !Behind;
    });
  }
  return Found;
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
  threadsLoop(L, Body, C, How);
}

// LLVM 19 takes a variable for unchanged in the next iteration of a sequential loop that reads it before it is reduced: the threads
// reduce a copy there, { T before = x; { T x = before; reduction(x) loop; before = x; } x = before; }
void Planner::threadsLoop(const Directive &L, const Statement &Body, const Context &C, const LoopDecision &How) {
  const char *Words = How.By == Carrier::Teams ? "distribute" : How.By == Carrier::Threads ? "parallel for" : "distribute parallel for";
  std::vector<ReductionItem> Reduced = reductionsOfNest(L, Body, C);
  Names Copied = How.By == Carrier::Threads ? readBefore(L, Reduced, C) : Names();
  W.at(L.At);
  for (const std::string &Name : Copied)
    W.words("{ __typeof__ ( " + Name + " ) place_acc_before_" + Name + " = " + Name + " ; " +
            "{ __typeof__ ( place_acc_before_" + Name + " ) " + Name + " = place_acc_before_" + Name + " ;");
  W.beginPragma(L, Words);
  collapse(How);
  Names Not = countersOf(Body, How);
  Not.merge(privates(L, K::Private));
  for (const Directive *Inner : How.Merged)
    Not.merge(privates(*Inner, K::Private));
  for (const ReductionItem &I : Reduced)
    Not.insert(baseName(I.Text));
  if (How.By == Carrier::Teams) // clang takes no second copy there
    Not.insert(C.OfGang.begin(), C.OfGang.end());
  loopPrivates(L, How);
  if (How.By != Carrier::Teams)
    reductions(Reduced);
  Names First = privateCopies(Body, C, Not);
  if (How.By != Carrier::Teams)
    First.merge(onlyRead(Body, C, Not));
  W.list("firstprivate (", First);
  W.endPragma(L);
  Context Inside = C;
  Inside.At = How.By == Carrier::Teams ? Level::Gang : Level::Threads;
  Inside.Declared.merge(Table.declaredIn(Body));
  Inside.Repeated = nullptr;
  addReductions(Inside.Reduced, Reduced, {});
  Merged.insert(How.Merged.begin(), How.Merged.end());
  loopBody(L, Body, Inside);
  for (const std::string &Name : llvm::reverse(Copied))
    W.words("place_acc_before_" + Name + " = " + Name + " ; } " + Name + " = place_acc_before_" + Name + " ; }");
}

// What a gang writes between loops and threads only read in one: clang's kernels for GPUs share it among the threads, and those that are
// ahead write it while others read.
Names Planner::onlyRead(const Statement &Body, const Context &C, const Names &Not) const {
  Names Found, Used = namesUsed(Body), OfGang = C.OfGang;
  SymbolMap Own = Table.declaredIn(Body);
  if (C.Repeated && C.Repeated->K == Statement::For)
    for (const auto &[Name, S] : Table.declared(TokenRange(C.Repeated->Head).drop_front(2)))
      if (S.F == Symbol::Scalar)
        OfGang.insert(Name);
  for (const std::string &Name : OfGang)
    if (Used.count(Name) && !Not.count(Name) && !Own.count(Name))
      Found.insert(Name);
  return Found;
}

// One thread runs it: only the private copies are left.
void Planner::sequentialLoop(const Directive &L, const Statement &Body, const Context &C) {
  Context Inside = C;
  Inside.Repeated = &innermostOnly(Body);
  Names Private = privates(L, K::Private);
  if (Private.empty())
    return loopBody(L, Body, Inside);
  W.at(L.At);
  W.words("{");
  for (const std::string &Name : Private)
    W.words("__typeof__ ( " + Name + " ) " + Name + " ;");
  loopBody(L, Body, Inside);
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
