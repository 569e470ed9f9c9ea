//===- Planner.cpp - From OpenACC to OpenMP, a nest at a time -----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Planner.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace place::acc {

static bool takesWholeArrays(ClauseKind Kind) {
  using K = ClauseKind;
  return llvm::is_contained({K::Copy, K::Copyin, K::Copyout, K::Create, K::Present, K::NoCreate, K::Delete, K::Self, K::Device},
                            Kind);
}

// To C a parameter that is declared as an array is a pointer; in a data clause it stands for its elements.
const Directive &Planner::withCounts(const Directive &D) {
  Directive Counted = D;
  bool Any = false;
  for (Clause &C : Counted.Clauses)
    for (Item &I : C.Items)
      if (takesWholeArrays(C.Kind) && I.Text.size() == 1 && I.Text[0].is(tok::identifier))
        if (std::string Count = Table.variable(spelling(I.Text[0])).Count; !Count.empty()) {
          llvm::append_range(I.Text, W.made("[ 0 : " + Count + " ]"));
          Any = true;
        }
  if (!Any)
    return D;
  Unit.Directives.push_back(std::move(Counted));
  return Unit.Directives.back();
}

void Planner::directive(const Directive &Written, StatementReader &In) {
  W.at(Written.At);
  const Directive &D = withCounts(Written);
  checkHints(D, {});
  switch (D.Kind) {
  case DirectiveKind::Parallel:
  case DirectiveKind::Kernels:
  case DirectiveKind::Serial: return compute(D, In.read(), hostContext());
  case DirectiveKind::Loop: return loop(D, In.read(), hostContext());
  case DirectiveKind::Atomic: return atomic(D, In.read());
  case DirectiveKind::Data: return data(D, In);
  case DirectiveKind::HostData: return hostData(D, In);
  case DirectiveKind::EnterData:
  case DirectiveKind::ExitData: return standaloneData(D);
  case DirectiveKind::Update: return update(D);
  case DirectiveKind::Declare: return declare(D, In);
  case DirectiveKind::Routine: return routine(D, In);
  case DirectiveKind::Wait: return wait(D);
  case DirectiveKind::Init:
  case DirectiveKind::Shutdown:
  case DirectiveKind::Set: return runtimeCall(D);
  case DirectiveKind::Cache: return; // a hint; caches are the hardware's
  }
}

// Nothing is made of these arguments, so that clang does not see them.
static bool isHint(ClauseKind Kind) {
  using K = ClauseKind;
  switch (Kind) {
  case K::Tile:
  case K::Gang:
  case K::Worker:
  case K::Vector:
  case K::NumGangs:
  case K::NumWorkers:
  case K::VectorLength: return true;
  default: return false;
  }
}

void Planner::checkHints(const Directive &D, const SymbolMap &Declared) {
  if (Table.inClass() || !Table.inFunction())
    return;
  auto Check = [&](const Item &I) {
    for (size_t At = 0; At < I.Text.size(); ++At) {
      const Token &T = I.Text[At];
      bool Member = At && I.Text[At - 1].isOneOf(tok::period, tok::arrow, tok::coloncolon);
      std::string Name = spelling(T);
      if (T.is(tok::identifier) && !Member && !Declared.count(Name) && !Table.isVariable(Name) && !Table.type(Name))
        error(T.getLocation(), "use of undeclared identifier '" + Name + "'");
    }
  };
  for (const Clause &C : D.Clauses)
    if (isHint(C.Kind))
      for (const Item &I : C.Items)
        Check(I);
  if (D.Kind == DirectiveKind::Cache)
    for (const Item &I : D.Items)
      Check(I);
}

Planner::Context Planner::hostContext() const {
  Context C;
  for (const Scope &S : Unit.Scopes) {
    C.Data.insert(S.Data.begin(), S.Data.end());
    C.DevicePointers.insert(S.DevicePointers.begin(), S.DevicePointers.end());
    if (S.At != Level::Host)
      C.At = S.At;
  }
  if (auto Found = Unit.KnownRoutines.find(Table.function()); C.At == Level::Host && Found != Unit.KnownRoutines.end())
    C.At = Found->second;
  return C;
}

Tokens Planner::deferInside(const Statement &S) {
  return flatten(S, [&](const Directive *D) { return Unit.defer(D, D->At); });
}

// Text follows as it is, and S holds until its end.
void Planner::hostScope(const Directive &D, TokenRange Text, Scope S) {
  Unit.Scopes.push_back(std::move(S));
  W.tokens(Text);
  W.token(Unit.defer(nullptr, D.End));
}

} // namespace place::acc
