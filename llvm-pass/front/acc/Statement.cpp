//===- Statement.cpp - Statements as trees of tokens --------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Statement.h"

#include <memory>

using namespace clang;

namespace place::acc {

const Deferred *deferred(const Token &T) {
  return T.is(tok::annot_pragma_openacc) ? static_cast<const Deferred *>(T.getAnnotationValue()) : nullptr;
}

Token deferredToken(const Deferred *What, SourceLocation At) {
  Token T;
  T.startToken();
  T.setKind(tok::annot_pragma_openacc);
  T.setLocation(At);
  T.setAnnotationEndLoc(At);
  T.setAnnotationValue(const_cast<Deferred *>(What));
  return T;
}

bool isConstruct(const Token &FirstWord) {
  std::string Word = spelling(FirstWord);
  return Word == "target" || Word == "teams" || Word == "distribute" || Word == "parallel" || Word == "for";
}

StatementReader::StatementReader(TokenRange Text) {
  auto Left = std::make_shared<Tokens>(Text.rbegin(), Text.rend());
  Get = [Left] {
    Token T;
    T.startToken();
    T.setKind(tok::eof);
    if (!Left->empty()) {
      T = Left->back();
      Left->pop_back();
    }
    return T;
  };
}

Token StatementReader::next() {
  if (std::optional<Token> T = takePending())
    return *T;
  return Get();
}

// The last token of Text opens a bracket; reads through the one that closes it.
void StatementReader::balanced(Tokens &Text) {
  for (int Depth = 1; Depth;) {
    Token T = next();
    if (atEnd(T)) {
      Pending = T;
      return;
    }
    Depth += T.isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
    Depth -= T.isOneOf(tok::r_paren, tok::r_square, tok::r_brace);
    Text.push_back(T);
  }
}

Statement StatementReader::read() {
  Token T = next();
  switch (T.getKind()) {
  case tok::eof:
  case tok::r_brace: Pending = T; return {};
  case tok::l_brace: return block(T);
  case tok::kw_for:
  case tok::kw_while:
  case tok::kw_switch:
  case tok::kw_if: return controlled(T);
  case tok::kw_do: return doLoop(T);
  case tok::annot_pragma_openacc: return construct(T);
  case tok::annot_pragma_openmp:
  case tok::annot_pragma_loop_hint:
  case tok::annot_pragma_fp: return pragma(T);
  case tok::kw_case:
  case tok::kw_default: {
    Tokens Label{T};
    while (Label.back().isNot(tok::colon) && !Label.back().is(tok::eof))
      Label.push_back(next());
    return labelled(std::move(Label));
  }
  default: return plain(T);
  }
}

Statement StatementReader::block(Token First) {
  Statement S;
  S.K = Statement::Block;
  S.Head.push_back(First);
  for (;;) {
    Statement Inner = read();
    if (Inner.Head.empty() && Inner.Body.empty())
      break;
    bool Null = Inner.K == Statement::Plain && Inner.Head.size() == 1 && Inner.Head[0].is(tok::semi);
    if (!Null)
      S.Body.push_back(std::move(Inner));
  }
  Token Close = next();
  if (Close.is(tok::r_brace))
    S.Tail.push_back(Close);
  else
    Pending = Close;
  return S;
}

void StatementReader::untilParenthesis(Statement &S) {
  for (;;) {
    Token T = next();
    if (atEnd(T)) {
      Pending = T;
      return;
    }
    S.Head.push_back(T);
    if (T.is(tok::l_paren))
      return balanced(S.Head);
  }
}

Statement StatementReader::controlled(Token First) {
  Statement S;
  S.K = First.is(tok::kw_for) ? Statement::For : Statement::Control;
  S.Head.push_back(First);
  untilParenthesis(S);
  S.Body.push_back(read());
  if (First.isNot(tok::kw_if))
    return S;
  Token T = next();
  if (T.isNot(tok::kw_else)) {
    Pending = T;
    return S;
  }
  Statement Else;
  Else.K = Statement::Control;
  Else.Head.push_back(T);
  Else.Body.push_back(read());
  S.Body.push_back(std::move(Else));
  return S;
}

Statement StatementReader::doLoop(Token First) {
  Statement S;
  S.K = Statement::Control;
  S.Head.push_back(First);
  S.Body.push_back(read());
  S.Tail = plain(next()).Head; // while (...) ;
  return S;
}

Statement StatementReader::construct(Token First) {
  Statement S;
  S.K = Statement::Construct;
  S.Head.push_back(First);
  S.Acc = deferred(First)->D;
  if (S.Acc && S.Acc->takesStatement())
    S.Body.push_back(read());
  if (!S.Acc)
    S.K = Statement::Plain;
  return S;
}

Statement StatementReader::pragma(Token First) {
  Statement S;
  S.K = Statement::Pragma;
  S.Head.push_back(First);
  while (First.is(tok::annot_pragma_openmp) && S.Head.back().isNot(tok::annot_pragma_openmp_end)) {
    Token T = next();
    if (atEnd(T)) {
      Pending = T;
      return S;
    }
    S.Head.push_back(T);
  }
  S.Body.push_back(read());
  return S;
}

Statement StatementReader::labelled(Tokens Label) {
  Statement S;
  S.K = Statement::Control;
  S.Head = std::move(Label);
  S.Body.push_back(read());
  return S;
}

Statement StatementReader::plain(Token First) {
  Statement S;
  S.Head.push_back(First);
  if (First.is(tok::identifier)) {
    Token T = next();
    if (T.is(tok::colon))
      return labelled({First, T});
    Pending = T;
  }
  for (int Depth = First.is(tok::l_paren); !(S.Head.back().is(tok::semi) && Depth == 0);) {
    Token T = next();
    if (atEnd(T) || (T.is(tok::r_brace) && Depth == 0)) {
      Pending = T;
      return S;
    }
    Depth += T.isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
    Depth -= T.isOneOf(tok::r_paren, tok::r_square, tok::r_brace);
    S.Head.push_back(T);
  }
  return S;
}

Tokens StatementReader::declaration() {
  Tokens Text;
  bool Initialised = false; // by a lambda, whose body is not the end
  for (;;) {
    Token T = next();
    if (atEnd(T)) {
      Pending = T;
      return Text;
    }
    Initialised |= T.is(tok::equal) && !(Text.size() && Text.back().is(tok::kw_operator));
    Text.push_back(T);
    if (T.is(tok::semi))
      return Text;
    if (T.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
      balanced(Text);
    if (T.is(tok::l_brace) && !Initialised)
      return Text;
  }
}

Tokens StatementReader::restOfBlock() {
  Tokens Text;
  for (;;) {
    Token T = next();
    if (T.isOneOf(tok::eof, tok::r_brace)) {
      Pending = T;
      return Text;
    }
    Text.push_back(T);
    if (T.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
      balanced(Text);
  }
}

Tokens StatementReader::rest() {
  Tokens Text;
  for (Token T = next(); !atEnd(T); T = next())
    Text.push_back(T);
  return Text;
}

Tokens flatten(const Statement &S, llvm::function_ref<Token(const Directive *)> Defer) {
  Tokens Text;
  if (S.Acc)
    Text.push_back(Defer(S.Acc));
  else
    Text = S.Head;
  for (const Statement &Inner : S.Body) {
    Tokens More = flatten(Inner, Defer);
    Text.insert(Text.end(), More.begin(), More.end());
  }
  Text.insert(Text.end(), S.Tail.begin(), S.Tail.end());
  return Text;
}

const Statement &innermostOnly(const Statement &S) {
  const Statement *Inner = &S;
  while (Inner->K == Statement::Block && Inner->Body.size() == 1)
    Inner = &Inner->Body[0];
  return *Inner;
}

void walk(const Statement &S, llvm::function_ref<bool(const Statement &)> Visit) {
  if (Visit(S))
    for (const Statement &Inner : S.Body)
      walk(Inner, Visit);
}

} // namespace place::acc
