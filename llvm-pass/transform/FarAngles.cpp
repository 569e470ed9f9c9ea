//===- FarAngles.cpp - Angles far from zero, out of line -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     if (fabsf(angle) >= 105615) { ... r = ...; quadrant = ...; }
// becomes
//     if (fabsf(angle) >= 105615) { { r, quadrant } = far(angle); }
//
//===----------------------------------------------------------------------===//
#include "FarAngles.h"
#include "CopyBlocks.h"
#include "DeviceRuntime.h"
#include "Reach.h"
#include "RuntimeCall.h"
#include "Target.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

/// The branch that parts such angles from others: to what reduces them, or else past it.
BranchInst *farBranch(Function &F) {
  const float Far = 105615;
  for (BasicBlock &BB : F) {
    auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    ICmpInst::Predicate Predicate;
    const APFloat *Least = nullptr;
    if (Branch && Branch->isConditional() && match(Branch->getCondition(), m_FCmp(Predicate, m_Value(), m_APFloat(Least))) &&
        Predicate == CmpInst::FCMP_OGE && &Least->getSemantics() == &APFloat::IEEEsingle() && Least->convertToFloat() == Far)
      return Branch;
  }
  return nullptr;
}

class FarReduction {
public:
  explicit FarReduction(BranchInst &Branch)
      : Branch(Branch), F(*Branch.getFunction()), Behind(Branch.getSuccessor(1)) {}

  /// Whether it is one way in and one way out, from values, and memory of its own, to values.
  bool find() {
    DominatorTree DT(F);
    BasicBlock *First = Branch.getSuccessor(0);
    if (First == Behind || !First->getSinglePredecessor() || DT.dominates(First, Behind))
      return false;
    DT.getDescendants(First, Blocks);
    Inside.insert(Blocks.begin(), Blocks.end());
    for (PHINode &P : Behind->phis())
      for (auto [BB, V] : zip(P.blocks(), P.incoming_values()))
        if (Inside.contains(BB) && comesFromOutside(V))
          Inputs.insert(V);
    return all_of(Blocks, [&](BasicBlock *BB) { return all_of(successors(BB), [&](BasicBlock *S) { return Inside.contains(S) || S == Behind; }); }) &&
           all_of(Blocks, [&](BasicBlock *BB) { return all_of(*BB, [&](Instruction &I) { return collect(I); }); });
  }

  void moveApart() {
    SmallVector<Type *, 4> Results, Parameters;
    for (PHINode &P : Behind->phis())
      Results.push_back(P.getType());
    for (Value *V : Inputs)
      Parameters.push_back(V->getType());
    auto *Result = StructType::get(F.getContext(), Results);
    Function *Far = Function::Create(FunctionType::get(Result, Parameters, false), GlobalValue::InternalLinkage, F.getName() + ".far", F.getParent());
    compileLike(*Far, F);
    for (Attribute::AttrKind A : {Attribute::NoInline, Attribute::NoUnwind, Attribute::WillReturn, Attribute::Cold})
      Far->addFnAttr(A);
    Far->setMemoryEffects(MemoryEffects::none()); // but of its own, and of a table that nobody writes
    copyTo(*Far, *Result);
    call(*Far);
  }

private:
  bool comesFromOutside(const Value *V) const {
    const auto *From = dyn_cast<Instruction>(V);
    return isa<Argument>(V) || (From && !Inside.contains(From->getParent()));
  }

  // Of an instruction inside: what it needs from outside, and its own memory. No value goes out but by Behind's phis.
  bool collect(Instruction &I) {
    for (Use &U : I.uses()) {
      auto *User = cast<Instruction>(U.getUser());
      bool Leaves = isa<PHINode>(User) && User->getParent() == Behind;
      if (!Inside.contains(User->getParent()) && !Leaves)
        return false;
    }
    for (Value *V : I.operands()) {
      if (!comesFromOutside(V))
        continue;
      auto *Own = dyn_cast<AllocaInst>(V);
      if (Own && !all_of(Own->users(), [&](User *U) { return Inside.contains(cast<Instruction>(U)->getParent()); }))
        return false;
      if (Own)
        Allocas.insert(Own);
      else
        Inputs.insert(V);
    }
    return true;
  }

  void copyTo(Function &Far, StructType &Result) {
    ValueToValueMapTy Map;
    for (auto [V, Parameter] : zip(Inputs, Far.args()))
      Map[V] = &Parameter;
    auto *Entry = BasicBlock::Create(F.getContext(), "", &Far);
    IRBuilder<> B(Entry);
    for (AllocaInst *Own : Allocas)
      Map[Own] = B.Insert(Own->clone());
    copyBlocks(Blocks, Map, "", Far);
    B.CreateBr(cast<BasicBlock>(Map[Branch.getSuccessor(0)]));
    // What went on behind it returns.
    for (BasicBlock *BB : Blocks)
      if (is_contained(successors(BB), Behind)) {
        auto *Return = BasicBlock::Create(F.getContext(), "", &Far);
        auto *Copy = cast<BasicBlock>(Map[BB]);
        Copy->getTerminator()->replaceSuccessorWith(Behind, Return);
        B.SetInsertPoint(Return);
        Value *All = PoisonValue::get(&Result);
        for (auto [N, P] : enumerate(Behind->phis())) {
          Value *V = P.getIncomingValueForBlock(BB);
          auto Known = Map.find(V);
          All = B.CreateInsertValue(All, Known == Map.end() ? V : static_cast<Value *>(Known->second), unsigned(N));
        }
        B.CreateRet(All);
      }
  }

  void call(Function &Far) {
    auto *Calls = BasicBlock::Create(F.getContext(), "", &F, Behind);
    IRBuilder<> B(Calls);
    CallInst *Call = B.CreateCall(&Far, SmallVector<Value *, 4>(Inputs.begin(), Inputs.end()));
    for (auto [N, P] : enumerate(Behind->phis()))
      P.addIncoming(B.CreateExtractValue(Call, unsigned(N)), Calls);
    B.CreateBr(Behind);
    Branch.setSuccessor(0, Calls);
    DeleteDeadBlocks(Blocks);
    for (AllocaInst *Own : Allocas)
      Own->eraseFromParent();
  }

  BranchInst &Branch;
  Function &F;
  BasicBlock *Behind;
  SmallVector<BasicBlock *, 16> Blocks;
  SmallPtrSet<BasicBlock *, 16> Inside;
  SetVector<Value *> Inputs;
  SetVector<AllocaInst *> Allocas;
};

/// In code as the front end made it: where a function has bounds and counters of the loops that it shares out among teams or threads.
SmallPtrSet<const Value *, 8> countersShared(const Function &F) {
  SmallPtrSet<const Value *, 8> Lower, All;
  for (const Instruction &I : instructions(F))
    if (isSharedOut(I)) {
      const auto &Share = cast<CallBase>(I);
      Lower.insert(Share.getArgOperand(static_init::Lower)->stripPointerCasts());
      All.insert(Share.getArgOperand(static_init::Upper)->stripPointerCasts());
    }
  for (const Instruction &I : instructions(F))
    if (const auto *Store = dyn_cast<StoreInst>(&I); Store && Lower.contains(loadedFrom(Store->getValueOperand())))
      All.insert(Store->getPointerOperand()->stripPointerCasts());
  All.insert(Lower.begin(), Lower.end());
  return All;
}

bool dependsOn(const Value *V, const SmallPtrSetImpl<const Value *> &Variables, unsigned Depth = 5) {
  const auto *I = dyn_cast<Instruction>(V);
  return I && Depth && (Variables.contains(loadedFrom(I)) || any_of(I->operands(), [&](const Use &U) { return dependsOn(U, Variables, Depth - 1); }));
}

bool isInLoop(const CallBase &Call) {
  auto &F = const_cast<Function &>(*Call.getFunction());
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  SmallPtrSet<const Value *, 8> Shared = countersShared(F);
  for (const Loop *L = Loops.getLoopFor(Call.getParent()); L; L = L->getParentLoop()) {
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    if (none_of(Exiting, [&](const BasicBlock *BB) { return dependsOn(BB->getTerminator(), Shared); }))
      return true;
  }
  return false;
}

/// Whether F is called in a loop within an iteration of what is shared out, or a function that calls it is, by what IsMeant.
bool isRepeated(Function &F, function_ref<bool(const Function &)> IsMeant, SmallPtrSetImpl<const Function *> &Seen) {
  return Seen.insert(&F).second && any_of(F.users(), [&](User *U) {
           auto *Call = dyn_cast<CallBase>(U);
           return Call && Call->getCalledFunction() == &F && IsMeant(*Call->getFunction()) &&
                  (isInLoop(*Call) || isRepeated(*Call->getFunction(), IsMeant, Seen));
         });
}

bool isReduction(Function &F) { return isOfLibdevice(F.getName()) && farBranch(F); }

bool isRepeatedReduction(Function &F, function_ref<bool(const Function &)> IsMeant) {
  SmallPtrSet<const Function *, 8> Seen;
  return isReduction(F) && isRepeated(F, IsMeant, Seen);
}

} // namespace

bool reducesAngles(const Function &Kernel) {
  auto &M = *const_cast<Module *>(Kernel.getParent());
  if (none_of(M, isReduction))
    return false;
  SmallPtrSet<const GlobalValue *, 32> Reached = reachedFrom(Kernel, [](const Function &) { return true; });
  return any_of(M, [&](Function &F) {
    return Reached.contains(&F) && isRepeatedReduction(F, [&](const Function &Caller) { return Reached.contains(&Caller); });
  });
}

void reduceFarAnglesApart(Module &One) {
  auto All = [](const Function &) { return true; };
  if (none_of(One, [&](Function &F) { return isRepeatedReduction(F, All); }))
    return;
  for (Function &F : One) { // sincosf, too, which nothing may call yet
    if (!isReduction(F))
      continue;
    EliminateUnreachableBlocks(F); // what libdevice has for the other way of flushing denormals
    if (BranchInst *Branch = farBranch(F))
      if (FarReduction R(*Branch); R.find())
        R.moveApart();
  }
}

} // namespace place
