//===- Isolate.cpp - Kernels optimised in a module of their own --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is copied into a kernel's module and what must stay one object: functions, constants and shared memory are copied and
// made internal; every other variable keeps its one definition in the original module, and is declared.
//
//===----------------------------------------------------------------------===//
#include "Isolate.h"
#include "Kernel.h"
#include "Lean.h"
#include "Make.h"
#include "Pipeline.h"
#include "Sincos.h"
#include "Spaces.h"
#include "Stride.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace place {

/// What kernels of one module left to be linked.
struct Isolation::Part {
  std::vector<std::string> Kernels;
  std::unique_ptr<Module> One;
};

Isolation::Isolation() = default;
Isolation::~Isolation() = default;

namespace {

/// Inlining, unrolling and NVPTX's own passes decide by the target machine.
std::unique_ptr<TargetMachine> machineFor(const Module &M, const Function &Kernel) {
  std::string Error;
  const Target *T = TargetRegistry::lookupTarget(M.getTargetTriple(), Error);
  if (!T)
    return nullptr;
  return std::unique_ptr<TargetMachine>(T->createTargetMachine(
      M.getTargetTriple(), Kernel.getFnAttribute("target-cpu").getValueAsString(),
      Kernel.getFnAttribute("target-features").getValueAsString(), TargetOptions(), Reloc::PIC_, std::nullopt,
      CodeGenOptLevel::Aggressive));
}

/// A variable of which there must be one, whatever kernels use it.
bool staysOne(const GlobalVariable &G) {
  return !G.isDeclaration() && !G.isConstant() && G.getAddressSpace() != AddrShared && !G.getName().starts_with("llvm.");
}

const StringRef EnvironmentSuffix = "_kernel_environment";

std::string environmentName(StringRef Kernel) { return (Kernel + EnvironmentSuffix).str(); }

void eraseVariables(Module &M, std::initializer_list<StringRef> Names) {
  for (StringRef Name : Names)
    if (auto *G = M.getNamedGlobal(Name))
      G->eraseFromParent();
}

// openmp-opt calls these once it turns a generic kernel into an SPMD one. The front end's module has no call of them, so the device
// runtime's are not linked into it, and each would be a call to another object file that no analysis sees through.
Function *defineLater(Module &One, StringRef Name, FunctionType *Type, Intrinsic::ID ID) {
  if (One.getFunction(Name))
    return nullptr;
  auto *F = Function::Create(Type, GlobalValue::InternalLinkage, Name, One);
  F->addFnAttr(Attribute::AlwaysInline);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::Convergent);
  IRBuilder<> B(BasicBlock::Create(One.getContext(), "", F));
  CallInst *Call = B.CreateIntrinsic(ID, {}, {});
  Type->getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Call);
  return F;
}

// Threads of a launch of libomptarget's lie along one dimension.
SmallVector<GlobalValue *, 4> defineCalledLater(Module &One) {
  Type *Void = Type::getVoidTy(One.getContext()), *Int = Type::getInt32Ty(One.getContext());
  Type *Pointer = PointerType::getUnqual(One.getContext());
  SmallVector<GlobalValue *, 4> Defined;
  for (Function *F : {defineLater(One, "__kmpc_get_hardware_thread_id_in_block", FunctionType::get(Int, false),
                                  Intrinsic::nvvm_read_ptx_sreg_tid_x),
                      defineLater(One, "__kmpc_barrier_simple_spmd", FunctionType::get(Void, {Pointer, Int}, false),
                                  Intrinsic::nvvm_barrier0)})
    if (F)
      Defined.push_back(F);
  return Defined;
}

void sweepBefore(Module &One, TargetMachine *TM, OptimizationLevel Level) {
  SmallVector<GlobalValue *, 4> Kept = defineCalledLater(One);
  appendToCompilerUsed(One, Kept);
  Pipeline(TM, Level).sweep(One);
  removeFromUsedLists(One, [&](Constant *C) { return is_contained(Kept, dyn_cast<GlobalValue>(C->stripPointerCasts())); });
}

// Operand 3 of __kmpc_parallel_51 is the number of threads asked for, -1: none. What a program asks for cannot be told from
// what it gets where nothing looks at threads (Mark.cpp); without the request the nesting levels fold.
void dropThreadNumbers(Module &One) {
  enum { NumThreads = 3 };
  Function *Parallel = One.getFunction("__kmpc_parallel_51");
  if (!Parallel)
    return;
  for (User *U : Parallel->users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == Parallel)
      Call->setArgOperand(NumThreads, ConstantInt::getSigned(Call->getArgOperand(NumThreads)->getType(), -1));
}

/// Keeps openmp-opt from dropping barriers for as long as it lives. In a generic kernel that it turns into an SPMD one, thread 0
/// writes what the others read to shared memory; LLVM 19 takes the barrier behind their last read for superfluous, and thread 0
/// overwrites it for the next iteration of the team's loop (test/fuzz/found/spmd_broadcast_race.c).
class BarriersKept {
public:
  explicit BarriersKept(bool Wanted) {
    auto Known = cl::getRegisteredOptions().find("openmp-opt-disable-barrier-elimination");
    if (!Wanted || Known == cl::getRegisteredOptions().end())
      return;
    Option = static_cast<cl::opt<bool> *>(Known->second);
    Before = Option->getValue();
    Option->setValue(true);
  }
  ~BarriersKept() {
    if (Option)
      Option->setValue(Before);
  }
  BarriersKept(const BarriersKept &) = delete;
  BarriersKept &operator=(const BarriersKept &) = delete;

private:
  cl::opt<bool> *Option = nullptr;
  bool Before = false;
};

/// Runs once on each kernel, where the default pipeline is early in its second half.
struct MakePass : PassInfoMixin<MakePass> {
  MakePass(ArrayRef<std::string> Kernels, const Isolation::Maker &Make, unsigned &Made) : Kernels(Kernels), Make(Make), Made(Made) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    for (; Made < Kernels.size(); ++Made)
      if (Function *F = M.getFunction(Kernels[Made]); F && !F->isDeclaration())
        Make(*F, MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

  ArrayRef<std::string> Kernels;
  const Isolation::Maker &Make;
  unsigned &Made;
};

bool isRuntimeCall(const CallBase &C) {
  const Function *Callee = C.getCalledFunction();
  return !Callee || Callee->getName().starts_with("__kmpc_") || Callee->getName().starts_with("omp_");
}

bool touchesShared(const Instruction &I) {
  return any_of(I.operands(), [](const Use &U) {
    const auto *G = dyn_cast<GlobalVariable>(U->stripPointerCasts());
    return G && G->getAddressSpace() == AddrShared;
  });
}

/// Part of the device runtime that is linked into the module.
bool isRuntimes(const Function &F) {
  StringRef Name = F.getName();
  return Name.starts_with("__kmpc_") || Name.starts_with("omp_") || Name.starts_with("_ZN4ompx") || Name.starts_with("__nv_");
}

/// Whether all that the kernel reaches is known: no calls into other files or through pointers, no reductions over teams, and no variables
/// of which there must be one.
bool isClosed(const Function &Kernel) {
  SmallPtrSet<const Constant *, 32> Seen{&Kernel};
  SmallVector<const Constant *, 32> Left{&Kernel};
  auto Reaches = [&](const Value *V) {
    if (const auto *C = dyn_cast<Constant>(V); C && !isa<ConstantData>(C) && Seen.insert(C).second)
      Left.push_back(C);
  };
  while (!Left.empty()) {
    const Constant *C = Left.pop_back_val();
    const auto *F = dyn_cast<Function>(C);
    const auto *G = dyn_cast<GlobalVariable>(C);
    if (G && staysOne(*G) && !G->getName().ends_with("_environment")) // the kernel's own
      return false;
    if (F && F->getName().contains("teams_reduce"))
      return false;
    if (!F)
      for (const Use &U : C->operands())
        Reaches(U.get());
    if (!F || isRuntimes(*F) || F->isIntrinsic())
      continue;
    if (F->isDeclaration())
      return false;
    for (const Instruction &I : instructions(*F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (Call && !Call->isInlineAsm() && !Call->getCalledFunction())
        return false;
      for (const Use &U : I.operands())
        Reaches(U.get());
    }
  }
  return true;
}

} // namespace

void Isolation::remember(const Module &M, OptimizationLevel L) {
  std::vector<Function *> Kernels = offloadKernels(const_cast<Module &>(M));
  if (Kernels.empty() || L == OptimizationLevel::O0)
    return;
  Machine = machineFor(M, *Kernels.front());
  if (!Machine)
    return;
  Level = L;
  Copy = CloneModule(M);
}

bool Isolation::keepsState(const Function &Kernel) {
  return any_of(instructions(Kernel), [](const Instruction &I) {
    const auto *C = dyn_cast<CallBase>(&I);
    return (C && !C->isInlineAsm() && isRuntimeCall(*C)) || touchesShared(I);
  });
}

bool Isolation::wants(const Function &Kernel) const {
  if (!Copy)
    return false;
  if (executionMode(Kernel) != ExecutionMode::Spmd || keepsState(Kernel))
    return true;
  const Function *Before = Copy->getFunction(Kernel.getName());
  return Before && takesSineAndCosine(*Before);
}

bool Isolation::sharesWork(const Function &Kernel) const {
  const Function *Before = Copy ? Copy->getFunction(Kernel.getName()) : nullptr;
  return Before && executionMode(*Before) == ExecutionMode::Spmd &&
         Before->getFnAttribute("place-threads").getValueAsString() == "open" && !takesSineAndCosine(*Before) && isClosed(*Before);
}

std::unique_ptr<Module> Isolation::extract(ArrayRef<std::string> Kernels) const {
  SmallPtrSet<const GlobalValue *, 32> Others;
  for (Function *F : offloadKernels(*Copy))
    if (!is_contained(Kernels, F->getName()))
      Others.insert(F);
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Few = CloneModule(*Copy, Map, [&](const GlobalValue *G) {
    if (const auto *V = dyn_cast<GlobalVariable>(G))
      return !staysOne(*V);
    return !Others.count(G);
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

bool Isolation::optimise(Module &M, ArrayRef<std::string> Kernels, const Maker &Make, bool KeepBarriers) {
  TimeTraceScope Trace("place: optimised alone", Kernels.front());
  unsigned Made = 0;
  Pipeline P(Machine.get(), Level);
  if (holdSineAndCosine(M))
    registerSincos(P.builder());
  P.builder().registerOptimizerEarlyEPCallback(
      [&](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(MakePass(Kernels, Make, Made)); });
  registerFinish(P.builder());
  BarriersKept Kept(KeepBarriers);
  P.run(M, Level);
  return Made;
}

// The kernels themselves stay behind, and so does what the original module has of its own.
static void keepVersionsOnly(Module &M, ArrayRef<std::string> Kernels, TargetMachine *TM, OptimizationLevel Level) {
  keepAnnotations(M, [&](const Function &F) { return !is_contained(Kernels, F.getName()); });
  eraseVariables(M, {"llvm.used", "llvm.compiler.used"});
  for (const std::string &Kernel : Kernels)
    for (GlobalValue *G : {static_cast<GlobalValue *>(M.getFunction(Kernel)),
                           static_cast<GlobalValue *>(M.getNamedGlobal(environmentName(Kernel)))})
      if (G) {
        G->setVisibility(GlobalValue::DefaultVisibility);
        G->setLinkage(GlobalValue::InternalLinkage);
      }
  SmallVector<NamedMDNode *, 8> Metadata;
  for (NamedMDNode &N : M.named_metadata())
    if (N.getName() != "nvvm.annotations" && N.getName() != "llvm.module.flags" && N.getName() != "llvm.dbg.cu")
      Metadata.push_back(&N);
  for (NamedMDNode *N : Metadata)
    N->eraseFromParent();
  Pipeline(TM, Level).sweep(M);
}

bool Isolation::isGeneric(StringRef Kernel) const {
  const Function *F = Copy ? Copy->getFunction(Kernel) : nullptr;
  return F && executionMode(*F) == ExecutionMode::Generic;
}

/// What the front end made of the kernels, with nothing around them. Either all of them let threads be open, or there is one.
std::unique_ptr<Module> Isolation::prepare(ArrayRef<std::string> Kernels) const {
  if (!Copy || !all_of(Kernels, [&](const std::string &Kernel) { return Copy->getFunction(Kernel); }))
    return nullptr;
  std::unique_ptr<Module> Few = extract(Kernels);
  if (Few->getFunction(Kernels.front())->getFnAttribute("place-threads").getValueAsString() == "open")
    dropThreadNumbers(*Few);
  sweepBefore(*Few, Machine.get(), Level);
  return Few;
}

/// Names: of the parts that are made, for linkBack.
bool Isolation::make(std::unique_ptr<Module> Few, ArrayRef<std::string> Kernels, std::vector<std::string> Names, const Maker &Make,
                     bool KeepBarriers) {
  if (!optimise(*Few, Kernels, Make, KeepBarriers))
    return false;
  keepVersionsOnly(*Few, Kernels, Machine.get(), Level);
  Parts.push_back({std::move(Names), std::move(Few)});
  return true;
}

bool Isolation::together(const std::vector<std::string> &Kernels, const Maker &Make) {
  std::unique_ptr<Module> Few = prepare(Kernels);
  return Few && make(std::move(Few), Kernels, Kernels, Make, /*KeepBarriers=*/false);
}

bool Isolation::alone(StringRef Kernel, const Maker &Make) {
  const std::string Name = Kernel.str();
  std::unique_ptr<Module> One = prepare(Name);
  if (!One)
    return false;
  strideReduction(*One, Kernel);
  return make(std::move(One), Name, {Name}, Make, isGeneric(Kernel));
}

bool Isolation::aloneLean(StringRef Kernel, LeanKernel &Lean, const Maker &Make) {
  const std::string Name = Kernel.str();
  std::unique_ptr<Module> One = prepare(Name);
  if (!One)
    return false;
  Pipeline Changes(Machine.get(), Level);
  Lean = makeLean(*One->getFunction(Kernel), Changes.analyses());
  return Lean.Made && make(std::move(One), Name, {leanName(Kernel)}, Make, /*KeepBarriers=*/true);
}

bool Isolation::aloneStrided(StringRef Kernel, const Maker &Make) {
  const std::string Name = Kernel.str();
  std::unique_ptr<Module> One = prepare(Name);
  return One && strideLoop(*One, Kernel) && make(std::move(One), Name, {stridedName(Kernel)}, Make, isGeneric(Kernel));
}

//===-- Back into the module ---------------------------------------------------===//

namespace {

/// Makes static variables of the module visible to the linker under their names for as long as it lives: those that Wanted holds
/// for. (The optimiser may have found one constant in the meantime; it is the same object all the same.)
class StaticsExposed {
public:
  StaticsExposed(Module &M, function_ref<bool(StringRef)> Wanted) {
    for (GlobalVariable &G : M.globals())
      if (G.hasLocalLinkage() && G.getAddressSpace() != AddrShared && Wanted(G.getName())) {
        Statics.push_back({&G, G.getLinkage()});
        G.setLinkage(GlobalValue::ExternalLinkage);
      }
  }
  ~StaticsExposed() {
    for (auto &[G, Linkage] : Statics)
      G->setLinkage(Linkage);
  }
  StaticsExposed(const StaticsExposed &) = delete;
  StaticsExposed &operator=(const StaticsExposed &) = delete;

private:
  SmallVector<std::pair<GlobalVariable *, GlobalValue::LinkageTypes>, 8> Statics;
};

/// Whether M has the variables that One declares. What place itself adds is defined in One.
bool hasVariablesOf(const Module &M, const Module &One) {
  return all_of(One.globals(), [&](const GlobalVariable &G) {
    if (!G.isDeclaration() || G.use_empty() || G.getAddressSpace() == AddrShared)
      return true;
    const GlobalVariable *There = M.getNamedGlobal(G.getName());
    return There && There->getValueType() == G.getValueType();
  });
}

} // namespace

std::vector<std::string> Isolation::linkBack(Module &M, FunctionAnalysisManager &FAM) {
  std::vector<std::string> LeftOut;
  StaticsExposed Exposed(M, [&](StringRef Name) {
    return any_of(Parts, [&](const Part &P) {
      const GlobalVariable *G = P.One->getNamedGlobal(Name);
      return G && G->isDeclaration();
    });
  });
  for (Part &P : Parts) {
    std::vector<std::string> Versions;
    for (Function *F : kernelsOf(*P.One))
      Versions.push_back(F->getName().str());
    // The linker takes a module apart. Addresses of functions in modules that are gone would be taken for the same function's
    // by NVPTX's cache of annotations, so it gets a copy, and the original lives as long as the context.
    std::unique_ptr<Module> Linked = CloneModule(*P.One);
    if (!hasVariablesOf(M, *P.One) || Linker::linkModules(M, std::move(Linked))) {
      append_range(LeftOut, P.Kernels);
      continue;
    }
    for (const std::string &Name : Versions)
      settleKernel(M, Name, FAM);
  }
  for (Part &P : Parts)
    P.One.release();
  Parts.clear();
  Copy.release();
  return LeftOut;
}

} // namespace place
