//===- LaneSums.cpp - Arrays of sums, an element a lane --------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneSums.h"
#include "HeldPointers.h"
#include "Kernel.h"
#include "LaneTotal.h"
#include "ReducedArray.h"
#include "RuntimeCall.h"

#include "llvm/ADT/bit.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

namespace {

/// A region, and what is known of it.
struct Sums {
  LaneRegion Region;
  CallInst *Reduce = nullptr;
  SmallVector<StoreInst *, 4> Named;
  SmallVector<Addition, 4> Added;
  SmallVector<OwnArray, 4> Arrays;
  SmallVector<Type *, 4> Types;
  Function *Operator = nullptr;
};

class Summer {
public:
  Summer(Function &Kernel, CallInst &Finish, ArrayRef<LaneRegion> Regions, ElementCalls &Calls)
      : Kernel(Kernel), Finish(Finish), Calls(Calls), Lanes(Regions.empty() ? 0 : Regions[0].Lanes.Lanes), OfTeam(executionMode(Kernel) == ExecutionMode::Generic) {
    for (const LaneRegion &R : Regions)
      All.push_back({R, nullptr, {}, {}, {}, {}, nullptr});
  }

  bool run() {
    if (!Lanes || !hasThreads() || !all_of(All, [&](Sums &S) { return recognise(S); }) || !recogniseFinish()) {
      dropOperators();
      return false;
    }
    uint64_t Most = bytesOf(Types);
    for (const Sums &S : All)
      Most = std::max(Most, bytesOf(S.Types));
    Places = placesFor(Most);
    if (!Places) {
      dropOperators();
      return false;
    }
    Room = roomForElements(*Kernel.getParent(), Places, Most);
    for (Sums &S : All)
      rewrite(S);
    rewriteFinish();
    return true;
  }

private:
  // Of the source's wish, and that for versions.
  bool hasThreads() const {
    unsigned Most = mostThreads(Kernel), Asked = unsigned(Kernel.getFnAttributeAsParsedInteger(AskedTeamAttribute));
    return (!Most || Most >= Lanes) && (!Asked || Asked >= Lanes);
  }

  // Of a team at most. Versions of a strided loop have a number of their own; others have those of the launch, which may bring a warp more for
  // the first thread alone.
  unsigned threads() const {
    const unsigned Most = 1024, Warp = 32;
    unsigned OfLaunch = OfTeam && mostThreads(Kernel) ? unsigned(alignTo(mostThreads(Kernel), Warp)) + Warp : Most;
    return std::min(Most, std::max(OfLaunch, threadsOfLaneTeams(Kernel)));
  }

  // Threads that there is room for in a team's 48 KiB, beside the team's variables and the device runtime's; 0: for too few.
  unsigned placesFor(uint64_t BytesOfThread) const {
    const uint64_t Fewest = 256;
    uint64_t Room = 47 * 1024;
    for (const Instruction &I : instructions(Kernel))
      if (isCallOf(I, "__kmpc_alloc_shared"))
        if (const auto *Size = dyn_cast<ConstantInt>(cast<CallInst>(I).getArgOperand(0)))
          Room -= std::min(Room, Size->getZExtValue());
    uint64_t Threads = threads();
    if (Threads * BytesOfThread > Room)
      Threads = Room < Fewest * BytesOfThread ? 0 : llvm::bit_floor(Room / BytesOfThread);
    return unsigned(Threads);
  }

  bool recognise(Sums &S) {
    Function &F = *S.Region.Share->getFunction();
    for (Instruction &I : instructions(F))
      if (isCallOf(I, parallel_reduce::Name)) {
        if (S.Reduce)
          return false;
        S.Reduce = cast<CallInst>(&I);
      }
    if (!S.Reduce || S.Region.Lanes.Lanes != Lanes || S.Region.Lanes.Rounds != Lanes)
      return false;
    S.Named = namedBy(S.Reduce->getArgOperand(parallel_reduce::List), F);
    DominatorTree DT(F);
    S.Added = additionsBehind(*S.Reduce, S.Named, Lanes, DT, Calls);
    if (S.Added.empty())
      return false;
    for (auto [Name, Add] : zip(S.Named, S.Added)) {
      auto *A = dyn_cast<AllocaInst>(Name->getValueOperand());
      auto *Along = find_if(S.Region.Lanes.Arrays, [&](const LaneArray &L) { return L.Array == A; });
      if (!A || Along == S.Region.Lanes.Arrays.end() || !isElementType(Add.Ty))
        return false;
      S.Arrays.push_back(OwnArray(*A, Lanes, Along->Elements, Add.From, Calls));
      S.Types.push_back(Add.Ty);
      if (!S.Arrays.back().isShrinkable() || cast<ArrayType>(A->getAllocatedType())->getElementType() != Add.Ty)
        return false;
    }
    Function *Shuffle = shuffleOf(*S.Reduce);
    S.Operator = Shuffle ? elementOperator(*Shuffle, S.Types, Lanes, Calls) : nullptr;
    return S.Operator;
  }

  bool isElementType(Type *Ty) const {
    if (auto *Class = dyn_cast<StructType>(Ty); Class && Class->isSized())
      return Kernel.getDataLayout().getTypeAllocSize(Class) <= MostBytes;
    uint64_t Bytes = (Ty->isIntegerTy() || Ty->isFloatingPointTy()) ? Kernel.getDataLayout().getTypeStoreSize(Ty) : 0;
    return isPowerOf2_64(Bytes) && Bytes <= sizeof(uint64_t) && Kernel.getDataLayout().getTypeAllocSize(Ty) == Bytes;
  }

  uint64_t bytesOf(ArrayRef<Type *> Of) const {
    uint64_t Sum = 0;
    for (Type *Ty : Of)
      Sum += Kernel.getDataLayout().getTypeStoreSize(Ty);
    return Sum;
  }

  bool recogniseFinish() {
    Named = namedBy(Finish.getArgOperand(teams_reduce::List), Kernel);
    DominatorTree DT(Kernel);
    Added = additionsBehind(Finish, Named, Lanes, DT, Calls);
    for (const Addition &A : Added) {
      Types.push_back(A.Ty);
      auto *Begin = dyn_cast<Instruction>(A.Variable);
      if (!isElementType(A.Ty) || (Begin && !DT.dominates(Begin, &Finish)))
        return false;
    }
    if (Added.empty() || bytesOf(Types) > MostBytes || !(OfTeam || recogniseOwn()))
      return false;
    Function *Shuffle = shuffleOf(Finish);
    Operator = Shuffle ? elementOperator(*Shuffle, Types, Lanes, Calls) : nullptr;
    return Operator;
  }

  // Each thread has arrays of its own in the kernel, and passes their addresses to the one region, which does nothing else with them.
  bool recogniseOwn() {
    if (All.size() != 1 || All[0].Added.size() != Named.size())
      return false;
    Sums &S = All[0];
    Function &F = *S.Region.Share->getFunction();
    SmallVector<StoreInst *, 8> Arguments = namedBy(S.Region.Parallel->getArgOperand(parallel_51::Arguments), Kernel);
    SmallVector<PHINode *, 2> Originals;
    for (const OwnArray &A : S.Arrays)
      append_range(Originals, A.originals());
    for (const Addition &A : S.Added) {
      const auto *Of = dyn_cast<Argument>(originOf(A.Variable));
      if (!Of || Of->getParent() != &F || !isOnlyAddedTo(*Of, S.Added, Originals))
        return false;
    }
    for (auto [Name, Add] : zip(Named, Added)) {
      auto *A = dyn_cast<AllocaInst>(Name->getValueOperand());
      if (!A || cast<ArrayType>(A->getAllocatedType())->getElementType() != Add.Ty)
        return false;
      Own.push_back(OwnArray(*A, Lanes, {}, Add.From, Calls));
      if (!Own.back().isShrinkable() || !isPassedAs(*A, Arguments, S))
        return false;
    }
    return true;
  }

  // The address is stored to the list, and, directly or through a variable, to that of the region's arguments; there to one that is added to.
  bool isPassedAs(const AllocaInst &A, ArrayRef<StoreInst *> Arguments, const Sums &S) const {
    const unsigned First = 2; // arguments of the region's function that are the runtime's
    unsigned Times = 0;
    for (auto [N, Store] : enumerate(Arguments)) {
      if (objectOf(Store->getValueOperand()) != &A)
        continue;
      const Argument *Of = S.Region.Share->getFunction()->getArg(unsigned(N) + First);
      Times += any_of(S.Added, [&](const Addition &Add) { return originOf(Add.Variable) == Of; }) ? 1 : Arguments.size();
    }
    return Times == 1 && addressesStored(A) == 2 + unsigned(isHeld(A));
  }

  // How often something stores an address of the array, and the loads of variables that hold it.
  unsigned addressesStored(const Value &V) const {
    unsigned Count = 0;
    for (const User *U : V.users()) {
      if (isa<GetElementPtrInst>(U))
        Count += addressesStored(*U);
      const auto *S = dyn_cast<StoreInst>(U);
      if (!S || S->getValueOperand() != &V)
        continue;
      ++Count;
      if (const auto *Holder = dyn_cast<AllocaInst>(S->getPointerOperand()); Holder && Holder->getAllocatedType()->isPointerTy())
        for (const User *H : Holder->users())
          if (isa<LoadInst>(H))
            Count += addressesStored(*H) + unsigned(!isOnlyStored(*H));
    }
    return Count;
  }

  static bool isOnlyStored(const Value &V) {
    return all_of(V.users(), [&](const User *U) { return isa<StoreInst>(U) && cast<StoreInst>(U)->getValueOperand() == &V; });
  }

  bool isHeld(const Value &V) const {
    return any_of(V.users(), [&](const User *U) {
      const auto *S = dyn_cast<StoreInst>(U);
      const auto *Holder = S && S->getValueOperand() == &V ? dyn_cast<AllocaInst>(S->getPointerOperand()) : nullptr;
      return (Holder && Holder->getAllocatedType()->isPointerTy()) || (isa<GetElementPtrInst>(U) && isHeld(*U));
    });
  }

  void dropOperators() {
    for (Sums &S : All)
      if (S.Operator)
        S.Operator->eraseFromParent();
    if (Operator)
      Operator->eraseFromParent();
  }

  void rewrite(Sums &S) {
    SmallVector<Value *, 4> Mine;
    Value *List = S.Reduce->getArgOperand(parallel_reduce::List);
    for (OwnArray &A : S.Arrays)
      Mine.push_back(A.shrink(/*OriginalsToo=*/!OfTeam));
    Value *IsOne = addInTeam(*S.Reduce, {S.Types, Lanes, S.Operator, Room, Places, threads()}, List, Mine);
    IRBuilder<> B(S.Reduce);
    for (const Addition &A : S.Added)
      toOne(A);
    S.Reduce->replaceAllUsesWith(B.CreateZExt(IsOne, S.Reduce->getType()));
    S.Reduce->eraseFromParent();
  }

  // A thread adds its element to the variable's: the team's variable is an array, a thread's own has become that element.
  void toOne(const Addition &A) {
    A.End->setOperand(1, ConstantInt::get(A.End->getOperand(1)->getType(), 1));
    if (!OfTeam)
      return;
    IRBuilder<> B(cast<Instruction>(A.Variable)->getNextNode());
    Value *Thread = B.CreateZExt(B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}), B.getInt64Ty());
    auto *Element = cast<Instruction>(B.CreateGEP(A.Ty, A.Variable, Thread));
    A.Variable->replaceUsesWithIf(Element, [&](Use &U) { return U.getUser() == A.To || U.getUser() == A.End || isa<ICmpInst>(U.getUser()); });
  }

  // What the kernel did with the result is dead code then.
  void rewriteFinish() {
    SmallVector<Value *, 8> Arguments = {Kernel.getArg(0)};
    for (auto [N, Add] : enumerate(Added)) {
      Arguments.push_back(OfTeam ? Named[N]->getValueOperand() : Own[N].shrink(/*OriginalsToo=*/false));
      Arguments.push_back(Add.Variable);
    }
    Function *F = lanesFinish(*Kernel.getParent(), {Types, Lanes, Operator, Room, Places, threads()}, OfTeam);
    IRBuilder<>(&Finish).CreateCall(F, Arguments);
    Finish.replaceAllUsesWith(ConstantInt::get(Finish.getType(), 0));
    Finish.eraseFromParent();
  }

  static constexpr uint64_t MostBytes = 128; // of a thread

  Function &Kernel;
  CallInst &Finish;
  ElementCalls &Calls;
  const unsigned Lanes;
  const bool OfTeam;
  SmallVector<Sums, 2> All;
  SmallVector<StoreInst *, 4> Named;
  SmallVector<Addition, 4> Added;
  SmallVector<OwnArray, 4> Own;
  SmallVector<Type *, 4> Types;
  Function *Operator = nullptr;
  GlobalVariable *Room = nullptr;
  unsigned Places = 0; // in the room
};

} // namespace

bool sumByLanes(Function &Kernel, CallInst &Finish, ArrayRef<LaneRegion> Regions, ElementCalls &Calls) {
  return Summer(Kernel, Finish, Regions, Calls).run();
}

} // namespace place
