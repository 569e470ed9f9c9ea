//===- Expression.cpp - What looks like an expression -------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Expression.h"

#include "clang/Basic/IdentifierTable.h"

using namespace clang;

namespace place::acc {

static bool opens(const Token &T) { return T.isOneOf(tok::l_paren, tok::l_square, tok::l_brace); }
static bool closes(const Token &T) { return T.isOneOf(tok::r_paren, tok::r_square, tok::r_brace); }

size_t behindBracket(TokenRange Text, size_t Open) {
  unsigned Depth = 0;
  for (size_t I = Open; I < Text.size(); ++I) {
    Depth += opens(Text[I]);
    Depth -= closes(Text[I]);
    if (!Depth)
      return I + 1;
  }
  return Text.size();
}

std::vector<TokenRange> split(TokenRange Text, tok::TokenKind Separator) {
  std::vector<TokenRange> Parts;
  size_t Begin = 0;
  unsigned Conditionals = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (opens(Text[I])) {
      I = behindBracket(Text, I) - 1;
    } else if (Text[I].is(tok::question)) {
      ++Conditionals;
    } else if (Text[I].is(tok::colon) && Conditionals) {
      --Conditionals;
    } else if (Text[I].is(Separator)) {
      Parts.push_back(Text.slice(Begin, I - Begin));
      Begin = I + 1;
    }
  }
  Parts.push_back(Text.drop_front(Begin));
  return Parts;
}

namespace {

bool isUnary(const Token &T) {
  return T.isOneOf(tok::plus, tok::minus, tok::star, tok::amp, tok::exclaim, tok::tilde, tok::plusplus, tok::minusminus,
                   tok::coloncolon);
}

bool isBinary(const Token &T) {
  return T.isOneOf(tok::plus, tok::minus, tok::star, tok::slash, tok::percent, tok::amp, tok::pipe, tok::caret, tok::less,
                   tok::greater, tok::lessless, tok::greatergreater, tok::lessequal, tok::greaterequal, tok::equalequal,
                   tok::exclaimequal, tok::ampamp, tok::pipepipe) ||
         T.isOneOf(tok::question, tok::colon, tok::period, tok::arrow, tok::coloncolon, tok::equal);
}

// const int *, unsigned long, struct pair: what may stand in a cast's or sizeof's parentheses.
bool looksLikeType(TokenRange Text) {
  for (const Token &T : Text)
    if (!T.getIdentifierInfo() && !T.isOneOf(tok::star, tok::amp, tok::coloncolon, tok::less, tok::greater, tok::comma))
      return false;
  return !Text.empty();
}

/// Walks over operands and operators in turn.
class FormChecker {
public:
  explicit FormChecker(TokenRange Text) : Text(Text) {}

  long check() {
    for (size_t I = 0; I < Text.size();) {
      long Next = step(I);
      if (Next < 0)
        return long(Bad);
      I = size_t(Next);
    }
    return AfterOperand ? -1 : long(Text.size());
  }

private:
  long bad(size_t At) {
    Bad = At;
    return -1;
  }

  // The index of the next token to look at.
  long step(size_t I) {
    const Token &T = Text[I];
    if (opens(T))
      return bracket(I);
    if (T.getIdentifierInfo() || T.isLiteral())
      return operand(I);
    if (AfterOperand && T.isOneOf(tok::plusplus, tok::minusminus))
      return long(I + 1);
    if (AfterOperand ? !isBinary(T) : !isUnary(T))
      return bad(I);
    AfterOperand = AfterBracket = AfterWord = false;
    return long(I + 1);
  }

  long operand(size_t I) {
    const Token &T = Text[I];
    bool Keyword = T.getIdentifierInfo() && T.isNot(tok::identifier);
    // Two operands in a row: only behind a cast, sizeof and its like, or as parts of one string.
    if (AfterOperand && !AfterBracket && !AfterWord && !(T.is(tok::string_literal) && Text[I - 1].is(tok::string_literal)))
      return bad(I);
    AfterOperand = true;
    AfterBracket = false;
    AfterWord = Keyword;
    return long(I + 1);
  }

  long bracket(size_t I) {
    size_t End = behindBracket(Text, I);
    if (!closes(Text[End - 1]) || End == I + 1)
      return bad(End == I + 1 ? I : Text.size());
    TokenRange Inner = Text.slice(I + 1, End - I - 2);
    bool Square = Text[I].is(tok::l_square);
    if ((Square && !AfterOperand) || (Inner.empty() && (Square || !AfterOperand)))
      return bad(I);
    if (!Inner.empty() && !looksLikeType(Inner))
      for (TokenRange Part : split(Inner, tok::comma))
        if (long At = malformedExpression(Part); At >= 0)
          return bad(size_t(Part.begin() - Text.begin()) + size_t(At));
    AfterBracket = !Square;
    AfterOperand = true;
    AfterWord = false;
    return long(End);
  }

  TokenRange Text;
  bool AfterOperand = false, AfterBracket = false, AfterWord = false;
  size_t Bad = 0;
};

// [i], [from:count], [:count], [from:], [:]
long malformedSection(TokenRange Inner) {
  std::vector<TokenRange> Parts = split(Inner, tok::colon);
  if (Parts.size() > 2 || (Parts.size() == 1 && Inner.empty()))
    return Parts.size() > 2 ? Parts[2].begin() - Inner.begin() - 1 : 0;
  for (TokenRange Part : Parts)
    if (!Part.empty())
      if (long At = malformedExpression(Part); At >= 0)
        return (Part.begin() - Inner.begin()) + At;
  return -1;
}

} // namespace

long malformedExpression(TokenRange Text) { return FormChecker(Text).check(); }

long malformedVariable(TokenRange Text) {
  bool WantsName = true;
  for (size_t I = 0; I < Text.size();) {
    const Token &T = Text[I];
    if (WantsName) {
      if (!T.isOneOf(tok::identifier, tok::kw_this))
        return long(I);
      WantsName = false;
      ++I;
    } else if (T.is(tok::l_square)) {
      size_t End = behindBracket(Text, I);
      if (Text[End - 1].isNot(tok::r_square) || End == I + 1)
        return long(I);
      if (long At = malformedSection(Text.slice(I + 1, End - I - 2)); At >= 0)
        return long(I + 1) + At;
      I = End;
    } else if (T.isOneOf(tok::period, tok::arrow, tok::coloncolon)) {
      WantsName = true;
      ++I;
    } else {
      return long(I);
    }
  }
  return WantsName ? long(Text.size()) : -1;
}

} // namespace place::acc
