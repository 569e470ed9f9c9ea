//===- SliceLoop.cpp - Slices of a reduction's loop --------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SliceLoop.h"
#include "GridLoop.h"
#include "Kernel.h"
#include "RuntimeCall.h"
#include "Transform.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace place {

/// The interval's first iteration, and how many lie between its last one and the largest number of 64 bits: 0, where that is what ends it.
static const Intrinsic::ID FirstRegister = Intrinsic::nvvm_read_ptx_sreg_envreg0, BehindLow = Intrinsic::nvvm_read_ptx_sreg_envreg1,
                           BehindHigh = Intrinsic::nvvm_read_ptx_sreg_envreg2;

static bool isBound(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && is_contained({FirstRegister, BehindLow, BehindHigh}, II->getIntrinsicID());
}

bool mayWait(const Instruction &I) {
  if (const auto *L = dyn_cast<LoadInst>(&I))
    return L->isVolatile() || L->isAtomic();
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return !RMW->use_empty();
  if (const auto *C = dyn_cast<CallBase>(&I))
    return C->isInlineAsm() ? C->mayReadOrWriteMemory() : !isa<IntrinsicInst>(C) && !C->doesNotAccessMemory();
  return isa<FenceInst>(I) || isa<AtomicCmpXchgInst>(I);
}

/// Functions of the device runtime in which no team waits for another.
static bool isHarmless(const Function &F) {
  return any_of(ArrayRef<const char *>{"__kmpc_for_static_", "__kmpc_nvptx_parallel_reduce", "__kmpc_shuffle_", "__kmpc_get_warp_size",
                                       "__kmpc_alloc_shared", "__kmpc_free_shared", "__kmpc_global_thread_num"},
                [&](StringRef Begin) { return F.getName().starts_with(Begin); });
}

static bool isOwnOperator(const Function &F) { return F.getName().contains("omp_combiner"); }

/// Whether a property holds of all instructions of a function and of the functions that it calls. Calls of what is not entered are
/// instructions, too.
static bool allOf(const Function &From, function_ref<bool(const Instruction &)> Holds) {
  SmallPtrSet<const Function *, 8> Seen{&From};
  SmallVector<const Function *, 8> Work{&From};
  while (!Work.empty())
    for (const Instruction &I : instructions(*Work.pop_back_val())) {
      const Function *Callee = calledFunction(I);
      if (Callee && isHarmless(*Callee))
        continue;
      bool Enters = Callee && !Callee->isDeclaration() && !isOwnOperator(*Callee);
      if (!Enters && !Holds(I))
        return false;
      if (Enters && Seen.insert(Callee).second)
        Work.push_back(Callee);
    }
  return true;
}

static bool isFloatingPoint(const Value *V) { return V->getType()->isFPOrFPVectorTy(); }

/// Neither in floating point nor by an operator of the program's own.
static bool isExact(const Instruction &I) {
  bool CallsOther = isa<CallBase>(I) && !isa<IntrinsicInst>(I);
  return !CallsOther && !isFloatingPoint(&I) && none_of(I.operand_values(), isFloatingPoint);
}

bool maySliceLoop(const CallInst &Share, const CallInst &Finish) {
  const Function *Reduce = shuffleOf(Finish);
  return Reduce && !isLoaded(Share.getArgOperand(static_init::LastFlag)) && allOf(*Reduce, isExact) &&
         allOf(*Share.getFunction(), [](const Instruction &I) { return !mayWait(I); });
}

void cutLoop(CallInst &Share, Type *Counter) {
  IRBuilder<> B(&Share);
  Type *Wide = B.getInt64Ty();
  auto Bound = [&](Intrinsic::ID ID) { return B.CreateZExt(B.CreateIntrinsic(ID, {}, {}), Wide); };
  bool Unsigned = Share.getCalledFunction()->getName().ends_with("u");
  Value *Lower = Share.getArgOperand(static_init::Lower), *Upper = Share.getArgOperand(static_init::Upper);
  Value *All = B.CreateIntCast(B.CreateLoad(Counter, Upper), Wide, !Unsigned); // -1, where there are none
  Value *Behind = B.CreateOr(Bound(BehindLow), B.CreateShl(Bound(BehindHigh), 32));
  Value *Last = B.CreateBinaryIntrinsic(Intrinsic::smin, All, B.CreateSub(B.getInt64(INT64_MAX), Behind));
  B.CreateStore(B.CreateTrunc(Last, Counter), Upper);
  B.CreateStore(B.CreateAdd(B.CreateLoad(Counter, Lower), B.CreateTrunc(Bound(FirstRegister), Counter)), Lower);
}

WholeLoop::WholeLoop(Function &F, FunctionAnalysisManager &FAM) : F(F), FAM(FAM) {
  if (!hasIntervals(F))
    return;
  for (Instruction &I : instructions(F))
    if (isBound(I))
      for (Use &U : make_early_inc_range(I.uses())) {
        Uses.push_back({&U, &I});
        U.set(ConstantInt::get(I.getType(), 0));
      }
  forget();
}

WholeLoop::~WholeLoop() {
  for (auto &[U, Bound] : Uses)
    U->set(Bound);
  forget();
}

void WholeLoop::forget() {
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  if (!Uses.empty())
    FAM.invalidate(F, Kept);
}

bool takesInterval(const Version &V) { return V.Slice && V.isPlan() && V.Strided; }

static void giveBounds(Function &F, Value *First, Value *Low, Value *High) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isBound(I))
      continue;
    Intrinsic::ID ID = cast<IntrinsicInst>(I).getIntrinsicID();
    I.replaceAllUsesWith(ID == FirstRegister ? First : ID == BehindLow ? Low : High);
    I.eraseFromParent();
  }
}

static void apply(Clone &C) {
  if (!C.kernel().Intervals)
    return;
  Function &F = C.function();
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  if (!takesInterval(C.version()))
    return giveBounds(F, B.getInt32(0), B.getInt32(0), B.getInt32(0));
  Value *End = C.sliceWord(PLACE_SLICE_TEAMS); // no iteration's number; 0: there is no end
  Value *Behind = B.CreateSub(B.getInt64(INT64_MIN), End); // INT64_MAX - (End - 1)
  Behind = B.CreateSelect(B.CreateIsNull(End), B.getInt64(0), Behind);
  giveBounds(F, B.CreateTrunc(C.sliceWord(PLACE_SLICE_FIRST), B.getInt32Ty()), B.CreateTrunc(Behind, B.getInt32Ty()),
             B.CreateTrunc(B.CreateLShr(Behind, 32), B.getInt32Ty()));
}

static bool isPart(const Version &) { return true; }

const Transform IntervalTransform = {isPart, nullptr, nullptr, apply, nullptr};

} // namespace place
