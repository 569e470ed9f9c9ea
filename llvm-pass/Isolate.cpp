//===- Isolate.cpp - Kernels optimised in a module of their own --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is copied into a kernel's module and what must stay one object: functions, constants and shared memory are copied and
// made internal; every other variable keeps its one definition in the original module, and is declared.
//
//===----------------------------------------------------------------------===//
#include "Isolate.h"
#include "Access.h"
#include "Kernel.h"
#include "Plugin.h"
#include "Spaces.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
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
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace place {

/// What one kernel left to be linked.
struct Isolation::Part {
  std::string Kernel;
  std::unique_ptr<Module> One;
};

Isolation::Isolation() = default;
Isolation::~Isolation() = default;

namespace {

/// The analysis managers of one run of the default pipeline, set up as clang does for -O1 and above.
class Pipeline {
public:
  Pipeline(TargetMachine *TM, OptimizationLevel L) : PB(TM, options(L)) {}

  PassBuilder &builder() { return PB; }

  void run(Module &M, OptimizationLevel L) {
    registerAnalyses();
    PB.buildPerModuleDefaultPipeline(L).run(M, MAM);
  }

  /// Drops what nothing uses.
  void sweep(Module &M) {
    registerAnalyses();
    GlobalDCEPass().run(M, MAM);
  }

private:
  static PipelineTuningOptions options(OptimizationLevel L) {
    PipelineTuningOptions O;
    O.LoopUnrolling = O.LoopInterleaving = O.LoopVectorization = true;
    O.SLPVectorization = L.getSpeedupLevel() > 1;
    return O;
  }

  void registerAnalyses() {
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CAM, MAM);
  }

  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
};

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

std::string environmentName(StringRef Kernel) { return (Kernel + "_kernel_environment").str(); }

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

/// Runs once, on the kernel, where the default pipeline is early in its second half.
struct MakePass : PassInfoMixin<MakePass> {
  MakePass(StringRef Kernel, const Isolation::Maker &Make, bool &Made) : Kernel(Kernel), Make(Make), Made(Made) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    Function *F = M.getFunction(Kernel);
    if (!F || F->isDeclaration() || Made)
      return PreservedAnalyses::all();
    Make(*F, MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
    Made = true;
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

  StringRef Kernel;
  const Isolation::Maker &Make;
  bool &Made;
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

bool Isolation::wants(const Function &Kernel) const {
  if (!Copy)
    return false;
  if (executionMode(Kernel) != ExecutionMode::Spmd)
    return true;
  for (const Instruction &I : instructions(Kernel)) {
    const auto *C = dyn_cast<CallBase>(&I);
    if ((C && !C->isInlineAsm() && isRuntimeCall(*C)) || touchesShared(I))
      return true;
  }
  return false;
}

std::unique_ptr<Module> Isolation::extract(StringRef Kernel) const {
  SmallPtrSet<const GlobalValue *, 32> Others;
  for (Function *F : offloadKernels(*Copy))
    if (F->getName() != Kernel)
      Others.insert(F);
  ValueToValueMapTy Map;
  std::unique_ptr<Module> One = CloneModule(*Copy, Map, [&](const GlobalValue *G) {
    if (const auto *V = dyn_cast<GlobalVariable>(G))
      return !staysOne(*V);
    return !Others.count(G);
  });
  keepAnnotations(*One, [&](const Function &F) { return F.getName() == Kernel; });
  eraseVariables(*One, {"llvm.global_ctors", "llvm.global_dtors"});
  std::string Environment = environmentName(Kernel);
  internalizeModule(*One, [&](const GlobalValue &G) { return G.getName() == Kernel || G.getName() == Environment; });
  return One;
}

void Isolation::optimise(Module &One, StringRef Kernel, const Maker &Make, bool &Made) {
  Pipeline P(Machine.get(), Level);
  P.builder().registerOptimizerEarlyEPCallback(
      [&](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(MakePass(Kernel, Make, Made)); });
  registerFinish(P.builder());
  BarriersKept Kept(executionMode(*One.getFunction(Kernel)) == ExecutionMode::Generic);
  P.run(One, Level);
}

// The kernel itself stays behind, and so does what the original module has of its own.
static void keepVersionsOnly(Module &One, StringRef Kernel, TargetMachine *TM, OptimizationLevel Level) {
  keepAnnotations(One, [&](const Function &F) { return F.getName() != Kernel; });
  eraseVariables(One, {"llvm.used", "llvm.compiler.used"});
  One.getFunction(Kernel)->setLinkage(GlobalValue::InternalLinkage);
  One.getFunction(Kernel)->setVisibility(GlobalValue::DefaultVisibility);
  if (auto *G = One.getNamedGlobal(environmentName(Kernel))) {
    G->setVisibility(GlobalValue::DefaultVisibility);
    G->setLinkage(GlobalValue::InternalLinkage);
  }
  SmallVector<NamedMDNode *, 8> Metadata;
  for (NamedMDNode &N : One.named_metadata())
    if (N.getName() != "nvvm.annotations" && N.getName() != "llvm.module.flags" && N.getName() != "llvm.dbg.cu")
      Metadata.push_back(&N);
  for (NamedMDNode *N : Metadata)
    N->eraseFromParent();
  Pipeline(TM, Level).sweep(One);
}

bool Isolation::alone(StringRef Kernel, const Maker &Make) {
  if (!Copy || !Copy->getFunction(Kernel))
    return false;
  std::unique_ptr<Module> One = extract(Kernel);
  if (One->getFunction(Kernel)->getFnAttribute("place-threads").getValueAsString() == "open")
    dropThreadNumbers(*One);
  sweepBefore(*One, Machine.get(), Level);
  bool Made = false;
  optimise(*One, Kernel, Make, Made);
  if (!Made)
    return false;
  keepVersionsOnly(*One, Kernel, Machine.get(), Level);
  Parts.push_back({Kernel.str(), std::move(One)});
  return true;
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
      LeftOut.push_back(P.Kernel);
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
