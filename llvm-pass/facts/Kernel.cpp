//===- Kernel.cpp - Kernels of a device module --------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Kernel.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

bool isDeviceModule(const Module &M) { return StringRef(M.getTargetTriple()).starts_with("nvptx"); }

//===-- Annotations ----------------------------------------------------------===//

static const char AnnotationsName[] = "nvvm.annotations";

Function *annotatedFunction(const MDNode &Annotation) {
  return Annotation.getNumOperands() >= 3 ? mdconst::dyn_extract_or_null<Function>(Annotation.getOperand(0)) : nullptr;
}

bool isAnnotation(const MDNode &Annotation, StringRef Key) {
  auto *Name = Annotation.getNumOperands() >= 3 ? dyn_cast_or_null<MDString>(Annotation.getOperand(1)) : nullptr;
  return Name && Name->getString() == Key;
}

void keepAnnotations(Module &M, function_ref<bool(const Function &)> Wanted) {
  NamedMDNode *Annotations = M.getNamedMetadata(AnnotationsName);
  if (!Annotations)
    return;
  SmallVector<MDNode *, 16> Kept;
  for (MDNode *N : Annotations->operands()) {
    bool Gone = N->getNumOperands() && !N->getOperand(0);
    const Function *F = annotatedFunction(*N);
    if (!Gone && (!F || Wanted(*F)))
      Kept.push_back(N);
  }
  Annotations->clearOperands();
  for (MDNode *N : Kept)
    Annotations->addOperand(N);
}

void addAnnotation(Function &F, StringRef Key, uint64_t Value) {
  LLVMContext &Context = F.getContext();
  Metadata *Number = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), Value));
  F.getParent()->getOrInsertNamedMetadata(AnnotationsName)->addOperand(
      MDNode::get(Context, {ConstantAsMetadata::get(&F), MDString::get(Context, Key), Number}));
}

// Annotations of one kernel: each an entry of its own, or several keys in one.
void replaceAnnotation(Function &F, StringRef Key, uint64_t Value) {
  std::vector<std::pair<std::string, uint64_t>> Others;
  for (MDNode *N : F.getParent()->getOrInsertNamedMetadata(AnnotationsName)->operands())
    if (annotatedFunction(*N) == &F)
      for (unsigned I = 1; I + 1 < N->getNumOperands(); I += 2)
        if (auto *Number = mdconst::dyn_extract<ConstantInt>(N->getOperand(I + 1)); Number && cast<MDString>(N->getOperand(I))->getString() != Key)
          Others.push_back({cast<MDString>(N->getOperand(I))->getString().str(), Number->getZExtValue()});
  keepAnnotations(*F.getParent(), [&](const Function &Other) { return &Other != &F; });
  for (const auto &[Name, Number] : Others)
    addAnnotation(F, Name, Number);
  addAnnotation(F, Key, Value);
}

void copyAnnotations(Function &From, Function &To, function_ref<void(StringRef &, uint64_t &)> Change) {
  NamedMDNode *Annotations = From.getParent()->getNamedMetadata(AnnotationsName);
  SmallVector<std::pair<StringRef, uint64_t>, 4> Found;
  for (MDNode *N : Annotations->operands())
    if (annotatedFunction(*N) == &From)
      for (unsigned I = 1; I + 1 < N->getNumOperands(); I += 2)
        if (auto *Value = mdconst::dyn_extract<ConstantInt>(N->getOperand(I + 1)))
          Found.push_back({cast<MDString>(N->getOperand(I))->getString(), Value->getZExtValue()});
  for (auto [Key, Value] : Found) {
    Change(Key, Value);
    addAnnotation(To, Key, Value);
  }
}

//===-- Kernels ----------------------------------------------------------------===//

std::vector<Function *> kernelsOf(Module &M) {
  SetVector<Function *> Kernels;
  if (NamedMDNode *Annotations = M.getNamedMetadata(AnnotationsName))
    for (MDNode *N : Annotations->operands())
      if (Function *F = annotatedFunction(*N); F && !F->isDeclaration() && isAnnotation(*N, "kernel"))
        Kernels.insert(F);
  return {Kernels.begin(), Kernels.end()};
}

static const char VersionAttribute[] = "place-version";

void markVersion(Function &Kernel) { Kernel.addFnAttr(VersionAttribute); }

bool isVersion(const Function &Kernel) { return Kernel.hasFnAttribute(VersionAttribute); }

std::vector<Function *> offloadKernels(Module &M) {
  std::vector<Function *> Kernels;
  for (Function *F : kernelsOf(M))
    if (F->getName().starts_with("__omp_offloading_") && F->arg_size() > 0 && !isVersion(*F))
      Kernels.push_back(F);
  return Kernels;
}

GlobalVariable *environmentOf(const Function &Kernel) {
  Module &M = *const_cast<Function &>(Kernel).getParent();
  return M.getNamedGlobal((Kernel.getName() + EnvironmentSuffix).str());
}

std::optional<uint64_t> environmentField(const Function &Kernel, EnvironmentField Field) {
  const GlobalVariable *G = environmentOf(Kernel);
  if (!G || !G->hasInitializer())
    return std::nullopt;
  const auto *Configuration = dyn_cast_or_null<Constant>(G->getInitializer()->getAggregateElement(0u));
  const Constant *C = Configuration ? Configuration->getAggregateElement(unsigned(Field)) : nullptr;
  if (const auto *I = dyn_cast_or_null<ConstantInt>(C))
    return I->getZExtValue();
  return std::nullopt;
}

ExecutionMode executionMode(const Function &Kernel) {
  uint64_t Mode = environmentField(Kernel, EnvExecMode).value_or(0);
  return Mode <= 3 ? ExecutionMode(Mode) : ExecutionMode::Unknown;
}

//===-- Kernels that NVPTX takes for kernels ----------------------------------===//

Function *createKernel(Function &Like, FunctionType *Type, StringRef Name, const TargetTransformInfo &TTI,
                       function_ref<void(Function &)> Annotate) {
  SmallVector<Function *, 4> Occupied;
  Function *New = nullptr;
  for (;;) {
    New = Function::Create(Type, Like.getLinkage(), Like.getAddressSpace(), Name, Like.getParent());
    Annotate(*New);
    if (!TTI.isSourceOfDivergence(New->getArg(0)) || Occupied.size() == 1000)
      break;
    New->removeFromParent();
    Occupied.push_back(New);
  }
  if (Occupied.empty())
    return New;
  for (Function *Dead : Occupied)
    delete Dead;
  keepAnnotations(*Like.getParent(), [](const Function &) { return true; });
  return New;
}

void settleKernel(Module &M, StringRef Name, FunctionAnalysisManager &FAM) {
  Function *Old = M.getFunction(Name);
  const TargetTransformInfo &TTI = FAM.getResult<TargetIRAnalysis>(*Old);
  if (!TTI.isSourceOfDivergence(Old->getArg(0)))
    return;
  std::string Kept = Name.str();
  Function *New = createKernel(*Old, Old->getFunctionType(), "", TTI, [&](Function &F) {
    copyAnnotations(*Old, F, [](StringRef &, uint64_t &) {});
  });
  keepAnnotations(M, [&](const Function &F) { return &F != Old; });
  New->copyAttributesFrom(Old);
  New->copyMetadata(Old, 0);
  New->splice(New->begin(), Old);
  for (unsigned I = 0; I < Old->arg_size(); ++I)
    Old->getArg(I)->replaceAllUsesWith(New->getArg(I));
  Old->replaceAllUsesWith(New);
  FAM.clear(*Old, Old->getName());
  Old->eraseFromParent();
  New->setName(Kept);
}

unsigned mostThreads(const Function &Kernel) {
  const int32_t MostOfDevice = 1024;
  auto Most = int32_t(environmentField(Kernel, EnvMostThreads).value_or(0));
  return Most > 0 && Most <= MostOfDevice ? unsigned(Most) : 0;
}

static const char StridedAttribute[] = "place-strided", IntervalsAttribute[] = "place-intervals";

void markStrided(Function &Kernel) { Kernel.addFnAttr(StridedAttribute); }

bool isStrided(const Function &Kernel) { return Kernel.hasFnAttribute(StridedAttribute); }

void markIntervals(Function &Kernel) { Kernel.addFnAttr(IntervalsAttribute); }

bool hasIntervals(const Function &Kernel) { return Kernel.hasFnAttribute(IntervalsAttribute); }

static const char LaneSumsAttribute[] = "place-lane-sums";

void markLaneSums(Function &Kernel, unsigned Lanes) { Kernel.addFnAttr(LaneSumsAttribute, std::to_string(Lanes)); }

unsigned lanesOfSums(const Function &Kernel) { return unsigned(Kernel.getFnAttributeAsParsedInteger(LaneSumsAttribute)); }

} // namespace place
