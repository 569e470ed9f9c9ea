//===- Emit.cpp - Polynomials and iterations as code ------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Emit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include <cmath>

using namespace llvm;

namespace place {

static Value *symbolValue(IRBuilder<> &B, const Nest &N, Poly::Symbol S, const SymbolValues &Values) {
  if (Value *V = Values.lookup(S))
    return V;
  const NestSymbol &Symbol = N.symbol(S);
  assert(Symbol.V && "index without a value");
  return B.CreateSExt(B.CreateTrunc(Symbol.V, B.getIntNTy(Symbol.Bits)), B.getInt64Ty());
}

Value *emitPoly(IRBuilder<> &B, const Nest &N, const Poly &P, const SymbolValues &Values) {
  Value *Sum = nullptr;
  for (const auto &[M, C] : P.terms()) {
    Value *Product = M.empty() || C != 1 ? B.getInt64(uint64_t(C)) : nullptr;
    for (Poly::Symbol S : M) {
      Value *V = symbolValue(B, N, S, Values);
      Product = Product ? B.CreateMul(V, Product) : V;
    }
    Sum = Sum ? B.CreateAdd(Sum, Product) : Product;
  }
  return Sum ? Sum : B.getInt64(0);
}

namespace {

/// The range of a polynomial, and the sum of its terms' magnitudes.
struct Range {
  Value *Low, *High, *Size;
};

Range emitRange(IRBuilder<> &B, const Nest &N, const Poly &P, const std::function<Value *(Poly::Symbol)> &Most) {
  Type *Double = B.getDoubleTy();
  Value *Zero = ConstantFP::get(Double, 0.0);
  Range R = {Zero, Zero, Zero};
  for (const auto &[M, C] : P.terms()) {
    Value *Product = ConstantFP::get(Double, double(C));
    bool Moves = false;
    for (Poly::Symbol S : M) {
      bool Fixed = N.symbol(S).K == NestSymbol::Invariant;
      Value *V = Fixed ? symbolValue(B, N, S, SymbolValues()) : Most(S);
      if (!V)
        return {nullptr, nullptr, nullptr};
      Product = B.CreateFMul(Product, B.CreateSIToFP(V, Double));
      Moves |= !Fixed;
    }
    // An index begins at 0, so the term lies between 0 and its value at the last index.
    Value *Negative = B.CreateFCmpOLT(Product, Zero);
    Value *Low = Moves ? B.CreateSelect(Negative, Product, Zero) : Product;
    Value *High = Moves ? B.CreateSelect(Negative, Zero, Product) : Product;
    R.Low = B.CreateFAdd(R.Low, Low);
    R.High = B.CreateFAdd(R.High, High);
    R.Size = B.CreateFAdd(R.Size, B.CreateSelect(Negative, B.CreateFNeg(Product), Product));
  }
  return R;
}

} // namespace

Value *emitFits(IRBuilder<> &B, const Nest &N, const Fits &Needed, const std::function<Value *(Poly::Symbol)> &Most) {
  Value *All = B.getTrue();
  for (const Fit &F : Needed) {
    Range R = emitRange(B, N, F.P, Most);
    if (!R.Low)
      return B.getFalse();
    double Least = F.Signed ? -std::ldexp(1.0, int(F.Bits) - 1) : 0;
    double Greatest = std::ldexp(1.0, int(F.Bits) - (F.Signed ? 1 : 0)) - 1;
    auto Bound = [&](double X) { return ConstantFP::get(B.getDoubleTy(), X); };
    All = B.CreateAnd(All, B.CreateFCmpOGE(R.Low, Bound(Least)));
    All = B.CreateAnd(All, B.CreateFCmpOLE(R.High, Bound(Greatest)));
    All = B.CreateAnd(All, B.CreateFCmpOLT(R.Size, Bound(std::ldexp(1.0, 52)))); // below that, sums are exact
  }
  return All;
}

//===-- Bodies ----------------------------------------------------------------===//

void forEachCopy(const BlockShape &Shape, unsigned Mask, function_ref<void(const Copy &)> Body) {
  Copy Most = {1, 1, 1};
  for (unsigned D = 0; D < Shape.Dims; ++D)
    if (Mask >> D & 1)
      Most[D] = Shape.Each[D];
  Copy R;
  for (R[0] = 0; R[0] < Most[0]; ++R[0])
    for (R[1] = 0; R[1] < Most[1]; ++R[1])
      for (R[2] = 0; R[2] < Most[2]; ++R[2])
        Body(R);
}

CommonLoads::CommonLoads(const Body &T, const BlockShape &Shape) : Shape(Shape) {
  for (BasicBlock *BB : T.blocks()) {
    std::map<Key, const Instruction *> Seen;
    SmallPtrSet<const Instruction *, 8> Sharing;
    for (Instruction &I : *BB) {
      TileAccess A;
      if (!isa<LoadInst>(I) || !T.affine(I, A))
        continue;
      Accesses[&I] = A;
      forEachCopy(Shape, T.mask(&I), [&](const Copy &R) {
        auto [It, New] = Seen.insert({*key(I, R), &I});
        if (!New)
          {
          Sharing.insert(&I);
          Sharing.insert(It->second);
        }
      });
    }
    for (Instruction &I : *BB)
      if (Sharing.count(&I))
        Needed.insert(Needed.end(), Accesses[&I].Needed.begin(), Accesses[&I].Needed.end());
      else
        Accesses.erase(&I);
  }
}

std::optional<CommonLoads::Key> CommonLoads::key(const Instruction &I, const Copy &R) const {
  auto It = Accesses.find(&I);
  if (It == Accesses.end())
    return std::nullopt;
  Poly P = It->second.Offset;
  for (unsigned D = 0; D < Shape.Dims; ++D)
    P = P.without(D) + P.coefficient(D) * (Poly::symbol(D) + Poly(Shape.offset(D, R[D])));
  return Key{It->second.Array, I.getType(), P};
}

unsigned BodyEmitter::number(unsigned Mask, const Copy &R) const {
  unsigned K = 0;
  for (unsigned D = 0; D < Shape.Dims; ++D)
    if (Mask >> D & 1)
      K = K * Shape.Each[D] + R[D];
  return K;
}

Value *BodyEmitter::indexValue(Value *V, unsigned D, unsigned R) {
  Type *Ty = V->getType();
  Value *I = Index[D][R];
  if (Ty == I->getType())
    return I;
  Value *&Known = Widened[{Ty, D << 16 | R}];
  if (!Known) {
    IRBuilder<> B(Entry->getTerminator());
    auto *Z = dyn_cast<Instruction>(Known = B.CreateZExtOrTrunc(I, Ty));
    if (Z && isa<ZExtInst>(Z))
      Z->setNonNeg();
  }
  return Known;
}

// The collapsed counter, for what is not computed from a single index.
Value *BodyEmitter::counterValue(const Copy &R) {
  Value *&Known = Counters[number((1u << Shape.Dims) - 1, R)];
  if (Known)
    return Known;
  PHINode *IV = T.nest().counter();
  ArrayRef<Value *> Divisors = T.nest().divisors();
  Value *Sum = indexValue(IV, Shape.Dims - 1, R[Shape.Dims - 1]);
  IRBuilder<> B(Entry->getTerminator());
  for (unsigned D = 0; D + 1 < Shape.Dims; ++D)
    Sum = B.CreateAdd(B.CreateMul(indexValue(IV, D, R[D]), Divisors[D], "", true, true), Sum, "", true, true);
  return Known = Sum;
}

Value *BodyEmitter::lookup(Value *V, const Copy &R) {
  if (V == T.nest().counter())
    return counterValue(R);
  if (std::optional<unsigned> D = T.indexOf(V))
    return indexValue(V, *D, R[*D]);
  if (auto *BB = dyn_cast<BasicBlock>(V))
    if (BasicBlock *New = BlockMap.lookup(BB))
      return New;
  auto It = Copies.find(V);
  return It == Copies.end() ? V : It->second[number(T.mask(V), R)];
}

void BodyEmitter::emitInstruction(Instruction &I, BasicBlock *BB) {
  if (&I == T.nest().counter() || T.indexOf(&I) || T.isControl(I))
    return;
  SmallVector<Value *, 8> Made;
  forEachCopy(Shape, T.mask(&I), [&](const Copy &R) {
    std::optional<CommonLoads::Key> Key = Common.key(I, R);
    if (Value *Known = Key ? Loaded[*Key] : nullptr) {
      Made.push_back(Known);
      return;
    }
    Instruction *New = I.clone();
    New->insertInto(BB, BB->end());
    Made.push_back(New);
    if (Key)
      Loaded[*Key] = New;
    if (!isa<PHINode>(I))
      for (Use &U : New->operands())
        U.set(lookup(U.get(), R));
  });
  Copies[&I] = std::move(Made);
}

void BodyEmitter::emit(BasicBlock *From, BasicBlock *To) {
  Function &F = *From->getParent();
  for (BasicBlock *BB : T.blocks())
    BlockMap[BB] = BasicBlock::Create(F.getContext(), "block." + BB->getName(), &F, To);
  Entry = From;
  BranchInst::Create(BlockMap[T.shape().InnerHeader], From);
  for (BasicBlock *BB : T.blocks()) {
    Loaded.clear();
    for (Instruction &I : *BB) {
      BasicBlock *New = BlockMap[BB];
      if (!I.isTerminator()) {
        emitInstruction(I, New);
      } else if (BB == T.shape().InnerLatch) {
        BranchInst::Create(To, New);
      } else {
        Instruction *End = I.clone();
        End->insertInto(New, New->end());
        for (Use &U : End->operands())
          U.set(lookup(U.get(), {0, 0, 0}));
      }
    }
  }
  for (BasicBlock *BB : T.blocks())
    for (PHINode &P : BB->phis())
      if (auto It = Copies.find(&P); It != Copies.end())
        forEachCopy(Shape, T.mask(&P), [&](const Copy &R) {
          auto *New = cast<PHINode>(It->second[number(T.mask(&P), R)]);
          for (unsigned K = 0; K < P.getNumIncomingValues(); ++K) {
            New->setIncomingValue(K, lookup(P.getIncomingValue(K), R));
            New->setIncomingBlock(K, BlockMap.lookup(P.getIncomingBlock(K)));
          }
        });
}

} // namespace place
