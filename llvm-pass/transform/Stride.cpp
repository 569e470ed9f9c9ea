//===- Stride.cpp - Reductions over grid-stride loops --------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang makes of `distribute parallel for reduction`, before any optimisation:
//
//   teams function                                            parallel function
//     partial = neutral                                         mine = neutral
//     __kmpc_distribute_static_init(&lb, &ub, &stride)          lb, ub = the chunk
//     for each chunk (lb, ub):                                  __kmpc_for_static_init(&lb, &ub, &stride)
//       __kmpc_parallel_51(parallel function)                   for (iv = lb; iv <= chunk's ub; iv += stride) body
//     if (__kmpc_nvptx_teams_reduce_nowait_v2(...))             if (__kmpc_nvptx_parallel_reduce_nowait_v2(...))
//       variable = variable op partial                            partial = partial op mine
//
// The chunk becomes the whole space, and the loop over chunks goes; a thread's share of it is what the grid's strides give it.
//
//===----------------------------------------------------------------------===//
#include "Stride.h"
#include "Finish.h"
#include "Kernel.h"
#include "LoopProperty.h"
#include "Mark.h"
#include "Private.h"
#include "RuntimeCall.h"
#include "Straight.h"
#include "Transform.h"
#include "Unroll.h"

#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace place {

static const char StridedLoop[] = "place.strided";

namespace {

SmallVector<User *, 8> usersOf(Value *V) { return V ? SmallVector<User *, 8>(V->users()) : SmallVector<User *, 8>(); }

/// The one call of any of the functions in the module; null: there is none, or more than one.
CallInst *onlyCall(Module &One, std::initializer_list<const char *> Names) {
  CallInst *Only = nullptr;
  for (const char *Name : Names) {
    Function *F = One.getFunction(Name);
    for (User *U : usersOf(F)) {
      auto *C = dyn_cast<CallInst>(U);
      if (Only || !C || C->getCalledFunction() != F)
        return nullptr;
      Only = C;
    }
  }
  return Only;
}

bool is(const Value *V, int64_t Number) {
  const auto *C = dyn_cast<ConstantInt>(V);
  return C && C->getSExtValue() == Number;
}

bool isRead(const Value *Flag) {
  return any_of(Flag->users(), [](const User *U) { return isa<LoadInst>(U); });
}

using namespace static_init;

class Strider {
public:
  Strider(Module &One, bool Reduces) : One(One), Reduces(Reduces) {}

  bool recognise(StringRef Name) {
    Kernel = One.getFunction(Name);
    Distribute = onlyCall(One, {"__kmpc_distribute_static_init_4", "__kmpc_distribute_static_init_4u",
                                "__kmpc_distribute_static_init_8", "__kmpc_distribute_static_init_8u"});
    Share = onlyCall(One, {"__kmpc_for_static_init_4", "__kmpc_for_static_init_4u", "__kmpc_for_static_init_8",
                           "__kmpc_for_static_init_8u"});
    Parallel = onlyCall(One, {"__kmpc_parallel_51"});
    Finish = onlyCall(One, {teams_reduce::Name});
    return Kernel && Distribute && Share && Parallel && hasFinish() && isOpen() && isWholeTeam() && hasSchedules() && findChunkLoop() &&
           findLoop();
  }

  void rewrite() {
    oneChunk();
    takeShare();
    markLoop();
    if (Finish)
      finishByAllThreads(*Finish, Kernel->getArg(0));
    markStrided(*Kernel);
  }

private:
  bool isOpen() const { return hasOpenTeams(*Kernel) && hasOpenThreads(*Kernel); }

  bool hasFinish() const {
    const Function *Partial = One.getFunction("__kmpc_nvptx_parallel_reduce_nowait_v2");
    return Reduces ? Finish && Finish->getFunction() == Distribute->getFunction() : !Finish && (!Partial || Partial->use_empty());
  }

  /// The parallel region is carried out by all threads of the team, in the function with the worksharing loop.
  bool isWholeTeam() const {
    return is(Parallel->getArgOperand(parallel_51::If), 1) && is(Parallel->getArgOperand(parallel_51::NumThreads), -1) &&
           Parallel->getArgOperand(parallel_51::Outlined)->stripPointerCasts() == Share->getFunction() &&
           Parallel->getFunction() == Distribute->getFunction();
  }

  /// Schedules of the implementation's choice: chunks as large as the team, one iteration a thread.
  bool hasSchedules() const {
    return is(Distribute->getArgOperand(Sched), schedule::DistributeChunked) && is(Share->getArgOperand(Sched), schedule::ForChunked) &&
           is(Share->getArgOperand(Chunk), 1) && is(Share->getArgOperand(Increment), 1);
  }

  /// The loop around the parallel region, with one way back and one way out.
  bool findChunkLoop() {
    DominatorTree DT(*Parallel->getFunction());
    LoopInfo LI(DT);
    const Loop *L = LI.getLoopFor(Parallel->getParent());
    if (!L || L->getParentLoop() || L->contains(Distribute->getParent()) || (Finish && L->contains(Finish->getParent())))
      return false;
    ChunkLatch = L->getLoopLatch();
    ChunkExit = L->getExitingBlock() == L->getHeader() ? L->getExitBlock() : nullptr;
    return ChunkLatch && ChunkExit && isa<BranchInst>(ChunkLatch->getTerminator()) && ChunkExit->phis().empty() &&
           DT.dominates(Distribute->getParent(), L->getHeader());
  }

  /// The worksharing loop: its counter grows by the stride in the latch, and its header alone leaves it.
  bool findLoop() {
    DominatorTree DT(*Share->getFunction());
    LoopInfo LI(DT);
    auto *Step = dyn_cast<AllocaInst>(Share->getArgOperand(Stride));
    for (User *U : usersOf(Step)) {
      auto *Read = dyn_cast<LoadInst>(U);
      if (!Read)
        continue;
      auto *Add = Read->hasOneUse() ? dyn_cast<BinaryOperator>(*Read->user_begin()) : nullptr;
      auto *Write = Add && Add->getOpcode() == Instruction::Add && Add->hasOneUse() ? dyn_cast<StoreInst>(*Add->user_begin()) : nullptr;
      if (!Write || Counted)
        return false;
      Counted = Write;
    }
    const Loop *L = Counted ? LI.getLoopFor(Counted->getParent()) : nullptr;
    if (!L || L->getParentLoop() || L->contains(Share->getParent()) || L->getLoopLatch() != Counted->getParent() ||
        L->getExitingBlock() != L->getHeader() || !DT.dominates(Share->getParent(), L->getHeader()))
      return false;
    Guard = dyn_cast<BranchInst>(L->getHeader()->getTerminator());
    Latch = dyn_cast<BranchInst>(L->getLoopLatch()->getTerminator());
    BodyFirst = Guard && Guard->isConditional() && L->contains(Guard->getSuccessor(0));
    return BodyFirst && Latch && Latch->isUnconditional();
  }

  // lb and ub hold the whole space when the distribution would cut it. Who has the last iteration is asked where something is
  // lastprivate, or a loop's variable has a last value.
  void oneChunk() {
    IRBuilder<> B(Distribute);
    if (Value *Flag = Distribute->getArgOperand(LastFlag); isRead(Flag)) {
      Grid G = gridOf(B);
      Value *Last = widened(B, Distribute->getArgOperand(Upper));
      Value *Thread = B.CreateURem(Last, B.CreateMul(G.Teams, G.Threads, "", true, true));
      B.CreateStore(B.CreateZExt(B.CreateICmpEQ(B.CreateUDiv(Thread, G.Threads), G.Team), B.getInt32Ty()), Flag);
    }
    BasicBlock *Header = ChunkLatch->getTerminator()->getSuccessor(0);
    for (PHINode &P : make_early_inc_range(Header->phis()))
      P.removeIncomingValue(ChunkLatch);
    ChunkLatch->getTerminator()->eraseFromParent();
    BranchInst::Create(ChunkExit, ChunkLatch);
    Distribute->eraseFromParent();
  }

  // How many iterations are this thread's is counted in 64 bits; the last step of its counter may pass the counter's range, and
  // nobody looks at it then.
  void takeShare() {
    IRBuilder<> B(Share);
    Type *Type = counterType();
    Grid G = gridOf(B);
    Value *Before = B.CreateAdd(B.CreateMul(G.Team, G.Threads, "", true, true), G.Thread, "", true, true);
    Value *First = B.CreateAdd(widened(B, Share->getArgOperand(Lower)), Before), *Last = widened(B, Share->getArgOperand(Upper));
    Value *All = B.CreateMul(G.Teams, G.Threads, "", true, true);
    Value *Any = B.CreateAnd(B.CreateICmpULE(First, Last), B.CreateICmpULT(G.Team, G.Teams));
    if (!Share->getCalledFunction()->getName().ends_with("u")) // of a triangle without an iteration
      Any = B.CreateAnd(Any, B.CreateICmpSGE(B.CreateLoad(Type, Share->getArgOperand(Upper)), ConstantInt::get(Type, 0)));
    Value *Distance = B.CreateSub(Last, First), *Mine = B.CreateAdd(B.CreateUDiv(Distance, All), B.getInt64(1));
    if (Value *Flag = Share->getArgOperand(LastFlag); isRead(Flag))
      B.CreateStore(B.CreateZExt(B.CreateAnd(Any, B.CreateIsNull(B.CreateURem(Distance, All))), B.getInt32Ty()), Flag);
    Mine = B.CreateSelect(Any, Mine, B.getInt64(0), "mine");
    B.CreateStore(B.CreateTrunc(First, Type), Share->getArgOperand(Lower));
    B.CreateStore(B.CreateTrunc(All, Type), Share->getArgOperand(Stride));
    countTo(Mine, B);
    Share->eraseFromParent();
  }

  Type *counterType() const { return Counted->getValueOperand()->getType(); }
  Value *widened(IRBuilder<> &B, Value *Bound) { return B.CreateZExt(B.CreateLoad(counterType(), Bound), B.getInt64Ty()); }

  void countTo(Value *Mine, IRBuilder<> &B) {
    IRBuilder<> Entry(&*Share->getFunction()->getEntryBlock().getFirstInsertionPt());
    Type *Wide = Entry.getInt64Ty();
    AllocaInst *Done = Entry.CreateAlloca(Wide, nullptr, "done");
    B.CreateStore(B.getInt64(0), Done);
    B.SetInsertPoint(Guard);
    Guard->setCondition(B.CreateICmpULT(B.CreateLoad(Wide, Done), Mine));
    B.SetInsertPoint(Latch);
    B.CreateStore(B.CreateAdd(B.CreateLoad(Wide, Done), B.getInt64(1), "", true, true), Done);
  }

  // The loop is found again by this, behind other passes.
  void markLoop() { addLoopProperty(*Latch, StridedLoop); }

  Module &One;
  bool Reduces;
  Function *Kernel = nullptr;
  CallInst *Distribute = nullptr, *Share = nullptr, *Parallel = nullptr, *Finish = nullptr;
  BasicBlock *ChunkLatch = nullptr, *ChunkExit = nullptr;
  StoreInst *Counted = nullptr;
  BranchInst *Guard = nullptr, *Latch = nullptr;
  bool BodyFirst = false;
};

} // namespace

/// Brings what the kernel calls to reduce over teams into the kernel itself, where the launch's environment is at hand.
static bool inlineTeams(Module &One, StringRef Name) {
  const unsigned MostLevels = 4;
  const Function *Kernel = One.getFunction(Name);
  for (unsigned Level = 0; Kernel && Level < MostLevels; ++Level) {
    CallInst *Finish = onlyCall(One, {teams_reduce::Name});
    Function *Around = Finish ? Finish->getFunction() : nullptr;
    if (!Around || Around == Kernel)
      return Around;
    auto *Call = Around->hasOneUse() ? dyn_cast<CallInst>(*Around->user_begin()) : nullptr;
    InlineFunctionInfo Info;
    if (!Call || Call->getCalledFunction() != Around || !Around->hasLocalLinkage() || !InlineFunction(*Call, Info).isSuccess())
      return false;
    Around->eraseFromParent();
  }
  return false;
}

static bool stride(Module &One, StringRef Kernel, bool Reduces) {
  Strider S(One, Reduces);
  if (!S.recognise(Kernel))
    return false;
  S.rewrite();
  return true;
}

bool strideReduction(Module &One, StringRef Kernel) {
  if (!inlineTeams(One, Kernel))
    return false;
  return stride(One, Kernel, /*Reduces=*/true);
}

bool strideLoop(Module &One, StringRef Kernel) { return stride(One, Kernel, /*Reduces=*/false); }

//===-- Unrolling ----------------------------------------------------------------===//

bool isStridedLoop(const Loop &L) { return L.getLoopLatch() && hasLoopProperty(*L.getLoopLatch()->getTerminator(), StridedLoop); }

void unrollStrided(Function &F) {
  // With 32 bytes of an array loaded by each of 2,048 threads, a multiprocessor of an H200 has twice in flight what its share of the
  // memory's rate asks for.
  const unsigned BytesInFlight = 32;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder())
    if (isStridedLoop(*L))
      unrollToLoad(*L, BytesInFlight);
}

static size_t instructionsOf(const Loop &L) {
  size_t Sum = 0;
  for (const BasicBlock *BB : L.blocks())
    Sum += BB->size();
  return Sum;
}

/// All threads that a multiprocessor of the GPUs at hand can have; in large teams, since each costs a slot of the reduction's buffer,
/// unless the body is so long that it may want more registers than a thread of a large team can have.
bool giveStride(const KernelSummary &K, Version &V) {
  const unsigned Usual = 128, Large = 512, MostThreads = 2048;
  const size_t Long = 150; // instructions
  if (!K.Strided)
    return false;
  bool IsLong = any_of(K.Loops, [&](const LoopSummary &S) { return isStridedLoop(*S.L) && instructionsOf(*S.L) > Long; });
  bool Tiny = K.Threads && K.Threads < 32; // a thread's number may be a constant in the kernel
  V.Threads = K.Team ? K.Team : K.OpenThreads && !Tiny ? std::max(K.Threads, IsLong ? Usual : Large) : 0;
  V.Strided = StridedShape{MostThreads};
  V.Stands = Standing::Free;
  return true;
}

/// Whether an iteration of the strided loop reads several elements of an array that may be loaded as one.
static bool readsNeighbours(const KernelSummary &K) {
  std::vector<unsigned> Reads(K.Arrays.size());
  for (const AccessSummary &S : K.Accesses)
    if (S.Loop >= 0 && K.Loops[S.Loop].Chunk && K.Arrays[S.Array].Placeable >= 0 && !S.Guarded && S.WidthBytes < WideBytes)
      ++Reads[S.Array];
  return any_of(Reads, [](unsigned N) { return N > 1; });
}

/// For launches whose arrays are aligned, if the kernel reads neighbours.
static void proposeWide(const KernelSummary &K, ArrayRef<int8_t> AsIs, std::vector<Version> &Versions) {
  Version V;
  if (!giveStride(K, V) || !readsNeighbours(K))
    return;
  V.Entry = versionName(K, AsIs) + "_wide";
  V.Space = AsIs.vec();
  V.Strided->Wide = true;
  Versions.push_back(std::move(V));
}

std::optional<Version> privateVersion(const KernelSummary &K, ScalarEvolution &SE) {
  Version V;
  if (!K.mayBeApart() || !giveStride(K, V))
    return std::nullopt;
  V.Strided->Private = privateCells(K, SE);
  if (V.Strided->Private.empty())
    return std::nullopt;
  V.Entry = versionName(K, "privatised");
  V.Space = allGlobal(K);
  return V;
}

static bool isPart(const Version &V) { return V.Strided.has_value(); }

static bool allows(const KernelSummary &K, const Version &) { return K.Strided; }

static void describe(const KernelSummary &, const Version &V, VersionRecord &R) {
  R.Loop = !V.Strided->Private.empty() ? PLACE_LOOP_PRIVATISED : V.Strided->Interchanged ? PLACE_LOOP_INTERCHANGED : PLACE_LOOP_STRIDED;
  R.Threads = V.Threads;
  R.key("fill", std::to_string(V.Strided->Fill));
  if (V.Threads)
    R.need(PLACE_NEED_OPEN_THREADS);
  if (!V.Strided->Private.empty())
    R.need(PLACE_NEED_APART);
  if (V.Strided->Wide)
    R.need(PLACE_NEED_READS_ALIGNED, WideBytes);
}

/// All of it with the version's own number of threads.
static void apply(Clone &C) {
  if (unsigned Threads = C.version().Threads)
    fixThreads(C.function(), Threads);
  if (C.version().Strided->Wide)
    for (const ArraySummary &A : C.kernel().Arrays)
      if (A.Placeable >= 0)
        C.array(A)->addAttr(Attribute::getWithAlignment(C.function().getContext(), Align(WideBytes)));
  if (!C.version().Strided->Private.empty())
    collectUpdates(C);
  unrollStrided(C.function());
}

static void accompany(const KernelSummary &K, Version &V) { giveStride(K, V); }

const Transform StrideTransform = {isPart, allows, describe, apply, nullptr, accompany, proposeWide};

} // namespace place
