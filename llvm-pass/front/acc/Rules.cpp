//===- Rules.cpp - Which clauses may stand where -------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace place::acc {

static char letter(DirectiveKind Kind) {
  static const char Letters[] = {
#define ACC_DIRECTIVE(Kind, Spelling, Letter) Letter,
#include "Grammar.def"
  };
  return Letters[size_t(Kind)];
}

bool takes(const Directive &D, ClauseKind Kind) {
  static const llvm::StringRef Takers[] = {
#define ACC_CLAUSE(Kind, Spelling, Form, Letters) Letters,
#include "Grammar.def"
  };
  llvm::StringRef Letters = Takers[size_t(Kind)];
  return Letters.contains(letter(D.Kind)) || (D.WithLoop && Letters.contains(letter(DirectiveKind::Loop)));
}

namespace {

using Kinds = std::initializer_list<ClauseKind>;

bool error(Reporter Report, SourceLocation At, const std::string &Text) {
  Report(Severity::Error, At, Text);
  return false;
}

std::string quoted(ClauseKind Kind) { return "'" + spelling(Kind).str() + "'"; }

// Each of these once for each device type.
bool checkRepeats(const Directive &D, Reporter Report) {
  static const Kinds Single = {ClauseKind::If, ClauseKind::Self, ClauseKind::Default, ClauseKind::NumGangs, ClauseKind::NumWorkers,
                               ClauseKind::VectorLength, ClauseKind::Gang, ClauseKind::Worker, ClauseKind::Vector, ClauseKind::Seq,
                               ClauseKind::Auto, ClauseKind::Independent, ClauseKind::Collapse, ClauseKind::Tile, ClauseKind::Bind,
                               ClauseKind::DeviceNum, ClauseKind::DefaultAsync, ClauseKind::Read, ClauseKind::Write,
                               ClauseKind::Capture};
  std::vector<ClauseKind> Seen;
  for (const Clause &C : D.Clauses) {
    if (C.Kind == ClauseKind::DeviceType)
      Seen.clear();
    else if (llvm::is_contained(Seen, C.Kind) && !(C.Kind == ClauseKind::Self && D.Kind == DirectiveKind::Update))
      return error(Report, C.At, quoted(C.Kind) + " appears twice");
    else if (llvm::is_contained(Single, C.Kind))
      Seen.push_back(C.Kind);
  }
  return true;
}

// At most one of Group; with None, not beside any of those either.
bool excludes(const Directive &D, Kinds Group, Kinds Others, Reporter Report) {
  const Clause *First = nullptr;
  for (const Clause &C : D.Clauses) {
    if (C.Kind == ClauseKind::DeviceType)
      First = nullptr;
    if (!llvm::is_contained(Group, C.Kind))
      continue;
    if (First)
      return error(Report, C.At, quoted(C.Kind) + " contradicts " + quoted(First->Kind));
    First = &C;
    for (const Clause &Other : D.Clauses)
      if (llvm::is_contained(Others, Other.Kind))
        return error(Report, Other.At, quoted(Other.Kind) + " contradicts " + quoted(C.Kind));
  }
  return true;
}

bool checkLevels(const Directive &D, Reporter Report) {
  using K = ClauseKind;
  if (D.Kind == DirectiveKind::Routine) {
    if (!D.hasAny({K::Gang, K::Worker, K::Vector, K::Seq}))
      Report(Severity::Warning, D.Name, "'routine' says none of gang, worker, vector and seq; seq is assumed");
    return excludes(D, {K::Gang, K::Worker, K::Vector, K::Seq}, {}, Report);
  }
  bool OneDeviceType = !D.has(K::DeviceType);
  return excludes(D, {K::Seq, K::Auto, K::Independent}, {}, Report) &&
         (!OneDeviceType || excludes(D, {K::Seq}, {K::Gang, K::Worker, K::Vector}, Report)) &&
         excludes(D, {K::Tile}, {K::Collapse}, Report);
}

bool needs(const Directive &D, Kinds Any, Reporter Report) {
  if (D.hasAny(Any))
    return true;
  std::string List;
  for (ClauseKind Kind : Any)
    List += (List.empty() ? "" : ", ") + quoted(Kind);
  return error(Report, D.End, "'" + spelling(D.Kind).str() + "' needs one of " + List);
}

bool checkNeeds(const Directive &D, Reporter Report) {
  using K = ClauseKind;
  switch (D.Kind) {
  case DirectiveKind::EnterData: return needs(D, {K::Copyin, K::Create, K::Attach}, Report);
  case DirectiveKind::ExitData: return needs(D, {K::Copyout, K::Delete, K::Detach}, Report);
  case DirectiveKind::HostData: return needs(D, {K::UseDevice}, Report);
  case DirectiveKind::Update: return needs(D, {K::Self, K::Device}, Report);
  case DirectiveKind::Declare:
    return needs(D, {K::Copy, K::Copyin, K::Copyout, K::Create, K::Present, K::Deviceptr, K::DeviceResident, K::Link}, Report);
  case DirectiveKind::Set: return needs(D, {K::DefaultAsync, K::DeviceNum, K::DeviceType}, Report);
  default: return true;
  }
}

} // namespace

bool checkDirective(const Directive &D, Reporter Report) {
  return checkRepeats(D, Report) && checkLevels(D, Report) &&
         excludes(D, {ClauseKind::Read, ClauseKind::Write, ClauseKind::Update, ClauseKind::Capture}, {}, Report) && checkNeeds(D, Report);
}

} // namespace place::acc
