//===- Tree.h - An OpenACC directive as a tree -------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands on one `#pragma acc` line. The tokens are clang's own, macros expanded: they keep their places in the source, so
// that whatever is made of them is diagnosed there.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_TREE_H
#define PLACE_ACC_TREE_H

#include "clang/Lex/Token.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <initializer_list>
#include <string>
#include <vector>

namespace place::acc {

using Tokens = std::vector<clang::Token>;
using TokenRange = llvm::ArrayRef<clang::Token>;

enum class DirectiveKind {
#define ACC_DIRECTIVE(Kind, Spelling, Letter) Kind,
#include "Grammar.def"
};

enum class ClauseKind {
#define ACC_CLAUSE(Kind, Spelling, Form, Letters) Kind,
#include "Grammar.def"
};

/// One argument of a clause: a variable with what follows it, an expression, or `keyword: expression`.
struct Item {
  std::string Keyword; // of gang(num: 8) and its like
  Tokens Text;
};

struct Clause {
  ClauseKind Kind;
  clang::SourceLocation At;
  bool HasArguments = false;
  std::string Modifier; // readonly, zero, force; the operator of a reduction
  std::vector<Item> Items;
};

struct Directive {
  DirectiveKind Kind = DirectiveKind::Wait;
  bool WithLoop = false; // parallel loop, kernels loop, serial loop
  clang::SourceLocation At, Name, End; // the #, the directive's name, the end of the line
  std::vector<Clause> Clauses;
  bool HasArguments = false;
  std::vector<Item> Items; // of cache(...), wait(...), routine(...)

  const Clause *find(ClauseKind Kind) const;
  bool has(ClauseKind Kind) const { return find(Kind); }
  bool hasAny(std::initializer_list<ClauseKind> Kinds) const;

  bool isCompute() const {
    return Kind == DirectiveKind::Parallel || Kind == DirectiveKind::Kernels || Kind == DirectiveKind::Serial;
  }
  bool isLoop() const { return Kind == DirectiveKind::Loop || WithLoop; }
  /// Whether a statement belongs to the directive.
  bool takesStatement() const;
};

llvm::StringRef spelling(DirectiveKind Kind);
llvm::StringRef spelling(ClauseKind Kind);

/// A token as it is spelled; annotations have no spelling.
std::string spelling(const clang::Token &T);
/// Tokens with blanks between them where C needs or custom wants them.
std::string text(TokenRange Text);
/// The directive as the parser understood it, in the order of the source.
std::string text(const Directive &D);

/// The variable that a list item begins with: `a` of a[0:n], `this` of this->x; empty if it begins otherwise.
std::string baseName(TokenRange Item);
bool sameText(TokenRange A, TokenRange B);

enum class Severity { Warning, Error };
/// Where messages go. Called during the call that it was passed to only.
using Reporter = llvm::function_ref<void(Severity, clang::SourceLocation, const std::string &)>;

} // namespace place::acc

#endif
