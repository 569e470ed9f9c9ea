//===- Poly.h - Polynomials over a kernel's indices -------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_POLY_H
#define PLACE_POLY_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace place {

/// A polynomial with integer coefficients over numbered symbols, canonical: equal polynomials compare equal. Coefficients
/// wrap at 64 bits, as the arithmetic that they stand for.
class Poly {
public:
  using Symbol = unsigned;
  using Monomial = std::vector<Symbol>; // sorted; empty: the constant term

  Poly() = default;
  Poly(int64_t Constant) { add({}, Constant); }
  static Poly symbol(Symbol S) {
    Poly P;
    P.add({S}, 1);
    return P;
  }

  Poly operator+(const Poly &B) const;
  Poly operator-(const Poly &B) const;
  Poly operator*(const Poly &B) const;
  bool operator==(const Poly &B) const { return Terms == B.Terms; }
  bool operator<(const Poly &B) const { return Terms < B.Terms; } // any order
  bool operator!=(const Poly &B) const { return !(*this == B); }

  const std::map<Monomial, int64_t> &terms() const { return Terms; }
  bool isZero() const { return Terms.empty(); }
  bool isConstant() const { return Terms.empty() || (Terms.size() == 1 && Terms.begin()->first.empty()); }
  int64_t constant() const;

  /// The same modulo 2^Bits, with coefficients of smallest magnitude.
  Poly reduced(unsigned Bits) const;
  /// Divided by a positive number, if that divides every coefficient.
  std::optional<Poly> dividedBy(int64_t Divisor) const;
  /// The same by 2^Bits.
  std::optional<Poly> shiftedRight(unsigned Bits) const { return Bits > 62 ? std::nullopt : dividedBy(int64_t(1) << Bits); }
  bool uses(Symbol S) const;
  unsigned degree() const;
  /// What S is multiplied with, in a polynomial where S occurs to the first power at most; the rest: the terms without S.
  Poly coefficient(Symbol S) const;
  Poly without(Symbol S) const;
  bool isLinearIn(Symbol S) const;

private:
  void add(const Monomial &M, int64_t Coefficient);
  std::map<Monomial, int64_t> Terms; // no zero coefficients
};

/// That a polynomial's value lies in the range of an integer type. What a 32-bit computation yields, widened to 64 bits, is
/// its polynomial only then.
struct Fit {
  Poly P;
  unsigned Bits;
  bool Signed;
};
using Fits = std::vector<Fit>;

} // namespace place

#endif
