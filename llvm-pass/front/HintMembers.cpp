//===- HintMembers.cpp - Hints that name members of structures ---------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a version can have elsewhere is a kernel's argument: a structure as a whole. An array in the structure itself is part of
// it; what a pointer in the structure leads to has its address in memory.
//
//===----------------------------------------------------------------------===//
#include "Hints.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using llvm::StringRef;

namespace place {

namespace {

/// The name of one hint, taken to pieces along the types of what the construct captures.
class Path {
public:
  Path(const OMPExecutableDirective &Construct, const FunctionDecl *Function) : Construct(Construct), Function(Function) {}

  /// The variable that holds the array which Name names, or "".
  std::string holder(StringRef Name) const {
    StringRef Variable = Name.take_until([](char C) { return C == '.' || C == '-'; }), Rest = Name.drop_front(Variable.size());
    QualType T = captured(Variable);
    if (Rest.consume_front("->"))
      T = T.isNull() || !T->isPointerType() ? QualType() : T->getPointeeType();
    else if (!Rest.consume_front("."))
      return "";
    while (!T.isNull() && !Rest.empty()) {
      StringRef Member = Rest.take_until([](char C) { return C == '.' || C == '-'; });
      Rest = Rest.drop_front(Member.size());
      T = member(T, Member);
      if (!Rest.empty() && !Rest.consume_front("."))
        return "";
    }
    return !T.isNull() && T->isConstantArrayType() ? Variable.str() : "";
  }

private:
  QualType captured(StringRef Name) const {
    for (const CapturedStmt::Capture &C : Construct.getCapturedStmt(llvm::omp::OMPD_target)->captures()) {
      if (C.capturesThis() && Name == "this")
        if (auto *Method = dyn_cast_or_null<CXXMethodDecl>(Function))
          return Method->getThisType();
      if ((C.capturesVariable() || C.capturesVariableByCopy()) && C.getCapturedVar()->getName() == Name)
        return C.getCapturedVar()->getType().getNonReferenceType();
    }
    return QualType();
  }

  static QualType member(QualType T, StringRef Name) {
    const RecordDecl *Record = T->getAsRecordDecl();
    if (Record)
      for (const FieldDecl *Field : Record->fields())
        if (Field->getName() == Name)
          return Field->getType();
    return QualType();
  }

  const OMPExecutableDirective &Construct;
  const FunctionDecl *Function;
};

bool isMember(StringRef Name) { return Name.contains('.') || Name.contains("->"); }

} // namespace

Hints withoutMembers(const Hints &Asked, const OMPExecutableDirective &Construct, const FunctionDecl *Function,
                     llvm::function_ref<void(SourceLocation At, const std::string &Text)> Say) {
  Path Names(Construct, Function);
  Hints Whole = Asked;
  Whole.Spaces.clear(), Whole.Routes.clear(), Whole.Tiles.clear();
  // Hands Ask the variable that a name stands for, and where that is written; what stands for none is said.
  auto eachName = [&](const std::string &Name, auto Written, auto Ask) {
    auto Found = Asked.At.find(Written(Name));
    unsigned At = Found == Asked.At.end() ? 0 : Found->second;
    std::string Variable = isMember(Name) ? Names.holder(Name) : Name;
    if (Variable.empty())
      return Say(SourceLocation::getFromRawEncoding(At),
                 "'#pragma place' names '" + Name + "', which is no array within a structure that the target construct uses; what a pointer "
                 "there leads to stays where it is: copy the pointer to a local variable, and name that");
    Whole.At[Written(Variable)] = At;
    Ask(Variable, SourceLocation::getFromRawEncoding(At));
  };
  for (const auto &[Name, Space] : Asked.Spaces)
    eachName(Name, [S = Space](const std::string &N) { return written(S, N); }, [&, S = Space](const std::string &Variable, SourceLocation At) {
      auto [Before, New] = Whole.Spaces.insert({Variable, S});
      if (!New && Before->second != S)
        Say(At, "'#pragma place' asks for parts of '" + Variable + "' in " + place_space_name(Before->second) + " and in " + place_space_name(S) +
                  " memory; it is one structure, and the former counts");
    });
  for (const auto &[Name, Route] : Asked.Routes)
    eachName(Name, [R = Route](const std::string &N) { return written(R, N); },
             [&, R = Route](const std::string &Variable, SourceLocation) { Whole.Routes[Variable] = R; });
  for (const std::string &Name : Asked.Tiles)
    eachName(Name, writtenTile, [&](const std::string &Variable, SourceLocation) { Whole.Tiles.insert(Variable); });
  return Whole;
}

} // namespace place
