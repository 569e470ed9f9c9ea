//===- StrideLoop.cpp - The loop of a kernel becomes a grid-stride one ---------===//
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
// The chunk becomes the whole space, and the loop over chunks goes; a thread's share of it is what the grid's strides give it (GridLoop.h).
//
//===----------------------------------------------------------------------===//
#include "Carried.h"
#include "ChosenValue.h"
#include "ElementCalls.h"
#include "Finish.h"
#include "GridLoop.h"
#include "Kernel.h"
#include "LaneSums.h"
#include "Mark.h"
#include "RuntimeCall.h"
#include "SliceLoop.h"
#include "Stride.h"

#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace place {

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

/// An access to an element of an array: what it is, or null.
Type *elementOf(Instruction &I) {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  bool IsElement = Pointer && isa<GetElementPtrInst>(Pointer->stripPointerCasts()) && !isa<AllocaInst>(getUnderlyingObject(Pointer));
  return IsElement ? getLoadStoreType(&I) : nullptr;
}

/// Iterations that a thread takes at a time, so that what it reads of each array is as wide as a load can be; 1, unless everything that is
/// read or written of arrays is of one narrow width.
unsigned groupFor(Function &Body) {
  const unsigned Narrow = 2;
  unsigned Width = 0;
  for (Instruction &I : instructions(Body))
    if (Type *Element = elementOf(I)) {
      unsigned Bytes = I.getDataLayout().getTypeStoreSize(Element);
      if (!isPowerOf2_32(Bytes) || Bytes > Narrow || (Width && Width != Bytes))
        return 1;
      Width = Bytes;
    }
  return Width ? WideBytes / Width : 1;
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
    if (!Kernel || !Distribute || !Share || !Parallel || !hasFinish() || !isOpen() || !isWholeTeam() || !hasSchedules() ||
        !findChunkLoop() || !findLoop())
      return false;
    Group = Reduces ? 1 : groupFor(*Share->getFunction());
    return true;
  }

  void rewrite() {
    bool TellsLast = isLoaded(Distribute->getArgOperand(LastFlag)); // oneChunk finds the thread that has it by its team
    bool InSlices = Finish && !TellsLast && maySliceLoop(*Share, *Finish);
    bool Evenly = IsLong && !TellsLast && Shared.Lanes <= 1;
    oneChunk();
    Type *Counter = Counted->getValueOperand()->getType();
    if (InSlices) {
      cutLoop(*Share, Counter);
      markIntervals(*Kernel);
    }
    bool Apart = Shared.Lanes > 1 && sumByLanes(*Kernel, *Finish, LaneRegion{Parallel, Share, Shared}, Calls);
    strideOverGrid({Share, Guard, Latch, Counter, Group, Growth, Apart, Shared, Evenly});
    if (Apart)
      markLaneSums(*Kernel, Shared.Lanes);
    else if (Finish)
      finishByAllThreads(*Finish, Kernel->getArg(0));
    markStrided(*Kernel);
  }

private:
  bool isOpen() const { return hasOpenTeams(*Kernel) && hasOpenThreads(*Kernel) && !carriesValues(*Share); }

  bool hasFinish() const {
    const Function *Partial = One.getFunction("__kmpc_nvptx_parallel_reduce_nowait_v2");
    return Reduces ? Finish && Finish->getFunction() == Distribute->getFunction() : !Finish && (!Partial || Partial->use_empty());
  }

  /// The parallel region is carried out by all threads of the team, in the function with the worksharing loop.
  bool isWholeTeam() const {
    return isNumber(Parallel->getArgOperand(parallel_51::If), 1) && isNumber(Parallel->getArgOperand(parallel_51::NumThreads), -1) &&
           Parallel->getArgOperand(parallel_51::Outlined)->stripPointerCasts() == Share->getFunction() &&
           Parallel->getFunction() == Distribute->getFunction();
  }

  /// Schedules of the implementation's choice: chunks as large as the team, one iteration a thread.
  bool hasSchedules() const {
    return isNumber(Distribute->getArgOperand(Sched), schedule::DistributeChunked) && isNumber(Share->getArgOperand(Sched), schedule::ForChunked) &&
           isNumber(Share->getArgOperand(Chunk), 1) && isNumber(Share->getArgOperand(Increment), 1);
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

  bool findLoop() {
    chooseByValue(*Share->getFunction());
    DominatorTree DT(*Share->getFunction());
    LoopInfo LI(DT);
    std::optional<CountedLoop> Found = countedLoop(*Share, LI, DT);
    if (!Found)
      return false;
    Counted = Found->Counted, Growth = Found->Growth, Guard = Found->Guard, Latch = Found->Latch;
    IsLong = !Found->L->getSubLoops().empty();
    if (Reduces && !isLoaded(Distribute->getArgOperand(LastFlag)) && !isLoaded(Share->getArgOperand(LastFlag)))
      Shared = findLaneLoop(*Found->L, Counted->getPointerOperand(), DT, Calls);
    return true;
  }

  // lb and ub hold the whole space when the distribution would cut it. Who has the last iteration is asked where something is
  // lastprivate, or a loop's variable has a last value.
  void oneChunk() {
    IRBuilder<> B(Distribute);
    if (Value *Flag = Distribute->getArgOperand(LastFlag); isLoaded(Flag)) {
      Grid G = gridOf(B);
      Value *Bound = B.CreateLoad(Counted->getValueOperand()->getType(), Distribute->getArgOperand(Upper));
      Value *Last = B.CreateUDiv(B.CreateZExt(Bound, B.getInt64Ty()), B.getInt64(Group));
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

  Module &One;
  bool Reduces;
  Function *Kernel = nullptr;
  CallInst *Distribute = nullptr, *Share = nullptr, *Parallel = nullptr, *Finish = nullptr;
  BasicBlock *ChunkLatch = nullptr, *ChunkExit = nullptr;
  StoreInst *Counted = nullptr;
  LoadInst *Growth = nullptr; // what is added for it
  unsigned Group = 1;         // neighbouring iterations that a thread takes at a time
  ElementCalls Calls;
  LaneLoop Shared;
  bool IsLong = false; // an iteration has a loop of its own
  BranchInst *Guard = nullptr, *Latch = nullptr;
};

} // namespace

bool inlineTeams(Module &One, StringRef Name) {
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

} // namespace place
