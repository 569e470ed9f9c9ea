//===- Writer.cpp - Tokens of OpenMP ---------------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Writer.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace place::acc {

static tok::TokenKind punctuator(llvm::StringRef Text) {
  static const tok::TokenKind Known[] = {
      tok::l_paren, tok::r_paren, tok::l_square, tok::r_square, tok::l_brace, tok::r_brace, tok::comma, tok::colon, tok::semi,
      tok::exclaim, tok::star, tok::equal, tok::plus, tok::minus, tok::ampamp, tok::amp, tok::less, tok::plusplus, tok::period,
      tok::pipe, tok::pipepipe, tok::caret, tok::question, tok::slash, tok::percent};
  for (tok::TokenKind Kind : Known)
    if (Text == tok::getPunctuatorSpelling(Kind))
      return Kind;
  llvm_unreachable("a punctuator that the writer does not know");
}

Token Writer::word(llvm::StringRef Text) {
  Token T;
  T.startToken();
  if (isDigit(Text[0])) // before CreateString, which sets the text of literals only
    T.setKind(tok::numeric_constant);
  PP.CreateString(Text, T, Place, Place);
  if (isAsciiIdentifierStart(Text[0])) {
    IdentifierInfo *Name = PP.getIdentifierInfo(Text);
    T.setIdentifierInfo(Name);
    T.setKind(Name->getTokenID());
  } else if (!isDigit(Text[0])) {
    T.setKind(punctuator(Text));
  }
  return T;
}

void Writer::words(llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef, 16> Words;
  Text.split(Words, ' ', -1, false);
  for (llvm::StringRef W : Words)
    Out.push_back(word(W));
}

Tokens Writer::made(llvm::StringRef Text) {
  Tokens Written = take();
  words(Text);
  std::swap(Written, Out);
  return Written;
}

void Writer::list(llvm::StringRef Head, const Names &List) {
  if (!List.empty())
    words((Head + " " + llvm::join(List, " , ") + " )").str());
}

void Writer::list(llvm::StringRef Head, const std::vector<TokenRange> &Items) {
  if (Items.empty())
    return;
  words(Head);
  for (size_t I = 0; I < Items.size(); ++I) {
    if (I)
      words(",");
    tokens(Items[I]);
  }
  words(")");
}

void Writer::wrapped(llvm::StringRef Head, TokenRange Text) {
  words(Head);
  tokens(Text);
  words(")");
}

// Kernels are named and reported by the place of this token.
void Writer::beginPragma(const Directive &D, llvm::StringRef Text) {
  Token T;
  T.startToken();
  T.setKind(tok::annot_pragma_openmp);
  T.setLocation(D.At);
  Out.push_back(T);
  words(Text);
}

void Writer::endPragma(const Directive &D) {
  Token T;
  T.startToken();
  T.setKind(tok::annot_pragma_openmp_end);
  T.setLocation(D.End);
  Out.push_back(T);
}

namespace {

/// Breaks lines and indents.
class Printer {
public:
  std::string print(TokenRange Text) {
    for (const Token &T : Text)
      next(T);
    flush();
    return std::move(Out);
  }

private:
  void next(const Token &T) {
    if (T.is(tok::annot_pragma_openmp)) {
      flush();
      Head = "#pragma omp ";
    } else if (T.is(tok::annot_pragma_openmp_end)) {
      flush();
    } else if (const Deferred *What = deferred(T)) {
      flush();
      if (What->D)
        Out += std::string(Indent, ' ') + "#pragma acc " + text(*What->D) + "\n";
    } else if (!T.isAnnotation()) {
      statement(T);
    }
  }

  void statement(const Token &T) {
    if (T.is(tok::r_brace) && !Depth) {
      flush();
      Indent -= Indent ? 2 : 0;
    }
    Depth += T.isOneOf(tok::l_paren, tok::l_square);
    Depth -= T.isOneOf(tok::r_paren, tok::r_square);
    Line.push_back(T);
    if (Depth || !T.isOneOf(tok::semi, tok::l_brace, tok::r_brace))
      return;
    flush();
    Indent += T.is(tok::l_brace) ? 2 : 0;
  }

  void flush() {
    if (!Line.empty() || !Head.empty())
      Out += std::string(Indent, ' ') + Head + text(Line) + "\n";
    Line.clear();
    Head.clear();
  }

  std::string Out, Head;
  Tokens Line;
  unsigned Indent = 0;
  int Depth = 0;
};

} // namespace

std::string ompText(TokenRange Text) { return Printer().print(Text); }

} // namespace place::acc
