//===- Extract.cpp - Some kernels of a module in a module of their own ----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Extract.h"
#include "DeviceRuntime.h"
#include "Kernel.h"
#include "Mark.h"
#include "Pipeline.h"
#include "Reach.h"
#include "RuntimeCall.h"
#include "Spaces.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace place {

namespace {

/// A variable of which there must be one, whatever kernels use it.
bool staysOne(const GlobalVariable &G) {
  return !G.isDeclaration() && !G.isConstant() && G.getAddressSpace() != AddrShared && !G.getName().starts_with("llvm.");
}

// openmp-opt calls these once it turns a generic kernel into an SPMD one. The front end's module has no call of them, so the device
// runtime's are not linked into it, and each would be a call to another object file that no analysis sees through.
Function *defineLater(Module &One, StringRef Name, FunctionType *Type) {
  if (One.getFunction(Name))
    return nullptr;
  auto *F = Function::Create(Type, GlobalValue::InternalLinkage, Name, One);
  F->addFnAttr(Attribute::AlwaysInline);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::Convergent);
  IRBuilder<> B(BasicBlock::Create(One.getContext(), "", F));
  CallInst *Call = B.CreateIntrinsic(intrinsicCalledLater(Name), {}, {});
  Type->getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Call);
  return F;
}

SmallVector<GlobalValue *, 4> defineCalledLater(Module &One) {
  Type *Void = Type::getVoidTy(One.getContext()), *Int = Type::getInt32Ty(One.getContext());
  Type *Pointer = PointerType::getUnqual(One.getContext());
  SmallVector<GlobalValue *, 4> Defined;
  for (Function *F : {defineLater(One, "__kmpc_get_hardware_thread_id_in_block", FunctionType::get(Int, false)),
                      defineLater(One, "__kmpc_barrier_simple_spmd", FunctionType::get(Void, {Pointer, Int}, false))})
    if (F)
      Defined.push_back(F);
  return Defined;
}

/// Drops what nothing uses.
void sweep(Module &M) { Pipeline(nullptr, OptimizationLevel::O1).sweep(M); }

void sweepBefore(Module &One) {
  SmallVector<GlobalValue *, 4> Kept = defineCalledLater(One);
  appendToCompilerUsed(One, Kept);
  sweep(One);
  removeFromUsedLists(One, [&](Constant *C) { return is_contained(Kept, dyn_cast<GlobalValue>(C->stripPointerCasts())); });
}

/// Whether iterations that teams and threads share are what the region does.
bool sharesDistributed(const CallBase &Region) {
  return any_of(instructions(*Region.getFunction()), [&](const Instruction &I) {
    return isDistribute(I) && beginsForChunk(Region, cast<CallBase>(I));
  });
}

// NumThreads is the number of threads asked for, -1: none; If what an if clause says. What a program asks
// for cannot be told from what it gets where nothing looks at threads (Mark.cpp); without the request the nesting levels fold. One
// thread that a clause may ask for has its iterations in order, but only of a loop that is not distributed is it known which those are.
void dropThreadNumbers(Module &One) {
  using namespace parallel_51;
  Function *Parallel = One.getFunction("__kmpc_parallel_51");
  if (!Parallel)
    return;
  for (User *U : Parallel->users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == Parallel) {
      Call->setArgOperand(NumThreads, ConstantInt::getSigned(Call->getArgOperand(NumThreads)->getType(), -1));
      if (Value *Asks = Call->getArgOperand(If); !isa<Constant>(Asks) && sharesDistributed(*Call))
        Call->setArgOperand(If, ConstantInt::get(Asks->getType(), 1));
    }
}

} // namespace

void eraseVariables(Module &M, std::initializer_list<StringRef> Names) {
  for (StringRef Name : Names)
    if (auto *G = M.getNamedGlobal(Name))
      G->eraseFromParent();
}

bool isClosed(const Function &Kernel) {
  return all_of(reachedFrom(Kernel, isOfProgram), [&](const GlobalValue *G) {
    if (const auto *V = dyn_cast<GlobalVariable>(G))
      return !staysOne(*V) || V->getName().ends_with("_environment"); // the kernel's own
    const auto *F = dyn_cast<Function>(G);
    if (!F || F->getName().contains("teams_reduce") || F->getName().starts_with("__kmpc_dispatch_init"))
      return false;
    return !isOfProgram(*F) || (!F->isDeclaration() && none_of(instructions(*F), callsThroughPointer));
  });
}

/// What the kernels need of M, and what M keeps whether anything needs it or not.
static SmallPtrSet<const GlobalValue *, 32> neededBy(ArrayRef<std::string> Kernels, const Module &M) {
  SmallPtrSet<const GlobalValue *, 32> Needed;
  SmallVector<GlobalValue *, 8> Kept;
  collectUsedGlobalVariables(M, Kept, /*CompilerUsed=*/false);
  collectUsedGlobalVariables(M, Kept, /*CompilerUsed=*/true);
  auto Add = [&](const Function *F) {
    if (F && !Needed.count(F))
      for (const GlobalValue *G : reachedFrom(*F, [&](const Function &Next) { return !Needed.count(&Next); }))
        Needed.insert(G);
  };
  for (const std::string &Kernel : Kernels)
    Add(M.getFunction(Kernel));
  const std::vector<Function *> All = offloadKernels(const_cast<Module &>(M));
  for (GlobalValue *G : Kept)
    if (auto *F = dyn_cast<Function>(G); !is_contained(All, F))
      Add(F);
  return Needed;
}

std::unique_ptr<Module> extractKernelsAsTheyAre(const Module &M, ArrayRef<std::string> Kernels) {
  const SmallPtrSet<const GlobalValue *, 32> Needed = neededBy(Kernels, M);
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Few = CloneModule(M, Map, [&](const GlobalValue *G) {
    const auto *V = dyn_cast<GlobalVariable>(G);
    return V ? !staysOne(*V) : Needed.count(G) != 0;
  });
  keepAnnotations(*Few, [&](const Function &F) { return is_contained(Kernels, F.getName()); });
  eraseVariables(*Few, {"llvm.global_ctors", "llvm.global_dtors"});
  internalizeModule(*Few, [&](const GlobalValue &G) {
    StringRef Name = G.getName();
    Name.consume_back(EnvironmentSuffix);
    return is_contained(Kernels, Name);
  });
  return Few;
}

std::unique_ptr<Module> extractKernels(const Module &M, ArrayRef<std::string> Kernels) {
  if (!all_of(Kernels, [&](const std::string &Kernel) { return M.getFunction(Kernel); }))
    return nullptr;
  std::unique_ptr<Module> Few = extractKernelsAsTheyAre(M, Kernels);
  if (hasOpenThreads(*Few->getFunction(Kernels.front())))
    dropThreadNumbers(*Few);
  sweepBefore(*Few);
  return Few;
}

void eraseMetadataOfOriginal(Module &M) {
  SmallVector<NamedMDNode *, 8> Metadata;
  for (NamedMDNode &N : M.named_metadata())
    if (N.getName() != "nvvm.annotations" && N.getName() != "llvm.module.flags" && N.getName() != "llvm.dbg.cu")
      Metadata.push_back(&N);
  for (NamedMDNode *N : Metadata)
    N->eraseFromParent();
}

// The kernels themselves stay behind, and so does what the original module has of its own.
void keepVersionsOnly(Module &M, ArrayRef<std::string> Kernels) {
  keepAnnotations(M, [&](const Function &F) { return !is_contained(Kernels, F.getName()); });
  eraseVariables(M, {"llvm.used", "llvm.compiler.used"});
  for (const std::string &Kernel : Kernels)
    for (GlobalValue *G : {static_cast<GlobalValue *>(M.getFunction(Kernel)),
                           static_cast<GlobalValue *>(M.getNamedGlobal(Kernel + EnvironmentSuffix))})
      if (G) {
        G->setVisibility(GlobalValue::DefaultVisibility);
        G->setLinkage(GlobalValue::InternalLinkage);
      }
  eraseMetadataOfOriginal(M);
  sweep(M);
}

} // namespace place
