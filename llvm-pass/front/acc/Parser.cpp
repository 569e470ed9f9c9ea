//===- Parser.cpp - From tokens to the tree of a directive --------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function that can meet an error returns whether it met none, and reports the first one.
//
//===----------------------------------------------------------------------===//
#include "Parser.h"
#include "Expression.h"
#include "Rules.h"

#include "clang/Basic/IdentifierTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace place::acc {

namespace {

enum class Form {
  Bare, Expression, OptionalExpression, Expressions, Variables, Data, SelfForm, DefaultForm, ReductionForm, WaitForm, GangForm,
  WorkerForm, VectorForm, CollapseForm, TileForm, BindForm, DeviceTypes
};

Form formOf(ClauseKind Kind) {
  static const Form Forms[] = {
#define ACC_CLAUSE(Kind, Spelling, F, Letters) Form::F,
#include "Grammar.def"
  };
  return Forms[size_t(Kind)];
}

std::optional<ClauseKind> clauseNamed(llvm::StringRef Name) {
#define ACC_CLAUSE(Kind, Spelling, F, Letters)                                                                                      \
  if (Name == Spelling)                                                                                                             \
    return ClauseKind::Kind;
#include "Grammar.def"
#define ACC_ALIAS(Spelling, Kind)                                                                                                   \
  if (Name == Spelling)                                                                                                             \
    return ClauseKind::Kind;
#include "Grammar.def"
  return std::nullopt;
}

std::optional<DirectiveKind> directiveNamed(llvm::StringRef Name) {
#define ACC_DIRECTIVE(Kind, Spelling, Letter)                                                                                       \
  if (Name == Spelling)                                                                                                             \
    return DirectiveKind::Kind;
#include "Grammar.def"
  return std::nullopt;
}

class Parser {
public:
  Parser(TokenRange Line, SourceLocation At, SourceLocation End, Reporter Report) : Line(Line), Report(Report) {
    D.At = At;
    D.End = End;
  }

  std::optional<Directive> parse() {
    if (!name() || !ownArguments() || !clauses() || !checkDirective(D, Report))
      return std::nullopt;
    return std::move(D);
  }

private:
  bool atEnd() const { return Next >= Line.size(); }
  std::string word(size_t I) const { return I < Line.size() && Line[I].getIdentifierInfo() ? spelling(Line[I]) : ""; }
  SourceLocation placeOf(size_t I) const { return I < Line.size() ? Line[I].getLocation() : D.End; }

  bool error(SourceLocation At, const std::string &Text) {
    Report(Severity::Error, At, Text);
    return false;
  }

  bool name() {
    std::string First = word(Next);
    if (First.empty())
      return error(placeOf(Next), "expected an OpenACC directive");
    if ((First == "enter" || First == "exit") && word(Next + 1) == "data")
      First += " data";
    std::optional<DirectiveKind> Kind = directiveNamed(First);
    if (!Kind)
      return error(placeOf(Next), "unknown OpenACC directive '" + First + "'");
    D.Kind = *Kind;
    D.Name = placeOf(Next);
    Next += First.find(' ') == std::string::npos ? 1 : 2;
    if (D.isCompute() && word(Next) == "loop") {
      D.WithLoop = true;
      ++Next;
    }
    return true;
  }

  // wait(1, 2), cache(a[0:n]), routine(f)
  bool ownArguments() {
    bool May = D.Kind == DirectiveKind::Wait || D.Kind == DirectiveKind::Cache || D.Kind == DirectiveKind::Routine;
    bool Has = !atEnd() && Line[Next].is(tok::l_paren);
    if (D.Kind == DirectiveKind::Cache && !Has)
      return error(placeOf(Next), "expected '(' after 'cache'");
    if (!May || !Has)
      return true;
    Clause Own{ClauseKind::Wait, Line[Next - 1].getLocation(), true, "", {}};
    TokenRange Inner;
    if (!parenthesised("'" + spelling(D.Kind).str() + "'", Inner))
      return false;
    if (D.Kind == DirectiveKind::Wait ? !waitArguments(Own, Inner) : !variables(Own, Inner, D.Kind == DirectiveKind::Cache))
      return false;
    if (D.Kind == DirectiveKind::Routine && Own.Items.size() != 1)
      return error(Inner.front().getLocation(), "'routine' takes the name of one function");
    D.HasArguments = true;
    D.Items = std::move(Own.Items);
    return true;
  }

  bool clauses() {
    while (!atEnd()) {
      if (Line[Next].is(tok::comma) && !D.Clauses.empty()) {
        ++Next;
        if (!atEnd())
          continue;
        return error(D.End, "expected a clause after ','");
      }
      if (!clause())
        return false;
    }
    return true;
  }

  bool clause() {
    std::string Name = word(Next);
    if (Name.empty())
      return error(placeOf(Next), "expected a clause of '" + directiveName() + "'");
    std::optional<ClauseKind> Kind = clauseNamed(Name);
    if (!Kind)
      return error(placeOf(Next), "unknown OpenACC clause '" + Name + "'");
    if (!takes(D, *Kind))
      return error(placeOf(Next), "'" + Name + "' is no clause of '" + directiveName() + "'");
    Clause C{*Kind, placeOf(Next++), !atEnd() && Line[Next].is(tok::l_paren), "", {}};
    Form F = formOf(*Kind);
    if (F == Form::SelfForm)
      F = D.Kind == DirectiveKind::Update ? Form::Variables : Form::OptionalExpression;
    if (!C.HasArguments) {
      if (needsArguments(F))
        return error(placeOf(Next), "expected '(' after '" + Name + "'");
    } else {
      TokenRange Inner;
      if (F == Form::Bare)
        return error(placeOf(Next), "'" + Name + "' takes no arguments");
      if (!parenthesised("'" + Name + "'", Inner) || !arguments(C, F, Inner))
        return false;
    }
    D.Clauses.push_back(std::move(C));
    return true;
  }

  std::string directiveName() const { return spelling(D.Kind).str() + (D.WithLoop ? " loop" : ""); }

  static bool needsArguments(Form F) {
    return !llvm::is_contained({Form::Bare, Form::OptionalExpression, Form::WaitForm, Form::GangForm, Form::WorkerForm,
                                Form::VectorForm}, F);
  }

  // Next stands at '('; leaves it behind ')'.
  bool parenthesised(const std::string &After, TokenRange &Inner) {
    size_t End = behindBracket(Line, Next);
    if (End == Next + 1 || Line[End - 1].isNot(tok::r_paren))
      return error(D.End, "expected ')' to end the arguments of " + After);
    Inner = Line.slice(Next + 1, End - Next - 2);
    if (Inner.empty())
      return error(placeOf(Next), "the arguments of " + After + " are missing");
    Next = End;
    return true;
  }

  bool arguments(Clause &C, Form F, TokenRange Inner) {
    switch (F) {
    case Form::Expression:
    case Form::OptionalExpression: return expressions(C, Inner, 1);
    case Form::Expressions: return expressions(C, Inner, 3);
    case Form::Variables: return variables(C, Inner, true);
    case Form::Data: return dataArguments(C, Inner);
    case Form::DefaultForm: return oneOf(C, Inner, {"none", "present"});
    case Form::ReductionForm: return reduction(C, Inner);
    case Form::WaitForm: return waitArguments(C, Inner);
    case Form::GangForm: return keyed(C, Inner, {"num", "static", "dim"});
    case Form::WorkerForm: return keyed(C, Inner, {"num"});
    case Form::VectorForm: return keyed(C, Inner, {"length"});
    case Form::CollapseForm: return collapse(C, Inner);
    case Form::TileForm: return tile(C, Inner);
    case Form::BindForm: return bind(C, Inner);
    case Form::DeviceTypes: return deviceTypes(C, Inner);
    case Form::Bare:
    case Form::SelfForm: break;
    }
    return true;
  }

  bool add(Clause &C, TokenRange Text, std::string Keyword = "") {
    C.Items.push_back({std::move(Keyword), Tokens(Text.begin(), Text.end())});
    return true;
  }

  // The place of the token that is wrong in Part of the line, or of what follows Part.
  SourceLocation placeIn(TokenRange Part, long At) const { return placeOf(size_t(Part.begin() - Line.begin()) + size_t(At)); }

  bool expression(Clause &C, TokenRange Part, std::string Keyword = "") {
    if (long At = malformedExpression(Part); At >= 0)
      return error(placeIn(Part, At), "expected expression");
    return add(C, Part, std::move(Keyword));
  }

  bool expressions(Clause &C, TokenRange Inner, size_t Most) {
    std::vector<TokenRange> Parts = split(Inner, tok::comma);
    if (Parts.size() > Most)
      return error(placeIn(Parts[Most], 0), "too many arguments of '" + spelling(C.Kind).str() + "'");
    return llvm::all_of(Parts, [&](TokenRange Part) { return expression(C, Part); });
  }

  bool variables(Clause &C, TokenRange Inner, bool Sections) {
    for (TokenRange Part : split(Inner, tok::comma)) {
      long At = malformedVariable(Part);
      if (At < 0 && !Sections)
        At = llvm::find_if(Part, [](const Token &T) { return T.isOneOf(tok::l_square, tok::period, tok::arrow); }) - Part.begin();
      if (At >= 0 && At < long(Part.size() + (Sections ? 1 : 0)))
        return error(placeIn(Part, At), At ? "expected ',' or ')' after a variable" : "expected a variable");
      add(C, Part);
    }
    return true;
  }

  // `word :` in front of what follows; the word, and Inner without it.
  std::string leadingKeyword(TokenRange &Inner) {
    if (Inner.size() < 2 || !Inner[0].getIdentifierInfo() || Inner[1].isNot(tok::colon))
      return "";
    std::string Keyword = spelling(Inner[0]);
    Inner = Inner.drop_front(2);
    return Keyword;
  }

  bool dataArguments(Clause &C, TokenRange Inner) {
    SourceLocation At = Inner[0].getLocation();
    C.Modifier = leadingKeyword(Inner);
    bool Known = llvm::StringSwitch<bool>(C.Modifier)
                     .Case("", true)
                     .Case("readonly", C.Kind == ClauseKind::Copyin)
                     .Case("zero", C.Kind == ClauseKind::Create || C.Kind == ClauseKind::Copyout)
                     .Cases("always", "alwaysin", "alwaysout", "capture", C.Kind != ClauseKind::Create || C.Modifier == "capture")
                     .Default(false);
    if (!Known)
      return error(At, "'" + C.Modifier + "' is no modifier of '" + spelling(C.Kind).str() + "'");
    return variables(C, Inner, true);
  }

  bool oneOf(Clause &C, TokenRange Inner, std::initializer_list<const char *> Words) {
    if (Inner.size() != 1 || llvm::none_of(Words, [&](const char *W) { return spelling(Inner[0]) == W; }))
      return error(placeIn(Inner, 0), "expected " + llvm::join(Words, " or ") + " in '" + spelling(C.Kind).str() + "'");
    return add(C, Inner);
  }

  bool reduction(Clause &C, TokenRange Inner) {
    static const char *const Operators[] = {"+", "*", "max", "min", "&", "|", "^", "&&", "||"};
    C.Modifier = spelling(Inner[0]);
    if (C.Modifier == "-") { // OpenMP has it, and other compilers take it
      Report(Severity::Warning, Inner[0].getLocation(), "'-' is no reduction operator of OpenACC; taken as '+', which it is in OpenMP");
      C.Modifier = "+";
    }
    if (!llvm::is_contained(Operators, C.Modifier))
      return error(Inner[0].getLocation(), "expected a reduction operator: +, *, max, min, &, |, ^, && or ||");
    if (Inner.size() < 2 || Inner[1].isNot(tok::colon))
      return error(placeIn(Inner, 1), "expected ':' after the reduction operator");
    return variables(C, Inner.drop_front(2), true);
  }

  // [devnum: e :] [queues:] e, ...
  bool waitArguments(Clause &C, TokenRange Inner) {
    if (Inner.size() > 2 && spelling(Inner[0]) == "devnum" && Inner[1].is(tok::colon)) {
      std::vector<TokenRange> Parts = split(Inner.drop_front(2), tok::colon);
      if (!expression(C, Parts[0], "devnum"))
        return false;
      Inner = Inner.drop_front(2 + Parts[0].size());
      if (Inner.empty())
        return error(placeIn(Inner, 0), "expected ':' and queues after the device's number");
      Inner = Inner.drop_front();
    }
    if (Inner.size() > 2 && spelling(Inner[0]) == "queues" && Inner[1].is(tok::colon))
      Inner = Inner.drop_front(2);
    return llvm::all_of(split(Inner, tok::comma), [&](TokenRange Part) { return expression(C, Part); });
  }

  // gang(num: 8, static: *), worker(4), vector(length: 128)
  bool keyed(Clause &C, TokenRange Inner, std::initializer_list<llvm::StringRef> Known) {
    for (TokenRange Part : split(Inner, tok::comma)) {
      SourceLocation At = placeIn(Part, 0);
      std::string Keyword = leadingKeyword(Part);
      if (!Keyword.empty() && !llvm::is_contained(Known, Keyword))
        return error(At, "'" + Keyword + "' is no argument of '" + spelling(C.Kind).str() + "'");
      bool Star = Keyword == "static" && Part.size() == 1 && Part[0].is(tok::star);
      if (Star ? !add(C, Part, Keyword) : !expression(C, Part, Keyword.empty() ? Known.begin()->str() : Keyword))
        return false;
    }
    return true;
  }

  bool collapse(Clause &C, TokenRange Inner) {
    SourceLocation At = Inner[0].getLocation();
    C.Modifier = leadingKeyword(Inner);
    if (!C.Modifier.empty() && C.Modifier != "force")
      return error(At, "'" + C.Modifier + "' is no modifier of 'collapse'");
    return expressions(C, Inner, 1);
  }

  bool tile(Clause &C, TokenRange Inner) {
    return llvm::all_of(split(Inner, tok::comma), [&](TokenRange Part) {
      return Part.size() == 1 && Part[0].is(tok::star) ? add(C, Part) : expression(C, Part);
    });
  }

  bool bind(Clause &C, TokenRange Inner) {
    if (Inner.size() != 1 || !Inner[0].isOneOf(tok::identifier, tok::string_literal))
      return error(placeIn(Inner, Inner.size() > 1), "expected the name of a function, or a string, in 'bind'");
    return add(C, Inner);
  }

  bool deviceTypes(Clause &C, TokenRange Inner) {
    static const char *const Known[] = {"host", "multicore", "nvidia", "radeon", "default", "not_host", "any"};
    for (TokenRange Part : split(Inner, tok::comma)) {
      if (Part.size() != 1 || !(Part[0].is(tok::star) || Part[0].getIdentifierInfo()))
        return error(placeIn(Part, Part.size() > 1), "expected a device type or '*'");
      std::string Name = spelling(Part[0]);
      if (Part[0].isNot(tok::star) && !llvm::is_contained(Known, llvm::StringRef(Name).lower()))
        Report(Severity::Warning, Part[0].getLocation(), "unknown device type '" + Name + "'; what follows it is ignored");
      add(C, Part);
    }
    return true;
  }

  TokenRange Line;
  Reporter Report;
  size_t Next = 0;
  Directive D;
};

// 0: not for this device; 1: for every device; 2: for this one.
int fit(const Clause &DeviceType) {
  int Best = 0;
  for (const Item &I : DeviceType.Items) {
    std::string Name = llvm::StringRef(spelling(I.Text[0])).lower();
    Best = std::max(Best, Name == "*" || Name == "any" ? 1 : Name == "nvidia" || Name == "default" || Name == "not_host" ? 2 : 0);
  }
  return Best;
}

} // namespace

std::optional<Directive> parseDirective(TokenRange Line, SourceLocation At, SourceLocation End, Reporter Report) {
  return Parser(Line, At, End, Report).parse();
}

void selectDevice(Directive &D) {
  if (D.Kind == DirectiveKind::Init || D.Kind == DirectiveKind::Shutdown || D.Kind == DirectiveKind::Set)
    return; // there device_type is an argument
  std::vector<Clause> Groups[3]; // before any device_type, of every device, of this one
  int Group = 0;
  for (Clause &C : D.Clauses) {
    if (C.Kind == ClauseKind::DeviceType)
      Group = fit(C) ? fit(C) : -1;
    else if (Group >= 0)
      Groups[Group].push_back(std::move(C));
  }
  D.Clauses.clear();
  for (std::vector<Clause> &Special : Groups) {
    llvm::erase_if(D.Clauses, [&](const Clause &Old) {
      return &Special != Groups && llvm::any_of(Special, [&](const Clause &New) { return New.Kind == Old.Kind; });
    });
    llvm::move(Special, std::back_inserter(D.Clauses));
  }
}

} // namespace place::acc
