//===- Isolate.cpp - Kernels optimised in a module of their own --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Isolate.h"
#include "Again.h"
#include "Approximate.h"
#include "ByReference.h"
#include "Computation.h"
#include "DeviceRuntime.h"
#include "Extract.h"
#include "FarAngles.h"
#include "GuardedWrites.h"
#include "HeldCalls.h"
#include "Kernel.h"
#include "KnownAlignment.h"
#include "LaneSums.h"
#include "Lean.h"
#include "LinkBack.h"
#include "Make.h"
#include "Mark.h"
#include "MendReduction.h"
#include "OwnCopies.h"
#include "Pipeline.h"
#include "Quiet.h"
#include "PointerMask.h"
#include "Sincos.h"
#include "SoleCalls.h"
#include "Spaces.h"
#include "Spread.h"
#include "Stride.h"
#include "TeamSize.h"
#include "ThreadSums.h"
#include "WholeCopies.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace place {

Isolation::Isolation() = default;
Isolation::~Isolation() = default;

namespace {

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
  MakePass(ArrayRef<std::string> Kernels, const Isolation::Maker &Make, unsigned &Made, bool &Refused, bool AreGeneric, bool OwnBarriers)
      : Kernels(Kernels), Make(Make), Made(Made), Refused(Refused), AreGeneric(AreGeneric), OwnBarriers(OwnBarriers) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    for (; Made < Kernels.size(); ++Made)
      if (Function *F = M.getFunction(Kernels[Made]); F && !F->isDeclaration()) {
        auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
        spellOwnCopies(*F, FAM); // by then it is known what arrays of the team's are
        bool Copies = spellWholeCopies(*F), Sums = spellThreadSums(*F), Packed = alignPackedAccesses(*F), Powers = multiplyByPowers(*F);
        bool Flushes = flushDenormals(*F);
        auto Guards = AreGeneric ? makeGuardsWait(*F, FAM.getResult<AAManager>(*F), OwnBarriers) : GuardsMade::Unchanged;
        if (Copies || Sums || Packed || Powers || Flushes || Guards == GuardsMade::Changed)
          FAM.invalidate(*F, PreservedAnalyses::none());
        if (Guards == GuardsMade::CannotTell)
          Refused = true;
        else
          Make(*F, FAM);
      }
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

  ArrayRef<std::string> Kernels;
  const Isolation::Maker &Make;
  unsigned &Made;
  bool &Refused, AreGeneric, OwnBarriers;
};

bool isRuntimeCall(const CallBase &C) {
  const Function *Callee = C.getCalledFunction();
  return !Callee || isOfRuntime(Callee->getName());
}

bool touchesShared(const Instruction &I) {
  return any_of(I.operands(), [](const Use &U) {
    const auto *G = U->getType()->isPointerTy() ? dyn_cast<GlobalVariable>(getUnderlyingObject(U)) : nullptr;
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

bool Isolation::keepsState(const Function &Kernel) {
  return any_of(instructions(Kernel), [](const Instruction &I) {
    const auto *C = dyn_cast<CallBase>(&I);
    return (C && !C->isInlineAsm() && isRuntimeCall(*C)) || touchesShared(I);
  });
}

bool Isolation::wants(const Function &Kernel) const {
  if (!Copy)
    return false;
  if (executionMode(Kernel) != ExecutionMode::Spmd || keepsState(Kernel) || Kernel.hasFnAttribute(AskedTeamAttribute) ||
      copiesWhole(Kernel) || choosesCopies(Kernel) || keepsCopies(Kernel) || joinsThreads(Kernel))
    return true;
  const Function *Before = Copy->getFunction(Kernel.getName());
  return Before && (takesSineAndCosine(*Before) || reducesAngles(*Before) || takesApproximable(*Before) || repeatsCalls(*Before));
}

bool Isolation::sharesWork(const Function &Kernel) const {
  const Function *Before = Copy ? Copy->getFunction(Kernel.getName()) : nullptr;
  return Before && executionMode(*Before) == ExecutionMode::Spmd &&
         hasOpenThreads(*Before) && !takesSineAndCosine(*Before) && isClosed(*Before);
}

bool Isolation::optimise(Module &M, ArrayRef<std::string> Kernels, const Maker &Make, bool AreGeneric) {
  TimeTraceScope Trace("place: optimised alone", Kernels.front());
  unsigned Made = 0;
  Pipeline P(Machine.get(), Level);
  inlineSoleCalls(M);
  approximate(M);
  bool Pairs = holdSineAndCosine(M), Repeats = holdRepeatedCalls(M);
  reduceFarAnglesApart(M);
  if (Pairs)
    registerSincos(P.builder());
  if (Pairs || Repeats)
    registerRelease(P.builder());
  bool Refused = false, OwnBarriers = hasOwnBarriers(M);
  P.builder().registerOptimizerEarlyEPCallback([&](ModulePassManager &MPM, OptimizationLevel) {
    MPM.addPass(MakePass(Kernels, Make, Made, Refused, AreGeneric, OwnBarriers));
  });
  registerOwnCopies(P.builder());
  registerFinish(P.builder(), /*OwnModule=*/true);
  BarriersKept Kept(AreGeneric);
  AllAreCopies Quiet;
  P.run(M, Level);
  return Made && !Refused;
}

bool Isolation::isGeneric(StringRef Kernel) const {
  const Function *F = Copy ? Copy->getFunction(Kernel) : nullptr;
  return F && executionMode(*F) == ExecutionMode::Generic;
}

std::unique_ptr<Module> Isolation::extract(ArrayRef<std::string> Kernels) const {
  std::unique_ptr<Module> Few = Copy ? extractKernels(*Copy, Kernels) : nullptr;
  if (!Few)
    return nullptr;
  for (Function &F : *Few)
    spellPointerMasks(F);
  tellComputationsReturn(*Few);
  return mendReductions(*Few) ? std::move(Few) : nullptr;
}

/// Names: of the parts that are made, for linkBack.
bool Isolation::make(std::unique_ptr<Module> Few, ArrayRef<std::string> Kernels, std::vector<std::string> Names, const Maker &Make,
                     bool AreGeneric) {
  if (!optimise(*Few, Kernels, Make, AreGeneric))
    return false;
  keepVersionsOnly(*Few, Kernels);
  Parts.push_back(std::move(Few));
  NamesOfParts.push_back(std::move(Names));
  return true;
}

bool Isolation::together(ArrayRef<std::string> Kernels, const Maker &Make) {
  std::unique_ptr<Module> Few = extract(Kernels);
  for (const std::string &Kernel : Few ? Kernels : std::nullopt)
    setTeam(*Few->getFunction(Kernel), /*SumsByItself=*/false);
  return Few && make(std::move(Few), Kernels, Kernels.vec(), Make, /*AreGeneric=*/false);
}

bool Isolation::alone(StringRef Kernel, const Maker &Make) {
  const std::string Name = Kernel.str();
  std::unique_ptr<Module> One = extract(Name);
  if (!One)
    return false;
  bool Strided = strideReduction(*One, Kernel);
  setTeam(*One->getFunction(Kernel), Strided);
  return make(std::move(One), Name, {Name}, Make, isGeneric(Kernel));
}

bool Isolation::aloneLean(StringRef Kernel, LeanKernel &Lean, const Maker &Make) {
  const std::string Name = Kernel.str();
  std::unique_ptr<Module> One = extract(Name);
  if (!One)
    return false;
  setTeam(*One->getFunction(Kernel), /*SumsByItself=*/false);
  bool Lanes = sumByLanesOfTeams(*One, Kernel);
  Pipeline Changes(Machine.get(), Level);
  Lean = makeLean(*One->getFunction(Kernel), Changes.analyses());
  if ((Lean.Rows || Lanes) && !One->getFunction(Kernel)->hasFnAttribute(TeamAttribute))
    leaveTeamOpen(*One->getFunction(Kernel));
  tellOpenMPDone(*One); // the runtime is gone, and with it what openmp-opt would take its time to look for
  return Lean.Made && make(std::move(One), Name, {leanName(Kernel)}, Make, /*AreGeneric=*/false);
}

bool Isolation::aloneStrided(StringRef Kernel, const Maker &Make) {
  const std::string Name = Kernel.str();
  std::unique_ptr<Module> One = extract(Name);
  if (!One || !strideLoop(*One, Kernel))
    return false;
  setTeam(*One->getFunction(Kernel), /*SumsByItself=*/true);
  return make(std::move(One), Name, {stridedName(Kernel)}, Make, isGeneric(Kernel));
}

bool Isolation::aloneSpread(StringRef Kernel, SpreadFrom &From, const Maker &Make) {
  const std::string Name = Kernel.str();
  std::unique_ptr<Module> One = extract(Name);
  Pipeline Changes(Machine.get(), Level);
  From = One ? spreadLoop(*One, Kernel, Changes.analyses()) : SpreadFrom::None;
  if (From == SpreadFrom::None)
    return false;
  leaveTeamOpen(*One->getFunction(Kernel)); // versions have a number of their own
  setTeam(*One->getFunction(Kernel), /*SumsByItself=*/true);
  return make(std::move(One), Name, {spreadName(Kernel)}, Make, isGeneric(Kernel));
}

bool Isolation::aloneApart(StringRef Kernel, const Maker &Make) {
  const std::string Name = Kernel.str();
  std::unique_ptr<Module> One = extract(Name);
  if (!One)
    return false;
  Function &F = *One->getFunction(Kernel);
  tellScalarsApart(F);
  setTeam(F, /*SumsByItself=*/false);
  return make(std::move(One), Name, {apartName(Kernel)}, Make, isGeneric(Kernel));
}

std::vector<std::string> Isolation::linkBack(Module &M, FunctionAnalysisManager &FAM) {
  std::vector<std::string> LeftOut;
  for (auto [Linked, Names] : zip(place::linkBack(M, Parts, FAM), NamesOfParts))
    if (!Linked)
      append_range(LeftOut, Names);
  Parts.clear();
  NamesOfParts.clear();
  Copy.release();
  return LeftOut;
}

} // namespace place
