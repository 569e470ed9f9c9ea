//===- Poly.cpp - Polynomials over a kernel's indices -----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Poly.h"

#include <algorithm>

namespace place {

void Poly::add(const Monomial &M, int64_t Coefficient) {
  int64_t &C = Terms[M];
  C = int64_t(uint64_t(C) + uint64_t(Coefficient));
  if (!C)
    Terms.erase(M);
}

Poly Poly::operator+(const Poly &B) const {
  Poly Sum = *this;
  for (const auto &[M, C] : B.Terms)
    Sum.add(M, C);
  return Sum;
}

Poly Poly::operator-(const Poly &B) const { return *this + B * Poly(-1); }

Poly Poly::operator*(const Poly &B) const {
  Poly Product;
  for (const auto &[M, C] : Terms)
    for (const auto &[N, D] : B.Terms) {
      Monomial Both = M;
      Both.insert(Both.end(), N.begin(), N.end());
      std::sort(Both.begin(), Both.end());
      Product.add(Both, int64_t(uint64_t(C) * uint64_t(D)));
    }
  return Product;
}

int64_t Poly::constant() const {
  auto It = Terms.find({});
  return It == Terms.end() ? 0 : It->second;
}

Poly Poly::reduced(unsigned Bits) const {
  if (Bits >= 64)
    return *this;
  Poly R;
  for (const auto &[M, C] : Terms)
    R.add(M, int64_t(uint64_t(C) << (64 - Bits)) >> (64 - Bits));
  return R;
}

std::optional<Poly> Poly::dividedBy(int64_t Divisor) const {
  Poly P;
  for (const auto &[M, C] : Terms) {
    if (C % Divisor)
      return std::nullopt;
    P.add(M, C / Divisor);
  }
  return P;
}

bool Poly::uses(Symbol S) const {
  for (const auto &[M, C] : Terms)
    if (std::find(M.begin(), M.end(), S) != M.end())
      return true;
  return false;
}

unsigned Poly::degree() const {
  size_t Most = 0;
  for (const auto &[M, C] : Terms)
    Most = std::max(Most, M.size());
  return unsigned(Most);
}

bool Poly::isLinearIn(Symbol S) const {
  for (const auto &[M, C] : Terms)
    if (std::count(M.begin(), M.end(), S) > 1)
      return false;
  return true;
}

Poly Poly::coefficient(Symbol S) const {
  Poly P;
  for (const auto &[M, C] : Terms) {
    auto It = std::find(M.begin(), M.end(), S);
    if (It == M.end())
      continue;
    Monomial Rest = M;
    Rest.erase(Rest.begin() + (It - M.begin()));
    P.add(Rest, C);
  }
  return P;
}

Poly Poly::without(Symbol S) const {
  Poly P;
  for (const auto &[M, C] : Terms)
    if (std::find(M.begin(), M.end(), S) == M.end())
      P.add(M, C);
  return P;
}

} // namespace place
