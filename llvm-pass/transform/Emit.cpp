//===- Emit.cpp - Polynomials and iterations as code ------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Emit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace place {

// A symbol's value, its low `Bits` bits taken as signed (Nest.h), in an integer type that may be wider or narrower.
static Value *symbolAs(IRBuilder<> &B, const NestSymbol &Symbol, Type *Ty) {
  assert(Symbol.V && "index without a value");
  return B.CreateSExtOrTrunc(B.CreateTrunc(Symbol.V, B.getIntNTy(Symbol.Bits)), Ty);
}

static Value *symbolValue(IRBuilder<> &B, const Nest &N, Poly::Symbol S, const SymbolValues &Values) {
  if (Value *V = Values.lookup(S))
    return V;
  return symbolAs(B, N.symbol(S), B.getInt64Ty());
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

AffineAccesses::AffineAccesses(const Body &T, const BlockShape &Shape) : Shape(Shape) {
  for (BasicBlock *BB : T.blocks())
    for (Instruction &I : *BB)
      consider(I, T);
}

void AffineAccesses::consider(Instruction &I, const Body &T) {
  TileAccess A;
  if (!T.affine(I, A))
    return;
  Poly Rest = A.Offset - Poly(A.Offset.constant());
  std::optional<Poly> Index = Rest.shiftedRight(Log2_32(A.Width));
  if (!Index)
    return;
  // A thread's later iterations lie in the same range: the range is that of all indices.
  A.Needed.push_back({*Index, 32, true});
  for (Poly::Symbol S = 0; S < T.nest().symbols(); ++S) {
    bool Counter = T.nest().symbol(S).K == NestSymbol::Counter && Index->uses(S);
    if (Counter && (!Index->isLinearIn(S) || T.moves(Index->coefficient(S))))
      return;
  }
  if (!T.canCheck(A.Needed))
    return;
  for (const Fit &F : A.Needed)
    if (none_of(Needed, [&](const Fit &G) { return F.P == G.P && F.Bits == G.Bits && F.Signed == G.Signed; }))
      Needed.push_back(F);
  Accesses[&I] = std::move(A);
}

std::optional<AffineAccesses::Element> AffineAccesses::element(const Instruction &I, const Copy &R) const {
  auto It = Accesses.find(&I);
  if (It == Accesses.end())
    return std::nullopt;
  Poly P = It->second.Offset;
  for (unsigned D = 0; D < Shape.Dims; ++D)
    P = P.without(D) + P.coefficient(D) * (Poly::symbol(D) + Poly(Shape.offset(D, R[D])));
  int64_t Bytes = P.constant();
  return Element{It->second.Array, It->second.Width, *(P - Poly(Bytes)).shiftedRight(Log2_32(It->second.Width)), Bytes};
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
  const unsigned Innermost = unsigned(Divisors.size());
  Value *Sum = indexValue(IV, Innermost, R[Innermost]);
  IRBuilder<> B(Entry->getTerminator());
  for (unsigned D = 0; D < Innermost; ++D)
    Sum = B.CreateAdd(B.CreateMul(indexValue(IV, D, R[D]), Divisors[D], "", true, true), Sum, "", true, true);
  return Known = Sum;
}

static unsigned pointerOperand(const Instruction &I) {
  return isa<StoreInst>(I) ? StoreInst::getPointerOperandIndex() : LoadInst::getPointerOperandIndex();
}

Value *BodyEmitter::lookup(Value *V, const Copy &R) {
  if (Shape.Interior)
    if (std::optional<bool> Way = T.assumed(V))
      return ConstantInt::getBool(V->getContext(), *Way);
  if (std::optional<unsigned> D = T.indexOf(V))
    return indexValue(V, *D, R[*D]);
  if (V == T.nest().counter())
    return counterValue(R);
  if (Open.Region && V == Open.Region->Join)
    return Open.Join;
  if (auto *BB = dyn_cast<BasicBlock>(V))
    if (BasicBlock *New = BlockMap.lookup(BB))
      return New;
  auto It = Copies.find(V);
  return It == Copies.end() ? V : static_cast<Value *>(It->second[number(T.mask(V), R)]);
}

// What does not move with a loop is computed once a block. Dimensions stand for the thread's first index.
Value *BodyEmitter::narrow(const Poly &P) {
  Value *&Known = Narrow[P];
  if (Known)
    return Known;
  IRBuilder<> B(Entry->getTerminator());
  Value *Sum = nullptr;
  for (const auto &[M, C] : P.terms()) {
    Value *Product = M.empty() || C != 1 ? B.getInt32(uint32_t(C)) : nullptr;
    for (Poly::Symbol S : M) {
      const NestSymbol &Symbol = T.nest().symbol(S);
      Value *V = Symbol.K == NestSymbol::Dim ? Index[S][0] : symbolAs(B, Symbol, B.getInt32Ty());
      Product = Product ? B.CreateMul(V, Product) : V;
    }
    Sum = Sum ? B.CreateAdd(Sum, Product) : Product;
  }
  return Known = Sum ? Sum : B.getInt32(0);
}

Value *BodyEmitter::loopCounter(Poly::Symbol S) {
  Value *&Known = LoopCounters[S];
  if (Known)
    return Known;
  const Loop *L = T.nest().symbol(S).L;
  BasicBlock *Header = BlockMap[L->getHeader()];
  IRBuilder<> B(Header, Header->begin());
  PHINode *Counter = B.CreatePHI(B.getInt32Ty(), 2);
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  Counter->addIncoming(B.getInt32(0), edgeFrom(L->getLoopPredecessor(), L->getHeader()));
  Counter->addIncoming(B.CreateAdd(Counter, B.getInt32(1)), edgeFrom(L->getLoopLatch(), L->getHeader()));
  return Known = Counter;
}

Value *BodyEmitter::pointer(BasicBlock *BB, AffineAccesses::Element E) {
  int64_t Bytes = E.Bytes;
  E.Bytes = 0;
  IRBuilder<> B(BB);
  Value *&Known = Pointers[E];
  if (!Known) {
    Poly Fixed = E.Index;
    SmallVector<std::pair<Poly::Symbol, Poly>, 2> Moving;
    for (Poly::Symbol S = Nest::MaxDims; S < T.nest().symbols(); ++S)
      if (T.nest().symbol(S).K == NestSymbol::Counter && E.Index.uses(S)) {
        Moving.push_back({S, E.Index.coefficient(S)});
        Fixed = Fixed.without(S);
      }
    Value *Sum = narrow(Fixed);
    for (auto &[S, Step] : Moving)
      Sum = B.CreateAdd(Sum, B.CreateMul(loopCounter(S), narrow(Step)));
    Known = B.CreateGEP(B.getIntNTy(8 * E.Width), E.Array, B.CreateSExt(Sum, B.getInt64Ty()));
  }
  return Bytes ? B.CreateGEP(B.getInt8Ty(), Known, B.getInt64(uint64_t(Bytes))) : Known;
}

// One that counts from another start than 0, or in other steps.
Value *BodyEmitter::foldedCounter(const Body::FoldedCounter &By, BasicBlock *BB, const Copy &R) {
  IRBuilder<> B(BB);
  Value *Step = lookup(By.Step, R), *Times = indexValue(By.Start, By.Dim, R[By.Dim]);
  return B.CreateAdd(lookup(By.Start, R), B.CreateMul(Times, Step));
}

void BodyEmitter::emitCopy(Instruction &I, BasicBlock *BB, const Copy &R) {
  if (std::optional<Body::FoldedCounter> By = T.foldedCounter(I)) {
    Copies[&I].push_back(foldedCounter(*By, BB, R));
    return;
  }
  SmallVector<WeakTrackingVH, 8> &Made = Copies[&I];
  std::optional<AffineAccesses::Element> E = Accesses.element(I, R);
  if (E && isa<LoadInst>(I))
    if (Value *Known = Loaded[{*E, I.getType()}]) {
      Made.push_back(Known);
      return;
    }
  Value *Pointer = E ? pointer(BB, *E) : nullptr;
  Instruction *New = I.clone();
  New->insertInto(BB, BB->end());
  Made.push_back(New);
  if (isa<PHINode>(I))
    return;
  for (Use &U : New->operands())
    if (Pointer && U.getOperandNo() == pointerOperand(I))
      U.set(Pointer);
    else
      U.set(lookup(U.get(), R));
  if (E && isa<LoadInst>(I))
    Loaded[{*E, I.getType()}] = New;
}

bool BodyEmitter::isCarriedOut(const Instruction &I) const {
  return &I != T.nest().counter() && !T.indexOf(&I) && !T.isControl(I);
}

void BodyEmitter::emitInstruction(Instruction &I, BasicBlock *BB) {
  if (!isCarriedOut(I))
    return;
  Copies[&I];
  forEachCopy(Shape, T.mask(&I), [&](const Copy &R) { emitCopy(I, BB, R); });
  if (Shape.Once && I.mayWriteToMemory())
    forget(I);
}

void BodyEmitter::emitOne(Instruction &I, BasicBlock *BB, const Copy &R) {
  emitCopy(I, BB, R);
  if (Shape.Once && I.mayWriteToMemory())
    forget(I);
}

// An iteration reads what it has itself written; other iterations' elements are none of its business, in whatever order.
void BodyEmitter::forget(const Instruction &I) {
  SmallVector<const Value *, 4> Objects;
  for (const Value *Operand : I.operands())
    if (Operand->getType()->isPointerTy())
      getUnderlyingObjects(Operand, Objects, nullptr, 0);
  bool Known = Shape.Apart && !isa<CallBase>(I) && all_of(Objects, [](const Value *O) { return isa<Argument>(O); });
  for (auto It = Loaded.begin(); It != Loaded.end();)
    It = !Known || is_contained(Objects, It->first.first.Array) ? Loaded.erase(It) : std::next(It);
}

void BodyEmitter::emit(BasicBlock *From, BasicBlock *To) {
  Function &F = *From->getParent();
  for (BasicBlock *BB : T.blocks())
    if (!T.isParted(BB))
      BlockMap[BB] = BasicBlock::Create(F.getContext(), "block." + BB->getName(), &F, To);
  Entry = From;
  BranchInst::Create(BlockMap[T.shape().InnerHeader], From);
  for (BasicBlock *BB : T.blocks()) {
    if (T.isParted(BB))
      continue;
    Loaded.clear();
    Pointers.clear();
    for (Instruction &I : *BB) {
      BasicBlock *New = BlockMap[BB];
      if (!I.isTerminator()) {
        emitInstruction(I, New);
      } else if (BB == T.shape().InnerLatch) {
        BranchInst::Create(To, New);
      } else if (const Loop *L = T.foldedAt(BB)) {
        BranchInst::Create(BlockMap[L->getExitBlock()], New);
      } else if (const PartedRegion *Region = T.partedFrom(BB)) {
        emitParted(*Region);
      } else {
        emitTerminator(I, New, {0, 0, 0});
      }
    }
  }
  for (BasicBlock *BB : T.blocks())
    for (PHINode &P : BB->phis())
      if (Copies.count(&P) && !T.isParted(BB) && !T.foldedCounter(P))
        forEachCopy(Shape, T.mask(&P), [&](const Copy &R) { finishPhi(P, R); });
}

void BodyEmitter::finishPhi(PHINode &P, const Copy &R) {
  auto *New = cast<PHINode>(lookup(&P, R));
  if (T.isJoin(P.getParent())) {
    finishJoin(P, New, R);
    return;
  }
  for (unsigned K = 0; K < P.getNumIncomingValues(); ++K) {
    New->setIncomingValue(K, lookup(P.getIncomingValue(K), R));
    New->setIncomingBlock(K, BlockMap.lookup(P.getIncomingBlock(K)));
  }
}

} // namespace place
