// The module's target: everything of NVPTX goes, and nothing of it may be left.
#include "lowering.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace simt {

static constexpr const char *HostTriple = "x86_64-pc-linux-gnu";
static constexpr const char *HostLayout =
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

static void retargetFunction(Function &F) {
  for (const char *Attribute : {"target-cpu", "target-features", "tune-cpu", "nvvm.maxntid", "kernel", "frame-pointer",
                                "omp_target_thread_limit", "omp_target_num_teams", "uniform-work-group-size",
                                "denormal-fp-math-f32", "denormal-fp-math"})
    F.removeFnAttr(Attribute);
  if (F.getCallingConv() == CallingConv::PTX_Device || F.getCallingConv() == CallingConv::PTX_Kernel)
    F.setCallingConv(CallingConv::C);
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Call->getCallingConv() == CallingConv::PTX_Device)
        Call->setCallingConv(CallingConv::C);
    if (isa<FPMathOperator>(I))
      I.setHasAllowContract(false); // as the plain host compile, whose machine has no fused operation
  }
}

static void checkStores(Lowering &L, Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I); Store && Store->getPointerAddressSpace() == SpaceConstant)
      L.error(&I, "store to constant memory");
    else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I); Atomic && Atomic->getPointerAddressSpace() == SpaceConstant)
      L.error(&I, "atomic operation on constant memory");
}

static void checkDeclarations(Lowering &L) {
  for (Function &F : L.M)
    if (F.isDeclaration() && F.getName().starts_with("llvm.nvvm.") && !F.use_empty())
      L.error(nullptr, "unsupported use of the address of " + F.getName());
  for (GlobalAlias &A : L.M.aliases())
    if (A.getAddressSpace() == SpaceShared)
      L.error(nullptr, "unsupported alias " + A.getName() + " of a shared variable");
}

static void removeUnused(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if (F.isDeclaration() && F.use_empty())
      F.eraseFromParent();
}

// NVPTX runs no static constructors of C programs; those that C++ needs ran as kernels and have no thread here.
static void dropAnnotations(Module &M) {
  for (const char *Name : {"nvvm.annotations", "nvvmir.version"})
    if (NamedMDNode *Node = M.getNamedMetadata(Name))
      M.eraseNamedMetadata(Node);
}

void retarget(Lowering &L) {
  for (Function &F : L.M) {
    retargetFunction(F);
    checkStores(L, F);
  }
  checkDeclarations(L);
  removeUnused(L.M);
  dropAnnotations(L.M);
  L.M.setTargetTriple(HostTriple);
  L.M.setDataLayout(HostLayout);
}

} // namespace simt
