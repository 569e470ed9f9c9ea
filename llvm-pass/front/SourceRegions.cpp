//===- SourceRegions.cpp - Target constructs read from the AST -----------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourceRegions.h"
#include "Hints.h"
#include "Source.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace place {

namespace {

/// Visits every target construct, in templates' instantiations too. SystemHeaders: also those that are in such, of which most have none.
class RegionVisitor : public RecursiveASTVisitor<RegionVisitor> {
public:
  RegionVisitor(ASTContext &Context, bool WarnOfHints, bool SystemHeaders)
      : Context(Context), WarnOfHints(WarnOfHints), SystemHeaders(SystemHeaders), Mangler(ItaniumMangleContext::create(Context, Context.getDiagnostics())) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }

  bool TraverseDecl(Decl *D) {
    if (D && !SystemHeaders && Context.getSourceManager().isInSystemHeader(D->getLocation()))
      return true;
    return Base::TraverseDecl(D);
  }
  bool TraverseFunctionDecl(FunctionDecl *F) { return within(F, [&] { return Base::TraverseFunctionDecl(F); }); }
  bool TraverseCXXMethodDecl(CXXMethodDecl *F) { return within(F, [&] { return Base::TraverseCXXMethodDecl(F); }); }
  bool TraverseCXXConstructorDecl(CXXConstructorDecl *F) {
    return within(F, [&] { return Base::TraverseCXXConstructorDecl(F); });
  }
  bool TraverseCXXDestructorDecl(CXXDestructorDecl *F) {
    return within(F, [&] { return Base::TraverseCXXDestructorDecl(F); });
  }

  bool VisitOMPExecutableDirective(OMPExecutableDirective *D) {
    if (!isOpenMPTargetExecutionDirective(D->getDirectiveKind()) || !D->hasAssociatedStmt())
      return true;
    if (First.isInvalid())
      First = D->getBeginLoc();
    if (D->getCapturedStmt(llvm::omp::OMPD_target)->getCapturedDecl()->isDependentContext())
      hintStore().take(D->getBeginLoc(), Context.getSourceManager()); // for its instantiations, if there are any
    else
      record(*D);
    return true;
  }

  SourceLocation First; // construct

private:
  using Base = RecursiveASTVisitor<RegionVisitor>;

  template <typename TraverseFn> bool within(FunctionDecl *F, TraverseFn Traverse) {
    FunctionDecl *Outer = Current;
    Current = F;
    bool Result = Traverse();
    Current = Outer;
    return Result;
  }

  void record(const OMPExecutableDirective &D) {
    SourceManager &SM = Context.getSourceManager();
    PresumedLoc At = SM.getPresumedLoc(D.getBeginLoc());
    SourceRegion R;
    R.Line = At.isValid() ? At.getLine() : 0;
    R.File = At.isValid() ? At.getFilename() : "";
    R.Function = mangledName(Ctor_Base, Dtor_Base);
    R.Variant = mangledName(Ctor_Complete, Dtor_Complete);
    if (R.Variant == R.Function)
      R.Variant.clear();
    for (const CapturedStmt::Capture &C : D.getCapturedStmt(llvm::omp::OMPD_target)->captures())
      R.Captures.push_back(capture(C));
    for (const PendingHints *H : hintStore().take(D.getBeginLoc(), SM)) {
      Hints Asked = withoutMembers(H->Asked, D, Current, [&](SourceLocation At, const std::string &Text) {
        if (WarnOfHints)
          warn(Context.getDiagnostics(), At, Text);
      });
      if (WarnOfHints)
        warnOfNames(D, R, Asked, H->At);
      addHints(R.Asked, Asked);
    }
    sourceRegistry().add(std::move(R));
  }

  std::string mangledName(CXXCtorType Constructor, CXXDtorType Destructor) {
    if (!Current)
      return "";
    if (!Mangler->shouldMangleDeclName(Current))
      return Current->getNameAsString();
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    if (auto *C = dyn_cast<CXXConstructorDecl>(Current))
      Mangler->mangleName(GlobalDecl(C, Constructor), OS);
    else if (auto *X = dyn_cast<CXXDestructorDecl>(Current))
      Mangler->mangleName(GlobalDecl(X, Destructor), OS);
    else
      Mangler->mangleName(GlobalDecl(Current), OS);
    return Name;
  }

  SourceArray capture(const CapturedStmt::Capture &C) {
    SourceArray A;
    if (C.capturesThis()) {
      A.Name = "this";
    } else if (C.capturesVariable() || C.capturesVariableByCopy()) {
      const VarDecl *V = C.getCapturedVar();
      A.Name = V->getNameAsString();
      A.ElementBytes = elementBytes(V->getType());
    }
    return A;
  }

  // Of what a pointer, an array, or a reference to either leads to, down to the element of a multi-dimensional array.
  unsigned elementBytes(QualType T) {
    T = T.getNonReferenceType();
    if (T->isPointerType())
      T = T->getPointeeType();
    T = Context.getBaseElementType(T);
    if (T->isIncompleteType() || T->isDependentType() || T->isFunctionType() || T->isVoidType())
      return 0;
    return unsigned(std::min<int64_t>(Context.getTypeSizeInChars(T).getQuantity(), INT32_MAX));
  }

  static bool isNumber(const OMPExecutableDirective &D, StringRef Name) {
    return llvm::any_of(D.getCapturedStmt(llvm::omp::OMPD_target)->captures(), [&](const CapturedStmt::Capture &C) {
      return (C.capturesVariable() || C.capturesVariableByCopy()) && C.getCapturedVar()->getName() == Name &&
             C.getCapturedVar()->getType().getNonReferenceType()->isArithmeticType();
    });
  }

  void warnOfName(const OMPExecutableDirective &D, const std::vector<std::string> &Used, const std::string &Name, SourceLocation At) {
    if (!llvm::is_contained(Used, Name))
      warn(Context.getDiagnostics(), At, "'#pragma place' names '" + Name + "', which the target construct does not use" + suggestion(Name, Used));
    if (isNumber(D, Name))
      warn(Context.getDiagnostics(), At, "'#pragma place' names '" + Name + "', which is no array");
  }

  // Names that the construct does not use, that are no arrays, and what contradicts another of its pragmas.
  void warnOfNames(const OMPExecutableDirective &D, const SourceRegion &R, const Hints &Asked, SourceLocation Pragma) {
    if (std::string Text = contradiction(R.Asked, Asked); !Text.empty())
      warn(Context.getDiagnostics(), Pragma, Text);
    std::vector<std::string> Used;
    for (const SourceArray &A : R.Captures)
      Used.push_back(A.Name);
    auto place = [&](const std::string &Written) { return SourceLocation::getFromRawEncoding(Asked.At.at(Written)); };
    for (const std::string &Name : Asked.Tiles) {
      warnOfName(D, Used, Name, place(writtenTile(Name)));
      if (auto Before = R.Asked.Spaces.find(Name); Before != R.Asked.Spaces.end())
        warn(Context.getDiagnostics(), place(writtenTile(Name)), tilesToo(Name, Before->second));
    }
    for (const auto &[Name, Route] : Asked.Routes) {
      warnOfName(D, Used, Name, place(written(Route, Name)));
      if (auto Before = R.Asked.Routes.find(Name); Before != R.Asked.Routes.end() && Before->second != Route)
        warn(Context.getDiagnostics(), place(written(Route, Name)), twoRoutes(Name, Before->second, Route));
    }
    for (const auto &[Name, Space] : Asked.Spaces) {
      warnOfName(D, Used, Name, place(written(Space, Name)));
      if (R.Asked.Tiles.count(Name))
        warn(Context.getDiagnostics(), place(written(Space, Name)), tilesToo(Name, Space));
      if (auto Before = R.Asked.Spaces.find(Name); Before != R.Asked.Spaces.end() && Before->second != Space)
        warn(Context.getDiagnostics(), place(written(Space, Name)), twice(Name, Before->second, Space));
    }
  }

  ASTContext &Context;
  bool WarnOfHints, SystemHeaders;
  std::unique_ptr<MangleContext> Mangler;
  FunctionDecl *Current = nullptr;
};

} // namespace

SourceLocation readRegions(ASTContext &Context, bool WarnOfHints, bool SystemHeaders) {
  RegionVisitor Visitor(Context, WarnOfHints, SystemHeaders);
  Visitor.TraverseDecl(Context.getTranslationUnitDecl());
  return Visitor.First;
}

} // namespace place
