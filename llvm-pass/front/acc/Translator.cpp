//===- Translator.cpp - OpenACC inside clang's preprocessor ---------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A directive is replaced by the tokens of OpenMP before the parser sees it. Directives met while the statement of another one is
// read become deferred tokens; those that are still there when the statement goes back into the stream become
// `_Pragma("place_acc_resume N")`, and are translated when clang's parser has come that far.
//
//===----------------------------------------------------------------------===//
#include "Translator.h"
#include "Hints.h"
#include "Source.h"
#include "Planner.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

#include <memory>

using namespace clang;

namespace place::acc {

static const char ResumeName[] = "place_acc_resume";

namespace {

class Translator {
public:
  explicit Translator(CompilerInstance &CI) : CI(CI), PP(CI.getPreprocessor()), Table(CI, Seen) {
    PP.setTokenWatcher([this](const Token &T) {
      hintStore().lexed(T);
      watch(T);
    });
  }

  /// `#pragma acc ...`
  void met(SourceLocation At) {
    Tokens Line;
    Token T;
    for (PP.Lex(T); !T.isOneOf(tok::eod, tok::eof); PP.Lex(T))
      Line.push_back(T);
    auto Report = reporter();
    std::optional<Directive> D = parseDirective(Line, At, T.getLocation(), Report);
    if (!D)
      return;
    selectDevice(*D);
    if (Redundant) {
      Report(Severity::Warning, D->Name, "the statement has an OpenMP directive, too; this OpenACC one is ignored");
      return;
    }
    Unit.Directives.push_back(std::move(*D));
    const Directive &Kept = Unit.Directives.back();
    // Behind a statement the scopes inside of it are still open in clang's tables: let the parser get on first.
    if (Reading || (Table.inFunction() && !Table.inClass() && Last.isOneOf(tok::semi, tok::r_brace)))
      return putBack({Unit.defer(&Kept, At)});
    run(Kept);
  }

  /// `_Pragma("place_acc_resume N")`
  void resume(size_t N) {
    if (N >= Unit.Markers.size())
      return;
    const Deferred &What = Unit.Markers[N];
    if (Reading)
      return enter({deferredToken(&What, What.D ? What.D->At : SourceLocation())});
    if (What.D)
      run(*What.D);
    else if (!Unit.Scopes.empty())
      Unit.Scopes.pop_back();
  }

private:
  static constexpr size_t MostSeen = 1 << 17; // tokens

  // The declaration that clang is in, and whether a construct of the program's own OpenMP stands right before.
  void watch(const Token &T) {
    if (Last.is(tok::annot_pragma_openmp))
      Constructive = !Ours.count(Last.getLocation()) && isConstruct(T);
    Redundant = T.is(tok::annot_pragma_openmp_end) && Constructive;
    Last = T;
    Depth += T.is(tok::l_brace);
    Depth -= T.is(tok::r_brace) && Depth;
    if ((!Depth && T.isOneOf(tok::semi, tok::r_brace)) || Seen.size() > MostSeen)
      Seen.clear();
    else
      Seen.push_back(T);
  }

  std::function<void(Severity, SourceLocation, const std::string &)> reporter() {
    return [this](Severity S, SourceLocation At, const std::string &Text) {
      if (S == Severity::Warning && CI.getLangOpts().OpenMPIsTargetDevice)
        return; // the host's compile says it
      DiagnosticsEngine &Diagnostics = PP.getDiagnostics();
      PP.Diag(At, S == Severity::Error ? Diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0")
                                       : Diagnostics.getCustomDiagID(DiagnosticsEngine::Warning, "%0"))
          << Text;
    };
  }

  void run(const Directive &D) {
    StatementReader In([this] {
      Token T;
      PP.Lex(T);
      return T;
    });
    Writer W(PP);
    auto Report = reporter();
    Reading = true;
    hintStore().readAhead(true);
    Ours.insert(D.At);
    Planner(Table, W, Unit, Report, CI.getLangOpts().CPlusPlus).directive(D, In);
    Reading = false;
    hintStore().readAhead(false);
    Tokens Made = W.take();
    dump(D, Made);
    while (std::optional<Token> T = In.takePending())
      Made.push_back(*T);
    putBack(std::move(Made));
  }

  void dump(const Directive &D, TokenRange Made) {
    if (options().DumpAccess != "acc" || CI.getLangOpts().OpenMPIsTargetDevice)
      return;
    PresumedLoc At = PP.getSourceManager().getPresumedLoc(D.At);
    llvm::errs() << "// " << (At.isValid() ? At.getFilename() : "?") << ":" << (At.isValid() ? At.getLine() : 0)
                 << ": #pragma acc " << text(D) << "\n"
                 << ompText(Made);
  }

  // Streams are a stack: the last part first.
  void putBack(Tokens Text) {
    size_t End = Text.size();
    for (size_t I = Text.size(); I-- > 0;) {
      const Deferred *What = deferred(Text[I]);
      if (!What)
        continue;
      enter(TokenRange(Text).slice(I + 1, End - I - 1));
      const Token &Before = I ? Text[I - 1] : Last;
      resumeLater(*What, Text[I].getLocation(), What->D && Before.isOneOf(tok::semi, tok::r_brace) && !Reading);
      End = I;
    }
    enter(TokenRange(Text).take_front(End));
  }

  void resumeLater(const Deferred &What, SourceLocation At, bool Separated) {
    if (Reading)
      return enter({deferredToken(&What, At)});
    size_t N = size_t(llvm::find_if(Unit.Markers, [&](const Deferred &M) { return &M == &What; }) - Unit.Markers.begin());
    Tokens Pragma;
    auto Add = [&](llvm::StringRef Text, tok::TokenKind Kind) {
      Token T;
      T.startToken();
      T.setKind(Kind);
      PP.CreateString(Text, T, At, At);
      if (Kind == tok::identifier)
        T.setIdentifierInfo(PP.getIdentifierInfo(Text));
      Pragma.push_back(T);
    };
    Add("_Pragma", tok::identifier);
    Add("(", tok::l_paren);
    Add("\"" + std::string(ResumeName) + " " + std::to_string(N) + "\"", tok::string_literal);
    Add(")", tok::r_paren);
    enter(Pragma, /*Expand=*/true);
    if (!Separated)
      return;
    Pragma.clear();
    Add(";", tok::semi);
    enter(Pragma);
  }

  // An empty stream crashes clang.
  void enter(TokenRange Text, bool Expand = false) {
    if (Text.empty())
      return;
    auto Copy = std::make_unique<Token[]>(Text.size());
    llvm::copy(Text, Copy.get());
    PP.EnterTokenStream(std::move(Copy), unsigned(Text.size()), /*DisableMacroExpansion=*/!Expand, /*IsReinject=*/false);
  }

  CompilerInstance &CI;
  Preprocessor &PP;
  Tokens Seen;
  Token Last{};
  unsigned Depth = 0;
  bool Reading = false, Redundant = false, Constructive = false;
  std::set<SourceLocation> Ours; // of directives translated
  Symbols Table;
  UnitState Unit;
};

class AccHandler : public PragmaHandler {
public:
  explicit AccHandler(Translator &T) : PragmaHandler("acc"), T(T) {}
  void HandlePragma(Preprocessor &, PragmaIntroducer Introducer, Token &) override { T.met(Introducer.Loc); }

private:
  Translator &T;
};

class ResumeHandler : public PragmaHandler {
public:
  explicit ResumeHandler(Translator &T) : PragmaHandler(ResumeName), T(T) {}
  void HandlePragma(Preprocessor &PP, PragmaIntroducer, Token &) override {
    Token Number;
    PP.Lex(Number);
    size_t N = ~size_t(0);
    if (Number.is(tok::numeric_constant) && llvm::StringRef(PP.getSpelling(Number)).getAsInteger(10, N))
      N = ~size_t(0);
    while (Number.isNot(tok::eod))
      PP.Lex(Number);
    T.resume(N);
  }

private:
  Translator &T;
};

/// Says once why directives are not read.
class RefusingHandler : public PragmaHandler {
public:
  explicit RefusingHandler(std::string Reason) : PragmaHandler("acc"), Reason(std::move(Reason)) {}
  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer, Token &T) override {
    unsigned ID = PP.getDiagnostics().getCustomDiagID(DiagnosticsEngine::Warning, "OpenACC directives are ignored: %0");
    if (!std::exchange(Said, true))
      PP.Diag(Introducer.Loc, ID) << Reason;
    while (T.isNot(tok::eod))
      PP.Lex(T);
  }

private:
  std::string Reason;
  bool Said = false;
};

/// The parser registers a handler of its own for `acc` when it is made, which is before the main file is entered.
class Hook : public PPCallbacks {
public:
  Hook(Preprocessor &PP, std::unique_ptr<Translator> T, std::string Refusal)
      : PP(PP), T(std::move(T)), Refusal(std::move(Refusal)) {}

  void FileChanged(SourceLocation, FileChangeReason, SrcMgr::CharacteristicKind, FileID) override {
    if (std::exchange(Done, true))
      return;
    PragmaHandler *Handler = T ? static_cast<PragmaHandler *>(new AccHandler(*T)) : new RefusingHandler(Refusal);
    PP.RemovePragmaHandler(Handler); // by name: the parser goes on owning its own
    PP.AddPragmaHandler(Handler);
    if (T)
      PP.AddPragmaHandler(new ResumeHandler(*T));
  }

private:
  Preprocessor &PP;
  std::unique_ptr<Translator> T;
  std::string Refusal;
  bool Done = false;
};

} // namespace

void installHandlers(CompilerInstance &CI, const std::string &Refusal) {
  Preprocessor &PP = CI.getPreprocessor();
  auto T = Refusal.empty() ? std::make_unique<Translator>(CI) : nullptr;
  PP.addPPCallbacks(std::make_unique<Hook>(PP, std::move(T), Refusal));
}

} // namespace place::acc
