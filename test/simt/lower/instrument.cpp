#include "lowering.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace simt {

// A loop around an atomic operation may wait for another thread, which needs a turn.
static void addSpins(Lowering &L, Function &F) {
  SmallVector<Instruction *, 16> Waits;
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I) || (Load && (Load->isAtomic() || Load->isVolatile())))
      Waits.push_back(&I);
  }
  for (Instruction *I : Waits) {
    IRBuilder<> B(I);
    B.CreateCall(L.runtime("simt_spin", B.getVoidTy(), {}));
  }
}

void instrument(Lowering &L) {
  for (Function &F : L.M)
    addSpins(L, F);
}

} // namespace simt
