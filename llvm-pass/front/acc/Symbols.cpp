//===- Symbols.cpp - What clang knows of the names in a nest --------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Symbols.h"
#include "Expression.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace place::acc {

// A lambda without captures: it has no data.
static bool isFunctionLike(QualType T) {
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  return R && R->isLambda() && !R->capture_size();
}

static Symbol describe(QualType T) {
  Symbol S;
  T = T.getNonReferenceType();
  if (T.isNull() || T->isDependentType() || T->isUndeducedType())
    return S;
  if (T->isPointerType()) {
    S.F = Symbol::Pointer;
    S.Rows = T->getPointeeType()->isPointerType();
    S.Distinct = T.isRestrictQualified();
  } else if (const ArrayType *A = T->getAsArrayTypeUnsafe()) {
    S.F = Symbol::Array;
    S.Rows = A->getElementType()->isPointerType();
    S.Distinct = true;
  } else if (T->isArithmeticType() || T->isEnumeralType() || T->isBooleanType()) {
    S.F = Symbol::Scalar;
  } else {
    S.F = T->isRecordType() && !isFunctionLike(T) ? Symbol::Aggregate : Symbol::Other;
  }
  return S;
}

static NamedDecl *lookUp(CompilerInstance &CI, llvm::StringRef Name, bool *Overloaded = nullptr) {
  if (!CI.hasSema() || Name.empty())
    return nullptr;
  Sema &S = CI.getSema();
  if (!S.getCurScope())
    return nullptr;
  LookupResult R(S, DeclarationName(CI.getPreprocessor().getIdentifierInfo(Name)), SourceLocation(), Sema::LookupOrdinaryName);
  R.suppressDiagnostics();
  S.LookupName(R, S.getCurScope());
  if (Overloaded)
    *Overloaded = R.isOverloadedResult();
  return R.getAsSingle<NamedDecl>();
}

static QualType typeOf(const NamedDecl *D) {
  const auto *V = dyn_cast_or_null<ValueDecl>(D);
  return V && !isa<FunctionDecl, EnumConstantDecl>(V) ? V->getType() : QualType();
}

// In the writer's words: names, numbers, and what is computed of them. Empty: something else is in it.
static std::string wordsOf(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Named = dyn_cast<DeclRefExpr>(E))
    return Named->getDecl()->getNameAsString();
  if (const auto *Number = dyn_cast<IntegerLiteral>(E))
    return std::to_string(Number->getValue().getZExtValue());
  const auto *Both = dyn_cast<BinaryOperator>(E);
  if (!Both || !(Both->isMultiplicativeOp() || Both->isAdditiveOp()))
    return "";
  std::string Left = wordsOf(Both->getLHS()), Right = wordsOf(Both->getRHS());
  return Left.empty() || Right.empty() ? "" : "( " + Left + " " + Both->getOpcodeStr().str() + " " + Right + " )";
}

// T a[4][n]: 4. T a[n][4]: n. T a[n + 1][4]: ( n + 1 ).
static std::string countOf(const NamedDecl *D) {
  const auto *P = dyn_cast_or_null<ParmVarDecl>(D);
  const ArrayType *A = P ? P->getOriginalType()->getAsArrayTypeUnsafe() : nullptr;
  if (const auto *Constant = dyn_cast_or_null<ConstantArrayType>(A))
    return std::to_string(Constant->getSize().getZExtValue());
  const auto *Variable = dyn_cast_or_null<VariableArrayType>(A);
  const Expr *Size = Variable ? Variable->getSizeExpr() : nullptr;
  return Size ? wordsOf(Size) : "";
}

Symbol Symbols::variable(llvm::StringRef Name) const {
  if (inClass())
    if (Symbol S = fromTokens(Name); S.F != Symbol::Unknown)
      return S;
  const NamedDecl *D = lookUp(CI, Name);
  Symbol S;
  if (QualType T = typeOf(D); !T.isNull()) {
    S = describe(T);
    S.Count = countOf(D);
    S.OnDevice = D->hasAttr<OMPDeclareTargetDeclAttr>();
  } else if (D) {
    S.F = Symbol::Other;
  }
  if (const auto *V = dyn_cast_or_null<VarDecl>(D); V && V->isConstexpr())
    S.F = Symbol::Other;
  return S;
}

std::optional<Symbol> Symbols::type(llvm::StringRef Name) const {
  NamedDecl *D = lookUp(CI, Name);
  if (const auto *T = dyn_cast_or_null<TypeDecl>(D))
    return describe(CI.getASTContext().getTypeDeclType(T));
  if (isa_and_nonnull<TemplateDecl>(D))
    return Symbol();
  return std::nullopt;
}

bool Symbols::isVariable(llvm::StringRef Name) const { return isa_and_nonnull<ValueDecl>(lookUp(CI, Name)); }

bool Symbols::isConstant(llvm::StringRef Name) const {
  const NamedDecl *D = lookUp(CI, Name);
  if (const auto *V = dyn_cast_or_null<VarDecl>(D))
    return V->getInit() && !V->getInit()->isValueDependent() && V->isUsableInConstantExpressions(CI.getASTContext());
  return isa_and_nonnull<EnumConstantDecl, NonTypeTemplateParmDecl>(D);
}

// Clang has not read what is behind At.
static bool definedBehind(const CompilerInstance &CI, llvm::StringRef Name, SourceLocation At) {
  const SourceManager &SM = CI.getSourceManager();
  auto [File, Offset] = SM.getDecomposedLoc(SM.getFileLoc(At));
  llvm::StringRef Text = SM.getBufferData(File);
  Lexer Lex(SM.getLocForStartOfFile(File), CI.getLangOpts(), Text.begin(), Text.begin() + Offset, Text.end());
  bool Met = false;
  Token T;
  do {
    Lex.LexFromRawLexer(T);
    if (Met && T.isOneOf(tok::equal, tok::l_paren))
      return T.is(tok::equal);
    Met = T.is(tok::raw_identifier) && T.getRawIdentifier() == Name;
  } while (T.isNot(tok::eof));
  return false;
}

bool Symbols::isLambda(llvm::StringRef Name, SourceLocation At) const {
  if (const NamedDecl *D = lookUp(CI, Name))
    return isa<VarDecl>(D);
  return CI.getLangOpts().CPlusPlus && definedBehind(CI, Name, At);
}

bool Symbols::isOverloaded(llvm::StringRef Name) const {
  bool Overloaded = false;
  lookUp(CI, Name, &Overloaded);
  return Overloaded;
}

bool Symbols::inClass() const {
  return CI.hasSema() && CI.getSema().getCurScope() && CI.getSema().getCurScope()->isClassScope();
}

bool Symbols::inFunction() const {
  return CI.hasSema() && CI.getSema().getCurScope() && CI.getSema().getCurScope()->getFnParent();
}

std::string Symbols::function() const {
  if (!CI.hasSema())
    return "";
  const FunctionDecl *F = CI.getSema().getCurFunctionDecl(/*AllowLambda=*/true);
  return F && F->getIdentifier() ? F->getName().str() : "";
}

// The type of the member Name of T, or of what T points to.
static QualType memberType(QualType T, llvm::StringRef Name) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  if (const RecordDecl *R = T->getAsRecordDecl())
    for (const FieldDecl *F : R->fields())
      if (F->getName() == Name)
        return F->getType();
  return QualType();
}

static QualType elementType(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    return T->getPointeeType();
  return T->isArrayType() ? T->getAsArrayTypeUnsafe()->getElementType() : QualType();
}

Symbol Symbols::item(TokenRange Item, const SymbolMap &Declared) const {
  std::string Base = baseName(Item);
  bool Simple = llvm::none_of(Item, [](const Token &T) { return T.isOneOf(tok::period, tok::arrow, tok::coloncolon); });
  if (Simple) {
    auto Found = Declared.find(Base);
    return Found != Declared.end() ? Found->second : variable(Base);
  }
  size_t I = 1;
  QualType T = typeOf(lookUp(CI, Base));
  if (Base == "this" && Item.size() > 2) { // a member of the class that is being read
    T = typeOf(lookUp(CI, spelling(Item[2])));
    I = 3;
  }
  // Subscripts before a member are steps; those at the end belong to the section.
  while (!T.isNull() && I < Item.size()) {
    size_t Member = I;
    while (Member < Item.size() && Item[Member].is(tok::l_square))
      Member = behindBracket(Item, Member);
    if (Member + 1 >= Item.size())
      break;
    for (; I < Member; I = behindBracket(Item, I))
      if (!T.isNull())
        T = elementType(T);
    T = T.isNull() ? T : memberType(T, spelling(Item[I + 1]));
    I += 2;
  }
  return T.isNull() ? Symbol() : describe(T);
}

} // namespace place::acc
