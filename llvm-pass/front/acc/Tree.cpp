//===- Tree.cpp - An OpenACC directive as a tree ------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tree.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Basic/IdentifierTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace place::acc {

const Clause *Directive::find(ClauseKind Kind) const {
  auto Found = llvm::find_if(Clauses, [&](const Clause &C) { return C.Kind == Kind; });
  return Found == Clauses.end() ? nullptr : &*Found;
}

bool Directive::hasAny(std::initializer_list<ClauseKind> Kinds) const {
  return llvm::any_of(Kinds, [&](ClauseKind Kind) { return has(Kind); });
}

bool Directive::takesStatement() const {
  return isCompute() || Kind == DirectiveKind::Loop || Kind == DirectiveKind::Data || Kind == DirectiveKind::HostData ||
         Kind == DirectiveKind::Atomic;
}

llvm::StringRef spelling(DirectiveKind Kind) {
  static const char *const Names[] = {
#define ACC_DIRECTIVE(Kind, Spelling, Letter) Spelling,
#include "Grammar.def"
  };
  return Names[size_t(Kind)];
}

llvm::StringRef spelling(ClauseKind Kind) {
  static const char *const Names[] = {
#define ACC_CLAUSE(Kind, Spelling, Form, Letters) Spelling,
#include "Grammar.def"
  };
  return Names[size_t(Kind)];
}

std::string spelling(const Token &T) {
  if (T.isAnnotation())
    return "";
  if (const IdentifierInfo *Name = T.getIdentifierInfo())
    return Name->getName().str();
  if (T.isLiteral() && T.getLiteralData())
    return std::string(T.getLiteralData(), T.getLength());
  const char *Punctuator = tok::getPunctuatorSpelling(T.getKind());
  return Punctuator ? Punctuator : "";
}

// No blank after an opening bracket or before a closing one, around member access, or before a section's bracket.
static bool blankBetween(const Token &L, const Token &R) {
  if (L.isOneOf(tok::l_paren, tok::l_square, tok::period, tok::arrow, tok::coloncolon, tok::exclaim))
    return false;
  if (R.isOneOf(tok::r_paren, tok::r_square, tok::l_square, tok::comma, tok::semi, tok::period, tok::arrow, tok::coloncolon,
                tok::colon, tok::plusplus, tok::minusminus))
    return false;
  if (R.is(tok::l_paren))
    return !(L.is(tok::identifier) || L.isOneOf(tok::r_paren, tok::r_square));
  return !L.isOneOf(tok::plusplus, tok::minusminus) || R.isNot(tok::identifier);
}

std::string text(TokenRange Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (I && blankBetween(Text[I - 1], Text[I]))
      Out += ' ';
    Out += spelling(Text[I]);
  }
  return Out;
}

static std::string text(const std::vector<Item> &Items) {
  std::string Out;
  for (const Item &I : Items)
    Out += (Out.empty() ? "" : ", ") + (I.Keyword.empty() ? "" : I.Keyword + ": ") + text(I.Text);
  return Out;
}

std::string text(const Directive &D) {
  std::string Out = spelling(D.Kind).str() + (D.WithLoop ? " loop" : "");
  if (D.HasArguments)
    Out += "(" + text(D.Items) + ")";
  for (const Clause &C : D.Clauses) {
    Out += " " + spelling(C.Kind).str();
    if (C.HasArguments)
      Out += "(" + (C.Modifier.empty() ? "" : C.Modifier + ": ") + text(C.Items) + ")";
  }
  return Out;
}

std::string baseName(TokenRange Item) {
  return !Item.empty() && Item[0].getIdentifierInfo() ? Item[0].getIdentifierInfo()->getName().str() : "";
}

bool sameText(TokenRange A, TokenRange B) {
  return A.size() == B.size() &&
         llvm::all_of(llvm::zip(A, B), [](auto Pair) { return spelling(std::get<0>(Pair)) == spelling(std::get<1>(Pair)); });
}

} // namespace place::acc
