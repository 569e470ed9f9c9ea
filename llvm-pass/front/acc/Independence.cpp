//===- Independence.cpp - Whether a loop's iterations are independent -----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Independence.h"
#include "Expression.h"
#include "Mapping.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace place::acc {

namespace {

/// One mention of an array: name and subscripts.
struct Access {
  std::string Array;
  std::vector<TokenRange> Subscripts;
  bool Written = false;
};

bool isPure(llvm::StringRef Function) {
  static const llvm::StringSet<> Known = {"sqrt", "sqrtf", "fabs", "fabsf", "exp", "expf", "log", "logf", "sin", "sinf", "cos", "cosf",
                                          "tan", "tanf", "pow", "powf", "fmin", "fminf", "fmax", "fmaxf", "floor", "floorf", "ceil",
                                          "ceilf", "abs", "fma", "fmaf", "atan", "atanf", "tanh", "tanhf", "sizeof"};
  return Known.contains(Function);
}

/// Collects what a loop's body does; anything out of the ordinary makes it Unclear.
class Collector {
public:
  Collector(const Symbols &Table, const SymbolMap &Declared) : Table(Table), Declared(Declared) {}

  void text(TokenRange Text) {
    for (size_t I = 0; I < Text.size(); ++I)
      token(Text, I);
  }

  std::vector<Access> Accesses;
  bool Unclear = false;

private:
  // Pointers followed, addresses taken, jumps, and calls of what may do anything.
  void token(TokenRange Text, size_t I) {
    const Token &T = Text[I];
    bool Operand = I && (Text[I - 1].isOneOf(tok::identifier, tok::r_paren, tok::r_square) || Text[I - 1].isLiteral());
    if (T.isOneOf(tok::arrow, tok::kw_goto, tok::kw_break, tok::kw_return, tok::kw_this, tok::period, tok::coloncolon) ||
        T.isAnnotation() || (T.isOneOf(tok::star, tok::amp) && !Operand))
      Unclear = true;
    if (T.isNot(tok::identifier))
      return;
    std::string Name = spelling(T);
    bool Call = I + 1 < Text.size() && Text[I + 1].is(tok::l_paren);
    if (Call)
      Unclear |= !isPure(Name);
    else if (I + 1 < Text.size() && Text[I + 1].is(tok::l_square))
      subscripted(Text, I, Name);
    else
      whole(Text, I, Name);
  }

  void subscripted(TokenRange Text, size_t I, const std::string &Name) {
    if (Declared.count(Name))
      return; // each iteration's own
    Access A{Name, {}, false};
    size_t End = I + 1;
    while (End < Text.size() && Text[End].is(tok::l_square)) {
      size_t Next = behindBracket(Text, End);
      A.Subscripts.push_back(Text.slice(End + 1, Next - End - 2));
      End = Next;
    }
    bool Before = I && Text[I - 1].isOneOf(tok::plusplus, tok::minusminus);
    A.Written = Before || (End < Text.size() && isAssignment(Text[End]));
    Accesses.push_back(std::move(A));
  }

  void whole(TokenRange Text, size_t I, const std::string &Name) {
    bool Written = (I + 1 < Text.size() && isAssignment(Text[I + 1])) ||
                   (I && Text[I - 1].isOneOf(tok::plusplus, tok::minusminus));
    Symbol S = Table.variable(Name);
    if (Declared.count(Name))
      return;
    if (Written || S.F == Symbol::Pointer || S.F == Symbol::Array || S.F == Symbol::Aggregate)
      Unclear = true; // a scalar that outlives the iteration; a pointer copied or passed on
  }

  const Symbols &Table;
  const SymbolMap &Declared;
};

bool isCounter(TokenRange Subscript, const std::string &Counter) {
  return Subscript.size() == 1 && spelling(Subscript[0]) == Counter;
}

// The counter plus or minus a number.
bool isShifted(TokenRange Subscript, const std::string &Counter) {
  return Subscript.size() == 3 && spelling(Subscript[0]) == Counter && Subscript[1].isOneOf(tok::plus, tok::minus) &&
         Subscript[2].is(tok::numeric_constant) && spelling(Subscript[2]) != "0";
}

Dependence between(const std::vector<Access> &Accesses, const std::string &Array, const std::string &Counter) {
  size_t Dimensions = 0;
  for (const Access &A : Accesses)
    if (A.Array == Array)
      Dimensions = std::max(Dimensions, A.Subscripts.size());
  for (size_t K = 0; K < Dimensions; ++K) {
    bool All = llvm::all_of(Accesses, [&](const Access &A) {
      return A.Array != Array || (K < A.Subscripts.size() && isCounter(A.Subscripts[K], Counter));
    });
    if (All)
      return Dependence::None;
  }
  bool Shifted = llvm::any_of(Accesses, [&](const Access &A) {
    return A.Array == Array && A.Subscripts.size() == 1 && isShifted(A.Subscripts[0], Counter);
  });
  bool Straight = llvm::any_of(Accesses, [&](const Access &A) {
    return A.Array == Array && A.Subscripts.size() == 1 && isCounter(A.Subscripts[0], Counter);
  });
  return Shifted && Straight && Dimensions == 1 ? Dependence::Carried : Dependence::Unknown;
}

} // namespace

Dependence dependenceOf(const Statement &For, const Symbols &Table) {
  const Statement &Loop = innermostOnly(For);
  std::string Counter = Loop.K == Statement::For ? loopCounter(Loop) : "";
  if (Counter.empty() || Loop.Body.empty())
    return Dependence::Unknown;
  SymbolMap Declared = Table.declaredIn(Loop);
  Collector Found(Table, Declared);
  walk(Loop.Body[0], [&](const Statement &S) {
    if (S.Acc && S.Acc->Kind != DirectiveKind::Loop)
      Found.Unclear = true;
    if (!S.Acc)
      Found.text(S.Head);
    Found.text(S.Tail);
    return true;
  });
  bool CounterWritten = namesWritten(Loop.Body[0], true).count(Counter);
  Dependence Worst = Found.Unclear || CounterWritten ? Dependence::Unknown : Dependence::None;
  bool Distinct = llvm::all_of(Found.Accesses, [&](const Access &A) { return Table.variable(A.Array).Distinct; });
  for (const Access &A : Found.Accesses) {
    if (!A.Written)
      continue;
    Dependence D = between(Found.Accesses, A.Array, Counter);
    if (D == Dependence::Carried)
      return D;
    if (D == Dependence::Unknown || !Distinct)
      Worst = Dependence::Unknown;
  }
  return Worst;
}

} // namespace place::acc
