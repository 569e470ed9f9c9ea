//===- Footprint.cpp - What a team touches in one chunk of iterations -----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Footprint.h"
#include "Expr.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

namespace {

/// Where an access goes; null where there are two such places.
const Value *pointerOf(const Instruction &I) {
  if (const auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return Update->getPointerOperand();
  if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Exchange->getPointerOperand();
  return getLoadStorePointerOperand(&I);
}

class Footprints {
public:
  Footprints(const KernelSummary &K, ScalarEvolution &SE, const DenseMap<const Loop *, int> &Numbers)
      : K(K), SE(SE), LoopNumber(Numbers) {}

  std::string footprint(int N) const {
    std::string Best;
    for (const AccessSummary &S : K.Accesses) {
      if (S.Array != N)
        continue;
      std::string Text = accessFootprint(S);
      if (Text.empty())
        return "";
      if (Text.size() > Best.size())
        Best = Text;
    }
    return Best;
  }

private:
  std::string accessFootprint(const AccessSummary &S) const {
    if (!S.Known || !S.LaneStride)
      return "";
    std::string Text = std::to_string(S.WidthBytes);
    if (*S.LaneStride)
      Text = std::to_string(std::abs(*S.LaneStride)) + "*(threads - 1) + " + Text;
    for (int L = S.Loop; L >= 0; L = K.Loops[L].Parent) {
      if (K.Loops[L].Chunk)
        continue;
      std::string Step = loopStep(S, K.Loops[L].L);
      if (Step == "0")
        continue;
      if (K.Loops[L].Trips.empty() || Step.empty())
        return "";
      Text += " + " + Step + "*(" + K.Loops[L].Steps + ")";
    }
    return Text;
  }

  // Bytes that the access moves by in one iteration of L, as text; "0" if L does not move it.
  std::string loopStep(const AccessSummary &S, const Loop *L) const {
    const Value *Pointer = pointerOf(*S.I);
    if (!Pointer)
      return "";
    const SCEV *At = SE.getSCEV(const_cast<Value *>(Pointer));
    for (const auto *R = dyn_cast<SCEVAddRecExpr>(At); R; R = dyn_cast<SCEVAddRecExpr>(R->getStart()))
      if (R->getLoop() == L)
        return exprText(R->getStepRecurrence(SE), SE, LoopNumber).Text;
    auto CountsIn = [L](const SCEV *Part) {
      const auto *R = dyn_cast<SCEVAddRecExpr>(Part);
      return R && R->getLoop() == L;
    };
    return SCEVExprContains(At, CountsIn) ? "" : "0";
  }

  const KernelSummary &K;
  ScalarEvolution &SE;
  const DenseMap<const Loop *, int> &LoopNumber;
};

} // namespace

void findFootprints(KernelSummary &K, ScalarEvolution &SE, const DenseMap<const Loop *, int> &Numbers) {
  for (size_t N = 0; N < K.Arrays.size(); ++N)
    K.Arrays[N].TeamFootprint = Footprints(K, SE, Numbers).footprint(int(N));
}

} // namespace place
