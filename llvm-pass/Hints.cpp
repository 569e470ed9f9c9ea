//===- Hints.cpp - #pragma place ----------------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Hints.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace place {

HintStore &hintStore() {
  static HintStore Store;
  return Store;
}

void warn(DiagnosticsEngine &Diagnostics, SourceLocation At, const std::string &Text) {
  unsigned ID = Diagnostics.getCustomDiagID(DiagnosticsEngine::Warning, "%0");
  Diagnostics.Report(At, ID) << Text;
}

// A pragma belongs to the construct that follows within a few lines: other pragmas, comments and blank lines may stand
// between them, other statements may not. Lines are the measure, since the preprocessor sees no statements.
static const unsigned MostLinesBetween = 8;

const PendingHints *HintStore::take(SourceLocation Construct, const SourceManager &SM) {
  PendingHints *Found = nullptr;
  SourceLocation Where = SM.getExpansionLoc(Construct);
  for (PendingHints &H : Pending) {
    SourceLocation At = SM.getExpansionLoc(H.At);
    if (SM.getFileID(At) != SM.getFileID(Where) || !SM.isBeforeInTranslationUnit(At, Where))
      continue;
    unsigned Distance = SM.getExpansionLineNumber(Where) - SM.getExpansionLineNumber(At);
    if (Distance <= MostLinesBetween && (H.Owner.isInvalid() || H.Owner == Where))
      Found = &H;
  }
  if (Found)
    Found->Owner = Where;
  return Found;
}

std::vector<PendingHints> HintStore::unused() const {
  std::vector<PendingHints> Left;
  for (const PendingHints &H : Pending)
    if (H.Owner.isInvalid())
      Left.push_back(H);
  return Left;
}

namespace {

/// Reads one pragma.
class Reader {
public:
  void read(Preprocessor &PP, PragmaIntroducer Introducer) {
    // Both compiles read the pragma; only the host's warns, so that nothing is said twice.
    Quiet = PP.getLangOpts().OpenMPIsTargetDevice;
    PendingHints H;
    H.At = Introducer.Loc;
    Token T;
    PP.Lex(T);
    while (T.isNot(tok::eod))
      if (!word(PP, T, H.Asked))
        break;
    while (T.isNot(tok::eod))
      PP.Lex(T);
    hintStore().add(std::move(H));
  }

private:
  // <space> ( name , ... ) or noplace; leaves T behind it. False: malformed, said.
  bool word(Preprocessor &PP, Token &T, Hints &Asked) {
    if (!T.is(tok::identifier) && !T.getIdentifierInfo())
      return complain(PP, T, "expected a memory space or 'noplace'");
    std::string Name = PP.getSpelling(T);
    if (Name == "noplace") {
      Asked.NoPlace = true;
      PP.Lex(T);
      return true;
    }
    enum place_space Space;
    if (place_space_parse(Name.data(), Name.size(), &Space))
      return complain(PP, T, "unknown memory space '" + Name + "'; known: global, readonly, constant, shared, noplace");
    PP.Lex(T);
    if (T.isNot(tok::l_paren))
      return complain(PP, T, "expected '(' after '" + Name + "'");
    do {
      PP.Lex(T);
      if (!T.getIdentifierInfo())
        return complain(PP, T, "expected the name of an array");
      Asked.Spaces[PP.getSpelling(T)] = Space;
      PP.Lex(T);
    } while (T.is(tok::comma));
    if (T.isNot(tok::r_paren))
      return complain(PP, T, "expected ',' or ')'");
    PP.Lex(T);
    return true;
  }

  bool complain(Preprocessor &PP, const Token &T, const std::string &Text) {
    if (!Quiet)
      warn(PP.getDiagnostics(), T.getLocation(), "'#pragma place': " + Text + "; the rest of the pragma is ignored");
    return false;
  }

  bool Quiet = false;
};

} // namespace

void HintHandler::HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer, Token &) { Reader().read(PP, Introducer); }

} // namespace place
