//===- PlanData.cpp - data, enter data, exit data, host_data, update ------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Planner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace clang;

namespace place::acc {

using K = ClauseKind;

// A pointer named without a section stands, where nothing is copied, for what it points to.
void Planner::mapItem(const Mapping &M) {
  bool This = M.What->Text.size() == 1 && M.What->Text[0].is(tok::kw_this);
  bool Bare = sectionOf(M.What->Text).Bounds.empty();
  bool Pointee = M.K == Mapping::Present || M.K == Mapping::Release || M.K == Mapping::Delete;
  if (!M.Alias.empty()) {
    W.words(M.Alias);
    return W.tokens(TokenRange(M.What->Text).drop_front(sectionOf(M.What->Text).Base.size()));
  }
  if (M.K == Mapping::NoCreate) { // of no length: looked up, never made
    Section S = sectionOf(M.What->Text);
    W.tokens(S.Base);
    W.words("[");
    Bare || S.start(0).empty() ? W.words("0") : W.tokens(S.start(0));
    return W.words(": 0 ]");
  }
  W.tokens(M.What->Text);
  if (This || (Bare && Pointee && M.S.isPointer()))
    W.words("[ 0 : 1 ]");
}

// map clauses, one for each kind; whether there are any.
bool Planner::maps(const std::vector<Mapping> &All, llvm::StringRef Hold) {
  bool Any = false;
  for (Mapping::Kind Kind : {Mapping::ToFrom, Mapping::To, Mapping::From, Mapping::Alloc, Mapping::Present, Mapping::NoCreate,
                             Mapping::Release, Mapping::Delete}) {
    bool First = true;
    for (const Mapping &M : All) {
      // There is no mapping that leaves an absent array absent: without any, the region finds it if it is there.
      if (M.K != Kind || M.Rows || (Kind == Mapping::NoCreate && !M.S.isPointer()))
        continue;
      if (First)
        W.words(("map ( " + llvm::Twine(Hold) + (Kind == Mapping::Present ? " present , " : " ") + M.mapType() + " :").str());
      else
        W.words(",");
      First = false;
      mapItem(M);
    }
    if (!First)
      W.words(")");
    Any |= !First;
  }
  return Any;
}

void Planner::dataCondition(const Directive &D) {
  if (const Clause *If = D.find(K::If))
    W.wrapped("if (", If->Items[0].Text);
}

// Rows of pointers, clearing, and attaching have no clause: calls before and behind the construct.
void Planner::around(const Directive &D, const Context &C, llvm::function_ref<void(const Directive &)> Inside) {
  std::vector<Mapping> All = mappingsOf(D, Table, C.Declared);
  bool Rows = llvm::any_of(All, [](const Mapping &M) { return M.Rows; });
  bool Zero = llvm::any_of(All, [](const Mapping &M) { return M.Zero; });
  bool Attach = llvm::any_of(All, [](const Mapping &M) { return M.K == Mapping::Attach; });
  if (D.Kind == DirectiveKind::Data)
    aliasMembers(All);
  bool Aliased = llvm::any_of(All, [](const Mapping &M) { return !M.Alias.empty(); });
  if (!Rows && !Zero && !Attach && !Aliased)
    return Inside(D);
  if (const Clause *If = D.find(K::If); If && (Rows || Attach))
    warn(If->At, "'if' holds for the construct, not for rows of pointers and for 'attach'");
  W.words("{");
  aliases(All);
  if (Rows)
    enterRows(D, All);
  if (Zero) {
    zeroBegin(All);
    std::vector<Mapping> Cleared;
    llvm::copy_if(All, std::back_inserter(Cleared), [](const Mapping &M) { return M.Zero; });
    W.beginPragma(D, "target data");
    maps(Cleared, "ompx_hold ,");
    dataCondition(D);
    W.endPragma(D);
    W.words("{");
    zeroEnd(All);
  }
  if (Attach)
    attach(All, Mapping::Attach);
  Directive Plain = withoutZero(D);
  Inside(Plain);
  W.at(D.At);
  attachAliases(All, false);
  if (Attach)
    attach(All, Mapping::Detach);
  if (Zero)
    W.words("}");
  if (Rows)
    exitRows(D, All);
  W.words("}");
}

void Planner::data(const Directive &D, StatementReader &In) {
  Statement Body = In.read();
  if (Body.Head.empty() && Body.Body.empty())
    return error(D.End, "expected a statement after 'data'");
  queued(D, !clears(D), [&] { around(D, hostContext(), [&](const Directive &Inner) { dataRegion(D, Inner, Body); }); });
}

// Inner is D without what `around` has done. Of an asynchronous construct, beginning and end go into the queue; the body is the host's.
void Planner::dataRegion(const Directive &D, const Directive &Inner, const Statement &Body) {
  W.at(D.At);
  std::vector<Mapping> All = mappingsOf(Inner, Table, {});
  aliasMembers(All);
  bool Aliased = llvm::any_of(All, [](const Mapping &M) { return !M.Alias.empty(); });
  bool Any = llvm::any_of(All, [](const Mapping &M) {
    return !M.Rows && M.K != Mapping::Attach && (M.K != Mapping::NoCreate || M.S.isPointer());
  });
  if (Any) {
    W.beginPragma(Inner, "target data");
    maps(All, "ompx_hold ,");
    dataCondition(Inner);
    W.endPragma(Inner);
  }
  if (Aliased) {
    W.words("{");
    attachAliases(All, true);
  }
  bool Queued = D.has(K::Async) && !clears(D);
  if (Queued)
    W.words("{ place_acc_async_end ( ) ;");
  hostScope(D, deferInside(Body), {visibleNames(D), namesIn(D, K::Deviceptr), Level::Host});
  if (Queued)
    W.words("place_acc_async_begin ( place_acc_queue ) ; }");
  if (Aliased)
    W.words("}");
}

void Planner::hostData(const Directive &D, StatementReader &In) {
  Statement Body = In.read();
  std::vector<TokenRange> Pointers, Others;
  for (const Clause &C : D.Clauses)
    if (C.Kind == K::UseDevice)
      for (const Item &I : C.Items)
        (Table.item(I.Text, {}).isPointer() ? Pointers : Others).push_back(I.Text);
  W.beginPragma(D, "target data");
  W.list("use_device_ptr (", Pointers);
  W.list("use_device_addr (", Others);
  dataCondition(D);
  W.endPragma(D);
  W.tokens(deferInside(Body));
}

void Planner::standaloneData(const Directive &D) {
  queued(D, !clears(D), [&] { enterOrExit(D); });
}

void Planner::enterOrExit(const Directive &D) {
  bool Enter = D.Kind == DirectiveKind::EnterData, Finalize = D.has(K::Finalize);
  std::vector<Mapping> All = mappingsOf(D, Table, {});
  auto Has = [&](auto Test) { return llvm::any_of(All, Test); };
  bool Rows = Has([](const Mapping &M) { return M.Rows; }), Zero = Has([](const Mapping &M) { return M.Zero; });
  bool Attach = Has([](const Mapping &M) { return M.K == Mapping::Attach || M.K == Mapping::Detach; });
  bool Plain = Has([](const Mapping &M) { return !M.Rows && M.K != Mapping::Attach && M.K != Mapping::Detach; });
  aliasMembers(All);
  bool Aliased = Has([](const Mapping &M) { return !M.Alias.empty(); });
  bool Braces = Rows || Zero || Attach || Finalize || Aliased;
  if (Braces)
    W.words("{");
  aliases(All);
  if (Zero)
    zeroBegin(All);
  if (Attach && !Enter)
    attach(All, Mapping::Detach);
  if (Rows)
    Enter ? enterRows(D, All) : exitRows(D, All);
  if (Finalize) // whatever is counted, the copy is made, and then all counts go
    transfer(D, All, false);
  for (Mapping &M : All)
    if (Finalize && !M.Rows && M.K == Mapping::From)
      M.K = Mapping::Delete;
  if (Plain) {
    W.beginPragma(D, Enter ? "target enter data" : "target exit data");
    maps(All, "");
    dataCondition(D);
    W.endPragma(D);
  }
  if (Zero)
    zeroEnd(All);
  attachAliases(All, Enter);
  if (Attach && Enter)
    attach(All, Mapping::Attach);
  if (Braces)
    W.words("}");
}

void Planner::update(const Directive &D) {
  queued(D, true, [&] { transfers(D); });
}

// target update of what is to be copied from or to the device, if there is any such.
void Planner::transfer(const Directive &D, const std::vector<Mapping> &All, bool Present) {
  auto Moves = [](const Mapping &M, Mapping::Kind K) { return M.K == K && !M.Rows; };
  if (llvm::none_of(All, [&](const Mapping &M) { return Moves(M, Mapping::From) || Moves(M, Mapping::To); }))
    return;
  W.beginPragma(D, "target update");
  for (auto [Kind, Word] : {std::pair(Mapping::From, "from ("), std::pair(Mapping::To, "to (")}) {
    bool First = true;
    for (const Mapping &M : All) {
      if (!Moves(M, Kind))
        continue;
      W.words(!First ? "," : std::string(Word) + (Present ? " present :" : ""));
      First = false;
      mapItem(M);
    }
    if (!First)
      W.words(")");
  }
  dataCondition(D);
  W.endPragma(D);
}

// A structure need not be on the device for what its members point to.
void Planner::transfers(const Directive &D) {
  std::vector<Mapping> All;
  for (const Clause &C : D.Clauses) {
    if (C.Kind != K::Self && C.Kind != K::Device)
      continue;
    for (const Item &I : C.Items) {
      All.push_back({C.Kind == K::Self ? Mapping::From : Mapping::To, &I, Table.item(I.Text, {})});
      All.back().Rows = All.back().S.Rows && sectionOf(I.Text).Bounds.size() > 1;
    }
  }
  aliasMembers(All);
  bool Braces = llvm::any_of(All, [](const Mapping &M) { return M.Rows || !M.Alias.empty(); });
  if (Braces)
    W.words("{");
  aliases(All);
  for (const Mapping &M : All)
    if (M.Rows)
      row(D, M, M.K == Mapping::From ? "target update from (" : "target update to (");
  transfer(D, All, !D.has(K::IfPresent));
  if (Braces)
    W.words("}");
}

} // namespace place::acc
