//===- Clone.cpp - A kernel's copy, to be made a version --------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Clone.h"
#include "Environment.h"
#include "Kernel.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace place {

std::string versionName(const KernelSummary &K, const Twine &What) { return (K.F->getName() + "_place_" + What).str(); }

std::string versionName(const KernelSummary &K, ArrayRef<int8_t> Space) {
  std::string Letters;
  for (size_t I = 0; I < Space.size(); ++I)
    if (K.Arrays[I].Placeable >= 0)
      Letters += place_space_letter(static_cast<place_space>(Space[I]));
  return versionName(K, Twine(K.placeableCount() ? Letters : "plain"));
}

std::vector<int8_t> allGlobal(const KernelSummary &K) {
  std::vector<int8_t> Space;
  for (const ArraySummary &A : K.Arrays)
    Space.push_back(A.Placeable < 0 ? -1 : PLACE_GLOBAL);
  return Space;
}

Version baseVersion(const KernelSummary &K) {
  Version V;
  V.Entry = versionName(K, "base");
  V.Role = PLACE_ROLE_BASE;
  V.Space = allGlobal(K);
  return V;
}

Clone::Clone(const KernelSummary &Kernel, const Version &Wanted, const TargetTransformInfo &TTI) : K(Kernel), V(Wanted), TTI(TTI) {
  Function &F = *K.F;
  SmallVector<Type *, 16> Types(F.getFunctionType()->params());
  unsigned Words = PLACE_CONTROL_WORDS + PLACE_WORDS_PER_ARRAY * K.placeableCount() + (V.Slice ? PLACE_SLICE_WORDS : 0);
  Types.append(Words, Type::getInt64Ty(F.getContext()));
  create(FunctionType::get(F.getReturnType(), Types, false));
  auto To = New->arg_begin();
  for (Argument &From : F.args()) {
    To->setName(From.getName());
    Map[&From] = &*To++;
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(New, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  markVersion(*New);
  New->setVisibility(F.getVisibility());
  New->setDSOLocal(F.isDSOLocal());
  if (V.Threads)
    forgetThreads();
  if (K.Chunks && !V.isBase())
    joinGuards(*K.Chunks);
  copyEnvironment();
}

// Header, Check and Entry become one block.
void Clone::joinGuards(const ChunkShape &S) {
  auto *Header = cast<BasicBlock>(cloned(S.Header)), *Inner = cast<BasicBlock>(cloned(S.InnerHeader));
  auto *Skip = cast<BasicBlock>(cloned(S.Skip));
  auto *Guard = cast<BranchInst>(Header->getTerminator());
  BasicBlock *Last = Header;
  if (S.Check) {
    auto *Check = cast<BasicBlock>(cloned(S.Check));
    auto *Second = cast<BranchInst>(Check->getTerminator());
    Header->splice(Guard->getIterator(), Check, Check->begin(), Second->getIterator());
    IRBuilder<> B(Guard);
    auto Asks = [&](const BranchInst &Of) { // whether it leaves, or enters
      return (Of.getSuccessor(0) == Skip) == S.OtherLeaves ? Of.getCondition() : B.CreateNot(Of.getCondition());
    };
    Value *First = Asks(*Guard), *Then = Asks(*Second);
    Guard->setCondition(S.OtherLeaves ? B.CreateLogicalOr(First, Then) : B.CreateLogicalAnd(First, Then));
    Guard->setSuccessor(S.OtherLeaves ? 0 : 1, Skip);
    Guard->setSuccessor(S.OtherLeaves ? 1 : 0, Inner);
    Guard->setMetadata(LLVMContext::MD_prof, nullptr);
    for (PHINode &P : Skip->phis())
      P.removeIncomingValue(Check, /*DeletePHIIfEmpty=*/false);
    Last = Check;
  }
  if (S.Entry) {
    auto *Entry = cast<BasicBlock>(cloned(S.Entry));
    Guard->replaceSuccessorWith(Entry, Inner);
    Last = Entry;
  }
  Inner->replacePhiUsesWith(Last, Header);
  for (BasicBlock *Gone : {S.Entry, S.Check})
    if (Gone)
      cast<BasicBlock>(cloned(Gone))->eraseFromParent();
}

// What LLVM noted of the threads' numbers holds for the team that the kernel was compiled for.
void Clone::forgetThreads() {
  for (Instruction &I : instructions(*New))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I);
        Call && is_contained({Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_ntid_x}, Call->getIntrinsicID())) {
      Call->removeRetAttr(Attribute::Range);
      Call->setMetadata(LLVMContext::MD_range, nullptr);
    }
}

void Clone::create(FunctionType *Type) {
  New = createKernel(*K.F, Type, V.Entry, TTI, [&](Function &F) { annotate(F); });
}

// The kernel's own annotations, repeated for the clone: kernel, maxntidx, ... Launched with another number of threads than a
// version is made for, the driver refuses it.
void Clone::annotate(Function &F) const {
  unsigned Own = V.Threads;
  bool Fixed = V.knownThreads(K), Told = false;
  copyAnnotations(*K.F, F, [&](StringRef &Key, uint64_t &Value) {
    if (Key != "maxntidx")
      return;
    // The kernel may have been compiled for teams of any size (TeamSize.h).
    Value = Own ? Own : K.Threads ? K.Threads : Value;
    Key = Fixed ? "reqntidx" : Key;
    Told = true;
  });
  if (Own && !Told)
    addAnnotation(F, Fixed ? "reqntidx" : "maxntidx", Own);
  if (V.TeamsAtOnce)
    addAnnotation(F, "minctasm", V.TeamsAtOnce);
  if (V.Registers)
    addAnnotation(F, "maxnreg", V.Registers);
}

// libomptarget looks the execution mode and launch bounds of a kernel up under the kernel's name.
void Clone::copyEnvironment() const {
  Module &M = *K.F->getParent();
  GlobalVariable *Old = environmentOf(*K.F);
  if (!Old)
    return;
  Constant *Init = Old->getInitializer();
  if (V.Threads)
    Init = withThreads(Init, V.Threads);
  auto *G = new GlobalVariable(M, Old->getValueType(), Old->isConstant(), Old->getLinkage(), Init,
                               V.Entry + EnvironmentSuffix, Old, Old->getThreadLocalMode(), Old->getAddressSpace());
  G->copyAttributesFrom(Old);
}

Argument *Clone::control(unsigned Word) const { return New->getArg(K.F->arg_size() + Word); }

Argument *Clone::word(const ArraySummary &A, unsigned Word) const {
  return New->getArg(K.F->arg_size() + PLACE_CONTROL_WORDS + PLACE_WORDS_PER_ARRAY * unsigned(A.Placeable) + Word);
}

Argument *Clone::sliceWord(unsigned Word) const { return New->getArg(unsigned(New->arg_size()) - PLACE_SLICE_WORDS + Word); }

Argument *Clone::array(const ArraySummary &A) const { return New->getArg(A.Arg->getArgNo()); }

Value *Clone::cloned(Value *Original) const { return Map.lookup(Original); }

Instruction *Clone::access(const AccessSummary &S) const { return cast<Instruction>(Map.lookup(S.I)); }

std::vector<LoadInst *> Clone::loads(int Array) const {
  std::vector<LoadInst *> Loads;
  for (const AccessSummary &S : K.Accesses)
    if (S.Array == Array)
      if (auto *L = dyn_cast<LoadInst>(access(S)))
        Loads.push_back(L);
  return Loads;
}

Instruction *Clone::start() const { return &*New->getEntryBlock().getFirstNonPHIOrDbgOrAlloca(); }

std::vector<ReturnInst *> Clone::returns() const {
  std::vector<ReturnInst *> Returns;
  for (BasicBlock &BB : *New)
    if (auto *R = dyn_cast<ReturnInst>(BB.getTerminator()))
      Returns.push_back(R);
  return Returns;
}

} // namespace place
