//===- ElementCalls.cpp - Calls that work on single objects ----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function's loops over the fields of an object, and the functions that it calls, are told by a copy of it in which everything is inlined,
// unrolled, and in registers: what is left has constant distances from where the arguments lead.
//
//===----------------------------------------------------------------------===//
#include "ElementCalls.h"
#include "RuntimeCall.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace place {

namespace {

using Effect = ElementCalls::Effect;
using Objects = ElementCalls::Objects;

/// Of markers, and of what computes a value of values.
bool touchesNothing(const CallBase &C) {
  return C.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(C) || (C.doesNotAccessMemory() && C.willReturn() && !C.isConvergent());
}

/// The next call of a function with a body, or of the device runtime for a variable.
CallBase *nextCall(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I); C && C->getCalledFunction())
      if (!C->getCalledFunction()->isDeclaration() || isCallOf(I, "__kmpc_alloc_shared") || isCallOf(I, "__kmpc_free_shared"))
        return C;
  return nullptr;
}

bool ownVariable(CallBase &C) {
  if (isCallOf(C, "__kmpc_alloc_shared")) {
    auto *Bytes = dyn_cast<ConstantInt>(C.getArgOperand(0));
    if (!Bytes)
      return false;
    IRBuilder<> B(&*C.getFunction()->getEntryBlock().getFirstInsertionPt());
    AllocaInst *Own = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes->getZExtValue()));
    Own->setAlignment(Align(16));
    C.replaceAllUsesWith(Own);
  } else if (!isCallOf(C, "__kmpc_free_shared")) {
    return false;
  }
  C.eraseFromParent();
  return true;
}

bool inlineOne(CallBase &C) {
  InlineFunctionInfo Info;
  return InlineFunction(C, Info).isSuccess();
}

void simplify(Function &F) {
  PassBuilder PB;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  PB.buildFunctionSimplificationPipeline(OptimizationLevel::O3, ThinOrFullLTOPhase::None).run(F, FAM);
}

/// Reads a function that was made straight.
class Reader {
public:
  explicit Reader(Function &F) : F(F), DL(F.getDataLayout()) { Found.ByArgument.resize(F.arg_size()); }

  std::optional<Effect> read() {
    for (Instruction &I : instructions(F))
      if (!take(I))
        return std::nullopt;
    if (!ResultIsKnown)
      Found.Returned.clear();
    return std::move(Found);
  }

private:
  bool take(Instruction &I) {
    if (auto *L = dyn_cast<LoadInst>(&I))
      return L->isSimple() && touch(L->getPointerOperand(), DL.getTypeStoreSize(L->getType()), false);
    if (auto *S = dyn_cast<StoreInst>(&I))
      return S->isSimple() && !S->getValueOperand()->getType()->isPointerTy() &&
             touch(S->getPointerOperand(), DL.getTypeStoreSize(S->getValueOperand()->getType()), true);
    if (auto *M = dyn_cast<MemIntrinsic>(&I)) {
      auto *Length = dyn_cast<ConstantInt>(M->getLength());
      auto *T = dyn_cast<MemTransferInst>(M);
      return Length && !M->isVolatile() && touch(M->getRawDest(), Length->getZExtValue(), true) &&
             (!T || touch(T->getRawSource(), Length->getZExtValue(), false));
    }
    if (auto *C = dyn_cast<CallBase>(&I))
      return C->isLifetimeStartOrEnd() || isa<AssumeInst>(C) || (touchesNothing(*C) && none_of(C->args(), isPointer));
    if (auto *R = dyn_cast<ReturnInst>(&I); R && R->getReturnValue() && isPointer(R->getReturnValue()))
      ResultIsKnown &= follow(R->getReturnValue(), 0, [&](const Argument &A, int64_t From) {
        Found.Returned.push_back(A.getArgNo());
        return From == 0;
      });
    return !isa<PtrToIntInst>(I) && !I.mayHaveSideEffects() && !I.mayReadFromMemory();
  }

  static bool isPointer(const Value *V) { return V->getType()->isPointerTy(); }

  bool touch(Value *Pointer, uint64_t Bytes, bool Writes) {
    const uint64_t Most = 4096;
    return follow(Pointer, 0, [&](const Argument &A, int64_t From) {
      if (From < 0 || uint64_t(From) > Most || Bytes > Most)
        return false;
      TouchedObject &T = Found.ByArgument[A.getArgNo()];
      T.Bytes = std::max(T.Bytes, uint64_t(From) + Bytes);
      T.IsWritten |= Writes;
      return true;
    });
  }

  using Leads = function_ref<bool(const Argument &, int64_t)>;

  // All arguments that a pointer may lead to, and how far from there; the function's own variables are left out. Through joined ways, too.
  bool follow(Value *Pointer, int64_t From, Leads Take) {
    SmallPtrSet<Value *, 8> Seen;
    return follow(Pointer, From, Take, Seen);
  }

  bool follow(Value *Pointer, int64_t From, Leads Take, SmallPtrSetImpl<Value *> &Seen) {
    APInt Offset(64, uint64_t(From), true);
    Value *Base = Pointer->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
    if (isa<AllocaInst>(Base))
      return true;
    if (auto *A = dyn_cast<Argument>(Base))
      return Take(*A, Offset.getSExtValue());
    auto *I = dyn_cast<Instruction>(Base);
    if (!I || !isa<SelectInst, PHINode>(I) || !Seen.insert(I).second)
      return false;
    return all_of(drop_begin(I->operands(), isa<SelectInst>(I)), [&](Value *V) { return follow(V, Offset.getSExtValue(), Take, Seen); });
  }

  Function &F;
  const DataLayout &DL;
  Effect Found;
  bool ResultIsKnown = true;
};

std::optional<Effect> effectOfFunction(Function &F) {
  if (F.isDeclaration() || F.isInterposable() || F.isVarArg() || F.hasOptNone())
    return std::nullopt;
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  std::optional<Effect> Found;
  if (inlineElementCalls(*Copy)) {
    simplify(*Copy);
    Found = Reader(*Copy).read();
  }
  Copy->eraseFromParent();
  return Found;
}

bool isSourceOfCopy(const Use &U) {
  const auto *T = dyn_cast<MemTransferInst>(U.getUser());
  return T && U.getOperandNo() == 1 && T->getRawDest() != U.get();
}

} // namespace

bool inlineElementCalls(Function &F) {
  const unsigned Most = 64, MostInstructions = 2000;
  unsigned Times = 0;
  while (CallBase *C = nextCall(F)) {
    if (++Times > Most || F.getInstructionCount() > MostInstructions || !(ownVariable(*C) || inlineOne(*C)))
      return false;
  }
  return true;
}

const Effect *ElementCalls::effectOf(const CallBase &Call) {
  Function *F = Call.getCalledFunction();
  if (!F || (Call.getType()->isPointerTy() && !all_of(Call.uses(), isSourceOfCopy)))
    return nullptr;
  if (!Known.contains(F))
    Known[F] = effectOfFunction(*F);
  const std::optional<Effect> &Found = Known[F];
  return Found && (Call.use_empty() || !Call.getType()->isPointerTy() || !Found->Returned.empty()) ? &*Found : nullptr;
}

std::optional<Objects> ElementCalls::touchedByCopy(const CallBase &Copy) {
  const auto &M = cast<MemIntrinsic>(Copy);
  auto *Length = dyn_cast<ConstantInt>(M.getLength());
  if (!Length || M.isVolatile())
    return std::nullopt;
  Objects Found = {{M.getRawDest(), Length->getZExtValue(), true}};
  const auto *T = dyn_cast<MemTransferInst>(&M);
  const auto *Chooses = T ? dyn_cast<CallBase>(T->getRawSource()) : nullptr;
  if (T && !Chooses)
    Found.push_back({T->getRawSource(), Length->getZExtValue(), false});
  const Effect *Of = Chooses ? effectOf(*Chooses) : nullptr;
  if (Chooses && !Of)
    return std::nullopt;
  for (unsigned N : Of ? ArrayRef(Of->Returned) : std::nullopt)
    Found.push_back({Chooses->getArgOperand(N), Length->getZExtValue(), false});
  return Found;
}

std::optional<Objects> ElementCalls::touched(const CallBase &Call) {
  if (touchesNothing(Call))
    return Objects();
  if (isa<MemIntrinsic>(Call))
    return touchedByCopy(Call);
  const Effect *Of = effectOf(Call);
  if (!Of)
    return std::nullopt;
  Objects Found;
  for (auto [A, Touched] : zip(Call.args(), Of->ByArgument))
    if (Touched.Bytes)
      Found.push_back({A.get(), Touched.Bytes, Touched.IsWritten});
  return Found;
}

} // namespace place
