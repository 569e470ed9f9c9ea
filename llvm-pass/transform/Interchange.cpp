//===- Interchange.cpp - Collapsed loops of grid-stride loops, the other way round ---===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With outer = iterations / inner, the body gets (iv % outer) * inner + iv / outer where it had iv: each number below outer * inner once.
// Should the counter be divided by what is not the inner loop's number of iterations, outer is 1, and that is iv again.
//
//===----------------------------------------------------------------------===//
#include "Interchange.h"
#include "CopyAnalyses.h"
#include "Stride.h"
#include "Transform.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

/// A grid-stride loop collapsed from two.
struct Pair {
  Loop *L = nullptr;
  PHINode *Counter = nullptr;
  SmallVector<PHINode *, 1> Widened = {}; // the same in a wider type
  const SCEV *Inner = nullptr; // iterations of the inner one, in the counter's type
  const SCEV *Last = nullptr;  // of both, less one, in 64 bits
};

Loop *stridedLoop(const LoopInfo &LI) {
  for (Loop *L : LI.getLoopsInPreorder())
    if (isStridedLoop(*L))
      return L;
  return nullptr;
}

bool isInvariant(const Loop &L, const Value *V) { return L.isLoopInvariant(V); }

/// What a value is divided by, if it is the quotient of the counter; null else.
const SCEV *divisorOf(const Value *V, const PHINode &Counter, const Loop &L, ScalarEvolution &SE) {
  Value *Divisor;
  const APInt *Bits;
  if (match(V, m_IDiv(m_Specific(&Counter), m_Value(Divisor))) && isInvariant(L, Divisor))
    return SE.getSCEV(Divisor);
  if (match(V, m_LShr(m_Specific(&Counter), m_APInt(Bits))) && Bits->ult(Bits->getBitWidth()))
    return SE.getConstant(APInt::getOneBitSet(Bits->getBitWidth(), Bits->getZExtValue()));
  return nullptr;
}

/// Whether a value is the remainder of that division.
bool isRemainder(const Value *V, const PHINode &Counter, const SCEV *Divisor, ScalarEvolution &SE) {
  Value *By;
  const APInt *Mask;
  if (match(V, m_IRem(m_Specific(&Counter), m_Value(By))))
    return SE.getSCEV(By) == Divisor;
  return match(V, m_And(m_Specific(&Counter), m_APInt(Mask))) && Mask->isMask() && SE.getConstant(*Mask + 1) == Divisor;
}

/// The one number that the counter is divided by.
const SCEV *onlyDivisor(const PHINode &Counter, const Loop &L, ScalarEvolution &SE) {
  const SCEV *Only = nullptr;
  for (const User *U : Counter.users())
    if (const SCEV *S = divisorOf(U, Counter, L, SE)) {
      if (Only && Only != S)
        return nullptr;
      Only = S;
    }
  return Only;
}

const SCEV *special(Function &F, Intrinsic::ID ID, ScalarEvolution &SE) {
  Type *Wide = Type::getInt64Ty(F.getContext());
  for (Instruction &I : instructions(F))
    if (const auto *II = dyn_cast<IntrinsicInst>(&I); II && II->getIntrinsicID() == ID)
      return SE.getZeroExtendExpr(SE.getSCEV(&I), Wide);
  return SE.getCouldNotCompute();
}

/// Where a thread begins: team * threads + thread.
const SCEV *firstOf(Function &F, ScalarEvolution &SE) {
  const SCEV *Team = special(F, Intrinsic::nvvm_read_ptx_sreg_ctaid_x, SE), *Threads = special(F, Intrinsic::nvvm_read_ptx_sreg_ntid_x, SE);
  const SCEV *Thread = special(F, Intrinsic::nvvm_read_ptx_sreg_tid_x, SE);
  if (any_of(ArrayRef({Team, Threads, Thread}), [](const SCEV *S) { return isa<SCEVCouldNotCompute>(S); }))
    return SE.getCouldNotCompute();
  return SE.getAddExpr(SE.getMulExpr(Team, Threads), Thread);
}

/// The loop's number of iterations is (last - first) / all + 1.
const SCEV *lastOf(const Loop &L, const SCEV *First, ScalarEvolution &SE) {
  const auto *Rounds = dyn_cast<SCEVUDivExpr>(SE.getBackedgeTakenCount(&L));
  if (!Rounds || Rounds->getType() != First->getType())
    return nullptr;
  // A sum is not seen through in a product, so what is taken from the last one is looked for as it is.
  SmallVector<const SCEV *, 4> Left{Rounds->getLHS()}, Rest;
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(Rounds->getLHS()))
    Left.assign(Sum->operands().begin(), Sum->operands().end());
  copy_if(Left, std::back_inserter(Rest), [&, Taken = SE.getNegativeSCEV(First)](const SCEV *S) { return S != Taken; });
  const SCEV *Last = Rest.empty() ? SE.getZero(First->getType()) : SE.getAddExpr(Rest);
  if (Rest.size() == Left.size())
    Last = SE.getAddExpr(Last, First);
  auto IsOfThread = [](const SCEV *S) {
    const auto *U = dyn_cast<SCEVUnknown>(S);
    return U && isa<Instruction>(U->getValue());
  };
  return SCEVExprContains(Last, IsOfThread) ? nullptr : Last;
}

/// In front of the loop.
Instruction *placeBefore(const Loop &L) { return L.getLoopPredecessor()->getTerminator(); }

bool isKnownBefore(const Pair &P, ScalarEvolution &SE) {
  SCEVExpander E(SE, SE.getDataLayout(), "place");
  return E.isSafeToExpandAt(P.Inner, placeBefore(*P.L)) && E.isSafeToExpandAt(P.Last, placeBefore(*P.L));
}

Value *nextOf(const Loop &L, const PHINode &Phi) { return Phi.getIncomingValueForBlock(L.getLoopLatch()); }

/// Whether the body does something with a value, but for that use, and for asking whether this was the last round.
bool isLookedAt(const Loop &L, const Value &V, const Value *But) {
  auto Leaves = [&](const User *U) {
    return isa<ICmpInst>(U) && all_of(U->users(), [&](const User *B) { return isa<BranchInst>(B) && L.isLoopExiting(cast<BranchInst>(B)->getParent()); });
  };
  return any_of(V.users(), [&](const User *U) { return U != But && L.contains(cast<Instruction>(U)) && !Leaves(U); });
}

/// The counter again, in a wider type: LLVM makes one for what the body widens.
bool isWidened(const Pair &P, const PHINode &Phi, ScalarEvolution &SE) {
  Type *Narrow = P.Counter->getType();
  return Phi.getType()->isIntegerTy() && SE.getTypeSizeInBits(Phi.getType()) > SE.getTypeSizeInBits(Narrow) &&
         SE.getTruncateExpr(SE.getSCEV(const_cast<PHINode *>(&Phi)), Narrow) == SE.getSCEV(P.Counter);
}

/// All counters of the loop. False: the body knows the iteration's number in another form.
bool findCounters(Pair &P, ScalarEvolution &SE) {
  for (PHINode &Phi : P.L->getHeader()->phis()) {
    const auto *Steps = SE.isSCEVable(Phi.getType()) ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi)) : nullptr;
    if (!Steps || Steps->getLoop() != P.L)
      continue;
    Value *Next = nextOf(*P.L, Phi);
    bool Widened = isWidened(P, Phi, SE), Known = &Phi == P.Counter || Widened;
    if ((Known && isLookedAt(*P.L, *Next, &Phi)) || (!Known && isLookedAt(*P.L, Phi, Next)))
      return false;
    if (Widened)
      P.Widened.push_back(&Phi);
  }
  return true;
}

std::optional<Pair> collapsedPair(Function &F, const LoopInfo &LI, ScalarEvolution &SE) {
  Pair P;
  P.L = stridedLoop(LI);
  const SCEV *First = P.L && P.L->getLoopPredecessor() ? firstOf(F, SE) : SE.getCouldNotCompute();
  if (isa<SCEVCouldNotCompute>(First))
    return std::nullopt;
  P.Last = lastOf(*P.L, First, SE);
  for (PHINode &Phi : P.L->getHeader()->phis()) {
    const auto *Steps = Phi.getType()->isIntegerTy() ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi)) : nullptr;
    if (!Steps || Steps->getLoop() != P.L || Steps->getStart() != SE.getTruncateOrNoop(First, Phi.getType()))
      continue;
    P.Counter = &Phi;
    P.Inner = onlyDivisor(Phi, *P.L, SE);
    return P.Last && P.Inner && isKnownBefore(P, SE) && findCounters(P, SE) ? std::optional(P) : std::nullopt;
  }
  return std::nullopt;
}

/// By how much values change from one thread to the next, as the loops are and if they change places.
class Neighbours {
public:
  Neighbours(const Pair &P, ScalarEvolution &SE, bool Interchanged) : P(P), SE(SE), Interchanged(Interchanged) {}

  /// Whether an access's neighbours lie together, or are the same place.
  bool together(Value *Pointer, unsigned Width) {
    const auto *Step = dyn_cast<SCEVConstant>(of(Pointer));
    return Step && Step->getAPInt().abs().ule(2 * uint64_t(Width));
  }

private:
  const SCEV *constant(Type *Ty, uint64_t Number) { return SE.getConstant(SE.getEffectiveSCEVType(Ty), Number); }

  const SCEV *of(Value *V) {
    if (isInvariant(*P.L, V))
      return constant(V->getType(), 0);
    if (auto Found = Known.find(V); Found != Known.end())
      return Found->second;
    Known[V] = SE.getCouldNotCompute(); // of a value that depends on itself
    return Known[V] = find(V);
  }

  const SCEV *find(Value *V) {
    if (V == P.Counter || is_contained(P.Widened, V))
      return Interchanged ? SE.getNoopOrZeroExtend(P.Inner, V->getType()) : constant(V->getType(), 1);
    if (divisorOf(V, *P.Counter, *P.L, SE))
      return constant(V->getType(), Interchanged);
    if (isRemainder(V, *P.Counter, P.Inner, SE))
      return constant(V->getType(), !Interchanged);
    if (auto *G = dyn_cast<GEPOperator>(V))
      return ofAddress(*G);
    auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return SE.getCouldNotCompute();
    if (auto *C = dyn_cast<CastInst>(I); C && C->isIntegerCast())
      return widened(of(C->getOperand(0)), C->getType());
    Value *Narrow;
    const APInt *Up, *Down;
    if (match(I, m_AShr(m_Shl(m_Value(Narrow), m_APInt(Up)), m_APInt(Down))) && Down->ule(*Up) && Up->ult(Up->getBitWidth()))
      return ofExtended(of(Narrow), unsigned(Up->getZExtValue()), unsigned(Down->getZExtValue()));
    return isa<BinaryOperator>(I) ? ofSum(*cast<BinaryOperator>(I)) : SE.getCouldNotCompute();
  }

  const SCEV *widened(const SCEV *S, Type *Ty) { return isa<SCEVCouldNotCompute>(S) ? S : SE.getTruncateOrSignExtend(S, Ty); }

  /// The low bits, signed, shifted to the left: what is left of a value's others says nothing.
  const SCEV *ofExtended(const SCEV *S, unsigned Up, unsigned Down) {
    if (isa<SCEVCouldNotCompute>(S))
      return S;
    Type *Wide = S->getType(), *Narrow = IntegerType::get(Wide->getContext(), Wide->getIntegerBitWidth() - Up);
    const SCEV *Low = SE.getSignExtendExpr(SE.getTruncateExpr(S, Narrow), Wide);
    return SE.getMulExpr(Low, SE.getConstant(APInt::getOneBitSet(Wide->getIntegerBitWidth(), Up - Down)));
  }

  const SCEV *ofSum(BinaryOperator &I) {
    const SCEV *A = of(I.getOperand(0)), *B = of(I.getOperand(1));
    if (isa<SCEVCouldNotCompute>(A) || isa<SCEVCouldNotCompute>(B))
      return SE.getCouldNotCompute();
    const APInt *By;
    switch (I.getOpcode()) {
    case Instruction::Add: return SE.getAddExpr(A, B);
    case Instruction::Sub: return SE.getMinusSCEV(A, B);
    case Instruction::Or: return cast<PossiblyDisjointInst>(I).isDisjoint() ? SE.getAddExpr(A, B) : SE.getCouldNotCompute();
    case Instruction::Mul:
      return isInvariant(*P.L, I.getOperand(1))   ? SE.getMulExpr(A, SE.getSCEV(I.getOperand(1)))
             : isInvariant(*P.L, I.getOperand(0)) ? SE.getMulExpr(B, SE.getSCEV(I.getOperand(0)))
                                                  : SE.getCouldNotCompute();
    case Instruction::Shl:
      if (match(I.getOperand(1), m_APInt(By)) && By->ult(By->getBitWidth()))
        return SE.getMulExpr(A, SE.getConstant(APInt::getOneBitSet(By->getBitWidth(), By->getZExtValue())));
      [[fallthrough]];
    default: return SE.getCouldNotCompute();
    }
  }

  const SCEV *ofAddress(GEPOperator &G) {
    const DataLayout &DL = SE.getDataLayout();
    unsigned Bits = DL.getIndexTypeSizeInBits(G.getType());
    MapVector<Value *, APInt> Variable;
    APInt Constant(Bits, 0);
    const SCEV *Sum = of(G.getPointerOperand());
    if (isa<SCEVCouldNotCompute>(Sum) || !G.collectOffset(DL, Bits, Variable, Constant))
      return SE.getCouldNotCompute();
    for (auto &[Index, Scale] : Variable) {
      const SCEV *Step = widened(of(Index), Sum->getType());
      if (isa<SCEVCouldNotCompute>(Step))
        return Step;
      Sum = SE.getAddExpr(Sum, SE.getMulExpr(Step, SE.getConstant(Scale)));
    }
    return Sum;
  }

  const Pair &P;
  ScalarEvolution &SE;
  bool Interchanged;
  DenseMap<Value *, const SCEV *> Known;
};

unsigned together(const KernelSummary &K, const Pair &P, ScalarEvolution &SE, bool Interchanged) {
  Neighbours N(P, SE, Interchanged);
  return unsigned(count_if(K.Accesses, [&](const AccessSummary &S) {
    Value *Pointer = getLoadStorePointerOperand(S.I);
    return Pointer && P.L->contains(S.I) && N.together(Pointer, S.WidthBytes);
  }));
}

class Interchanger {
public:
  Interchanger(const Pair &P, ScalarEvolution &SE) : P(P), SE(SE), Type(P.Counter->getType()) {}

  void apply() {
    Outer = outer();
    IRBuilder<> B(&*P.L->getHeader()->getFirstInsertionPt());
    Value *Inner = expand(P.Inner), *Along = B.CreateUDiv(P.Counter, Outer);
    Value *Across = B.CreateSub(P.Counter, B.CreateMul(Along, Outer));
    auto *Place = cast<Instruction>(B.CreateAdd(B.CreateMul(Across, Inner), Along, "interchanged"));
    replaceInBody(*P.Counter, Place, {Along, Across});
    for (PHINode *Wide : P.Widened)
      replaceInBody(*Wide, B.CreateZExt(Place, Wide->getType()), {});
    if (IsExact)
      for (User *U : make_early_inc_range(Place->users()))
        if (isQuotient(*cast<Instruction>(U), *Place))
          U->replaceAllUsesWith(Across);
  }

private:
  /// Not for the counter's next value, nor for the new counter itself.
  void replaceInBody(PHINode &Counter, Value *By, ArrayRef<const Value *> New) {
    Counter.replaceUsesWithIf(By, [&](const Use &U) {
      auto *I = cast<Instruction>(U.getUser());
      return P.L->contains(I) && !is_contained(New, I) && I != nextOf(*P.L, Counter);
    });
  }

  static bool isQuotient(const Instruction &I, const Instruction &Place) {
    return match(&I, m_IDiv(m_Specific(&Place), m_Value())) || match(&I, m_LShr(m_Specific(&Place), m_Value()));
  }

  Value *expand(const SCEV *S) {
    SCEVExpander E(SE, SE.getDataLayout(), "place");
    return E.expandCodeFor(S, S->getType(), placeBefore(*P.L));
  }

  /// Iterations of the outer loop; 1, if the divisor is none of the inner loop's.
  Value *outer() {
    const auto *Last = dyn_cast<SCEVConstant>(P.Last), *Inner = dyn_cast<SCEVConstant>(P.Inner);
    if (Last && Inner) {
      APInt All = Last->getAPInt() + 1, By = Inner->getAPInt().zext(64);
      IsExact = By.ugt(1) && All.urem(By) == 0;
      return ConstantInt::get(Type, IsExact ? All.udiv(By).getZExtValue() : 1);
    }
    Value *Before = expand(P.Last), *By = expand(P.Inner);
    IRBuilder<> B(placeBefore(*P.L));
    Value *All = B.CreateAdd(Before, B.getInt64(1)), *Some = B.CreateZExtOrTrunc(By, B.getInt64Ty());
    Value *IsSome = B.CreateICmpUGT(Some, B.getInt64(1));
    Some = B.CreateSelect(IsSome, Some, B.getInt64(2));
    Value *Exact = B.CreateAnd(IsSome, B.CreateIsNull(B.CreateURem(All, Some)));
    return B.CreateTrunc(B.CreateSelect(Exact, B.CreateUDiv(All, Some), B.getInt64(1)), Type, "outer");
  }

  const Pair &P;
  ScalarEvolution &SE;
  llvm::Type *Type;
  Value *Outer = nullptr;
  bool IsExact = false;
};

} // namespace

void findInterchange(KernelSummary &K, FunctionAnalysisManager &FAM) {
  if (!K.Strided)
    return;
  ScalarEvolution &SE = FAM.getResult<ScalarEvolutionAnalysis>(*K.F);
  std::optional<Pair> P = collapsedPair(*K.F, FAM.getResult<LoopAnalysis>(*K.F), SE);
  K.GainsByInterchange = P && together(K, *P, SE, true) > together(K, *P, SE, false);
}

static bool isPart(const Version &V) { return V.Strided && V.Strided->Interchanged; }

static void apply(Clone &C) {
  Function &F = C.function();
  CopyAnalyses Of(F);
  if (std::optional<Pair> P = collapsedPair(F, Of.LI, Of.SE))
    Interchanger(*P, Of.SE).apply();
  else
    C.Fails = true;
}

static void propose(const KernelSummary &K, ArrayRef<int8_t> AsIs, std::vector<Version> &Versions) {
  Version V;
  if (!K.GainsByInterchange || !giveStride(K, V))
    return;
  V.Entry = versionName(K, AsIs) + "_interchanged";
  V.Space = AsIs.vec();
  V.Strided->Interchanged = true;
  Versions.push_back(std::move(V));
}

const Transform InterchangeTransform = {isPart, nullptr, nullptr, apply, propose};

} // namespace place
