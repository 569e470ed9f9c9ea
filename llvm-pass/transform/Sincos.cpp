//===- Sincos.cpp - Sine and cosine of one angle -----------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Sincos.h"
#include "HeldCalls.h"
#include "Reach.h"
#include "Source.h"
#include "Target.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace place {

namespace {

struct Precision {
  const char *Sine, *Cosine, *Both; // libdevice's
  const char *Pair;                 // ours: { sine, cosine } as a value
};

const Precision Precisions[] = {{"__nv_sin", "__nv_cos", "__nv_sincos", "place.sincos"},
                                {"__nv_sinf", "__nv_cosf", "__nv_sincosf", "place.sincosf"}};

bool hasBoth(const Module &M, const Precision &P) {
  const Function *Sine = M.getFunction(P.Sine), *Cosine = M.getFunction(P.Cosine);
  return Sine && Cosine && !Sine->isDeclaration() && !Cosine->isDeclaration() && !Sine->use_empty() && !Cosine->use_empty();
}

Function *makePair(Module &One, const Precision &P, Function &Both, Type *T) {
  StructType *Result = StructType::get(T, T);
  auto *Pair = Function::Create(FunctionType::get(Result, {T}, false), GlobalValue::InternalLinkage, P.Pair, One);
  IRBuilder<> B(BasicBlock::Create(One.getContext(), "", Pair));
  Value *Sine = B.CreateAlloca(T), *Cosine = B.CreateAlloca(T);
  B.CreateCall(&Both, {Pair->getArg(0), Sine, Cosine});
  Value *V = B.CreateInsertValue(PoisonValue::get(Result), B.CreateLoad(T, Sine), 0);
  B.CreateRet(B.CreateInsertValue(V, B.CreateLoad(T, Cosine), 1));
  return Pair;
}

/// Brings in what libdevice has under the names, and what that calls.
bool linkFromLibDevice(Module &One, ArrayRef<const Precision *> Wanted) {
  SMDiagnostic Error;
  std::unique_ptr<Module> Lib = getLazyIRFileModule(options().LibDevice, Error, One.getContext(), /*ShouldLazyLoadMetadata=*/true);
  if (!Lib)
    return false;
  Lib->setTargetTriple(One.getTargetTriple());
  Lib->setDataLayout(One.getDataLayout());
  for (const Precision *P : Wanted) {
    Function *There = Lib->getFunction(P->Both);
    if (!There)
      return false;
    One.getOrInsertFunction(P->Both, There->getFunctionType());
  }
  return !Linker::linkModules(One, std::move(Lib), Linker::Flags::LinkOnlyNeeded);
}

/// The angle's calls in F, by angle.
struct Calls {
  SmallVector<CallInst *, 4> Sines, Cosines;
};

MapVector<Value *, Calls> callsIn(Function &F, const Precision &P) {
  MapVector<Value *, Calls> Found;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->getCalledFunction() && Call->arg_size() == 1) {
      if (Call->getCalledFunction()->getName() == P.Sine)
        Found[Call->getArgOperand(0)].Sines.push_back(Call);
      else if (Call->getCalledFunction()->getName() == P.Cosine)
        Found[Call->getArgOperand(0)].Cosines.push_back(Call);
    }
  return Found;
}

/// Of two calls, the one that runs whenever the other does, and before it.
CallInst *firstOf(CallInst *A, CallInst *B, const DominatorTree &DT) {
  return DT.dominates(A, B) ? A : DT.dominates(B, A) ? B : nullptr;
}

bool pairOne(Calls &C, Function &Pair, const DominatorTree &DT) {
  for (CallInst *&Sine : C.Sines)
    for (CallInst *&Cosine : C.Cosines) {
      CallInst *First = Sine && Cosine ? firstOf(Sine, Cosine, DT) : nullptr;
      if (!First)
        continue;
      IRBuilder<> B(First);
      CallInst *Both = B.CreateCall(&Pair, {First->getArgOperand(0)});
      Sine->replaceAllUsesWith(B.CreateExtractValue(Both, 0));
      Cosine->replaceAllUsesWith(B.CreateExtractValue(Both, 1));
      Sine->eraseFromParent();
      Cosine->eraseFromParent();
      Sine = Cosine = nullptr;
      return true;
    }
  return false;
}

bool pairIn(Function &F, const DominatorTree &DT) {
  bool Changed = false;
  for (const Precision &P : Precisions)
    if (Function *Pair = F.getParent()->getFunction(P.Pair); Pair && Pair != &F)
      for (auto &[Angle, C] : callsIn(F, P))
        while (pairOne(C, *Pair, DT))
          Changed = true;
  return Changed;
}

struct PairPass : PassInfoMixin<PairPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    if (!pairIn(F, FAM.getResult<DominatorTreeAnalysis>(F)))
      return PreservedAnalyses::all();
    PreservedAnalyses PA;
    PA.preserveSet<CFGAnalyses>();
    return PA;
  }
};

/// Pairs were kept until the first was found.
struct ForgetPass : PassInfoMixin<ForgetPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    removeFromUsedLists(M, [](Constant *C) { return C->stripPointerCasts()->getName().starts_with("place.sincos"); });
    return PreservedAnalyses::none();
  }
};

} // namespace

bool takesSineAndCosine(const Function &Kernel) {
  const Module &M = *Kernel.getParent();
  SmallPtrSet<const GlobalValue *, 32> Reached;
  for (const Precision &P : Precisions) {
    if (options().LibDevice.empty() || !hasBoth(M, P))
      continue;
    if (Reached.empty())
      Reached = reachedFrom(Kernel, [](const Function &) { return true; });
    if (Reached.contains(M.getFunction(P.Sine)) && Reached.contains(M.getFunction(P.Cosine)))
      return true;
  }
  return false;
}

bool holdSineAndCosine(Module &One) {
  SmallVector<const Precision *, 2> Wanted;
  for (const Precision &P : Precisions)
    if (hasBoth(One, P))
      Wanted.push_back(&P);
  if (Wanted.empty() || options().LibDevice.empty() || !linkFromLibDevice(One, Wanted))
    return false;
  for (const Precision *P : Wanted) {
    Function &Sine = *One.getFunction(P->Sine), &Both = *One.getFunction(P->Both);
    Function *Pair = makePair(One, *P, Both, Sine.getReturnType());
    Both.setLinkage(GlobalValue::InternalLinkage);
    compileLike(Both, Sine);
    compileLike(*Pair, Sine);
    for (Function *F : {&Sine, One.getFunction(P->Cosine), Pair})
      holdBack(*F);
    appendToCompilerUsed(One, {Pair}); // until the first pair is found
  }
  return true;
}

void registerSincos(PassBuilder &PB) {
  PB.registerScalarOptimizerLateEPCallback([](FunctionPassManager &FPM, OptimizationLevel) { FPM.addPass(PairPass()); });
  PB.registerOptimizerEarlyEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(ForgetPass()); });
}

} // namespace place
