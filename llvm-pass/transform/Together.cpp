//===- Together.cpp - Iterations of a loop that are carried out together -----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Together.h"
#include "CopyAnalyses.h"
#include "LoopProperty.h"
#include "Unroll.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace place {

const Argument *arrayOf(const Value *Pointer) {
  const unsigned HoweverFar = 0;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, HoweverFar);
  return Objects.size() == 1 ? dyn_cast<Argument>(Objects[0]) : nullptr;
}

/// An access to an array: neither a variable of the thread's own nor one of the team.
static bool isOfArray(const Instruction &I) {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  bool Simple = isa<LoadInst>(I) ? cast<LoadInst>(I).isSimple() : isa<StoreInst>(I) && cast<StoreInst>(I).isSimple();
  return Pointer && Simple && arrayOf(Pointer);
}

static SmallVector<Instruction *, 16> accessesOf(BasicBlock &BB) {
  SmallVector<Instruction *, 16> Accesses;
  for (Instruction &I : BB)
    if (isOfArray(I))
      Accesses.push_back(&I);
  return Accesses;
}

/// Of each iteration a scope, which no access of another one is in. Those of one iteration are as they were.
static void tellIterationsApart(ArrayRef<Instruction *> Accesses, unsigned Times) {
  LLVMContext &Context = Accesses.front()->getContext();
  MDBuilder MDB(Context);
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain("iterations");
  SmallVector<Metadata *, 8> Scopes;
  for (unsigned N = 0; N < Times; ++N)
    Scopes.push_back(MDB.createAnonymousAliasScope(Domain, "iteration"));
  const size_t Each = Accesses.size() / Times;
  for (size_t N = 0; N < Accesses.size(); ++N) {
    Metadata *Mine = Scopes[N / Each];
    SmallVector<Metadata *, 8> Others;
    copy_if(Scopes, std::back_inserter(Others), [&](Metadata *Scope) { return Scope != Mine; });
    Instruction &I = *Accesses[N];
    I.setMetadata(LLVMContext::MD_alias_scope,
                  MDNode::concatenate(I.getMetadata(LLVMContext::MD_alias_scope), MDNode::get(Context, Mine)));
    I.setMetadata(LLVMContext::MD_noalias, MDNode::concatenate(I.getMetadata(LLVMContext::MD_noalias), MDNode::get(Context, Others)));
  }
}

void carryOutTogether(Function &F, BasicBlock &Body, unsigned Bytes, const TargetTransformInfo &TTI) {
  CopyAnalyses Of(F);
  Loop *L = Of.LI.getLoopFor(&Body);
  if (!L)
    return;
  const unsigned Times = timesToLoad(*L, Bytes);
  const size_t Each = accessesOf(Body).size();
  if (Times < 2 || !Each || L->getNumBlocks() != 1)
    return unrollToLoad(*L, Bytes);
  Loop *Rest = nullptr;
  LoopUnrollResult Done = repeatBody(*L, Times, Of, TTI, Rest);
  if (Done == LoopUnrollResult::Unmodified)
    return unrollToLoad(*L, Bytes);
  if (Done != LoopUnrollResult::PartiallyUnrolled)
    return;
  for (Loop *Made : {L, Rest})
    if (Made && Made->getLoopLatch())
      addLoopProperty(*Made->getLoopLatch()->getTerminator(), "llvm.loop.unroll.disable");
  SmallVector<Instruction *, 16> Accesses = accessesOf(*L->getHeader());
  if (L->getNumBlocks() == 1 && Accesses.size() == Times * Each)
    tellIterationsApart(Accesses, Times);
}

} // namespace place
