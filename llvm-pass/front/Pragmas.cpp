//===- Pragmas.cpp - OpenMP as the preprocessor meets it -----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pragmas.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Regex.h"

using namespace clang;

namespace place {

namespace {

// What is written in a file from there on, enough for a pragma's first words.
StringRef textAt(const SourceManager &SM, SourceLocation At) {
  enum { Most = 200 };
  auto [File, Offset] = SM.getDecomposedLoc(At);
  return SM.getBufferData(File).substr(Offset, Most);
}

class UnreadTargets : public PPCallbacks {
public:
  UnreadTargets(const SourceManager &SM, SourceLocation &First) : SM(SM), First(First) {}

  void PragmaDirective(SourceLocation At, PragmaIntroducerKind) override {
    static const llvm::Regex Target("^#?[ \t]*pragma[ \t]+omp[ \t]+target[^A-Za-z0-9_]");
    if (First.isInvalid() && At.isFileID() && !SM.isInSystemHeader(At) && Target.match(textAt(SM, At)))
      First = At;
  }

private:
  const SourceManager &SM;
  SourceLocation &First;
};

class SystemOpenMP : public PPCallbacks {
public:
  SystemOpenMP(const SourceManager &SM, bool &Found) : SM(SM), Found(Found) {}

  void PragmaDirective(SourceLocation At, PragmaIntroducerKind) override {
    if (!Found && SM.isInSystemHeader(At))
      Found = mayBeConstruct(textAt(SM, SM.getSpellingLoc(At)).split('\n').first);
  }

private:
  // clang's own headers declare variants, and libstdc++ silences warnings by _Pragma, in each compile. What a macro's argument says, or the next
  // line, is not known here.
  static bool mayBeConstruct(StringRef Line) {
    static const llvm::Regex Construct("omp[ \t\\\\]*(target|metadirective|$)"), Literal("^_Pragma[ \t]*\\([ \t]*\"");
    bool Open = Line.starts_with("_Pragma") && !Literal.match(Line);
    return Open || Construct.match(Line);
  }

  const SourceManager &SM;
  bool &Found;
};

} // namespace

void watchUnreadTargets(CompilerInstance &CI, SourceLocation &First) {
  CI.getPreprocessor().addPPCallbacks(std::make_unique<UnreadTargets>(CI.getSourceManager(), First));
}

void watchSystemHeaders(CompilerInstance &CI, bool &Found) {
  CI.getPreprocessor().addPPCallbacks(std::make_unique<SystemOpenMP>(CI.getSourceManager(), Found));
}

} // namespace place
