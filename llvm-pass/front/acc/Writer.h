//===- Writer.h - Tokens of OpenMP -------------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang asks for the spelling of the words of an OpenMP pragma, which it reads from a buffer: words of ours come from the
// preprocessor's scratch space, with the directive as the place that they are expanded at. What the user wrote stays the user's
// token, and errors point at it.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_WRITER_H
#define PLACE_ACC_WRITER_H

#include "Statement.h"
#include "Symbols.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace place::acc {

class Writer {
public:
  explicit Writer(clang::Preprocessor &PP) : PP(PP) {}

  /// Where the words that follow are said to stand.
  void at(clang::SourceLocation Where) { Place = Where; }

  /// Words with blanks between them: names, keywords, numbers, punctuators.
  void words(llvm::StringRef Text);
  /// The same words for the caller to use.
  Tokens made(llvm::StringRef Text);
  void tokens(TokenRange Text) { Out.insert(Out.end(), Text.begin(), Text.end()); }
  void token(const clang::Token &T) { Out.push_back(T); }
  /// Head, names with commas, a closing parenthesis; nothing if there are no names.
  void list(llvm::StringRef Head, const Names &List);
  void list(llvm::StringRef Head, const std::vector<TokenRange> &Items);
  /// Head, Text, a closing parenthesis.
  void wrapped(llvm::StringRef Head, TokenRange Text);

  void beginPragma(const Directive &D, llvm::StringRef Text);
  void endPragma(const Directive &D);

  Tokens take() { return std::exchange(Out, {}); }

private:
  clang::Token word(llvm::StringRef Text);

  clang::Preprocessor &PP;
  clang::SourceLocation Place;
  Tokens Out;
};

/// OpenMP as a person would write it, one pragma or statement a line.
std::string ompText(TokenRange Text);

} // namespace place::acc

#endif
