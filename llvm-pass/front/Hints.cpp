//===- Hints.cpp - #pragma place ----------------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Hints.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace place {

HintStore &hintStore() {
  static HintStore Store;
  return Store;
}

void warn(DiagnosticsEngine &Diagnostics, SourceLocation At, const std::string &Text) {
  unsigned Plain = diag::warn_fe_backend_plugin;
  Diagnostics.Report(At, At.isValid() ? Plain : Diagnostics.getCustomDiagID(DiagnosticsEngine::Warning, "%0")) << Text;
}

void note(DiagnosticsEngine &Diagnostics, SourceLocation At, const std::string &Text) {
  Diagnostics.Report(At, Diagnostics.getCustomDiagID(DiagnosticsEngine::Note, "%0")) << Text;
}

void HintStore::lexed(const Token &T) {
  // Of other pragmas some leave a token of their own.
  bool OpenMP = T.is(tok::annot_pragma_openmp);
  if (Waiting && (OpenMP || !T.isAnnotation())) {
    for (auto H = std::prev(Pending.end(), Waiting); OpenMP && H != Pending.end(); ++H)
      H->Construct = T.getLocation();
    for (auto H = std::prev(Pending.end(), Waiting); !OpenMP && H != Pending.end(); ++H)
      H->Follows = T.getLocation();
    Waiting = 0;
  }
}

// Of pragmas that were read ahead of the parser only the place is known: a few lines before, in the same file.
static bool near(const SourceManager &SM, SourceLocation Pragma, SourceLocation Construct) {
  const unsigned MostLinesBetween = 8;
  PresumedLoc From = SM.getPresumedLoc(Pragma), To = SM.getPresumedLoc(Construct);
  return From.isValid() && To.isValid() && StringRef(From.getFilename()) == To.getFilename() && From.getLine() < To.getLine() &&
         To.getLine() - From.getLine() <= MostLinesBetween;
}

std::vector<const PendingHints *> HintStore::take(SourceLocation Construct, const SourceManager &SM) {
  std::vector<const PendingHints *> Found;
  for (auto H = Pending.rbegin(); H != Pending.rend(); ++H)
    if (H->Ahead && !H->Taken && near(SM, H->At, Construct)) {
      H->Construct = Construct;
      break;
    }
  for (PendingHints &H : Pending)
    if (H.Construct == Construct) {
      H.Taken = true;
      Found.push_back(&H);
    }
  return Found;
}

std::vector<PendingHints> HintStore::unused() const {
  std::vector<PendingHints> Left;
  for (const PendingHints &H : Pending)
    if (!H.Taken)
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
    if (T.is(tok::eod) && !Quiet)
      warn(PP.getDiagnostics(), H.At, "'#pragma place' is empty, and has no effect; known: " + std::string(Known));
    while (T.isNot(tok::eod))
      if (!word(PP, T, H.Asked))
        break;
    while (T.isNot(tok::eod))
      PP.Lex(T);
    hintStore().add(std::move(H));
  }

private:
  // <space> ( name , ... ), <route> ( name , ... ), shared ( tile ( name , ... ) ), keep ( threads ), team ( number ), assume ( noalias ), or noplace; leaves T behind it. False: malformed, said.
  bool word(Preprocessor &PP, Token &T, Hints &Asked) {
    if (!T.is(tok::identifier) && !T.getIdentifierInfo())
      return complain(PP, T, "expected a memory space, 'keep', 'team', 'assume' or 'noplace'");
    std::string Name = PP.getSpelling(T);
    if (Name == "noplace") {
      Asked.NoPlace = true;
      PP.Lex(T);
      return true;
    }
    if (Name == "keep")
      return keep(PP, T, Asked);
    if (Name == "assume")
      return assume(PP, T, Asked);
    if (Name == "team")
      return team(PP, T, Asked);
    enum place_space Space;
    if (!place_space_parse(Name.data(), Name.size(), &Space))
      return arrays(PP, T, Space, Asked);
    int Route = place_route_parse(Name.data(), Name.size());
    if (Route < 0 || !place_route_is_choice(static_cast<place_route>(Route)))
      return complain(PP, T, "unknown memory space '" + Name + "'" + nearest(Name) + "; known: " + Known);
    return routed(PP, T, static_cast<place_route>(Route), Asked);
  }

  bool routed(Preprocessor &PP, Token &T, place_route Route, Hints &Asked) {
    if (!open(PP, T, place_route_name(Route)))
      return false;
    do {
      SourceLocation At;
      std::string Name;
      if (!nextName(PP, T, At, Name) || !section(PP, T))
        return false;
      auto [Before, New] = Asked.Routes.insert({Name, Route});
      if (!New && Before->second != Route)
        say(PP, At, twoRoutes(Name, Before->second, Route));
      Before->second = Route;
      Asked.At[written(Route, Name)] = At.getRawEncoding();
    } while (T.is(tok::comma));
    return close(PP, T);
  }

  bool arrays(Preprocessor &PP, Token &T, enum place_space Space, Hints &Asked) {
    if (!open(PP, T, place_space_name(Space)))
      return false;
    do {
      SourceLocation At;
      std::string Name;
      if (!nextName(PP, T, At, Name))
        return false;
      bool Tiles = Space == PLACE_SHARED && Name == "tile" && T.is(tok::l_paren);
      if (Tiles ? !tiles(PP, T, Asked) : !section(PP, T))
        return false;
      if (!Tiles)
        ask(PP, At, Name, Space, Asked);
    } while (T.is(tok::comma));
    return close(PP, T);
  }

  // T is the parenthesis behind `tile`; left behind its end.
  bool tiles(Preprocessor &PP, Token &T, Hints &Asked) {
    do {
      SourceLocation At;
      std::string Name;
      if (!nextName(PP, T, At, Name) || !section(PP, T))
        return false;
      if (auto Before = Asked.Spaces.find(Name); Before != Asked.Spaces.end()) {
        say(PP, At, tilesToo(Name, Before->second));
        Asked.Spaces.erase(Before);
      }
      Asked.Tiles.insert(Name);
      Asked.At[writtenTile(Name)] = At.getRawEncoding();
    } while (T.is(tok::comma));
    return close(PP, T);
  }

  // T is what the name, perhaps of a member, comes after; left behind it. False: there is none, said.
  bool nextName(Preprocessor &PP, Token &T, SourceLocation &At, std::string &Name) {
    PP.Lex(T);
    if (!T.getIdentifierInfo())
      return complain(PP, T, "expected the name of an array");
    At = T.getLocation();
    Name = PP.getSpelling(T);
    PP.Lex(T);
    while (T.isOneOf(tok::period, tok::arrow)) {
      Name += PP.getSpelling(T);
      PP.Lex(T);
      if (!T.getIdentifierInfo())
        return complain(PP, T, "expected the name of a member");
      Name += PP.getSpelling(T);
      PP.Lex(T);
    }
    return true;
  }

  void ask(Preprocessor &PP, SourceLocation At, const std::string &Name, enum place_space Space, Hints &Asked) {
    if (Asked.Tiles.erase(Name))
      say(PP, At, tilesToo(Name, Space));
    auto [Before, New] = Asked.Spaces.insert({Name, Space});
    if (!New && Before->second != Space)
      say(PP, At, twice(Name, Before->second, Space));
    Before->second = Space;
    Asked.At[written(Space, Name)] = At.getRawEncoding();
  }

  void say(Preprocessor &PP, SourceLocation At, const std::string &Text) {
    if (!Quiet)
      warn(PP.getDiagnostics(), At, Text);
  }

  // A section of an array, as in map clauses. False: malformed, said.
  bool section(Preprocessor &PP, Token &T) {
    for (; T.is(tok::l_square); PP.Lex(T)) {
      unsigned Open = 1;
      while (Open) {
        PP.Lex(T);
        if (T.is(tok::eod))
          return complain(PP, T, "expected ']'");
        Open += T.is(tok::l_square);
        Open -= T.is(tok::r_square);
      }
    }
    return true;
  }

  bool keep(Preprocessor &PP, Token &T, Hints &Asked) {
    SourceLocation At = T.getLocation();
    if (!open(PP, T, "keep"))
      return false;
    PP.Lex(T);
    if (!T.getIdentifierInfo() || PP.getSpelling(T) != "threads")
      return complain(PP, T, "expected 'threads'");
    Hints Keep;
    Keep.KeepThreads = true;
    add(PP, At, Asked, Keep);
    PP.Lex(T);
    return close(PP, T);
  }

  bool assume(Preprocessor &PP, Token &T, Hints &Asked) {
    SourceLocation At = T.getLocation();
    if (!open(PP, T, "assume"))
      return false;
    PP.Lex(T);
    if (!T.getIdentifierInfo())
      return complain(PP, T, "expected 'noalias'");
    if (std::string What = PP.getSpelling(T); What != "noalias")
      return complain(PP, T, "unknown promise '" + What + "'" + suggestion(What, {"noalias"}) + "; known: noalias");
    Asked.Apart = true;
    Asked.At["assume(noalias)"] = At.getRawEncoding();
    PP.Lex(T);
    return close(PP, T);
  }

  // A warp is 32 threads, and no team has more than 1,024.
  bool team(Preprocessor &PP, Token &T, Hints &Asked) {
    SourceLocation At = T.getLocation();
    uint64_t Threads = 0;
    if (!open(PP, T, "team"))
      return false;
    PP.Lex(T);
    SourceLocation Number = T.getLocation();
    // Clang's own reader would make an error of what is no number.
    if (T.isNot(tok::numeric_constant) || StringRef(PP.getSpelling(T)).getAsInteger(0, Threads))
      return complain(PP, T, "expected a number of threads, as in team(256)");
    PP.Lex(T);
    if (T.isNot(tok::r_paren))
      return complain(PP, T, "expected ')'");
    Hints Team;
    Team.Team = unsigned(nearestTeam(Threads));
    if (Team.Team != Threads)
      say(PP, Number, "'#pragma place' asks for teams of " + std::to_string(Threads) +
                                            " threads, but a team has 32 to 1024 of them, in warps of 32: write team(" +
                                            std::to_string(Team.Team) + "); ignored");
    if (Team.Team == Threads)
      add(PP, At, Asked, Team);
    PP.Lex(T);
    return true;
  }

  static uint64_t nearestTeam(uint64_t Threads) {
    const uint64_t Warp = 32, Most = 1024;
    return Threads >= Most ? Most : std::max(Warp, (Threads + Warp / 2) / Warp * Warp);
  }

  void add(Preprocessor &PP, SourceLocation At, Hints &Asked, const Hints &More) {
    if (std::string Text = contradiction(Asked, More); !Text.empty())
      say(PP, At, Text);
    addHints(Asked, More);
    if (More.Team)
      Asked.At["team(" + std::to_string(More.Team) + ")"] = At.getRawEncoding();
  }

  bool open(Preprocessor &PP, Token &T, const std::string &Word) {
    PP.Lex(T);
    return T.is(tok::l_paren) || complain(PP, T, "expected '(' after '" + Word + "'");
  }

  bool close(Preprocessor &PP, Token &T) {
    if (T.isNot(tok::r_paren))
      return complain(PP, T, "expected ',' or ')'");
    PP.Lex(T);
    return true;
  }

  static std::string nearest(StringRef Name) {
    std::vector<std::string> Words = {"keep", "team", "assume", "noplace"};
    for (unsigned S = 0; S < PLACE_SPACE_COUNT; ++S)
      Words.push_back(place_space_name(static_cast<place_space>(S)));
    for (unsigned R = 0; R < PLACE_ROUTE_COUNT; ++R)
      if (place_route_is_choice(static_cast<place_route>(R)))
        Words.push_back(place_route_name(static_cast<place_route>(R)));
    return suggestion(Name, Words);
  }

  bool complain(Preprocessor &PP, const Token &T, const std::string &Text) {
    if (!Quiet)
      warn(PP.getDiagnostics(), T.getLocation(), "'#pragma place': " + Text + "; the rest of the pragma is ignored");
    return false;
  }

  static constexpr const char *Known = "global, readonly, constant, shared, shared(tile), texture, keep(threads), team(N), assume(noalias), noplace, and routes of loads such as cg";
  bool Quiet = false;
};

} // namespace

static void enter(Preprocessor &PP, ArrayRef<Token> Tokens) {
  auto Copy = std::make_unique<Token[]>(Tokens.size());
  std::copy(Tokens.begin(), Tokens.end(), Copy.get());
  PP.EnterTokenStream(std::move(Copy), Tokens.size(), /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
}

// A token that the printer prints as it is.
static Token word(Preprocessor &PP, StringRef Text, SourceLocation At, Token::TokenFlags Flag) {
  Token T;
  T.startToken();
  T.setKind(tok::identifier);
  T.setIdentifierInfo(PP.getIdentifierInfo(Text));
  T.setLocation(At);
  T.setLength(Text.size());
  T.setFlag(Flag);
  return T;
}

// A compiler that only preprocesses prints the tokens that it is given: the pragma goes back as such, unread, since what
// compiles the output reads it (-E, -save-temps, ccache); its macros are replaced now. _Pragma stays an operator: code may follow it on its line.
static void writeOut(Preprocessor &PP, PragmaIntroducer Introducer) {
  SmallVector<Token, 16> Line{word(PP, "#pragma", Introducer.Loc, Token::StartOfLine),
                              word(PP, "place", Introducer.Loc, Token::LeadingSpace)};
  std::string Text = "place";
  Token T;
  for (PP.Lex(T); T.isNot(tok::eod); PP.Lex(T)) {
    Line.push_back(T);
    Text += (T.hasLeadingSpace() ? " " : "") + PP.getSpelling(T);
  }
  if (Introducer.Kind != PIK_HashPragma) {
    enter(PP, word(PP, "_Pragma(\"" + Lexer::Stringify(Text) + "\")", Introducer.Loc, Token::StartOfLine));
    return;
  }
  // The end of the directive, which makes the printer look at the next token's line, is a stream of its own below: the
  // preprocessor skips a stream that ends in one.
  enter(PP, T);
  enter(PP, Line);
}

void HintHandler::HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer, Token &) {
  if (PP.isPreprocessedOutput())
    writeOut(PP, Introducer);
  else
    Reader().read(PP, Introducer);
}

} // namespace place
