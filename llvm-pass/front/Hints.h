//===- Hints.h - #pragma place -----------------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   #pragma place readonly(a, b) constant(w) shared(t) global(x)
//   #pragma place shared(tile(a))
//   #pragma place cg(a) evict_last(b)
//   #pragma place keep(threads)
//   #pragma place team(256)
//   #pragma place assume(noalias)
//   #pragma place noplace
//
// in front of a target construct, with nothing but comments and other pragmas between; also as _Pragma("place ..."). Words may
// stand in any order, in several pragmas, and repeat; where two spaces are asked for an array, the later one counts, with a warning.
// A section of an array (a[0:n]) stands for the array, an array within a structure (s.w) for the structure.
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
class FunctionDecl;
class OMPExecutableDirective;
class SourceManager;
} // namespace clang

namespace place {

/// One pragma.
struct PendingHints {
  clang::SourceLocation At;
  Hints Asked;
  clang::SourceLocation Construct; // OpenMP's pragma that follows; invalid: something else does
  clang::SourceLocation Follows;   // where what else follows begins, if it does
  bool Taken = false;              // the construct is a target construct
  bool Ahead = false;              // read as part of a statement that OpenACC's translator reads ahead
};

class HintStore {
public:
  void add(PendingHints H) {
    H.Ahead = ReadingAhead;
    Pending.push_back(std::move(H));
    Waiting += !ReadingAhead;
  }

  /// Tokens are read before the parser asks for them, and handed on later, perhaps as others.
  void readAhead(bool On) { ReadingAhead = On; }

  /// To be told of each token that the preprocessor hands on, in the order of the source.
  void lexed(const clang::Token &T);

  /// The pragmas before the construct that begins at Construct, in the order of the source. Each instantiation of a template
  /// takes its construct's pragmas again.
  std::vector<const PendingHints *> take(clang::SourceLocation Construct, const clang::SourceManager &SM);

  std::vector<PendingHints> unused() const;

private:
  std::list<PendingHints> Pending; // in source order
  unsigned Waiting = 0;            // how many of the last ones have seen no token yet
  bool ReadingAhead = false;
};

HintStore &hintStore();

/// The preprocessor's handler of `#pragma place`.
class HintHandler : public clang::PragmaHandler {
public:
  HintHandler() : PragmaHandler("place") {}
  void HandlePragma(clang::Preprocessor &PP, clang::PragmaIntroducer Introducer, clang::Token &) override;
};

/// Reports a warning of ours at a place in the source, in clang's group for those of plugins: -W[no-][error=]backend-plugin.
/// One without a place is about how the compiler is called, and no error under -Werror.
void warn(clang::DiagnosticsEngine &Diagnostics, clang::SourceLocation At, const std::string &Text);

/// Something more to the last warning.
void note(clang::DiagnosticsEngine &Diagnostics, clang::SourceLocation At, const std::string &Text);

/// What of Then contradicts Before, for a warning; "": nothing. Spaces are not looked at (twice).
std::string contradiction(const Hints &Before, const Hints &Then);

/// Adds to All what Then asks for; of what contradicts it the latter counts.
void addHints(Hints &All, const Hints &Then);

/// A hint as it is written, a key of Hints::At.
inline std::string written(enum place_space Space, const std::string &Name) { return std::string(place_space_name(Space)) + "(" + Name + ")"; }
inline std::string written(enum place_route Route, const std::string &Name) { return std::string(place_route_name(Route)) + "(" + Name + ")"; }
inline std::string writtenTile(const std::string &Name) { return "shared(tile(" + Name + "))"; }

/// Hints for one target construct: a member that is an array in the structure itself stands for the structure ("s" for "s.w" and "p" for
/// "p->w"). Any other is left out, and said: its address is found in memory, or there is no such thing.
Hints withoutMembers(const Hints &Asked, const clang::OMPExecutableDirective &Construct, const clang::FunctionDecl *Function,
                     llvm::function_ref<void(clang::SourceLocation At, const std::string &Text)> Say);

/// What is said of an array for which two spaces are asked.
std::string twice(const std::string &Array, enum place_space Before, enum place_space Space);

/// The same of two routes.
std::string twoRoutes(const std::string &Array, enum place_route Before, enum place_route Route);

/// What is said where the latter of the two counts, whichever that is.
std::string tilesToo(const std::string &Array, enum place_space Space);

/// ": did you mean 'x'?" if one of the names is like what was written; or nothing.
std::string suggestion(llvm::StringRef Written, llvm::ArrayRef<std::string> Names);

} // namespace place

#endif
