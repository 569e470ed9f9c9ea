// The functions that CUDA gives to device code go to the runner under names that do not meet the host's C library.
#include "lowering.h"

using namespace llvm;

void simt::lowerDeviceLibrary(Lowering &L) {
  static const std::pair<StringRef, StringRef> Names[] = {{"vprintf", "simt_vprintf"},
                                                          {"malloc", "simt_malloc"},
                                                          {"free", "simt_free"},
                                                          {"__assertfail", "simt_assertfail"}};
  for (const auto &[Device, Runner] : Names)
    if (Function *F = L.M.getFunction(Device); F && F->isDeclaration()) {
      F->setName(Runner);
      F->setLinkage(GlobalValue::ExternalLinkage);
      F->setVisibility(GlobalValue::DefaultVisibility);
      F->setDSOLocal(false);
    }
  // Declared, but not defined, by OpenMP's device runtime: nvlink refuses such a program, too.
  if (Function *F = L.M.getFunction("_ZN4impl15setCriticalLockEP10omp_lock_t"); F && F->isDeclaration() && !F->use_empty())
    L.error(nullptr, "unsupported construct omp critical: LLVM 19's device runtime has none for NVPTX");
  if (Function *F = L.M.getFunction("__nvvm_reflect"); F && !F->use_empty())
    L.error(nullptr, "unsupported call of __nvvm_reflect: compile the device code with the NVPTX pipeline");
}
