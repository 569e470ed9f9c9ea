//===- Decide.cpp - What carries a loop --------------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Decide.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace clang;

namespace place::acc {

using K = ClauseKind;

bool isPartitioned(const Directive &Loop) {
  return Loop.Kind == DirectiveKind::Loop && !Loop.has(K::Seq) && !Loop.has(K::Auto);
}

static bool callsPartitioned(TokenRange Text, const Routines &Known) {
  return llvm::any_of(Text, [&](const Token &T) {
    auto Found = T.is(tok::identifier) ? Known.find(spelling(T)) : Known.end();
    return Found != Known.end() && Found->second != Level::Sequential;
  });
}

bool hasPartitioned(const Statement &S, const Routines &Known) {
  bool Found = false;
  walk(S, [&](const Statement &Inner) {
    Found |= Inner.Acc ? isPartitioned(*Inner.Acc) : callsPartitioned(Inner.Head, Known);
    return !Found;
  });
  return Found;
}

static bool hasLevel(const Statement &S, ClauseKind Kind) {
  bool Found = false;
  walk(S, [&](const Statement &Inner) {
    Found |= Inner.Acc && isPartitioned(*Inner.Acc) && Inner.Acc->has(Kind);
    return !Found;
  });
  return Found;
}

std::vector<const Statement *> nestOf(const Statement &Body, unsigned Count) {
  std::vector<const Statement *> Loops;
  for (const Statement *S = &innermostOnly(Body); Loops.size() < Count && S->K == Statement::For && !S->Body.empty();
       S = &innermostOnly(S->Body[0]))
    Loops.push_back(S);
  return Loops;
}

// collapse(n), or tile(...) of n sizes, which says as much of the loops.
static void takeCollapse(const Directive &Loop, LoopDecision &D) {
  if (const Clause *Tile = Loop.find(K::Tile)) {
    D.Collapse = unsigned(Tile->Items.size());
  } else if (const Clause *Collapse = Loop.find(K::Collapse)) {
    const Tokens &Text = Collapse->Items[0].Text;
    if (Text.size() != 1 || llvm::StringRef(spelling(Text[0])).getAsInteger(10, D.Collapse)) {
      D.Collapse = 0; // known to clang only
      D.CollapseText = Text;
    }
  }
}

static bool mentions(TokenRange Text, const Names &Any) {
  return llvm::any_of(Text, [&](const Token &T) { return T.is(tok::identifier) && Any.count(spelling(T)); });
}

// Loops of the next directive inside, if nothing stands between and the whole is a rectangle: they can share one iteration space.
static const Statement *mergeable(const Statement &Body, unsigned Outer, unsigned &Inner) {
  std::vector<const Statement *> Loops = nestOf(Body, Outer);
  if (!Outer || Loops.size() != Outer)
    return nullptr;
  const Statement &Next = innermostOnly(Loops.back()->Body[0]);
  if (!Next.isLoopConstruct() || !isPartitioned(*Next.Acc) || Next.Body.empty())
    return nullptr;
  LoopDecision Counted;
  takeCollapse(*Next.Acc, Counted);
  Inner = Counted.Collapse;
  Names Counters;
  for (const Statement *L : Loops)
    Counters.insert(loopCounter(*L));
  std::vector<const Statement *> InnerLoops = nestOf(Next.Body[0], Inner);
  bool Rectangle = Inner && InnerLoops.size() == Inner &&
                   llvm::none_of(InnerLoops, [&](const Statement *L) { return mentions(L->Head, Counters); });
  return Rectangle ? &Next : nullptr;
}

// nestOf stops at directives; the bodies of merged ones are looked at in turn.
static void mergeTightLoops(const Statement &Body, LoopDecision &D) {
  const Statement *At = &Body;
  unsigned Inner = 0, Outer = D.Collapse;
  while (const Statement *Next = mergeable(*At, Outer, Inner)) {
    // Later loops must not depend on the counters of any before: each step checks its own, so end where one is used again.
    Names Counters;
    for (const Statement *L : nestOf(*At, Outer))
      Counters.insert(loopCounter(*L));
    D.Merged.push_back(Next->Acc);
    D.Collapse += Inner;
    At = &Next->Body[0];
    Outer = Inner;
    std::vector<const Statement *> Last = nestOf(*At, Outer);
    const Statement &Beyond = innermostOnly(Last.back()->Body[0]);
    if (Beyond.isLoopConstruct() && !Beyond.Body.empty())
      for (const Statement *L : nestOf(Beyond.Body[0], 3))
        if (mentions(L->Head, Counters))
          return;
  }
}

LoopDecision decideLoop(const Directive &Loop, const Statement &Body, Level At, const Routines &Known) {
  LoopDecision D;
  takeCollapse(Loop, D);
  if (!isPartitioned(Loop) || At == Level::Host || At == Level::Sequential || At == Level::Threads)
    return D;
  bool BelowGang = Loop.hasAny({K::Worker, K::Vector}) && !Loop.has(K::Gang);
  bool Whole = Loop.has(K::Vector); // nothing is left for inner loops
  if (At == Level::Teams && !BelowGang) {
    if (!Whole)
      mergeTightLoops(Body, D);
    bool Left = !Whole && D.Merged.empty() && hasPartitioned(Body, Known);
    D.By = Left ? Carrier::Teams : Carrier::TeamsAndThreads;
    return D;
  }
  if (!Whole)
    mergeTightLoops(Body, D);
  bool VectorsInside = At == Level::Gang && D.Merged.empty() && Loop.has(K::Worker) && !Whole && hasLevel(Body, K::Vector);
  D.By = VectorsInside ? Carrier::Sequential : Carrier::Threads;
  return D;
}

Names countersOf(const Statement &Body, const LoopDecision &D) {
  Names Counters;
  const Statement *S = &innermostOnly(Body);
  for (unsigned Left = std::max(D.Collapse, 1u); Left && !S->Body.empty();) {
    if (S->K == Statement::For) {
      Counters.insert(loopCounter(*S));
      --Left;
    } else if (!S->isLoopConstruct() && S->K != Statement::Pragma) {
      break;
    }
    S = &innermostOnly(S->Body[0]);
  }
  Counters.erase("");
  return Counters;
}

RegionShape shapeOf(const Statement &Body) {
  const Statement &Inner = innermostOnly(Body);
  if (Inner.isLoopConstruct())
    return {RegionShape::OneLoop, {&Inner}};
  RegionShape Shape;
  if (Inner.K != Statement::Block || Inner.Body.empty())
    return Shape;
  for (const Statement &S : Inner.Body)
    Shape.Parts.push_back(&S);
  if (llvm::all_of(Inner.Body, [](const Statement &S) { return S.isLoopConstruct(); }))
    Shape.K = RegionShape::OnlyLoops;
  return Shape;
}

} // namespace place::acc
