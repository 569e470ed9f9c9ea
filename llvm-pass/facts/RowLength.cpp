//===- RowLength.cpp - How long the rows of an array are -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowLength.h"
#include "Summary.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <set>
#include <tuple>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

/// The kernel's argument that a value is but for its width; null: it is another value.
const Argument *asArgument(const Value *V) {
  const Value *Wider;
  while (match(V, m_ZExtOrSExt(m_Value(Wider))) || match(V, m_Trunc(m_Value(Wider))) || match(V, m_And(m_Value(Wider), m_LowBitMask())))
    V = Wider;
  const auto *A = dyn_cast<Argument>(V);
  return A && A->getType()->isIntegerTy() ? A : nullptr;
}

/// Counts what row numbers are multiplied by in an address.
class Counter {
public:
  explicit Counter(const DataLayout &DL) : DL(DL) {}

  void address(const Value *P) {
    for (; const auto *G = dyn_cast<GEPOperator>(P); P = G->getPointerOperand())
      for (auto T = gep_type_begin(G), End = gep_type_end(G); T != End; ++T)
        if (!T.isStruct())
          index(T.getOperand(), {T.getSequentialElementStride(DL).getKnownMinValue(), 0});
  }

  /// The likeliest: {argument, bytes for each of it}; null: none is counted.
  std::pair<const Argument *, uint64_t> most() const {
    auto Found = max_element(Seen, [](auto &A, auto &B) { return A.second < B.second; });
    return Found == Seen.end() ? std::pair<const Argument *, uint64_t>() : Found->first;
  }

private:
  /// Bytes of a step: Number << Shift, which is below 0 within what is widened by shifts to and fro.
  struct Step {
    uint64_t Number;
    int Shift;
    bool operator<(const Step &Other) const { return std::tie(Number, Shift) < std::tie(Other.Number, Other.Shift); }
    Step shifted(int By) const { return {Number, Shift + By}; }
    uint64_t bytes() const { return Shift < 0 ? Number >> -Shift : Number << Shift; }
  };

  /// An index and its step. What is taken off it is the part of a remainder that is no row.
  void index(const Value *V, Step Bytes) {
    const Value *A, *B;
    const APInt *C;
    if (!Visited.insert({V, Bytes}).second || !Bytes.Number || Bytes.Number > MostBytes)
      return;
    if (match(V, m_ZExtOrSExt(m_Value(A))) || match(V, m_Trunc(m_Value(A))) || match(V, m_Sub(m_Value(A), m_Value())))
      return index(A, Bytes);
    if (match(V, m_Add(m_Value(A), m_Value(B))) || match(V, m_DisjointOr(m_Value(A), m_Value(B))))
      return index(A, Bytes), index(B, Bytes);
    if (match(V, m_Shl(m_Value(A), m_APInt(C))) && C->ult(64))
      return index(A, Bytes.shifted(int(C->getZExtValue())));
    if (match(V, m_Shr(m_Value(A), m_APInt(C))) && C->ult(64))
      return index(A, Bytes.shifted(-int(C->getZExtValue())));
    if (match(V, m_Mul(m_Value(A), m_APInt(C))))
      return C->isStrictlyPositive() && C->ult(MostBytes) ? index(A, {Bytes.Number * C->getZExtValue(), Bytes.Shift}) : void();
    if (match(V, m_Mul(m_Value(A), m_Value(B))))
      return product(A, B, Bytes), product(B, A, Bytes);
    if (const auto *N = dyn_cast<PHINode>(V))
      for (const Value *Incoming : N->incoming_values())
        index(Incoming, Bytes);
  }

  void product(const Value *Row, const Value *Length, Step Bytes) {
    bool Fits = Bytes.Shift > -64 && Bytes.Shift <= 20 && Bytes.bytes() && Bytes.bytes() <= MostBytes;
    if (const Argument *A = asArgument(Length); A && Fits && !match(Row, m_Neg(m_Value())))
      ++Seen[{A, Bytes.bytes()}];
  }

  static constexpr uint64_t MostBytes = 1 << 20;
  const DataLayout &DL;
  std::set<std::pair<const Value *, Step>> Visited;
  MapVector<std::pair<const Argument *, uint64_t>, unsigned> Seen;
};

} // namespace

std::string rowBytes(const KernelSummary &K, int Array) {
  Counter Products(K.F->getParent()->getDataLayout());
  for (const AccessSummary &S : K.Accesses)
    if (const auto *L = dyn_cast<LoadInst>(S.I); L && S.Array == Array)
      Products.address(L->getPointerOperand());
  auto [Length, Bytes] = Products.most();
  // The launch environment comes before the argument that expressions call the first.
  return Length && Length->getArgNo() ? std::to_string(Bytes) + "*sext32(trunc32(arg" + std::to_string(Length->getArgNo() - 1) + "))" : "";
}

} // namespace place
