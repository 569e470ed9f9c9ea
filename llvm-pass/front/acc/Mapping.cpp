//===- Mapping.cpp - Data clauses as OpenMP maps -----------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Mapping.h"
#include "Expression.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace place::acc {

llvm::StringRef Mapping::mapType() const {
  switch (K) {
  case ToFrom: return "tofrom";
  case To: return "to";
  case From: return "from";
  case Release: return "release";
  case Delete: return "delete";
  default: return "alloc";
  }
}

static std::optional<Mapping::Kind> kindOf(const Directive &D, ClauseKind Kind) {
  bool Finalize = D.has(ClauseKind::Finalize);
  switch (Kind) {
  case ClauseKind::Copy: return Mapping::ToFrom;
  case ClauseKind::Copyin: return Mapping::To;
  case ClauseKind::Firstprivate: return Mapping::To; // of a pointer's section: what each copy begins with
  case ClauseKind::Copyout: return Mapping::From;
  case ClauseKind::Create: return Mapping::Alloc;
  case ClauseKind::Present: return Mapping::Present;
  case ClauseKind::NoCreate: return Mapping::NoCreate;
  case ClauseKind::Delete: return Finalize ? Mapping::Delete : Mapping::Release;
  case ClauseKind::Attach: return Mapping::Attach;
  case ClauseKind::Detach: return Mapping::Detach;
  default: return std::nullopt;
  }
}

// What two mappings of one variable are together, on a construct that has a beginning and an end.
static std::optional<Mapping::Kind> together(Mapping::Kind A, Mapping::Kind B) {
  if (A == B)
    return A;
  if (A == Mapping::ToFrom || B == Mapping::ToFrom)
    return Mapping::ToFrom;
  if ((A == Mapping::To && B == Mapping::From) || (A == Mapping::From && B == Mapping::To))
    return Mapping::ToFrom;
  if (A == Mapping::Alloc || B == Mapping::Alloc)
    return A == Mapping::Alloc ? B : A;
  return std::nullopt;
}

static bool merge(std::vector<Mapping> &All, const Mapping &New) {
  for (Mapping &Old : All)
    if (sameText(Old.What->Text, New.What->Text))
      if (std::optional<Mapping::Kind> Both = together(Old.K, New.K)) {
        Old.K = *Both;
        Old.Zero |= New.Zero;
        return true;
      }
  return false;
}

std::vector<Mapping> mappingsOf(const Directive &D, const Symbols &S, const SymbolMap &Declared) {
  std::vector<Mapping> All;
  for (const Clause &C : D.Clauses) {
    std::optional<Mapping::Kind> Kind = kindOf(D, C.Kind);
    if (!Kind)
      continue;
    for (const Item &I : C.Items) {
      Mapping M{*Kind, &I, S.item(I.Text, Declared), C.Modifier == "zero"};
      M.Rows = M.S.Rows && sectionOf(I.Text).Bounds.size() > 1;
      if (C.Kind == ClauseKind::Firstprivate && !isPointersSection(I, M.S))
        continue;
      if (!merge(All, M))
        All.push_back(M);
    }
  }
  return All;
}

void aliasMembers(std::vector<Mapping> &All) {
  for (size_t I = 0; I < All.size(); ++I) {
    Mapping &M = All[I];
    const Tokens &Text = M.What->Text;
    bool Member = llvm::any_of(Text, [](const Token &T) { return T.isOneOf(tok::period, tok::arrow); });
    bool Whole = llvm::any_of(All, [&](const Mapping &Other) {
      return &Other != &M && baseName(Other.What->Text) == baseName(Text) && Other.What->Text.size() < Text.size();
    });
    if (Member && !Whole && !M.Rows && M.S.isPointer() && !sectionOf(Text).Bounds.empty() && M.K != Mapping::Attach &&
        M.K != Mapping::Detach)
      M.Alias = "place_acc_member" + std::to_string(I);
  }
}

Names namesIn(const Directive &D, ClauseKind Kind) {
  Names Found;
  for (const Clause &C : D.Clauses)
    if (C.Kind == Kind)
      for (const Item &I : C.Items)
        if (std::string Name = baseName(I.Text); !Name.empty())
          Found.insert(Name);
  return Found;
}

Names visibleNames(const Directive &D) {
  using K = ClauseKind;
  Names Found;
  for (ClauseKind Kind : {K::Copy, K::Copyin, K::Copyout, K::Create, K::Present, K::NoCreate, K::DeviceResident, K::Link})
    Found.merge(namesIn(D, Kind));
  return Found;
}

Section sectionOf(TokenRange Item) {
  Section S;
  size_t Begin = Item.size();
  for (size_t I = 0; I < Item.size();) { // the run of brackets at the end
    if (Item[I].isNot(tok::l_square)) {
      Begin = Item.size();
      ++I;
      continue;
    }
    Begin = std::min(Begin, I);
    I = behindBracket(Item, I);
  }
  S.Base = Item.take_front(Begin);
  for (size_t I = Begin; I < Item.size();) {
    size_t End = behindBracket(Item, I);
    S.Bounds.push_back(Item.slice(I + 1, End - I - 2));
    I = End;
  }
  return S;
}

bool isPointersSection(const Item &I, const Symbol &S) { return S.isPointer() && !sectionOf(I.Text).Bounds.empty(); }

bool Section::isRange(size_t I) const { return split(Bounds[I], tok::colon).size() > 1; }
TokenRange Section::start(size_t I) const { return split(Bounds[I], tok::colon)[0]; }
TokenRange Section::count(size_t I) const { return isRange(I) ? split(Bounds[I], tok::colon)[1] : TokenRange(); }

} // namespace place::acc
