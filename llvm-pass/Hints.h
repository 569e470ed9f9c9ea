//===- Hints.h - #pragma place -----------------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   #pragma place readonly(a, b) constant(w) shared(t) global(x)
//   #pragma place noplace
//
// in front of a target construct. Words may stand in any order and repeat; a later word for an array replaces an earlier.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_HINTS_H
#define PLACE_HINTS_H

#include "Source.h"

#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Pragma.h"
#include <list>

namespace clang {
class DiagnosticsEngine;
class SourceManager;
} // namespace clang

namespace place {

/// One pragma that waits for its target construct.
struct PendingHints {
  clang::SourceLocation At;
  Hints Asked;
  clang::SourceLocation Owner; // the construct that took it; invalid: none yet
};

class HintStore {
public:
  void add(PendingHints H) { Pending.push_back(std::move(H)); }

  /// The last pragma before a construct that begins at Construct, if it is near and no other construct has taken it; null
  /// if there is none. Each instantiation of a template takes its construct's pragma again.
  const PendingHints *take(clang::SourceLocation Construct, const clang::SourceManager &SM);

  std::vector<PendingHints> unused() const;

private:
  std::list<PendingHints> Pending; // in source order
};

HintStore &hintStore();

/// The preprocessor's handler of `#pragma place`.
class HintHandler : public clang::PragmaHandler {
public:
  HintHandler() : PragmaHandler("place") {}
  void HandlePragma(clang::Preprocessor &PP, clang::PragmaIntroducer Introducer, clang::Token &) override;
};

/// Reports a warning of ours at a place in the source.
void warn(clang::DiagnosticsEngine &Diagnostics, clang::SourceLocation At, const std::string &Text);

} // namespace place

#endif
