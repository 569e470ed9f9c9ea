//===- Declarations.cpp - What tokens tell of the names in a nest ---------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The half of Symbols that needs no clang but its tokens: declarations in text that clang has not parsed yet.
//
//===----------------------------------------------------------------------===//
#include "Expression.h"
#include "Symbols.h"

#include "clang/Basic/IdentifierTable.h"

using namespace clang;

namespace place::acc {

namespace {

bool isQualifier(const Token &T) {
  return T.isOneOf(tok::kw_const, tok::kw_volatile, tok::kw_static, tok::kw_extern, tok::kw_register, tok::kw_restrict,
                   tok::kw_constexpr, tok::kw_inline, tok::kw_typename, tok::kw_thread_local, tok::kw__Thread_local);
}

bool isArithmetic(const Token &T) {
  return T.isOneOf(tok::kw_char, tok::kw_short, tok::kw_int, tok::kw_long, tok::kw_float, tok::kw_double, tok::kw_signed,
                   tok::kw_unsigned, tok::kw_bool, tok::kw__Bool, tok::kw__Complex, tok::kw_wchar_t, tok::kw___int128,
                   tok::kw__Float16);
}

/// Reads `specifiers declarator, declarator, ...`.
class DeclarationReader {
public:
  DeclarationReader(TokenRange Text, const Symbols &S) : Text(Text), S(S) {}

  SymbolMap read() {
    SymbolMap Found;
    if (!specifiers())
      return Found;
    while (declarator(Found) && at(tok::comma))
      ++I;
    return Found;
  }

private:
  bool at(tok::TokenKind K) const { return I < Text.size() && Text[I].is(K); }

  bool specifiers() {
    bool HasType = false;
    for (; I < Text.size(); ++I) {
      const Token &T = Text[I];
      if (isArithmetic(T))
        Base.F = Symbol::Scalar;
      else if (T.isOneOf(tok::kw_struct, tok::kw_union, tok::kw_class, tok::kw_enum))
        tagged(T);
      else if (T.isOneOf(tok::kw_typeof, tok::kw_decltype, tok::kw___attribute) && I + 1 < Text.size())
        I = behindBracket(Text, I + 1) - 1;
      else if (T.is(tok::identifier) && !HasType && !typeName())
        return false;
      else if (isQualifier(T))
        continue;
      else if (T.isNot(tok::identifier) && !T.isOneOf(tok::kw_auto, tok::kw___auto_type, tok::kw_void))
        break;
      else if (T.is(tok::identifier) && HasType)
        break;
      HasType = true;
    }
    return HasType;
  }

  // struct name, struct { ... }: leaves I at the last token.
  void tagged(const Token &T) {
    Base.F = T.is(tok::kw_enum) ? Symbol::Scalar : Symbol::Aggregate;
    if (I + 1 < Text.size() && Text[I + 1].is(tok::identifier))
      ++I;
    if (I + 1 < Text.size() && Text[I + 1].is(tok::l_brace))
      I = behindBracket(Text, I + 1) - 1;
  }

  // size_t, std::vector<int>: leaves I at the last token. A name that is a variable's begins no declaration.
  bool typeName() {
    size_t Next = I + 1;
    for (; Next < Text.size(); ++Next) {
      if (Text[Next].is(tok::less))
        while (Next < Text.size() && Text[Next].isNot(tok::greater))
          ++Next;
      else if (Text[Next].isNot(tok::coloncolon) || Next + 1 >= Text.size())
        break;
      else
        ++Next;
    }
    size_t Name = Next;
    while (Name < Text.size() && (Text[Name].isOneOf(tok::star, tok::amp) || isQualifier(Text[Name])))
      ++Name;
    std::string First = spelling(Text[I]);
    if (Name >= Text.size() || Text[Name].isNot(tok::identifier) || S.isVariable(First))
      return false;
    if (Next == I + 1)
      if (std::optional<Symbol> Known = S.type(First))
        Base = *Known;
    I = Next - 1;
    return true;
  }

  bool declarator(SymbolMap &Found) {
    Symbol D = Base;
    unsigned Stars = 0;
    bool Restrict = false;
    for (; I < Text.size(); ++I) {
      Stars += Text[I].is(tok::star);
      Restrict |= Text[I].is(tok::kw_restrict);
      if (!Text[I].isOneOf(tok::star, tok::amp, tok::ampamp, tok::l_paren) && !isQualifier(Text[I]))
        break;
    }
    if (!at(tok::identifier))
      return false;
    std::string Name = spelling(Text[I++]);
    bool Parenthesised = at(tok::r_paren);
    I += Parenthesised;
    if (Stars) {
      D = {Symbol::Pointer, Stars > 1 || Base.F == Symbol::Pointer, Restrict, false};
    }
    if (at(tok::l_square) && !Parenthesised)
      D = {Symbol::Array, Stars > 0 || Base.F == Symbol::Pointer, true, false};
    if (at(tok::l_paren) && D.F == Symbol::Unknown)
      D.F = Symbol::Aggregate;
    Found[Name] = D;
    initialiser();
    return true;
  }

  // To the comma or the end behind one declarator.
  void initialiser() {
    while (I < Text.size() && !Text[I].isOneOf(tok::comma, tok::semi))
      I = Text[I].isOneOf(tok::l_paren, tok::l_square, tok::l_brace) ? behindBracket(Text, I) : I + 1;
  }

  TokenRange Text;
  const Symbols &S;
  size_t I = 0;
  Symbol Base;
};

// (int n, double *a) of a function, (int i = 0; ...) of a loop.
SymbolMap declaredInParentheses(TokenRange Text, const Symbols &S) {
  SymbolMap Found;
  if (Text.size() < 2)
    return Found;
  TokenRange Inner = Text.drop_front().drop_back();
  for (TokenRange Part : split(Inner, tok::semi).size() > 1 ? std::vector<TokenRange>{Inner} : split(Inner, tok::comma))
    Found.merge(S.declared(Part));
  return Found;
}

} // namespace

SymbolMap Symbols::declared(TokenRange Text) const { return DeclarationReader(Text, *this).read(); }

SymbolMap Symbols::declaredIn(const Statement &S) const {
  SymbolMap Found;
  walk(S, [&](const Statement &Inner) {
    if (Inner.K == Statement::Plain)
      Found.merge(declared(Inner.Head));
    else if (Inner.K == Statement::For && Inner.Head.size() > 2)
      Found.merge(declared(TokenRange(Inner.Head).drop_front(2)));
    return true;
  });
  return Found;
}

// Forward over what has been read of a class: scopes open and close, each with what it declares.
Symbol Symbols::fromTokens(llvm::StringRef Name) const {
  std::vector<SymbolMap> Scopes(1);
  size_t Begin = 0; // of the statement
  SymbolMap Parameters;
  for (size_t I = 0; I < Seen.size(); ++I) {
    const Token &T = Seen[I];
    if (T.is(tok::l_paren)) {
      size_t End = behindBracket(Seen, I);
      Parameters.merge(declaredInParentheses(TokenRange(Seen).slice(I, End - I), *this));
      I = End - 1;
    } else if (T.isOneOf(tok::semi, tok::l_brace, tok::r_brace)) {
      if (T.is(tok::semi))
        Scopes.back().merge(declared(TokenRange(Seen).slice(Begin, I - Begin)));
      if (T.is(tok::l_brace))
        Scopes.push_back(std::exchange(Parameters, {}));
      else if (T.is(tok::r_brace) && Scopes.size() > 1)
        Scopes.pop_back();
      Parameters.clear();
      Begin = I + 1;
    }
  }
  for (auto Scope = Scopes.rbegin(); Scope != Scopes.rend(); ++Scope)
    if (auto Found = Scope->find(Name.str()); Found != Scope->end())
      return Found->second;
  return {};
}

// Calls Visit for each name with its index, names of members and of qualified things aside.
static void eachName(TokenRange Text, llvm::function_ref<void(size_t)> Visit) {
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I].is(tok::identifier) && !(I && Text[I - 1].isOneOf(tok::period, tok::arrow, tok::coloncolon)))
      Visit(I);
}

// What a statement itself says, without what is in it.
static void eachText(const Statement &S, llvm::function_ref<void(TokenRange)> Visit) {
  walk(S, [&](const Statement &Inner) {
    if (!Inner.Acc)
      Visit(Inner.Head);
    else
      for (const Clause &C : Inner.Acc->Clauses)
        for (const Item &I : C.Items)
          Visit(I.Text);
    Visit(Inner.Tail);
    return true;
  });
}

Names namesUsed(const Statement &S) {
  Names Used;
  eachText(S, [&](TokenRange Text) { eachName(Text, [&](size_t I) { Used.insert(spelling(Text[I])); }); });
  return Used;
}

bool isAssignment(const Token &T) {
  return T.isOneOf(tok::equal, tok::plusequal, tok::minusequal, tok::starequal, tok::slashequal, tok::percentequal, tok::ampequal,
                   tok::pipeequal, tok::caretequal, tok::lesslessequal, tok::greatergreaterequal, tok::plusplus, tok::minusminus);
}

static bool mayBeWritten(TokenRange Text, size_t I, bool ByReference) {
  if (I + 1 < Text.size() && isAssignment(Text[I + 1]))
    return true;
  if (!I)
    return false;
  const Token &Before = Text[I - 1];
  if (Before.isOneOf(tok::plusplus, tok::minusminus))
    return true;
  bool Operand = I > 1 && (Text[I - 2].isLiteral() || Text[I - 2].isOneOf(tok::identifier, tok::r_paren, tok::r_square));
  if (Before.is(tok::amp) && !Operand)
    return true;
  return ByReference && Before.isOneOf(tok::l_paren, tok::comma) && I + 1 < Text.size() &&
         Text[I + 1].isOneOf(tok::r_paren, tok::comma);
}

Names namesWritten(const Statement &S, bool ByReference) {
  Names Written;
  eachText(S, [&](TokenRange Text) {
    eachName(Text, [&](size_t I) {
      if (mayBeWritten(Text, I, ByReference))
        Written.insert(spelling(Text[I]));
    });
  });
  return Written;
}

std::string loopCounter(const Statement &For) {
  for (size_t I = 2; I + 1 < For.Head.size() && For.Head[I].isNot(tok::semi); ++I)
    if (For.Head[I].is(tok::identifier) && For.Head[I + 1].isOneOf(tok::equal, tok::l_brace, tok::l_paren, tok::colon))
      return spelling(For.Head[I]);
  return "";
}

} // namespace place::acc
