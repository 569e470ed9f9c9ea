// Instrumentation of memory accesses, before anything else changes them: checks replace the pointer by what the runner
// returns, counts get the address and the iterations of the loops around it. Thread-private variables (allocas) are
// left alone: they are registers or local memory of one thread.
#include "lowering.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace simt {
namespace {

// One pointer operand of one instruction.
struct MemoryOperand {
  Instruction *I;
  unsigned Operand;
  Access Kind;
  Type *Accessed; // null for the intrinsics that take a length
};

// A loop around an atomic operation may wait for another thread, which needs a turn.
void addSpins(Lowering &L, Function &F) {
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

// Loads that the code generator puts on the read-only path (ld.global.nc), as canLowerToLDG of LLVM 19's NVPTX back end
// decides: invariant ones, of constants, and through kernel arguments that are noalias and never written through. It knows
// the pointers that a kernel is given to be global.
bool isReadOnlyLoad(const Lowering &L, const LoadInst &Load) {
  if (Load.hasMetadata("simt.readonly"))
    return true;
  unsigned Space = Load.getPointerAddressSpace();
  const Value *Base = getUnderlyingObject(Load.getPointerOperand(), 0);
  bool Global = Space == SpaceGlobal || (Space == SpaceGeneric && (isa<Argument>(Base) || isa<GlobalVariable>(Base)));
  if (!Global || Load.isVolatile())
    return false;
  if (Load.hasMetadata(LLVMContext::MD_invariant_load))
    return true;
  SmallVector<const Value *, 8> Objects;
  getUnderlyingObjects(Load.getPointerOperand(), Objects);
  return all_of(Objects, [&](const Value *V) {
    if (auto *A = dyn_cast<Argument>(V))
      return is_contained(L.Kernels, A->getParent()) && A->onlyReadsMemory() && A->hasNoAliasAttr();
    auto *G = dyn_cast<GlobalVariable>(V);
    return G && G->isConstant() && G->getAddressSpace() <= SpaceGlobal;
  });
}

void collect(const Lowering &L, Instruction &I, SmallVectorImpl<MemoryOperand> &Out) {
  if (I.hasMetadata("simt.unseen"))
    return;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Access Kind = Load->isAtomic() ? Access::Atomic : isReadOnlyLoad(L, *Load) ? Access::ReadOnlyLoad : Access::Load;
    Out.push_back({&I, LoadInst::getPointerOperandIndex(), Kind, Load->getType()});
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Access Kind = Store->isAtomic() ? Access::Atomic : Access::Store;
    Out.push_back({&I, StoreInst::getPointerOperandIndex(), Kind, Store->getValueOperand()->getType()});
  } else if (auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
    Out.push_back({&I, AtomicRMWInst::getPointerOperandIndex(), Access::Atomic, Update->getType()});
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Out.push_back({&I, AtomicCmpXchgInst::getPointerOperandIndex(), Access::Atomic,
                   Exchange->getCompareOperand()->getType()});
  } else if (isa<MemIntrinsic>(I)) {
    Out.push_back({&I, 0, Access::Store, nullptr});
    if (isa<MemTransferInst>(I))
      Out.push_back({&I, 1, Access::Load, nullptr});
  }
}

bool isPrivate(const Value *Pointer) { return isa<AllocaInst>(getUnderlyingObject(Pointer, 0)); }

// What lies elsewhere than it says is a finding, and the run goes on.
void forgetAlignment(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I); Load && !Load->isAtomic())
    Load->setAlignment(Align(1));
  if (auto *Store = dyn_cast<StoreInst>(&I); Store && !Store->isAtomic())
    Store->setAlignment(Align(1));
}

void addCheck(Lowering &L, const MemoryOperand &M) {
  Value *Pointer = M.I->getOperand(M.Operand);
  IRBuilder<> B(M.I);
  uint64_t Bytes = M.Accessed ? L.M.getDataLayout().getTypeStoreSize(M.Accessed).getFixedValue() : 0;
  llvm::Constant *Site = L.site(*M.I, M.Kind, Pointer->getType()->getPointerAddressSpace(), Bytes, Pointer);
  Value *Generic = B.CreateAddrSpaceCast(Pointer, B.getPtrTy());
  Value *Checked;
  if (M.Accessed) {
    Checked = B.CreateCall(L.runtime("simt_check", B.getPtrTy(), {B.getPtrTy(), B.getPtrTy()}), {Generic, Site});
  } else {
    Value *Length = B.CreateZExtOrTrunc(cast<MemIntrinsic>(M.I)->getLength(), B.getInt64Ty());
    Checked = B.CreateCall(L.runtime("simt_check_range", B.getPtrTy(), {B.getPtrTy(), B.getInt64Ty(), B.getPtrTy()}),
                           {Generic, Length, Site});
  }
  M.I->setOperand(M.Operand, B.CreateAddrSpaceCast(Checked, Pointer->getType()));
  forgetAlignment(*M.I);
}

// Copies and fills with a length are counted as nothing: what the optimiser makes of them on a GPU is not known here.
void addCount(Lowering &L, const MemoryOperand &M, Value *Iteration) {
  if (!M.Accessed)
    return;
  Value *Pointer = M.I->getOperand(M.Operand);
  IRBuilder<> B(M.I);
  uint64_t Bytes = L.M.getDataLayout().getTypeStoreSize(M.Accessed).getFixedValue();
  llvm::Constant *Site = L.site(*M.I, M.Kind, Pointer->getType()->getPointerAddressSpace(), Bytes, Pointer);
  B.CreateCall(L.runtime("simt_count", B.getVoidTy(), {B.getPtrTy(), B.getInt64Ty(), B.getPtrTy()}),
               {B.CreateAddrSpaceCast(Pointer, B.getPtrTy()), Iteration, Site});
}

// Asynchronous copies: the runner stores, and checks, when the thread waits for them.
void deferStores(Lowering &L, Function &F) {
  SmallVector<StoreInst *, 16> Stores;
  for (Instruction &I : instructions(F))
    if (I.hasMetadata("simt.async"))
      Stores.push_back(cast<StoreInst>(&I));
  for (StoreInst *Store : Stores) {
    IRBuilder<> B(Store);
    Value *Pointer = Store->getPointerOperand(), *Data = Store->getValueOperand();
    unsigned Bits = Data->getType()->getIntegerBitWidth();
    llvm::Constant *Site = L.site(*Store, Access::Store, Pointer->getType()->getPointerAddressSpace(), Bits / 8, Pointer);
    Value *Low = B.CreateZExtOrTrunc(Data, B.getInt64Ty());
    Value *High = Bits > 64 ? B.CreateTrunc(B.CreateLShr(Data, 64), B.getInt64Ty()) : B.getInt64(0);
    B.CreateCall(L.runtime("simt_async_store", B.getVoidTy(), {B.getPtrTy(), B.getInt64Ty(), B.getInt64Ty(), B.getPtrTy()}),
                 {B.CreateAddrSpaceCast(Pointer, B.getPtrTy()), Low, High, Site});
    Store->eraseFromParent();
  }
}

void instrumentFunction(Lowering &L, Function &F) {
  SmallVector<MemoryOperand, 64> Operands;
  for (Instruction &I : instructions(F))
    collect(L, I, Operands);
  DenseMap<BasicBlock *, Value *> Iterations;
  if (L.Opts.Count)
    Iterations = numberIterations(F);
  for (const MemoryOperand &M : Operands) {
    if (isPrivate(M.I->getOperand(M.Operand)))
      continue;
    if (L.Opts.Count)
      addCount(L, M, Iterations[M.I->getParent()]);
    if (L.Opts.Check && !M.I->hasMetadata("simt.async"))
      addCheck(L, M);
  }
}

// Facts about memory that held of the original instructions would let the optimiser drop checks.
void forgetMemoryEffects(Function &F) {
  F.removeFnAttr(Attribute::Memory);
  F.removeFnAttr(Attribute::WillReturn);
  F.removeFnAttr(Attribute::NoSync);
  F.removeFnAttr(Attribute::Speculatable);
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(Call))
      Call->removeFnAttr(Attribute::Memory);
}

} // namespace

void instrument(Lowering &L) {
  for (Function &F : L.M) {
    if (F.isDeclaration())
      continue;
    forgetMemoryEffects(F);
    addSpins(L, F);
    if (L.Opts.Check || L.Opts.Count)
      instrumentFunction(L, F);
    deferStores(L, F);
  }
}

} // namespace simt
