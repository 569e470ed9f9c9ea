//===- Trips.cpp - How often loops go round -----------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Trips.h"
#include "Chunks.h"
#include "Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

static bool isRegister(const SCEV *S, StringRef Name) {
  while (const auto *C = dyn_cast<SCEVCastExpr>(S))
    S = C->getOperand();
  const auto *U = dyn_cast<SCEVUnknown>(S);
  return U && isRegister(U->getValue(), Name);
}
static bool isThreads(const SCEV *S) { return isRegister(S, "threads"); }
static bool isTeams(const SCEV *S) { return isRegister(S, "teams"); }

struct LoopTrips::Exit {
  const SCEVAddRecExpr *Counter = nullptr; // as compared
  const SCEV *Bound = nullptr;
  bool Signed = false, Inclusive = false; // goes on while Counter < Bound, or <= Bound
};

// How often a loop goes round, as text, or nothing. Where scalar evolution does not know (it must assume that the chunk loops'
// counters may wrap), the form of the chunk loops gives an upper bound that is exact for all but the last chunk.
std::string LoopTrips::backedgesTaken(const Loop *L) {
  const SCEV *Taken = SE.getBackedgeTakenCount(L);
  ExprText T = exprText(Taken, SE, enclosingLoops(L->getParentLoop(), LoopNumber));
  if (T.Text.empty() || !T.Known) {
    std::string Text = chunkTrips(L);
    return Text.empty() ? strideTrips(L) : Text;
  }
  uint64_t Bits = SE.getTypeSizeInBits(Taken->getType());
  return Bits < 64 ? "zext" + std::to_string(Bits) + "(" + T.Text + ")" : T.Text;
}

// The only exit, at the latch, where a counter that steps upwards is compared with a bound.
std::optional<LoopTrips::Exit> LoopTrips::exitOf(const Loop *L) {
  BasicBlock *Latch = L->getLoopLatch();
  auto *Branch = Latch && L->getExitingBlock() == Latch ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Compare || !SE.isSCEVable(Compare->getOperand(0)->getType()))
    return std::nullopt;
  ICmpInst::Predicate Stay = Compare->getPredicate();
  if (Branch->getSuccessor(0) != L->getHeader())
    Stay = ICmpInst::getInversePredicate(Stay);
  const SCEV *Left = SE.getSCEV(Compare->getOperand(0)), *Right = SE.getSCEV(Compare->getOperand(1));
  if (!isa<SCEVAddRecExpr>(Left)) {
    std::swap(Left, Right);
    Stay = ICmpInst::getSwappedPredicate(Stay);
  }
  Exit E;
  E.Counter = dyn_cast<SCEVAddRecExpr>(Left);
  E.Bound = Right;
  E.Signed = ICmpInst::isSigned(Stay);
  E.Inclusive = Stay == ICmpInst::ICMP_SLE || Stay == ICmpInst::ICMP_ULE;
  bool Below = E.Inclusive || Stay == ICmpInst::ICMP_SLT || Stay == ICmpInst::ICMP_ULT;
  if (!E.Counter || E.Counter->getLoop() != L || !E.Counter->isAffine() || !Below)
    return std::nullopt;
  return E;
}

// ceil((bound - counter's first value) / step), in 64 bits, for a bound that can be expressed.
std::string LoopTrips::strideTrips(const Loop *L) {
  std::optional<Exit> E = exitOf(L);
  if (!E || !SE.isLoopInvariant(E->Bound, L))
    return "";
  auto Around = enclosingLoops(L->getParentLoop(), LoopNumber);
  ExprText Bound = exprText(E->Bound, SE, Around), First = exprText(E->Counter->getStart(), SE, Around);
  ExprText Step = exprText(E->Counter->getStepRecurrence(SE), SE, Around);
  if (!Bound.Known || !First.Known || !Step.Known || Bound.Text.empty() || First.Text.empty() || Step.Text.empty())
    return "";
  uint64_t Bits = SE.getTypeSizeInBits(E->Bound->getType());
  auto Wide = [&](const std::string &Text) {
    return Bits < 64 ? (E->Signed ? "sext" : "zext") + std::to_string(Bits) + "(" + Text + ")" : Text;
  };
  std::string Distance = Wide(Bound.Text) + " - " + Wide(First.Text) + " + " + Wide(Step.Text);
  if (!E->Inclusive)
    Distance += " - 1";
  return "udiv64(smax64(0, " + Distance + "), " + Wide(Step.Text) + ")";
}

// A team's share of a chunk: the counter steps by `threads` up to a bound that moves with the enclosing chunk loop's base,
// at most size - 1 above it. The share is ceil(size / threads) iterations at most.
std::string LoopTrips::chunkTrips(const Loop *L) {
  const Loop *Outer = L->getParentLoop();
  std::optional<Exit> E = Outer ? exitOf(L) : std::nullopt;
  if (!E || !isThreads(E->Counter->getStepRecurrence(SE)))
    return "";
  // With unsigned counters, clang goes on while they are below bound + 1.
  const SCEV *Bound = E->Inclusive ? E->Bound : SE.getMinusSCEV(E->Bound, SE.getOne(E->Bound->getType()));
  const auto *U = dyn_cast<SCEVUnknown>(Bound);
  const auto *Phi = U ? dyn_cast<PHINode>(U->getValue()) : nullptr;
  if (!Phi || Phi->getParent() != Outer->getHeader() || !Outer->getLoopPreheader() || !Outer->getLoopLatch())
    return "";
  for (PHINode &P : Outer->getHeader()->phis()) {
    const auto *Base = SE.isSCEVable(P.getType()) ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&P)) : nullptr;
    if (!Base || Base->getLoop() != Outer || !Base->isAffine() || Base->getType() != Phi->getType())
      continue;
    const SCEV *Size = chunkSize(Base);
    if (!Size || !boundFollows(Phi, Base, Size, Outer))
      continue;
    const auto *Constant = dyn_cast<SCEVConstant>(Size);
    if (!Chunks && (!Constant || Constant->getAPInt() == Threads))
      Chunks = recogniseChunks(*Outer, *L, P, const_cast<PHINode &>(*Phi), Threads);
    return Constant ? "udiv64(" + std::to_string(Constant->getAPInt().getZExtValue()) + " + threads - 1, threads) - 1" : "0";
  }
  return "";
}

// What a base that steps by size * teams has as size: a constant, or the number of threads. Null if it is neither. (clang's
// middle end knows the number of threads only where all kernels of a translation unit have the same.)
const SCEV *LoopTrips::chunkSize(const SCEVAddRecExpr *Base) const {
  const SCEV *Step = Base->getStepRecurrence(SE);
  while (const auto *C = dyn_cast<SCEVCastExpr>(Step))
    Step = C->getOperand();
  const auto *M = dyn_cast<SCEVMulExpr>(Step);
  if (!M || M->getNumOperands() != 2)
    return nullptr;
  for (int Teams : {0, 1}) {
    const SCEV *Size = M->getOperand(1 - Teams);
    if (isTeams(M->getOperand(Teams)) && (isa<SCEVConstant>(Size) || isThreads(Size)))
      return SE.getTruncateOrZeroExtend(Size, Base->getType());
  }
  return nullptr;
}

// By induction bound <= base + size - 1: it begins as min(base + size - 1, .) and goes on as min(bound + step, .).
bool LoopTrips::boundFollows(const PHINode *Bound, const SCEVAddRecExpr *Base, const SCEV *Size, const Loop *Outer) const {
  const SCEV *First = SE.getSCEV(Bound->getIncomingValueForBlock(Outer->getLoopPreheader()));
  const SCEV *Next = SE.getSCEV(Bound->getIncomingValueForBlock(Outer->getLoopLatch()));
  const SCEV *Top = SE.getAddExpr(Base->getStart(), SE.getMinusSCEV(Size, SE.getOne(Size->getType())));
  const SCEV *Later = SE.getAddExpr(SE.getSCEV(const_cast<PHINode *>(Bound)), Base->getStepRecurrence(SE));
  auto AtMost = [](const SCEV *S, const SCEV *Limit) {
    const auto *Min = dyn_cast<SCEVMinMaxExpr>(S);
    bool IsMin = Min && (Min->getSCEVType() == scSMinExpr || Min->getSCEVType() == scUMinExpr);
    return S == Limit || (IsMin && is_contained(Min->operands(), Limit));
  };
  return AtMost(First, Top) && AtMost(Next, Later);
}

bool LoopTrips::isChunkLoop(const Loop *L) const {
  for (PHINode &P : L->getHeader()->phis()) {
    if (!SE.isSCEVable(P.getType()))
      continue;
    const auto *R = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&P));
    if (!R || R->getLoop() != L)
      continue;
    if (SCEVExprContains(R->getStepRecurrence(SE), [](const SCEV *Part) { return isThreads(Part) || isTeams(Part); }))
      return true;
  }
  return false;
}

} // namespace place
