//===- Thaw.cpp - Counters as the program has them ----------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Thaw.h"
#include "Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

namespace {

/// Whether an instruction makes no poison but where it overflows, given operands without any.
bool isCounting(const Instruction &I) {
  if (isa<PHINode>(I) || isa<CastInst>(I) || isa<CmpInst>(I) || isa<SelectInst>(I) || isa<FreezeInst>(I))
    return true;
  if (const auto *B = dyn_cast<BinaryOperator>(&I))
    return !B->isShift() || isa<ConstantInt>(B->getOperand(1));
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && (isa<MinMaxIntrinsic>(II) || specialRegister(II));
}

/// Whether a value can be poison by an overflow alone.
bool isCounter(const Value *Root) {
  const size_t Most = 64;
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Work = {Root};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!V->getType()->isIntegerTy())
      return false;
    if (isa<ConstantInt>(V) || isa<Argument>(V) || !Seen.insert(V).second)
      continue;
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || Seen.size() > Most || !isCounting(*I))
      return false;
    if (isa<IntrinsicInst>(I) && !isa<MinMaxIntrinsic>(I))
      continue; // a special register
    for (const Use &U : I->operands())
      if (!isa<Function>(U) && !isa<BasicBlock>(U))
        Work.push_back(U);
  }
  return true;
}

} // namespace

Thaw::Thaw(Function &F, FunctionAnalysisManager &FAM) : F(F), FAM(FAM) {
  for (Instruction &I : instructions(F))
    if (auto *Freeze = dyn_cast<FreezeInst>(&I); Freeze && isCounter(Freeze->getOperand(0)))
      for (Use &U : make_early_inc_range(Freeze->uses())) {
        Uses.push_back({&U, Freeze});
        U.set(Freeze->getOperand(0));
      }
  Widths.emplace(F);
  if (!Uses.empty() || Widths->changed())
    FAM.invalidate(F, PreservedAnalyses::none());
}

Thaw::~Thaw() {
  const bool Changed = !Uses.empty() || Widths->changed();
  Widths.reset();
  for (auto &[U, Freeze] : reverse(Uses))
    U->set(Freeze);
  if (Changed)
    FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace place
