//===- PlanClauses.cpp - Clauses of compute constructs and loops ---------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Planner.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace place::acc {

using K = ClauseKind;

void Planner::targetClauses(const Region &R, const Statement &Body) {
  maps(mappingsOf(R.D, Table, R.C.Declared), "ompx_hold ,");
  if (R.D.hasAny({K::If, K::Self}) || R.Conditional) {
    W.words("if ( target :");
    R.Conditional ? W.words("place_acc_if") : condition(R);
    W.words(")");
  }
  Names Used = namesUsed(Body), Device;
  for (const std::string &Name : R.C.DevicePointers)
    if (Used.count(Name))
      Device.insert(Name);
  W.list("is_device_ptr (", Device);
  const Clause *Default = R.D.find(K::Default);
  if (Default && spelling(Default->Items[0].Text[0]) == "present")
    W.words("defaultmap ( present : aggregate )");
}

// if and self in one expression.
void Planner::condition(const Region &R) {
  const Clause *If = R.D.find(K::If), *Self = R.D.find(K::Self);
  if (If) {
    W.words("! ! (");
    W.tokens(If->Items[0].Text);
    W.words(")");
  }
  if (!Self)
    return;
  if (If)
    W.words("&&");
  if (!Self->HasArguments)
    return W.words("0");
  W.words("! (");
  W.tokens(Self->Items[0].Text);
  W.words(")");
}

// Sizes may stand on the construct, and in kernels on the loop.
static const Tokens *argument(const Directive *D, ClauseKind Kind, llvm::StringRef Keyword) {
  const Clause *C = D ? D->find(Kind) : nullptr;
  if (C)
    for (const Item &I : C->Items)
      if (I.Keyword == Keyword)
        return &I.Text;
  return nullptr;
}

void Planner::teamsClauses(const Directive &D, const Directive *L) {
  if (const Clause *Gangs = D.find(K::NumGangs)) {
    W.words("num_teams (");
    for (const Item &I : Gangs->Items) {
      W.words(&I == &Gangs->Items.front() ? "(" : "* (");
      W.tokens(I.Text);
      W.words(")");
    }
    W.words(")");
  } else if (const Tokens *Gangs = argument(L, K::Gang, "num")) {
    W.wrapped("num_teams (", *Gangs);
  }
  threadLimit(D, L);
}

/// Threads that are asked for by numbers alone; 0: not known.
static uint64_t threadsByNumbers(const Tokens *Workers, const Tokens *Length) {
  uint64_t All = 1, Number = 0;
  for (const Tokens *Text : {Workers, Length}) {
    if (!Text)
      continue;
    if (Text->size() != 1 || llvm::StringRef(spelling(Text->front())).getAsInteger(0, Number))
      return 0;
    All *= Number;
  }
  return All;
}

// More threads than a GPU has in a team are a wish; told of them, clang 19 takes the loop to have no iterations.
void Planner::threadLimit(const Directive &D, const Directive *L) {
  const Tokens *Workers = argument(&D, K::NumWorkers, ""), *Length = argument(&D, K::VectorLength, "");
  if (!Workers)
    Workers = argument(L, K::Worker, "num");
  if (!Length)
    Length = argument(L, K::Vector, "length");
  if (!Workers && !Length)
    return;
  const unsigned Most = 1024;
  if (threadsByNumbers(Workers, Length) > Most)
    return W.words("thread_limit ( 1024 )");
  W.words("thread_limit (");
  if (Workers)
    W.wrapped("(", *Workers);
  if (Workers && Length)
    W.words("*");
  if (Length)
    W.wrapped("(", *Length);
  W.words(")");
}

// default(none): what is used must be named by a clause here or around.
void Planner::checkDefaultNone(const Region &R, const Statement &Body) {
  const Clause *Default = R.D.find(K::Default);
  if (!Default || spelling(Default->Items[0].Text[0]) != "none")
    return;
  Names Named = visibleNames(R.D);
  for (K Kind : {K::Private, K::Firstprivate, K::Deviceptr})
    Named.merge(namesIn(R.D, Kind));
  SymbolMap Declared = Table.declaredIn(Body);
  for (const std::string &Name : namesUsed(Body)) {
    Symbol S = Table.variable(Name);
    if ((S.F == Symbol::Array || S.F == Symbol::Pointer || S.F == Symbol::Aggregate) && !S.OnDevice && !Declared.count(Name) &&
        !Named.count(Name) && !R.C.Data.count(Name) && !R.C.DevicePointers.count(Name))
      error(Default->At, "default(none): '" + Name + "' is used and in no data clause");
  }
}

std::vector<ReductionItem> Planner::reductionsOf(const Directive &D) const {
  std::vector<ReductionItem> Found;
  for (const Clause &C : D.Clauses)
    if (C.Kind == K::Reduction)
      for (const Item &I : C.Items)
        Found.push_back({C.Modifier, I.Text});
  return Found;
}

// A reduction of an inner loop holds for the loops around it, up to the one or the region that has the variable as its own.
void Planner::reductionsInside(const Statement &S, bool GangsOnly, Names Own, std::vector<ReductionItem> &Found) const {
  if (S.isLoopConstruct()) {
    bool Gang = S.Acc->has(K::Gang) || !S.Acc->hasAny({K::Worker, K::Vector, K::Seq, K::Auto});
    Own.merge(privates(*S.Acc, K::Private));
    if (Gang || !GangsOnly)
      addReductions(Found, reductionsOf(*S.Acc), Own);
  }
  for (const Statement &Inner : S.Body)
    reductionsInside(Inner, GangsOnly, Own, Found);
}

std::vector<ReductionItem> Planner::reductionsInside(const Statement &S, bool GangsOnly, Names Own) const {
  std::vector<ReductionItem> Found;
  for (const auto &[Name, Symbol] : Table.declaredIn(S))
    Own.insert(Name);
  reductionsInside(S, GangsOnly, std::move(Own), Found);
  return Found;
}

void addReductions(std::vector<ReductionItem> &To, const std::vector<ReductionItem> &From, const Names &Not) {
  for (const ReductionItem &I : From)
    if (!Not.count(baseName(I.Text)) &&
        llvm::none_of(To, [&](const ReductionItem &Old) { return sameText(Old.Text, I.Text); }))
      To.push_back(I);
}

// A loop's own, those of loops inside, and those of loops around whose variables it writes.
std::vector<ReductionItem> Planner::reductionsOfNest(const Directive &L, const Statement &Body, const Context &C) const {
  std::vector<ReductionItem> Reduced = reductionsOf(L);
  Names Own = privates(L, K::Private), Written = namesWritten(Body, CPlusPlus);
  for (const auto &[Name, S] : Table.declaredIn(Body))
    Own.insert(Name);
  addReductions(Reduced, reductionsInside(Body, false, Own), {});
  for (const ReductionItem &I : C.Reduced)
    if (Written.count(baseName(I.Text)))
      addReductions(Reduced, {I}, Own);
  return Reduced;
}

void Planner::reductions(const std::vector<ReductionItem> &Items) {
  std::map<std::string, std::vector<TokenRange>> ByOperator;
  for (const ReductionItem &I : Items)
    ByOperator[I.Operator].push_back(I.Text);
  for (const auto &[Operator, List] : ByOperator)
    W.list("reduction ( " + Operator + " :", List);
}

// Results must come back from the device.
void Planner::mapReductions(const Region &R, const std::vector<ReductionItem> &Items) {
  Names Taken = visibleNames(R.D);
  Taken.merge(ownOf(R.D));
  std::vector<TokenRange> List;
  for (const ReductionItem &I : Items)
    if (!Taken.count(baseName(I.Text)) && !Table.variable(baseName(I.Text)).OnDevice)
      List.push_back(I.Text);
  W.list("map ( ompx_hold , tofrom :", List);
}

// Scalars in a data clause around the region are on the device; OpenMP would take copies of them.
void Planner::mapVisible(const Region &R, const Statement &Body, const std::vector<ReductionItem> &Reduced) {
  Names Not = visibleNames(R.D), Used = namesUsed(Body), List;
  for (K Kind : {K::Private, K::Firstprivate, K::Deviceptr})
    Not.merge(namesIn(R.D, Kind));
  for (const ReductionItem &I : Reduced)
    Not.insert(baseName(I.Text));
  for (const std::string &Name : R.C.Data)
    if (Used.count(Name) && !Not.count(Name)) {
      Symbol S = Table.variable(Name);
      if (!S.OnDevice && (S.F == Symbol::Scalar || S.F == Symbol::Unknown))
        List.insert(Name);
    }
  W.list("map ( ompx_hold , tofrom :", List);
}

Symbol Planner::variable(const std::string &Name, const Context &C) const {
  auto Outer = C.Declared.find(Name);
  return Outer != C.Declared.end() ? Outer->second : Table.variable(Name);
}

// Scalars belong to a gang in OpenACC and to all teams in OpenMP: those that are written need a copy for each.
Names Planner::privateCopies(const Statement &Body, const Context &C, const Names &Not) const {
  Names Copies;
  SymbolMap Declared = Table.declaredIn(Body);
  for (const std::string &Name : namesWritten(Body, CPlusPlus)) {
    if (Not.count(Name) || Declared.count(Name) || C.Data.count(Name) || C.DevicePointers.count(Name))
      continue;
    Symbol S = variable(Name, C);
    bool Known = C.Declared.count(Name) || Table.isVariable(Name) || Table.inClass();
    if (Known && !S.OnDevice && (S.F == Symbol::Scalar || S.F == Symbol::Pointer || S.F == Symbol::Unknown))
      Copies.insert(Name);
  }
  return Copies;
}

// private(p[0:n]) and firstprivate(p[0:n]) of a pointer are local arrays, see localArrays.
static bool isLocalArray(const Item &I, const Symbols &Table) {
  return isPointersSection(I, Table.item(I.Text, {}));
}

Names Planner::privates(const Directive &D, ClauseKind Kind) const {
  Names Found;
  for (const Clause &C : D.Clauses)
    if (C.Kind == Kind)
      for (const Item &I : C.Items)
        if (!isLocalArray(I, Table))
          Found.insert(baseName(I.Text));
  return Found;
}

Names Planner::ownOf(const Directive &D) const {
  Names Own = privates(D, K::Private);
  Own.merge(privates(D, K::Firstprivate));
  return Own;
}

bool Planner::hasLocalArrays(const Directive &D) const {
  return llvm::any_of(D.Clauses, [&](const Clause &C) {
    return (C.Kind == K::Private || C.Kind == K::Firstprivate) &&
           llvm::any_of(C.Items, [&](const Item &I) { return isLocalArray(I, Table); });
  });
}

// Whether clang knows the value of Text, as far as its names tell.
static bool isConstant(TokenRange Text, const Symbols &Table) {
  return llvm::all_of(Text, [&](const Token &T) {
    return T.isNot(tok::identifier) || Table.isConstant(spelling(T)) || Table.type(spelling(T));
  });
}

void Planner::localArrays(const Directive &D) {
  for (const Clause &C : D.Clauses)
    for (const Item &I : C.Items)
      if (C.Kind == K::Private && isLocalArray(I, Table))
        localArray(sectionOf(I.Text));
      else if (C.Kind == K::Firstprivate && isLocalArray(I, Table))
        copiedArray(sectionOf(I.Text));
}

void Planner::startOf(const Section &S) {
  W.words("(");
  S.start(0).empty() ? W.words("0") : W.tokens(S.start(0));
  W.words(")");
}

void Planner::countOf(const Section &S) {
  W.words("(");
  S.isRange(0) ? W.tokens(S.count(0)) : W.words("1");
  W.words(")");
}

// T *p =
void Planner::allocatedArray(const Section &S) {
  W.words("__attribute__ ( ( cleanup ( place_acc_free_array ) ) ) __typeof__ (");
  W.tokens(S.Base);
  W.words("[ 0 ] ) *");
  W.tokens(S.Base);
  W.wrapped("= ( __typeof__ (", S.Base);
  W.words(")");
}

// T p[(start) + (count)]; or, as clang has no arrays of variable length for GPUs, T *p = allocated, until the end of the block.
void Planner::localArray(const Section &S) {
  bool Fixed = isConstant(S.start(0), Table) && (!S.isRange(0) || isConstant(S.count(0), Table));
  auto Length = [&] { startOf(S), W.words("+"), countOf(S); };
  if (!Fixed) {
    allocatedArray(S);
    W.words("place_acc_new_array (");
    Length();
    W.wrapped(", sizeof ( *", S.Base);
    return W.words(") ;");
  }
  W.words("__typeof__ (");
  W.tokens(S.Base);
  W.words("[ 0 ] )");
  W.tokens(S.Base);
  W.words("[");
  Length();
  W.words("] ;");
}

// T *mapped = p; T *p = a copy of that. Allocated in any case: elements may be const.
void Planner::copiedArray(const Section &S) {
  std::string Mapped = "place_acc_mapped_" + baseName(S.Base);
  W.wrapped("__typeof__ (", S.Base);
  W.words(Mapped + " =");
  W.tokens(S.Base);
  W.words(";");
  allocatedArray(S);
  W.words("place_acc_copied_array ( " + Mapped + " ,");
  startOf(S);
  W.words(",");
  countOf(S);
  W.wrapped(", sizeof ( *", S.Base);
  W.words(") ;");
}

} // namespace place::acc
