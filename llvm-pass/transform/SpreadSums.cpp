//===- SpreadSums.cpp - Sums over teams by all their threads -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang makes of them, and what is put in:
//
//   mine = neutral
//   loop: mine = mine op ...                           each thread's iterations
//                                                      the team's first thread gets the results of all its threads
//   if (__kmpc_nvptx_teams_reduce_nowait_v2(&mine))
//     variable = variable op mine
//
//===----------------------------------------------------------------------===//
#include "SpreadSums.h"
#include "Finish.h"
#include "Lean.h"
#include "RuntimeCall.h"
#include "Stride.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

/// The one call of the module; null: there is none, or several.
CallInst *onlyFinish(Module &M) {
  Function *F = M.getFunction(teams_reduce::Name);
  auto *C = F && F->hasOneUse() ? dyn_cast<CallInst>(*F->user_begin()) : nullptr;
  return C && C->getCalledFunction() == F && C->arg_size() == teams_reduce::Count ? C : nullptr;
}

class Sums {
public:
  Sums(CallInst &Finish, const Loop &L, const DominatorTree &DT)
      : Finish(Finish), L(L), DT(DT), List(dyn_cast<AllocaInst>(Finish.getArgOperand(teams_reduce::List)->stripPointerCasts())) {}

  const BasicBlock *result() {
    return List && !L.contains(&Finish) && alwaysReached() && findResult() && all_of(instructions(*Finish.getFunction()), [&](Instruction &I) {
             auto *S = dyn_cast<StoreInst>(&I);
             return !S || getUnderlyingObject(S->getPointerOperand()) != List || isOfThread(*S->getValueOperand()->stripPointerCasts());
           })
               ? Result
               : nullptr;
  }

private:
  bool alwaysReached() const {
    return all_of(*Finish.getFunction(), [&](const BasicBlock &BB) { return !isa<ReturnInst>(BB.getTerminator()) || DT.dominates(&Finish, BB.getTerminator()); });
  }

  // if (finish(...) == 1)
  bool findResult() {
    auto *Compare = Finish.hasOneUse() ? dyn_cast<ICmpInst>(*Finish.user_begin()) : nullptr;
    auto *Branch = Compare && Compare->hasOneUse() ? dyn_cast<BranchInst>(*Compare->user_begin()) : nullptr;
    if (!Branch || Compare->getPredicate() != ICmpInst::ICMP_EQ || !match(Compare->getOperand(1), m_One()))
      return false;
    Result = Branch->getSuccessor(0);
    return Result->getSinglePredecessor();
  }

  bool isOfThread(const Value &Variable) const {
    const auto *C = dyn_cast<CallBase>(&Variable);
    unsigned Firsts = 0;
    return (isa<AllocaInst>(Variable) || (C && isCallOf(*C, "__kmpc_alloc_shared"))) && all_of(Variable.users(), [&](const User *U) {
             const auto *I = cast<Instruction>(U);
             const auto *S = dyn_cast<StoreInst>(I);
             if (L.contains(I) || DT.dominates(Result, I->getParent()) || isCallOf(*I, "__kmpc_free_shared") || I->isLifetimeStartOrEnd())
               return true;
             if (S && S->getValueOperand() == &Variable)
               return getUnderlyingObject(S->getPointerOperand()) == List;
             return S && isa<Constant>(S->getValueOperand()) && DT.dominates(S, L.getHeader()->getTerminator()) && ++Firsts == 1;
           });
  }

  CallInst &Finish;
  const Loop &L;
  const DominatorTree &DT;
  const AllocaInst *List; // of pointers to what is reduced
  const BasicBlock *Result = nullptr;
};

} // namespace

bool findTeamSums(Function &F, const Loop &L, const DominatorTree &DT, TeamSums &Found) {
  const Function *Runtimes = F.getParent()->getFunction(teams_reduce::Name);
  if (!Runtimes || Runtimes->use_empty())
    return true;
  CallInst *Finish = onlyFinish(*F.getParent());
  if (!Finish || Finish->getFunction() != &F)
    return false;
  Found = {Finish, Sums(*Finish, L, DT).result()};
  return Found.Result;
}

bool sumByAllThreads(Module &One, StringRef Kernel) {
  CallInst *Finish = inlineTeams(One, Kernel) ? onlyFinish(One) : nullptr;
  if (!Finish)
    return false;
  auto FunctionAt = [&](unsigned N) { return dyn_cast<Function>(Finish->getArgOperand(N)->stripPointerCasts()); };
  Function *Shuffle = FunctionAt(teams_reduce::ShuffleAndReduce), *Copy = FunctionAt(teams_reduce::BetweenWarps);
  if (!Shuffle || !Copy)
    return false;
  reduceInTeam(*Finish, *Finish->getArgOperand(teams_reduce::List), *Shuffle, *Copy);
  finishByAllThreads(*Finish, Finish->getFunction()->getArg(0));
  return true;
}

} // namespace place
