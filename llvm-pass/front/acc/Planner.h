//===- Planner.h - From OpenACC to OpenMP, a nest at a time ------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/openacc.md has the table of what becomes what. A compute construct is rewritten in one go, since what carries a loop depends on
// the loops around it. Around host code (data, host_data, routine, declare) only the construct itself is written; directives inside
// stay deferred, so that each meets clang's tables as they are where it stands.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_PLANNER_H
#define PLACE_ACC_PLANNER_H

#include "Decide.h"
#include "Mapping.h"
#include "Parser.h"
#include "Writer.h"

#include <deque>
#include <map>

namespace place::acc {

/// What constructs around the present place say, innermost last.
struct Scope {
  Names Data;           // named in data clauses
  Names DevicePointers; // hold device addresses
  Level At = Level::Host;
};

/// What outlives one directive.
struct UnitState {
  std::vector<Scope> Scopes;
  Routines KnownRoutines;
  std::map<std::string, std::string> Bound; // where one of the two is a lambda: what is called on a device in place of what
  std::deque<Directive> Directives; // owns every directive of the unit
  std::deque<Deferred> Markers;     // owns what deferred tokens point at

  clang::Token defer(const Directive *D, clang::SourceLocation At) {
    Markers.push_back({D});
    return deferredToken(&Markers.back(), At);
  }
};

struct ReductionItem {
  std::string Operator;
  TokenRange Text;
};

/// Adds those of From whose variables are neither in Not nor in To already.
void addReductions(std::vector<ReductionItem> &To, const std::vector<ReductionItem> &From, const Names &Not);

class Planner {
public:
  Planner(const Symbols &Table, Writer &W, UnitState &Unit, Reporter Report, bool CPlusPlus)
      : Table(Table), W(W), Unit(Unit), Report(Report), CPlusPlus(CPlusPlus) {}

  /// Writes what becomes of a directive outside of any compute construct, and of the statement that it takes from In.
  void directive(const Directive &D, StatementReader &In);

private:
  struct Context {
    Level At = Level::Host;
    Names Data, DevicePointers;
    Names OfGang; // have a copy for each gang
    SymbolMap Declared; // by statements that clang has not parsed yet
    std::vector<ReductionItem> Reduced; // by loops around
    const Statement *Repeated = nullptr; // the innermost loop around that one thread runs
  };
  /// A compute construct without its loop, and what its clauses amount to.
  struct Region {
    const Directive &D;
    const Statement &Body;
    Context C;
    bool Conditional = false; // the condition stands in place_acc_if
  };

  // PlanCompute.cpp: compute constructs
  void compute(const Directive &D, const Statement &Body, Context C);
  void withoutLoop(const Directive &D, const Statement &Body, const Context &C);
  void computeRegion(const Directive &D, const Statement &Body, Context C);
  void parallelRegion(const Region &R);
  void kernelsRegion(const Region &R);
  void loopRegion(const Region &R, const Directive &L, const Statement &Body);
  void teamsRegion(const Region &R, bool OneTeam);
  void singleThread(const Region &R);
  void splitRegion(const Region &R, const std::vector<const Statement *> &Parts);
  Statement resolveKernels(const Statement &S, bool InParallel);
  const Directive *resolveLoop(const Directive &L, const Statement &Body);
  Context inside(const Region &R, const Statement &Body, Level At) const;
  Names spokenOf(const Directive &D, const std::vector<ReductionItem> &Reduced) const;
  bool wantsGangs(const Statement &Body) const;

  // PlanClauses.cpp: clauses of compute constructs and loops
  void targetClauses(const Region &R, const Statement &Body);
  void teamsClauses(const Directive &D, const Directive *L);
  void threadLimit(const Directive &D, const Directive *L);
  void condition(const Region &R);
  void checkDefaultNone(const Region &R, const Statement &Body);
  std::vector<ReductionItem> reductionsOf(const Directive &D) const;
  std::vector<ReductionItem> reductionsOfNest(const Directive &L, const Statement &Body, const Context &C) const;
  std::vector<ReductionItem> reductionsInside(const Statement &S, bool GangsOnly, Names Own) const;
  void reductionsInside(const Statement &S, bool GangsOnly, Names Own, std::vector<ReductionItem> &Found) const;
  void reductions(const std::vector<ReductionItem> &Items);
  void mapReductions(const Region &R, const std::vector<ReductionItem> &Items);
  void mapVisible(const Region &R, const Statement &Body, const std::vector<ReductionItem> &Reduced);
  Symbol variable(const std::string &Name, const Context &C) const; // where clang has not parsed its declaration yet, too
  Names privateCopies(const Statement &Body, const Context &C, const Names &Not) const;
  Names privates(const Directive &D, ClauseKind Kind) const;
  Names ownOf(const Directive &D) const; // private and firstprivate
  void localArrays(const Directive &D);
  void localArray(const Section &S);
  void copiedArray(const Section &S);
  void allocatedArray(const Section &S);
  void startOf(const Section &S);
  void countOf(const Section &S);
  bool hasLocalArrays(const Directive &D) const;

  // PlanLoop.cpp: what is inside of a region
  void body(const Statement &S, const Context &C);
  void plain(TokenRange Text, const Context &C);
  void construct(const Statement &S, const Context &C);
  void loop(const Directive &L, const Statement &Body, const Context &C);
  void threadsLoop(const Directive &L, const Statement &Body, const Context &C, const LoopDecision &How);
  Names onlyRead(const Statement &Body, const Context &C, const Names &Not) const;
  Names readBefore(const Directive &L, const std::vector<ReductionItem> &Reduced, const Context &C) const;
  void sequentialLoop(const Directive &L, const Statement &Body, const Context &C);
  void collapse(const LoopDecision &D);
  void loopPrivates(const Directive &L, const LoopDecision &D);
  void loopBody(const Directive &L, const Statement &Body, const Context &C);
  bool isLoop(const Directive &L, const Statement &Body);
  void atomic(const Directive &D, const Statement &Body);

  // PlanData.cpp: data
  void data(const Directive &D, StatementReader &In);
  void dataRegion(const Directive &D, const Directive &Inner, const Statement &Body);
  void hostData(const Directive &D, StatementReader &In);
  void standaloneData(const Directive &D);
  void enterOrExit(const Directive &D);
  void update(const Directive &D);
  void transfers(const Directive &D);
  void transfer(const Directive &D, const std::vector<Mapping> &All, bool Present);
  bool maps(const std::vector<Mapping> &All, llvm::StringRef Hold);
  void mapItem(const Mapping &M);
  void dataCondition(const Directive &D);
  void around(const Directive &D, const Context &C, llvm::function_ref<void(const Directive &)> Inside);

  // PlanHelpers.cpp: what OpenMP has no clause for
  void row(const Directive &D, const Mapping &M, llvm::StringRef Head);
  void enterRows(const Directive &D, const std::vector<Mapping> &All);
  void exitRows(const Directive &D, const std::vector<Mapping> &All);
  void zeroBegin(const std::vector<Mapping> &All);
  void zeroEnd(const std::vector<Mapping> &All);
  void attach(const std::vector<Mapping> &All, Mapping::Kind K);
  void aliases(const std::vector<Mapping> &All);
  void attachAliases(const std::vector<Mapping> &All, bool Enter);
  void addressAndBytes(const Mapping &M, bool Bytes);
  Directive withoutZero(const Directive &D);
  static bool clears(const Directive &D);

  // PlanQueue.cpp: async and wait
  void queued(const Directive &D, bool Able, llvm::function_ref<void()> Write);
  void leaveQueue(const Directive &D);
  void queueOf(const Clause &Async);
  void waits(const std::vector<Item> &Items, llvm::StringRef Waiting);
  void wait(const Directive &D);

  // PlanRoutine.cpp: routine
  void routine(const Directive &D, StatementReader &In);
  void routineNamed(const Directive &D);
  void bind(const Directive &D, const std::string &Name, bool Lambda);
  Tokens boundCalls(TokenRange Text);
  void bindCalls(Statement &S);

  // PlanOther.cpp: declare, set, init, shutdown
  void declare(const Directive &D, StatementReader &In);
  void declareGlobal(const Directive &D);
  void leaving(const Statement &S, const Directive &Exit);
  void runtimeCall(const Directive &D);

  const Directive &withCounts(const Directive &D);
  void checkHints(const Directive &D, const SymbolMap &Declared);
  void hostScope(const Directive &D, TokenRange Text, Scope S);
  Context hostContext() const;
  Tokens deferInside(const Statement &S);
  void error(clang::SourceLocation At, const std::string &Text) { Report(Severity::Error, At, Text); }
  void warn(clang::SourceLocation At, const std::string &Text) { Report(Severity::Warning, At, Text); }

  const Symbols &Table;
  Writer &W;
  UnitState &Unit;
  Reporter Report;
  bool CPlusPlus;
  std::set<const Directive *> Merged; // loops that are part of another's iteration space
};

} // namespace place::acc

#endif
