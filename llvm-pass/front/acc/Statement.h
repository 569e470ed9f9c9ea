//===- Statement.h - Statements as trees of tokens ---------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop nests are rewritten before clang parses them, so their structure is read from the tokens: just enough of C's grammar to know
// where a statement ends, what a loop's head is, and which directive stands where.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_STATEMENT_H
#define PLACE_ACC_STATEMENT_H

#include "Tree.h"
#include <functional>
#include <optional>

namespace place::acc {

/// What an annot_pragma_openacc token of ours stands for: a directive that is still to be translated, or, without one, the end of a
/// scope that a directive has opened.
struct Deferred {
  const Directive *D;
};

/// Null unless T is such a token.
const Deferred *deferred(const clang::Token &T);
clang::Token deferredToken(const Deferred *What, clang::SourceLocation At);

struct Statement {
  enum Kind {
    Plain,     // Head is all of it
    Block,     // { Body }
    For,       // for (...) Body[0]
    Control,   // if, else, while, do, switch, label: Head Body Tail
    Construct, // an OpenACC directive, with Body[0] if it takes a statement
    Pragma,    // another pragma and the statement that it belongs to
  };
  Kind K = Plain;
  Tokens Head, Tail;
  std::vector<Statement> Body;
  const Directive *Acc = nullptr;

  bool isLoopConstruct() const { return K == Construct && Acc->Kind == DirectiveKind::Loop; }
};

/// Whether the first word of an OpenMP directive is that of a compute or loop construct.
bool isConstruct(const clang::Token &FirstWord);

/// Cuts statements out of a stream of tokens that ends with an eof token.
class StatementReader {
public:
  explicit StatementReader(std::function<clang::Token()> Get) : Get(std::move(Get)) {}
  /// Reads from a copy of Text.
  explicit StatementReader(TokenRange Text);

  /// The next statement; an empty Plain at a closing brace or at the end.
  Statement read();
  /// A declaration: through its semicolon, or through the body of a function.
  Tokens declaration();
  /// What is left of the block that the stream stands in, without the closing brace.
  Tokens restOfBlock();
  /// Everything up to the end of the stream.
  Tokens rest();
  /// A token that was read and belongs to nobody yet.
  std::optional<clang::Token> takePending() { return std::exchange(Pending, std::nullopt); }

private:
  clang::Token next();
  bool atEnd(const clang::Token &T) const { return T.is(clang::tok::eof); }
  void balanced(Tokens &Text);
  void untilParenthesis(Statement &S);
  Statement controlled(clang::Token First);
  Statement doLoop(clang::Token First);
  Statement block(clang::Token First);
  Statement construct(clang::Token First);
  Statement pragma(clang::Token First);
  Statement labelled(Tokens Label);
  Statement plain(clang::Token First);

  std::function<clang::Token()> Get;
  std::optional<clang::Token> Pending;
};

/// The tokens that a statement was read from; directives as deferred tokens, made by Defer.
Tokens flatten(const Statement &S, llvm::function_ref<clang::Token(const Directive *)> Defer);

/// The statement inside of blocks that hold nothing else.
const Statement &innermostOnly(const Statement &S);

/// Calls Visit for the statement and all below it, in source order; a Visit that returns false keeps out of what is below.
void walk(const Statement &S, llvm::function_ref<bool(const Statement &)> Visit);

} // namespace place::acc

#endif
