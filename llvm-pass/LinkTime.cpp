//===- LinkTime.cpp - Versions in files that are optimised when linked -----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LinkTime.h"
#include "DeviceRuntime.h"
#include "Extract.h"
#include "HiddenCopy.h"
#include "Kernel.h"
#include "LeftAlone.h"
#include "LinkBack.h"
#include "Pipeline.h"
#include "Reach.h"
#include "Source.h"
#include "Table.h"
#include "Target.h"
#include "UnalignedBytes.h"
#include "VersionPasses.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

namespace place {

namespace {

/// What the kernel calls of other files, in words; "" if it calls nothing of them.
std::string callsElsewhere(const Function &Kernel) {
  for (const GlobalValue *G : reachedFrom(Kernel, isOfProgram)) {
    const auto *F = dyn_cast<Function>(G);
    if (!F || !isOfProgram(*F))
      continue;
    if (isOfAnotherFile(*F))
      return sourceName(F->getName());
    if (any_of(instructions(*F), callsThroughPointer))
      return "functions through pointers";
  }
  return "";
}

/// Links what the module needs of the device runtime, as clang does where a file is compiled without -foffload-lto.
bool linkDeviceRuntime(Module &M, const Function &Kernel) {
  SMDiagnostic Unread;
  std::unique_ptr<Module> Runtime = parseIRFile(options().DeviceRuntime, Unread, M.getContext());
  if (!Runtime)
    return false;
  for (Function &F : *Runtime)
    if (!F.isIntrinsic())
      compileLike(F, Kernel);
  if (NamedMDNode *Flags = Runtime->getModuleFlagsMetadata()) // M's own say how it is to be linked
    Flags->eraseFromParent();
  return !Linker::linkModules(M, std::move(Runtime), Linker::LinkOnlyNeeded, [](Module &All, const StringSet<> &Linked) {
    internalizeModule(All, [&](const GlobalValue &G) { return !G.hasName() || !Linked.count(G.getName()); });
  });
}

/// Whether an address of a thread's variable goes to other functions, or to memory.
bool isHandedOn(const AllocaInst &Variable) {
  SetVector<const Value *> Addresses;
  Addresses.insert(&Variable);
  for (unsigned N = 0; N < Addresses.size(); ++N)
    for (const User *U : Addresses[N]->users()) {
      const auto *I = cast<Instruction>(U);
      const auto *S = dyn_cast<StoreInst>(I);
      if (I->isLifetimeStartOrEnd() || I->isDroppable() || isa<LoadInst, ICmpInst, AnyMemIntrinsic>(I) || (S && S->getValueOperand() != Addresses[N]))
        continue;
      if (!isa<GetElementPtrInst, PHINode, SelectInst, AddrSpaceCastInst>(I))
        return true;
      Addresses.insert(I);
    }
  return false;
}

/// LLVM 19's openmp-opt, which the link runs on what a whole pipeline has made of a version, takes parts of a thread's variables for
/// never written where another function reads them (test/fuzz/regressions/linked_sums.c). Of which variable such an address is it does
/// not see behind this.
void hideVariables(Function &F) {
  SmallVector<AllocaInst *, 8> Variables;
  for (Instruction &I : F.getEntryBlock())
    if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && isHandedOn(*Variable))
      Variables.push_back(Variable);
  for (AllocaInst *Variable : Variables) {
    for (User *U : make_early_inc_range(Variable->users()))
      if (auto *I = cast<Instruction>(U); I->isLifetimeStartOrEnd())
        I->eraseFromParent();
    CallInst *Same = hiddenCopy(*Variable, /*Stays=*/false);
    Variable->replaceAllUsesWith(Same);
    Same->setArgOperand(0, Variable);
    Same->insertAfter(Variable);
  }
}

/// LLVM 19's back end loads vectors of 16 bytes at any address as if it were a multiple of 16 (UnalignedBytes.h), and where the link makes new ones of
/// what the whole pipeline has made of a version, there is nobody to part them (test/fuzz/regressions/linked_bytes.c). The attribute keeps
/// vectorizers away, and the back end's, whose work is done here. The original's copy is no exception: it has been through the pipeline once more.
void keepFromVectors(Function &F, FunctionAnalysisManager &FAM) {
  LoadStoreVectorizerPass().run(F, FAM);
  halveUnalignedBytes(F);
  copyInWords(F);
  F.addFnAttr(Attribute::NoImplicitFloat);
}

/// What the two passes of one pipeline hand on.
struct Waiting {
  std::unique_ptr<Module> Copy; // as the front end made it
  OptimizationLevel Level = OptimizationLevel::O3;
};
using SharedWaiting = std::shared_ptr<Waiting>;

struct KeepPass : PassInfoMixin<KeepPass> {
  KeepPass(SharedWaiting W, OptimizationLevel Level) : W(std::move(W)), Level(Level) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (isDeviceModule(M) && !hasTable(M) && !offloadKernels(M).empty())
      W->Copy = CloneModule(M), W->Level = Level;
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
  SharedWaiting W;
  OptimizationLevel Level;
};

struct JoinPass : PassInfoMixin<JoinPass> {
  explicit JoinPass(SharedWaiting W) : W(std::move(W)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!W->Copy || hasTable(M))
      return PreservedAnalyses::all();
    FunctionAnalysisManager &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    std::string Regions;
    std::vector<std::string> Kernels;
    for (Function *F : offloadKernels(*W->Copy))
      if (std::string Elsewhere = callsElsewhere(*F); Elsewhere.empty())
        Kernels.push_back(F->getName().str());
      else
        Regions += leftAlone(*F, {PLACE_WHY_LINKED_LATER, Elsewhere});
    if (!Kernels.empty())
      Regions += makeAndJoin(M, Kernels, FAM);
    W->Copy.release(); // NVPTX remembers its functions by their addresses: it goes with the context
    emitTable(M, Regions);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  /// The regions' text. Versions join M.
  std::string makeAndJoin(Module &M, ArrayRef<std::string> Kernels, FunctionAnalysisManager &FAM) {
    TimeTraceScope Trace("place: before link time", Kernels.front());
    std::string Regions;
    std::vector<std::unique_ptr<Module>> Parts;
    Parts.push_back(make(Kernels, Regions));
    if (Parts.front() && linkBack(M, Parts, FAM).front())
      return Regions;
    Regions.clear();
    for (const std::string &Kernel : Kernels)
      Regions += leftAlone(*W->Copy->getFunction(Kernel), Reason(Parts.front() ? PLACE_WHY_OPTIMISED_AWAY : PLACE_WHY_NO_DEVICE_RUNTIME));
    return Regions;
  }

  /// The kernels' versions, as after a compile without -foffload-lto; null if the device runtime cannot be read.
  std::unique_ptr<Module> make(ArrayRef<std::string> Kernels, std::string &Regions) {
    std::unique_ptr<Module> Few = extractKernelsAsTheyAre(*W->Copy, Kernels);
    const Function &First = *Few->getFunction(Kernels.front());
    std::unique_ptr<TargetMachine> Machine = machineFor(*Few, First);
    if (!linkDeviceRuntime(*Few, First))
      return nullptr;
    Pipeline P(Machine.get(), W->Level);
    registerVersions(P.builder(), [&](Module &, const std::string &Text) { Regions = Text; });
    P.run(*Few, W->Level);
    keepVersionsOnly(*Few, Kernels);
    Pipeline After(Machine.get(), W->Level);
    FunctionAnalysisManager &FAM = After.analyses();
    for (Function &F : *Few)
      if (!F.isDeclaration()) {
        keepFromVectors(F, FAM);
        hideVariables(F);
      }
    return Few;
  }

  SharedWaiting W;
};

} // namespace

void registerLinkTime(PassBuilder &PB) {
  auto W = std::make_shared<Waiting>();
  PB.registerPipelineStartEPCallback([W](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(KeepPass(W, Level));
  });
  PB.registerOptimizerLastEPCallback([W](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(JoinPass(W));
  });
}

} // namespace place
