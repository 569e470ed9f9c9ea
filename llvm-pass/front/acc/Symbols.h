//===- Symbols.h - What the names in a nest are ------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars, pointers and arrays are treated differently by OpenACC and by OpenMP. What a name is comes from clang's own tables, as of
// the place of the directive; for names declared in statements that clang has not parsed yet, from the tokens of their declarations.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_SYMBOLS_H
#define PLACE_ACC_SYMBOLS_H

#include "Statement.h"
#include <map>
#include <set>

namespace clang {
class CompilerInstance;
class QualType;
} // namespace clang

namespace place::acc {

using Names = std::set<std::string>;

struct Symbol {
  enum Form { Unknown, Scalar, Pointer, Array, Aggregate, Other };
  Form F = Unknown;
  bool Rows = false;     // of pointers: p[i] is a pointer itself
  bool Distinct = false; // an array, or a restrict pointer: nothing else leads to its elements
  bool OnDevice = false; // has `declare target`
  std::string Count = {};    // of a parameter that is declared as an array: how many elements
  bool isPointer() const { return F == Pointer; }
};

using SymbolMap = std::map<std::string, Symbol>;

class Symbols {
public:
  /// Seen: the tokens read so far of the declaration that clang is in; owned by the caller and changing.
  Symbols(clang::CompilerInstance &CI, const Tokens &Seen) : CI(CI), Seen(Seen) {}

  /// A variable by its name, here; Unknown if there is none.
  Symbol variable(llvm::StringRef Name) const;
  /// What a list item without its last section stands for: s.rows, a, this->p.
  Symbol item(TokenRange Item, const SymbolMap &Declared) const;
  /// What a type's name stands for; nothing if Name is not known to be a type.
  std::optional<Symbol> type(llvm::StringRef Name) const;
  bool isVariable(llvm::StringRef Name) const;
  /// Whether the name's value is known when the program is compiled.
  bool isConstant(llvm::StringRef Name) const;
  /// Whether the name stands for a variable, here or behind At in the file; what is called and is a variable is a lambda.
  bool isLambda(llvm::StringRef Name, clang::SourceLocation At) const;
  /// Whether the name stands for several functions, of which clang takes none without arguments.
  bool isOverloaded(llvm::StringRef Name) const;
  /// Whether clang keeps the tokens of member functions for later: their names are in none of its tables then.
  bool inClass() const;
  bool inFunction() const;
  /// Name of the function that the directive is in; empty outside of functions.
  std::string function() const;

  /// The variables that a statement's first tokens declare; none if it is no declaration.
  SymbolMap declared(TokenRange Text) const;
  /// The same of everything inside a statement, heads of loops included.
  SymbolMap declaredIn(const Statement &S) const;

private:
  Symbol fromTokens(llvm::StringRef Name) const;

  clang::CompilerInstance &CI;
  const Tokens &Seen;
};

/// Names that a statement uses, members of structures aside.
Names namesUsed(const Statement &S);

/// Names that a statement may write as a whole: assigned, incremented, their address taken, or (ByReference) passed to a call.
Names namesWritten(const Statement &S, bool ByReference);

/// =, += and its like, ++, --.
bool isAssignment(const clang::Token &T);

/// The counter of a for loop.
std::string loopCounter(const Statement &For);

} // namespace place::acc

#endif
