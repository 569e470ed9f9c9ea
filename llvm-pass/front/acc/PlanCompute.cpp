//===- PlanCompute.cpp - parallel, kernels, serial ----------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Independence.h"
#include "Planner.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace place::acc {

using K = ClauseKind;

namespace {

bool belongsToLoop(ClauseKind Kind) {
  return llvm::is_contained({K::Gang, K::Worker, K::Vector, K::Seq, K::Auto, K::Independent, K::Collapse, K::Tile, K::Private,
                             K::Reduction}, Kind);
}

Directive part(const Directive &D, DirectiveKind Kind, bool OfLoop) {
  Directive Part = D;
  Part.Kind = Kind;
  Part.WithLoop = false;
  llvm::erase_if(Part.Clauses, [&](const Clause &C) { return belongsToLoop(C.Kind) != OfLoop; });
  return Part;
}

bool isDataClause(ClauseKind Kind) {
  return llvm::is_contained({K::Copy, K::Copyin, K::Copyout, K::Create, K::NoCreate, K::Present, K::Deviceptr, K::Attach, K::If,
                             K::Self}, Kind);
}

} // namespace

void Planner::compute(const Directive &D, const Statement &Body, Context C) {
  if (Body.Head.empty() && Body.Body.empty())
    return error(D.End, "expected a statement after '" + spelling(D.Kind).str() + "'");
  if (Body.K == Statement::Pragma && Body.Head[0].is(tok::annot_pragma_openmp) && isConstruct(Body.Head[1])) {
    warn(D.Name, "the statement has an OpenMP directive, too; this OpenACC one is ignored");
    return W.tokens(deferInside(Body));
  }
  if (C.At != Level::Host)
    return error(D.Name, "'" + spelling(D.Kind).str() + "' may not stand in device code");
  Statement Bound = Body;
  bindCalls(Bound);
  queued(D, !D.hasAny({K::If, K::Self}) && !clears(D), [&] {
    around(D, C, [&](const Directive &Inner) { withoutLoop(Inner, Bound, C); });
  });
}

// parallel loop and its like are a construct with a loop in it.
void Planner::withoutLoop(const Directive &D, const Statement &Body, const Context &C) {
  if (!D.WithLoop)
    return computeRegion(D, Body, C);
  Directive Outer = part(D, D.Kind, false), Loop = part(D, DirectiveKind::Loop, true);
  Statement Construct;
  Construct.K = Statement::Construct;
  Construct.Acc = &Loop;
  Construct.Body.push_back(Body);
  computeRegion(Outer, Construct, C);
}

void Planner::computeRegion(const Directive &D, const Statement &Body, Context C) {
  C.DevicePointers.merge(namesIn(D, K::Deviceptr));
  if (D.Kind == DirectiveKind::Kernels) {
    Statement Resolved = resolveKernels(Body, false);
    return kernelsRegion({D, Resolved, C});
  }
  Region R{D, Body, C};
  D.Kind == DirectiveKind::Parallel ? parallelRegion(R) : singleThread(R);
}

void Planner::parallelRegion(const Region &R) {
  RegionShape Shape = shapeOf(R.Body);
  // Without gang, each of the gangs asked for executes all iterations.
  bool Redundant = R.D.has(K::NumGangs) && Shape.K == RegionShape::OneLoop && Shape.Parts[0]->Acc->At != R.D.At &&
                   Shape.Parts[0]->Acc->hasAny({K::Worker, K::Vector}) && !Shape.Parts[0]->Acc->has(K::Gang);
  if (Redundant)
    return teamsRegion(R, false);
  bool OwnData = R.D.hasAny({K::Private, K::Firstprivate, K::Reduction});
  if (Shape.K == RegionShape::OneLoop && isPartitioned(*Shape.Parts[0]->Acc) && !hasLocalArrays(R.D))
    return loopRegion(R, *Shape.Parts[0]->Acc, Shape.Parts[0]->Body[0]);
  if (Shape.K == RegionShape::OneLoop && !hasPartitioned(R.Body, Unit.KnownRoutines) && !R.D.has(K::NumGangs) && !OwnData)
    return singleThread(R);
  if (Shape.K == RegionShape::OnlyLoops && !OwnData &&
      llvm::all_of(Shape.Parts, [](const Statement *S) { return isPartitioned(*S->Acc); }))
    return splitRegion(R, Shape.Parts);
  teamsRegion(R, false);
}

// A kernel for each loop and for what stands between; nothing may be declared there that another one needs.
void Planner::kernelsRegion(const Region &R) {
  RegionShape Shape = shapeOf(R.Body);
  auto Partitioned = [](const Statement *S) { return S->isLoopConstruct() && isPartitioned(*S->Acc); };
  if (Shape.K == RegionShape::OneLoop && Partitioned(Shape.Parts[0]))
    return loopRegion(R, *Shape.Parts[0]->Acc, Shape.Parts[0]->Body[0]);
  bool Declares = llvm::any_of(Shape.Parts, [&](const Statement *S) {
    return S->K == Statement::Plain && !Table.declared(S->Head).empty();
  });
  if (Shape.K != RegionShape::OneLoop && !Declares && llvm::any_of(Shape.Parts, Partitioned))
    return splitRegion(R, Shape.Parts);
  hasPartitioned(R.Body, Unit.KnownRoutines) ? teamsRegion(R, true) : singleThread(R);
}

static Dependence worse(Dependence A, Dependence B) {
  if (A == Dependence::Carried || B == Dependence::Carried)
    return Dependence::Carried;
  return A == Dependence::Unknown ? A : B;
}

// A loop that a directive stands before: its words decide, and where there are none, what can be proven.
const Directive *Planner::resolveLoop(const Directive &L, const Statement &Body) {
  bool Asked = L.hasAny({K::Gang, K::Worker, K::Vector, K::Reduction}) && !L.has(K::Auto);
  Dependence Found = Dependence::None;
  LoopDecision How = decideLoop(L, Body, Level::Threads, Unit.KnownRoutines);
  if (!L.has(K::Independent)) // of every loop that shares the iteration space
    for (const Statement *For : nestOf(Body, std::max(How.Collapse, 1u)))
      Found = worse(Found, dependenceOf(*For, Table));
  if (Asked && Found == Dependence::Carried)
    warn(L.Name, "the iterations of this loop depend on each other; it is carried out sequentially");
  bool Parallel = Found == Dependence::None || (Asked && Found == Dependence::Unknown);
  Unit.Directives.push_back(L);
  Directive &Resolved = Unit.Directives.back();
  llvm::erase_if(Resolved.Clauses, [](const Clause &C) { return C.Kind == K::Auto || C.Kind == K::Independent; });
  Resolved.Clauses.push_back({Parallel ? K::Independent : K::Auto, L.At, false, "", {}});
  return &Resolved;
}

// A loop without a directive that is proven parallel gets one.
static Statement asConstruct(const Statement &For, std::deque<Directive> &Owner) {
  Directive L;
  L.Kind = DirectiveKind::Loop;
  L.At = L.Name = L.End = For.Head[0].getLocation();
  L.Clauses.push_back({K::Independent, L.At, false, "", {}});
  Owner.push_back(std::move(L));
  Statement S;
  S.K = Statement::Construct;
  S.Acc = &Owner.back();
  S.Body.push_back(For);
  return S;
}

// In kernels the compiler is to find out what is parallel: each loop comes out with `independent` or `auto`, which is sequential here.
// Loops without a directive inside of a parallel one are left to its threads.
Statement Planner::resolveKernels(const Statement &S, bool InParallel) {
  if (S.K == Statement::For && !InParallel && dependenceOf(S, Table) == Dependence::None)
    return asConstruct(S, Unit.Directives);
  Statement Out = S;
  if (S.isLoopConstruct() && !S.Body.empty()) {
    if (!S.Acc->has(K::Seq))
      Out.Acc = resolveLoop(*S.Acc, S.Body[0]);
    InParallel |= isPartitioned(*Out.Acc);
    if (Out.Body[0].K == Statement::For) { // the construct's own loop
      for (Statement &Inner : Out.Body[0].Body)
        Inner = resolveKernels(Inner, InParallel);
      return Out;
    }
  }
  for (Statement &Inner : Out.Body)
    Inner = resolveKernels(Inner, InParallel);
  return Out;
}

// Names that a construct's clauses have spoken of: they get no copy besides.
Names Planner::spokenOf(const Directive &D, const std::vector<ReductionItem> &Reduced) const {
  Names Taken = visibleNames(D);
  Taken.merge(ownOf(D));
  for (const ReductionItem &I : Reduced)
    Taken.insert(baseName(I.Text));
  return Taken;
}

// target teams distribute [parallel for]
void Planner::loopRegion(const Region &R, const Directive &L, const Statement &Body) {
  if (!isLoop(L, Body))
    return;
  checkDefaultNone(R, Body);
  LoopDecision How = decideLoop(L, Body, Level::Teams, Unit.KnownRoutines);
  bool Threads = How.By != Carrier::Teams;
  std::vector<ReductionItem> Reduced;
  addReductions(Reduced, reductionsOfNest(L, Body, R.C), ownOf(R.D)); // what the region has as its own is lost behind it
  addReductions(Reduced, reductionsOf(R.D), {});

  W.at(R.D.At);
  W.beginPragma(R.D, Threads ? "target teams distribute parallel for" : "target teams distribute");
  targetClauses(R, Body);
  teamsClauses(R.D, &L);
  mapReductions(R, Reduced);
  mapVisible(R, Body, Reduced);
  reductions(Reduced);
  collapse(How);
  W.list("private (", privates(R.D, K::Private));
  loopPrivates(L, How);
  Names Taken = spokenOf(R.D, Reduced), First = privates(R.D, K::Firstprivate);
  Taken.merge(privates(L, K::Private));
  for (const Directive *Inner : How.Merged)
    Taken.merge(privates(*Inner, K::Private));
  Taken.merge(countersOf(Body, How));
  First.merge(privateCopies(Body, R.C, Taken));
  W.list("firstprivate (", First);
  W.endPragma(R.D);

  Context Inside = inside(R, Body, Threads ? Level::Threads : Level::Gang);
  Inside.Data.merge(visibleNames(R.D));
  Inside.Reduced = Reduced;
  Merged.insert(How.Merged.begin(), How.Merged.end());
  loopBody(L, Body, Inside);
}

Planner::Context Planner::inside(const Region &R, const Statement &Body, Level At) const {
  Context Inside = R.C;
  Inside.At = At;
  Inside.Declared.merge(Table.declaredIn(Body));
  return Inside;
}

// Whether loops or calls inside want more than one gang.
bool Planner::wantsGangs(const Statement &Body) const {
  bool Found = false;
  walk(Body, [&](const Statement &S) {
    if (S.Acc)
      Found |= isPartitioned(*S.Acc) && (S.Acc->has(K::Gang) || !S.Acc->hasAny({K::Worker, K::Vector}));
    else
      Found |= llvm::any_of(S.Head, [&](const Token &T) {
        auto Known = Unit.KnownRoutines.find(spelling(T));
        return Known != Unit.KnownRoutines.end() && Known->second == Level::Teams;
      });
    return !Found;
  });
  return Found;
}

// target teams: every gang executes what stands outside of loops. OneTeam: the order of kernels, with parallel loops inside.
void Planner::teamsRegion(const Region &R, bool OneTeam) {
  checkDefaultNone(R, R.Body);
  std::vector<ReductionItem> Reduced = reductionsOf(R.D);
  if (!OneTeam)
    addReductions(Reduced, reductionsInside(R.Body, true, ownOf(R.D)), {});
  W.at(R.D.At);
  if (OneTeam)
    leaveQueue(R.D);
  W.beginPragma(R.D, "target teams");
  targetClauses(R, R.Body);
  if (OneTeam || (!wantsGangs(R.Body) && !R.D.has(K::NumGangs)))
    W.words("num_teams ( 1 )");
  else
    teamsClauses(R.D, nullptr);
  if (OneTeam)
    W.words("defaultmap ( tofrom : scalar )");
  mapReductions(R, Reduced);
  mapVisible(R, R.Body, Reduced);
  reductions(Reduced);
  Names Taken = spokenOf(R.D, Reduced), First = privates(R.D, K::Firstprivate);
  if (!OneTeam)
    First.merge(privateCopies(R.Body, R.C, Taken));
  W.list("private (", privates(R.D, K::Private));
  W.list("firstprivate (", First);
  W.endPragma(R.D);

  Context Inside = inside(R, R.Body, OneTeam ? Level::Gang : Level::Teams);
  Inside.Data.merge(Taken);
  Inside.OfGang = First;
  Inside.Reduced = Reduced;
  W.words("{");
  localArrays(R.D);
  body(R.Body, Inside);
  W.words("}");
}

// What the construct itself reduces is a copy inside, which target alone has no clause for.
void Planner::singleThread(const Region &R) {
  checkDefaultNone(R, R.Body);
  std::vector<ReductionItem> Own = reductionsOf(R.D), Reduced = Own;
  addReductions(Reduced, reductionsInside(R.Body, false, ownOf(R.D)), {});
  W.at(R.D.At);
  leaveQueue(R.D);
  W.beginPragma(R.D, Own.empty() ? "target" : "target teams num_teams ( 1 ) thread_limit ( 1 )");
  targetClauses(R, R.Body);
  mapReductions(R, Reduced);
  reductions(Own);
  mapVisible(R, R.Body, Reduced);
  if (R.D.Kind == DirectiveKind::Kernels)
    W.words("defaultmap ( tofrom : scalar )");
  W.list("private (", privates(R.D, K::Private));
  W.list("firstprivate (", privates(R.D, K::Firstprivate));
  W.endPragma(R.D);
  W.words("{");
  localArrays(R.D);
  body(R.Body, inside(R, R.Body, Level::Sequential));
  W.words("}");
}

// Data once around, then a kernel for each part.
void Planner::splitRegion(const Region &R, const std::vector<const Statement *> &Parts) {
  Region Each = R;
  Each.Conditional = R.D.hasAny({K::If, K::Self});
  Each.C.Data.merge(visibleNames(R.D));
  Names Arrays;
  for (const std::string &Name : namesUsed(R.Body))
    if (Table.variable(Name).F == Symbol::Array && !Each.C.Data.count(Name) && !Table.declaredIn(R.Body).count(Name) &&
        !Table.variable(Name).OnDevice && !R.C.DevicePointers.count(Name))
      Arrays.insert(Name);

  W.at(R.D.At);
  W.words("{");
  if (Each.Conditional) {
    W.words("int place_acc_if =");
    condition(R);
    W.words(";");
  }
  std::vector<Mapping> All = mappingsOf(R.D, Table, R.C.Declared);
  if (!All.empty() || !Arrays.empty()) {
    W.beginPragma(R.D, "target data");
    maps(All, "ompx_hold ,");
    W.list("map ( ompx_hold , tofrom :", Arrays);
    if (Each.Conditional)
      W.words("if ( place_acc_if )");
    W.endPragma(R.D);
  }
  W.words("{");
  Directive Bare = R.D;
  llvm::erase_if(Bare.Clauses, [](const Clause &C) { return isDataClause(C.Kind); });
  for (const Statement *S : Parts) {
    Region Part{Bare, *S, Each.C, Each.Conditional};
    if (S->isLoopConstruct() && isPartitioned(*S->Acc))
      loopRegion(Part, *S->Acc, S->Body[0]);
    else
      hasPartitioned(*S, Unit.KnownRoutines) ? teamsRegion(Part, true) : singleThread(Part);
  }
  W.words("} }");
}

} // namespace place::acc
