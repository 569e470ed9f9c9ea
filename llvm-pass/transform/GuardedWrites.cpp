//===- GuardedWrites.cpp - What one thread writes for its team --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GuardedWrites.h"
#include "DeviceRuntime.h"
#include "RuntimeCall.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace place {

namespace {

using Blocks = SmallPtrSet<const BasicBlock *, 8>;

/// Head: if (thread == 0) Inside; End: Wait.
struct Guard {
  BasicBlock *Head, *From, *End;
  const Instruction *Wait;
  Blocks Inside;
};

/// The intrinsic that an instruction is, or that stands for it until what openmp-opt has put in is inlined.
Intrinsic::ID intrinsicOf(const Value *V) {
  const auto *C = dyn_cast<CallBase>(V);
  const Function *Callee = C ? C->getCalledFunction() : nullptr;
  if (!Callee)
    return Intrinsic::not_intrinsic;
  return Callee->isIntrinsic() ? Callee->getIntrinsicID() : intrinsicCalledLater(Callee->getName());
}

bool asksForThread(const Value *V) { return intrinsicOf(V) == Intrinsic::nvvm_read_ptx_sreg_tid_x; }
bool isBarrierOfAll(const Instruction &I) { return intrinsicOf(&I) == Intrinsic::nvvm_barrier0; }

bool isWait(const Instruction &I) {
  const Function *Callee = calledFunction(I);
  return isBarrierOfAll(I) || (Callee && (Callee->getName().starts_with("__kmpc_barrier") || Callee->getName() == "__kmpc_parallel_51"));
}

/// The barrier that a guard ends with; none whose operands are not known in front of the guard.
const Instruction *waitOf(const BasicBlock &End) {
  auto Found = std::find_if(End.begin(), End.end(), isBarrierOfAll);
  bool IsKnown = Found != End.end() && none_of(Found->operands(), [&](const Use &U) {
    const auto *I = dyn_cast<Instruction>(U);
    return I && I->getParent() == &End;
  });
  return IsKnown ? &*Found : nullptr;
}

/// Without what is inside.
std::optional<Guard> guardAt(BasicBlock &Head) {
  using namespace PatternMatch;
  auto *B = dyn_cast<BranchInst>(Head.getTerminator());
  ICmpInst::Predicate Is;
  Value *Thread = nullptr;
  if (!B || !B->isConditional() || !match(B->getCondition(), m_ICmp(Is, m_Value(Thread), m_Zero())) || !ICmpInst::isEquality(Is) ||
      !asksForThread(Thread))
    return std::nullopt;
  const unsigned Inside = Is == ICmpInst::ICMP_EQ ? 0 : 1;
  Guard G = {&Head, B->getSuccessor(Inside), B->getSuccessor(1 - Inside), nullptr, {}};
  G.Wait = waitOf(*G.End);
  return G.Wait && G.From != G.End ? std::optional(G) : std::nullopt;
}

/// The blocks between From and End, if all ways lead there, and no other one leads in between.
bool collectInside(Guard &G) {
  SmallVector<BasicBlock *, 8> Work = {G.From};
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (BB == G.End || !G.Inside.insert(BB).second)
      continue;
    if (BB == G.Head || succ_empty(BB) || any_of(*BB, isWait))
      return false;
    append_range(Work, successors(BB));
  }
  return all_of(G.Inside, [&](const BasicBlock *BB) {
    return all_of(predecessors(BB), [&](const BasicBlock *P) { return G.Inside.contains(P) || (BB == G.From && P == G.Head); });
  });
}

SmallVector<Guard, 4> guardsOf(Function &F) {
  SmallVector<Guard, 4> Found;
  for (BasicBlock &BB : F)
    if (std::optional<Guard> G = guardAt(BB); G && collectInside(*G))
      Found.push_back(std::move(*G));
  return Found;
}

/// What thread 0 alone needs goes to where it alone is. Returns whether there was anything.
bool sinkInto(Guard &G) {
  bool Any = false, Written = false;
  for (Instruction &I : make_early_inc_range(reverse(*G.Head))) {
    const auto *C = dyn_cast<CallBase>(&I);
    bool Stays = I.isTerminator() || isa<PHINode>(I) || I.use_empty() || I.mayHaveSideEffects() || (C && C->isConvergent()) ||
                 (Written && I.mayReadFromMemory());
    Written |= I.mayWriteToMemory() && !asksForThread(&I);
    if (Stays || any_of(I.users(), [&](const User *U) { return !G.Inside.contains(cast<Instruction>(U)->getParent()); }))
      continue;
    I.moveBefore(&*G.From->getFirstInsertionPt());
    Any = true;
  }
  return Any;
}

class Team {
public:
  Team(Function &F, AAResults &AA) : AA(AA), Guards(guardsOf(F)) {
    for (const Guard &G : Guards)
      OfThread0.insert(G.Inside.begin(), G.Inside.end());
  }

  bool sink() {
    bool Any = false;
    for (Guard &G : Guards)
      Any |= sinkInto(G);
    return Any;
  }

  bool needsWait() {
    return any_of(Guards, [&](const Guard &G) { return isReadBefore(G); });
  }

  bool wait() {
    bool Any = false;
    for (Guard &G : Guards)
      if (isReadBefore(G)) {
        G.Wait->clone()->insertBefore(G.Head->getTerminator());
        Any = true;
      }
    return Any;
  }

private:
  /// Whether others may have read, since the last barrier, what is written inside.
  bool isReadBefore(const Guard &G) {
    SmallVector<const Instruction *, 8> Writes;
    for (const BasicBlock *BB : G.Inside)
      for (const Instruction &I : *BB)
        if (I.mayWriteToMemory() && !isOfRuntimeAlone(I))
          Writes.push_back(&I);
    if (Writes.empty())
      return false;
    SmallVector<const BasicBlock *, 8> Work = {G.Head};
    SmallPtrSet<const BasicBlock *, 16> Seen;
    while (!Work.empty()) {
      const BasicBlock *BB = Work.pop_back_val();
      if (!Seen.insert(BB).second || OfThread0.contains(BB))
        continue;
      bool Waited = false;
      for (const Instruction &I : reverse(*BB)) {
        if ((Waited = isWait(I)))
          break;
        if (isReadByOthers(I) && any_of(Writes, [&](const Instruction *W) { return mayBeOf(I, *W); }))
          return true;
      }
      if (!Waited)
        append_range(Work, predecessors(BB));
    }
    return false;
  }

  /// Whether only the runtime has to do with what it reads and writes.
  static bool isOfRuntimeAlone(const Instruction &I) {
    const auto *C = dyn_cast<CallBase>(&I);
    return C && (C->onlyAccessesInaccessibleMemory() || isOfRuntime(C->getCalledFunction() ? C->getCalledFunction()->getName() : ""));
  }

  bool isReadByOthers(const Instruction &I) const {
    if (!I.mayReadFromMemory() || I.hasMetadata(LLVMContext::MD_invariant_load) || isOfRuntimeAlone(I))
      return false;
    return !isa<LoadInst>(I) || isOfUseToOthers(I);
  }

  /// Whether more depends on it than what thread 0 does alone.
  bool isOfUseToOthers(const Instruction &Read) const {
    SmallVector<const Instruction *, 16> Work = {&Read};
    SmallPtrSet<const Instruction *, 32> Seen;
    while (!Work.empty()) {
      const Instruction *I = Work.pop_back_val();
      if (!Seen.insert(I).second)
        continue;
      if (I != &Read && (I->mayHaveSideEffects() || I->isTerminator()))
        return true;
      for (const User *U : I->users())
        if (const auto *Next = cast<Instruction>(U); !OfThread0.contains(Next->getParent()))
          Work.push_back(Next);
    }
    return false;
  }

  bool mayBeOf(const Instruction &Read, const Instruction &Write) {
    std::optional<MemoryLocation> From = MemoryLocation::getOrNone(&Read), To = MemoryLocation::getOrNone(&Write);
    return !From || !To || !AA.isNoAlias(*From, *To);
  }

  AAResults &AA;
  SmallVector<Guard, 4> Guards;
  Blocks OfThread0;
};

} // namespace

bool hasOwnBarriers(const Module &M) {
  const Function *Barrier = M.getFunction("__kmpc_barrier");
  return Barrier && any_of(Barrier->users(), [](const User *U) {
    const auto *I = dyn_cast<Instruction>(U);
    return !I || !isOfRuntime(I->getFunction()->getName());
  });
}

GuardsMade makeGuardsWait(Function &F, AAResults &AA, bool OwnBarriers) {
  Team T(F, AA);
  bool Any = T.sink();
  if (!OwnBarriers)
    Any |= T.wait();
  else if (T.needsWait())
    return GuardsMade::CannotTell;
  return Any ? GuardsMade::Changed : GuardsMade::Unchanged;
}

} // namespace place
