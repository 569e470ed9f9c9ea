//===- DeviceRuntime.cpp - What is not the program's own ---------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceRuntime.h"
#include "RuntimeCall.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

// Shared variables in which the runtime keeps what it knows of a team. They are set by a kernel's first call.
static bool isRuntimeState(StringRef Variable) {
  return StringSwitch<bool>(Variable)
      .Cases("IsSPMDMode", "_ZN4ompx5state9TeamStateE", "_ZN4ompx5state12ThreadStatesE", true)
      .Cases("_ZL20KernelEnvironmentPtr", "_ZL26KernelLaunchEnvironmentPtr", "_ZN12_GLOBAL__N_122SharedMemorySmartStackE", true)
      .Cases("_ZL29SharedMemVariableSharingSpace", "_ZL32SharedMemVariableSharingSpacePtr", "_ZL9ThreadDST", true)
      .Default(false);
}

bool isOfRuntime(StringRef Symbol) {
  if (Symbol.contains("$ompvariant")) // omp_is_initial_device: clang's header defines it in each file
    return false;
  for (StringRef Prefix : {"__kmpc_", "omp_", "ompx_", "llvm_omp_", "_ZN4ompx", "_ZNK4ompx", "__omp_rtl_"})
    if (Symbol.starts_with(Prefix))
      return true;
  return Symbol == "__llvm_omp_indirect_call_lookup" || isRuntimeState(Symbol);
}

bool isOfLibdevice(StringRef Symbol) { return Symbol.starts_with("__nv_") || Symbol == "__nvvm_reflect"; }

/// Whether the region's n-th argument is what is in the variable.
static bool passes(const CallBase &Region, unsigned N, const Value *Variable) {
  const DataLayout &DL = Region.getModule()->getDataLayout();
  const Value *Array = Region.getArgOperand(parallel_51::Arguments)->stripPointerCasts();
  for (const Instruction &I : instructions(*Region.getFunction())) {
    const auto *S = dyn_cast<StoreInst>(&I);
    APInt Offset(64, 0);
    if (!S || S->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, true) != Array || Offset != 8 * N)
      continue;
    const Value *V = S->getValueOperand();
    while (const auto *Cast = dyn_cast<CastInst>(V))
      V = Cast->getOperand(0);
    const auto *L = dyn_cast<LoadInst>(V);
    return L && L->getPointerOperand() == Variable;
  }
  return false;
}

bool beginsForChunk(const CallBase &Region, const CallBase &Distribute) {
  return passes(Region, 0, Distribute.getArgOperand(static_init::Lower)) && passes(Region, 1, Distribute.getArgOperand(static_init::Upper));
}

bool isOfDriver(const Function &F) {
  return StringSwitch<bool>(F.getName()).Cases("vprintf", "malloc", "free", "__assertfail", true).Default(false);
}

Intrinsic::ID intrinsicCalledLater(StringRef Name) {
  return StringSwitch<Intrinsic::ID>(Name)
      .Case("__kmpc_get_hardware_thread_id_in_block", Intrinsic::nvvm_read_ptx_sreg_tid_x)
      .Case("__kmpc_barrier_simple_spmd", Intrinsic::nvvm_barrier0)
      .Default(Intrinsic::not_intrinsic);
}

bool mayCallRuntime(const Function &Declared) { return !isOfLibdevice(Declared.getName()) && !isOfDriver(Declared); }

bool isOfProgram(const Function &F) { return !F.isIntrinsic() && !isOfRuntime(F.getName()) && !isOfLibdevice(F.getName()); }

bool isOfAnotherFile(const Function &F) { return F.isDeclaration() && isOfProgram(F) && mayCallRuntime(F); }

bool callsThroughPointer(const Instruction &I) {
  const auto *C = dyn_cast<CallBase>(&I);
  return C && C->isIndirectCall();
}

bool writesTeamVariable(const Instruction &I) {
  const auto *S = dyn_cast<StoreInst>(&I);
  const auto *Object = S ? dyn_cast<Instruction>(getUnderlyingObject(S->getPointerOperand())) : nullptr;
  return Object && isCallOf(*Object, "__kmpc_alloc_shared");
}

// Constants of aggregates and casts lead to variables and functions.
static bool needsState(const Value *V, SmallPtrSetImpl<const Value *> &Seen) {
  if (!isa<Constant>(V) || isa<ConstantData>(V) || !Seen.insert(V).second)
    return false;
  if (const auto *G = dyn_cast<GlobalVariable>(V))
    return isRuntimeState(G->getName());
  if (const auto *F = dyn_cast<Function>(V)) {
    if (F->isIntrinsic())
      return false;
    if (F->isDeclaration())
      return mayCallRuntime(*F);
    for (const Instruction &I : instructions(*F))
      if (callsThroughPointer(I) || any_of(I.operands(), [&](const Use &U) { return needsState(U.get(), Seen); }))
        return true;
    return false;
  }
  return any_of(cast<Constant>(V)->operands(), [&](const Use &U) { return needsState(U.get(), Seen); });
}

bool needsRuntimeState(const Function &F) {
  SmallPtrSet<const Value *, 32> Seen;
  return needsState(&F, Seen);
}

} // namespace place
