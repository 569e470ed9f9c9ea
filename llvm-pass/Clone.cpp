//===- Clone.cpp - Versions of a kernel -------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Clone.h"
#include "Chunks.h"
#include "Spaces.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/ConstantFold.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

namespace place {

std::string versionName(const KernelSummary &K, place_version_kind Kind, ArrayRef<int8_t> Space, const BlockShape *Block) {
  std::string Name = (K.F->getName() + "_place_").str();
  if (Kind == PLACE_BASE)
    return Name + "base";
  if (Kind == PLACE_AGNOSTIC)
    return Name + "agnostic";
  if (Kind == PLACE_PROFILE)
    return Name + "profile";
  for (size_t I = 0; I < Space.size(); ++I)
    if (K.Arrays[I].Placeable >= 0)
      Name += place_space_letter(static_cast<place_space>(Space[I]));
  if (!K.placeableCount())
    Name += "plain";
  return Block ? Name + "_" + Block->name() + (Block->Adjacent[Block->Dims - 1] ? "a" : "") : Name;
}

Clone::Clone(const KernelSummary &Kernel, const Version &Wanted, const TargetTransformInfo &TTI) : K(Kernel), V(Wanted) {
  Function &F = *K.F;
  SmallVector<Type *, 16> Types(F.getFunctionType()->params());
  unsigned Words = PLACE_CONTROL_WORDS + PLACE_WORDS_PER_ARRAY * K.placeableCount();
  Types.append(Words, Type::getInt64Ty(F.getContext()));
  create(FunctionType::get(F.getReturnType(), Types, false), TTI);
  auto To = New->arg_begin();
  for (Argument &From : F.args()) {
    To->setName(From.getName());
    Map[&From] = &*To++;
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(New, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  New->setVisibility(F.getVisibility());
  New->setDSOLocal(F.isDSOLocal());
  copyEnvironment();
}

void Clone::create(FunctionType *Type, const TargetTransformInfo &TTI) {
  New = createKernel(*K.F, Type, V.Entry, TTI, [&](Function &F) { annotate(F); });
}

// The kernel's own annotations, repeated for the clone: kernel, maxntidx, ... Launched with another number of threads than a
// version is made for, the driver refuses it.
void Clone::annotate(Function &F) const {
  unsigned Own = V.Block ? V.Block->threads() : V.Natural ? V.Natural->Threads : 0;
  bool Fixed = Own || (V.Straight && K.Threads), Told = false;
  copyAnnotations(*K.F, F, [&](StringRef &Key, uint64_t &Value) {
    if (!Fixed || Key != "maxntidx")
      return;
    Key = "reqntidx";
    Value = Own ? Own : Value;
    Told = true;
  });
  if (Own && !Told)
    addAnnotation(F, "reqntidx", Own);
  // Two teams on a multiprocessor: one works while the other waits for its tiles.
  if (V.Block && V.Block->Strip)
    addAnnotation(F, "minctasm", 2);
}

// The environment with other numbers of threads: { { ..., i32 least, i32 most, ... }, ... }.
static Constant *withThreads(Constant *Environment, unsigned Threads) {
  enum { Configuration = 0 };
  auto *Inner = cast<Constant>(Environment->getAggregateElement(unsigned(Configuration)));
  for (unsigned Field : {unsigned(EnvLeastThreads), unsigned(EnvMostThreads)})
    Inner = ConstantFoldInsertValueInstruction(Inner, ConstantInt::get(Inner->getAggregateElement(Field)->getType(), Threads), Field);
  return ConstantFoldInsertValueInstruction(Environment, Inner, unsigned(Configuration));
}

// libomptarget looks the execution mode and launch bounds of a kernel up under the kernel's name.
void Clone::copyEnvironment() const {
  Module &M = *K.F->getParent();
  GlobalVariable *Old = M.getNamedGlobal((K.F->getName() + "_kernel_environment").str());
  if (!Old)
    return;
  Constant *Init = Old->getInitializer();
  if (unsigned Own = V.Block ? V.Block->threads() : V.Natural ? V.Natural->Threads : 0)
    Init = withThreads(Init, Own);
  auto *G = new GlobalVariable(M, Old->getValueType(), Old->isConstant(), Old->getLinkage(), Init,
                               V.Entry + "_kernel_environment", Old, Old->getThreadLocalMode(), Old->getAddressSpace());
  G->copyAttributesFrom(Old);
}

Argument *Clone::control(unsigned Word) const { return New->getArg(K.F->arg_size() + Word); }

Argument *Clone::word(const ArraySummary &A, unsigned Word) const {
  return New->getArg(K.F->arg_size() + PLACE_CONTROL_WORDS + PLACE_WORDS_PER_ARRAY * unsigned(A.Placeable) + Word);
}

Argument *Clone::array(const ArraySummary &A) const { return New->getArg(A.Arg->getArgNo()); }

Value *Clone::cloned(Value *Original) const { return Map.lookup(Original); }

Instruction *Clone::access(const AccessSummary &S) const { return cast<Instruction>(Map.lookup(S.I)); }

std::vector<LoadInst *> Clone::loads(int Array) const {
  std::vector<LoadInst *> Loads;
  for (const AccessSummary &S : K.Accesses)
    if (S.Array == Array)
      if (auto *L = dyn_cast<LoadInst>(access(S)))
        Loads.push_back(L);
  return Loads;
}

Instruction *Clone::start() const { return &*New->getEntryBlock().getFirstNonPHIOrDbgOrAlloca(); }

std::vector<ReturnInst *> Clone::returns() const {
  std::vector<ReturnInst *> Returns;
  for (BasicBlock &BB : *New)
    if (auto *R = dyn_cast<ReturnInst>(BB.getTerminator()))
      Returns.push_back(R);
  return Returns;
}

//===-- Device symbols -------------------------------------------------------===//

GlobalVariable *constantBank(Module &M) {
  if (GlobalVariable *G = M.getNamedGlobal(PLACE_CONST_SYMBOL))
    return G;
  auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), PLACE_CONST_BYTES);
  auto *G = new GlobalVariable(M, Ty, /*isConstant=*/false, GlobalValue::WeakAnyLinkage, Constant::getNullValue(Ty),
                               PLACE_CONST_SYMBOL, nullptr, GlobalValue::NotThreadLocal, AddrConstant);
  G->setVisibility(GlobalValue::ProtectedVisibility);
  G->setAlignment(Align(PLACE_CONST_ALIGN));
  return G;
}

GlobalVariable *sharedMemory(Module &M) {
  if (GlobalVariable *G = M.getNamedGlobal(PLACE_SHARED_SYMBOL))
    return G;
  auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), 0);
  auto *G = new GlobalVariable(M, Ty, false, GlobalValue::ExternalLinkage, nullptr, PLACE_SHARED_SYMBOL, nullptr,
                               GlobalValue::NotThreadLocal, AddrShared);
  G->setAlignment(Align(PLACE_SHARED_ALIGN));
  return G;
}

GlobalVariable *deviceBuffer(Module &M, StringRef Name, uint64_t Bytes) {
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    return G;
  auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes);
  auto *G = new GlobalVariable(M, Ty, false, GlobalValue::WeakAnyLinkage, Constant::getNullValue(Ty), Name, nullptr,
                               GlobalValue::NotThreadLocal, AddrGlobal);
  G->setVisibility(GlobalValue::ProtectedVisibility);
  G->setAlignment(Align(16));
  return G;
}

//===-- One version ----------------------------------------------------------===//

// Where an array's elements lie in the constant bank or in shared memory, as if it began at its kernel argument.
static Value *spaceBase(Clone &C, const ArraySummary &A, place_space Space) {
  Module &M = *C.function().getParent();
  IRBuilder<> B(C.start());
  GlobalVariable *G = Space == PLACE_CONSTANT ? constantBank(M) : sharedMemory(M);
  // The mask tells the optimiser what the runtime guarantees (abi.h): neighbouring loads can become one of 16 bytes.
  Value *Bias = B.CreateAnd(C.word(A, PLACE_WORD_BIAS), B.getInt64(-int64_t(PLACE_BIAS_ALIGN)));
  return B.CreateGEP(B.getInt8Ty(), G, Bias);
}

static void moveArray(Clone &C, int Array, place_space Space) {
  const ArraySummary &A = C.kernel().Arrays[Array];
  std::vector<LoadInst *> Loads = C.loads(Array);
  if (Space == PLACE_READONLY)
    for (LoadInst *L : Loads)
      makeReadOnly(L);
  if (Space != PLACE_CONSTANT && Space != PLACE_SHARED)
    return;
  Rebaser To(C.array(A), spaceBase(C, A, Space));
  for (LoadInst *L : Loads)
    moveLoad(L, To);
}

// One load of the placement-agnostic version: a switch on the array's selector, uniform over the grid
// (paper 000, Fig. 6d).
static void switchLoad(Clone &C, const ArraySummary &A, LoadInst *L, Rebaser &Constant, Rebaser &Shared) {
  Value *InConstant = Constant.rebase(L->getPointerOperand()), *InShared = Shared.rebase(L->getPointerOperand());
  BasicBlock *Head = L->getParent();
  BasicBlock *Tail = SplitBlock(Head, L);
  LLVMContext &Context = L->getContext();
  auto Load = [&](const char *Name, Value *Pointer) {
    BasicBlock *BB = BasicBlock::Create(Context, Name, Head->getParent(), Tail);
    IRBuilder<> B(BB);
    auto *New = cast<LoadInst>(B.Insert(L->clone()));
    if (Pointer)
      New->setOperand(LoadInst::getPointerOperandIndex(), Pointer);
    B.CreateBr(Tail);
    return New;
  };
  LoadInst *Loads[] = {Load("global", nullptr), Load("readonly", nullptr), Load("constant", InConstant),
                       Load("shared", InShared)};
  makeReadOnly(Loads[PLACE_READONLY]);
  Head->getTerminator()->eraseFromParent();
  IRBuilder<> B(Head);
  Value *Selector = B.CreateTrunc(C.word(A, PLACE_WORD_SELECT), B.getInt8Ty());
  SwitchInst *Switch = B.CreateSwitch(Selector, Loads[PLACE_GLOBAL]->getParent(), 3);
  B.SetInsertPoint(Tail, Tail->begin());
  PHINode *Value = B.CreatePHI(L->getType(), 4);
  for (int Space = PLACE_GLOBAL; Space <= PLACE_SHARED; ++Space) {
    Value->addIncoming(Loads[Space], Loads[Space]->getParent());
    if (Space != PLACE_GLOBAL)
      Switch->addCase(B.getInt8(Space), Loads[Space]->getParent());
  }
  L->replaceAllUsesWith(Value);
  L->eraseFromParent();
}

static void makeAgnostic(Clone &C) {
  std::vector<int> Staged;
  for (size_t I = 0; I < C.kernel().Arrays.size(); ++I) {
    const ArraySummary &A = C.kernel().Arrays[I];
    if (A.Placeable < 0)
      continue;
    Staged.push_back(int(I));
    Rebaser Constant(C.array(A), spaceBase(C, A, PLACE_CONSTANT));
    Rebaser Shared(C.array(A), spaceBase(C, A, PLACE_SHARED));
    std::vector<LoadInst *> Loads = C.loads(int(I));
    for (LoadInst *L : Loads)
      switchLoad(C, A, L, Constant, Shared);
  }
  emitStaging(C, Staged, /*Selected=*/true);
}

static void makeSpecial(Clone &C) {
  std::vector<int> Staged;
  for (size_t I = 0; I < C.kernel().Arrays.size(); ++I) {
    int Space = C.version().Space[I];
    if (Space < 0)
      continue;
    moveArray(C, int(I), static_cast<place_space>(Space));
    if (Space == PLACE_SHARED)
      Staged.push_back(int(I));
  }
  // Loads move first, so that both copies of the body have them; staging brings a barrier that must stay.
  if (C.version().Natural)
    orderNaturally(C);
  else if (C.version().Straight)
    straightenChunks(C);
  if (C.version().Block)
    rebuildBlocks(C);
  emitStaging(C, Staged, /*Selected=*/false);
}

static const char SpecialAttribute[] = "place-special", BlockAttribute[] = "place-block";

PreservedAnalyses FinishVersionPass::run(Function &F, FunctionAnalysisManager &FAM) {
  if (!F.hasFnAttribute(SpecialAttribute))
    return PreservedAnalyses::all();
  // The iterations of a thread, and those of an unrolled loop, read some elements in common.
  if (F.hasFnAttribute(BlockAttribute)) {
    FAM.invalidate(F, ReassociatePass().run(F, FAM));
    FAM.invalidate(F, EarlyCSEPass(/*UseMemorySSA=*/true).run(F, FAM));
  }
  LoadStoreVectorizerPass().run(F, FAM);
  return PreservedAnalyses::none();
}

Function *makeVersion(const KernelSummary &K, const Version &V, const TargetTransformInfo &TTI) {
  Clone C(K, V, TTI);
  if (V.Kind == PLACE_PROFILE)
    emitProfile(C);
  else if (V.Kind == PLACE_AGNOSTIC)
    makeAgnostic(C);
  else if (V.Kind != PLACE_BASE)
    makeSpecial(C);
  if (V.Kind == PLACE_SPECIAL || V.Kind == PLACE_BLOCK)
    C.function().addFnAttr(SpecialAttribute);
  if (V.Kind == PLACE_BLOCK)
    C.function().addFnAttr(BlockAttribute);
  if (V.Kind != PLACE_PROFILE)
    emitTimer(C);
  assert(!verifyFunction(C.function(), &errs()) && "a version is not well-formed");
  return &C.function();
}

} // namespace place
