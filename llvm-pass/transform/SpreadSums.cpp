//===- SpreadSums.cpp - Sums by all threads of the grid -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang makes of them, and what is put in:
//
//   mine = neutral
//   loop: mine = mine op ...                           each thread's iterations
//                                                      the team's first thread gets the results of all its threads
//   if (__kmpc_nvptx_teams_reduce_nowait_v2(&mine))    or __kmpc_nvptx_parallel_reduce_nowait_v2
//     variable = variable op mine
//
//===----------------------------------------------------------------------===//
#include "SpreadSums.h"
#include "DeviceRuntime.h"
#include "Environment.h"
#include "Finish.h"
#include "Kernel.h"
#include "Lean.h"
#include "RuntimeCall.h"
#include "SlotFunctions.h"
#include "Stride.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

bool isOfTeams(const CallInst &Finish) { return isCallOf(Finish, teams_reduce::Name); }

/// Operands of the call.
Value *listOf(const CallInst &Finish) { return Finish.getArgOperand(isOfTeams(Finish) ? unsigned(teams_reduce::List) : parallel_reduce::List); }

Function *copyOf(const CallInst &Finish) {
  return functionAt(Finish, isOfTeams(Finish) ? unsigned(teams_reduce::BetweenWarps) : parallel_reduce::BetweenWarps);
}

bool isUsed(const Module &M, StringRef Name) {
  const Function *F = M.getFunction(Name);
  return F && !F->use_empty();
}

/// The one call of the module that ends a reduction; null: there is none, or several.
CallInst *onlyFinish(Module &M) {
  if (isUsed(M, teams_reduce::Name) == isUsed(M, parallel_reduce::Name))
    return nullptr;
  bool OfTeams = isUsed(M, teams_reduce::Name);
  Function *F = M.getFunction(OfTeams ? teams_reduce::Name : parallel_reduce::Name);
  auto *C = F->hasOneUse() ? dyn_cast<CallInst>(*F->user_begin()) : nullptr;
  return C && C->getCalledFunction() == F && C->arg_size() == (OfTeams ? unsigned(teams_reduce::Count) : parallel_reduce::Count) ? C : nullptr;
}

class Sums {
public:
  Sums(CallInst &Finish, const CallInst &Init, const Loop &L, const DominatorTree &DT)
      : Finish(Finish), Init(Init), L(L), DT(DT), List(dyn_cast<AllocaInst>(listOf(Finish)->stripPointerCasts())) {}

  /// The result is null if they have another form.
  GridSums find() {
    bool Are = List && !L.contains(&Finish) && alwaysFollows() && findResult() && all_of(instructions(*Finish.getFunction()), [&](Instruction &I) {
             auto *S = dyn_cast<StoreInst>(&I);
             return !S || getUnderlyingObject(S->getPointerOperand()) != List || isOfThread(*S->getValueOperand()->stripPointerCasts());
           });
    return {&Finish, Are ? Result : nullptr, std::move(Firsts)};
  }

private:
  // Who comes to the loop comes to the end of the reduction. Whether one does is the same for all threads: nothing tells them apart.
  bool alwaysFollows() const { return PostDominatorTree(*Finish.getFunction()).dominates(Finish.getParent(), Init.getParent()); }

  // if (finish(...) == 1)
  bool findResult() {
    auto *Compare = Finish.hasOneUse() ? dyn_cast<ICmpInst>(*Finish.user_begin()) : nullptr;
    auto *Branch = Compare && Compare->hasOneUse() ? dyn_cast<BranchInst>(*Compare->user_begin()) : nullptr;
    if (!Branch || Compare->getPredicate() != ICmpInst::ICMP_EQ || !match(Compare->getOperand(1), m_One()))
      return false;
    Result = Branch->getSuccessor(0);
    return Result->getSinglePredecessor();
  }

  // Its first value is stored by one instruction, for an array in a loop of its own.
  bool isOfThread(Value &Variable) {
    const auto *C = dyn_cast<CallBase>(&Variable);
    const size_t Before = Firsts.size();
    SmallPtrSet<const Value *, 16> Seen;
    return (isa<AllocaInst>(Variable) || (C && isCallOf(*C, "__kmpc_alloc_shared"))) && isUsedByThread(Variable, Seen) &&
           Firsts.size() <= Before + 1 && all_of(drop_begin(Firsts, Before), [&](const StoreInst *S) { return leadsInto(*S, Variable); });
  }

  bool isUsedByThread(const Value &Address, SmallPtrSetImpl<const Value *> &Seen) {
    return !Seen.insert(&Address).second || all_of(Address.users(), [&](const User *U) {
      const auto *I = cast<Instruction>(U);
      if (L.contains(I) || DT.dominates(Result, I->getParent()) || isCallOf(*I, "__kmpc_free_shared") || I->isLifetimeStartOrEnd() ||
          isa<ICmpInst>(I))
        return true;
      if (isa<GetElementPtrInst, PHINode, AddrSpaceCastInst>(I))
        return isUsedByThread(*I, Seen);
      const auto *S = dyn_cast<StoreInst>(I);
      if (S && S->getValueOperand() == &Address)
        return getUnderlyingObject(S->getPointerOperand()) == List || isHeld(*S, Seen);
      if (!S || !isa<Constant>(S->getValueOperand()) || !comesBefore(*S))
        return false;
      Firsts.push_back(S);
      return true;
    });
  }

  bool comesBefore(const StoreInst &S) const {
    const BasicBlock *Shared = Init.getParent();
    return S.getParent() == Shared ? S.comesBefore(&Init) : !is_contained(depth_first(Shared), S.getParent());
  }

  static bool leadsInto(const StoreInst &S, const Value &Variable) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(S.getPointerOperand(), Objects);
    return all_of(Objects, [&](const Value *V) { return V == &Variable; });
  }

  // clang keeps where an array would begin in a variable.
  bool isHeld(const StoreInst &Store, SmallPtrSetImpl<const Value *> &Seen) {
    const auto *Holder = dyn_cast<AllocaInst>(Store.getPointerOperand());
    return Holder && Holder->getAllocatedType()->isPointerTy() && all_of(Holder->users(), [&](const User *U) {
             const auto *I = cast<Instruction>(U);
             return I == &Store || I->isLifetimeStartOrEnd() || (isa<LoadInst>(I) && isUsedByThread(*I, Seen));
           });
  }

  CallInst &Finish;
  const CallInst &Init;
  const Loop &L;
  const DominatorTree &DT;
  const AllocaInst *List; // of pointers to what is reduced
  const BasicBlock *Result = nullptr;
  SmallVector<const StoreInst *, 4> Firsts;
};

/// In the place of the call that ends a reduction of one team: the one for teams, with a buffer of the launch.
CallInst *asOfTeams(CallInst &Finish, Function &Kernel) {
  std::optional<SlotFunctions> Slots = slotFunctions(*listOf(Finish)->stripPointerCasts(), *Finish.getFunction(), *shuffleOf(Finish));
  GlobalVariable *Environment = environmentOf(Kernel);
  if (!Slots || !Environment)
    return nullptr;
  Environment->setInitializer(withReduction(Environment->getInitializer(), Slots->Bytes, MostTeamsOfReduction));
  IRBuilder<> B(&Finish);
  Value *None = ConstantPointerNull::get(B.getPtrTy());
  Value *Arguments[] = {None, None, B.getInt32(0), B.getInt64(0), listOf(Finish), shuffleOf(Finish), copyOf(Finish), Slots->To, None,
                        Slots->From, Slots->ReduceFrom};
  SmallVector<Type *, 11> Types;
  for (Value *V : Arguments)
    Types.push_back(V->getType());
  FunctionCallee Callee = Kernel.getParent()->getOrInsertFunction(teams_reduce::Name, FunctionType::get(Finish.getType(), Types, false));
  CallInst *OfTeams = B.CreateCall(Callee, Arguments);
  Finish.replaceAllUsesWith(OfTeams);
  Finish.eraseFromParent();
  return OfTeams;
}

/// Whether the program asks the device runtime for anything.
bool asksRuntime(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.getName().starts_with("omp_") && any_of(F.users(), [](const User *U) {
      const auto *I = dyn_cast<Instruction>(U);
      return !I || !isOfRuntime(I->getFunction()->getName());
    });
  });
}

/// The module's one parallel region is called by all threads of each team: then what is in it can become part of the kernel.
bool callRegion(Module &One) {
  using namespace parallel_51;
  Function *Runtimes = One.getFunction("__kmpc_parallel_51");
  auto *Region = Runtimes && Runtimes->hasOneUse() ? dyn_cast<CallInst>(*Runtimes->user_begin()) : nullptr;
  auto *F = Region ? dyn_cast<Function>(Region->getArgOperand(Outlined)->stripPointerCasts()) : nullptr;
  if (!F || asksRuntime(One))
    return false;
  IRBuilder<> Entry(&*Region->getFunction()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca()), B(Region);
  Value *Thread = Entry.CreateAlloca(Entry.getInt32Ty()), *Bound = Entry.CreateAlloca(Entry.getInt32Ty());
  B.CreateStore(B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}), Thread);
  B.CreateStore(B.getInt32(0), Bound);
  SmallVector<Value *, 8> Values = {Thread, Bound};
  for (unsigned N = 2; N < F->arg_size(); ++N)
    Values.push_back(B.CreateLoad(F->getArg(N)->getType(),
                                  B.CreateConstInBoundsGEP1_64(B.getPtrTy(), Region->getArgOperand(Arguments), N - 2)));
  B.CreateCall(F, Values);
  Region->eraseFromParent();
  return true;
}

/// Clang's functions of a reduction take a list of pointers to variables. openmp-opt (LLVM 19) may lose stores through pointers of such a
/// list: nothing is left of it when it comes to see the kernel.
bool dissolveList(Function &Kernel, FunctionAnalysisManager &FAM) {
  auto IsPart = [](const Instruction &I) {
    const Function *Callee = calledFunction(I);
    return Callee && !Callee->isDeclaration() && Callee->hasLocalLinkage() && Callee->hasFnAttribute(Attribute::AlwaysInline);
  };
  for (auto I = inst_begin(Kernel); I != inst_end(Kernel);) {
    InlineFunctionInfo Info;
    if (!IsPart(*I)) {
      ++I;
      continue;
    }
    if (!InlineFunction(cast<CallBase>(*I), Info).isSuccess())
      return false;
    I = inst_begin(Kernel);
  }
  simplifyEarly(Kernel, FAM);
  SROAPass(SROAOptions::ModifyCFG).run(Kernel, FAM); // what was stored through the list
  FAM.invalidate(Kernel, PreservedAnalyses::none());
  return true;
}

} // namespace

bool findGridSums(CallInst &Init, const Loop &L, const DominatorTree &DT, GridSums &Found) {
  Module &One = *Init.getModule();
  if (!isUsed(One, teams_reduce::Name) && !isUsed(One, parallel_reduce::Name))
    return true;
  CallInst *Finish = onlyFinish(One);
  if (!Finish || Finish->getFunction() != Init.getFunction() || !shuffleOf(*Finish) || !copyOf(*Finish))
    return false;
  Found = Sums(*Finish, Init, L, DT).find();
  return Found.Result;
}

bool sumByGrid(Module &One, Function &Kernel, FunctionAnalysisManager &FAM) {
  CallInst *Finish = onlyFinish(One);
  if (!Finish || (!isOfTeams(*Finish) && !(asOfTeams(*Finish, Kernel) && callRegion(One))) || !inlineTeams(One, Kernel.getName()))
    return false;
  Finish = onlyFinish(One);
  reduceInTeam(*Finish, *listOf(*Finish), *shuffleOf(*Finish), *copyOf(*Finish));
  finishByAllThreads(*Finish, Kernel.getArg(0));
  return dissolveList(Kernel, FAM);
}

} // namespace place
