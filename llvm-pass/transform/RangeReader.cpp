//===- RangeReader.cpp - One loop along ranges, read by the team -------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RangeReader.h"
#include "CopyBlocks.h"
#include "DeviceSymbols.h"
#include "LoopProperty.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

GlobalVariable &RangesInLoop::memory(Function &F, unsigned Number, uint64_t Bytes) {
  Memory.resize(std::max<size_t>(Memory.size(), Number + 1));
  GlobalVariable *&G = Memory[Number];
  if (!G || F.getDataLayout().getTypeAllocSize(G->getValueType()) < Bytes)
    G = teamMemory(*F.getParent(), (F.getName() + ".ranges").str(), Bytes);
  return *G;
}

namespace {

/// A value of the loop that outlives a part of the range.
struct Carried {
  Value *Last;              // in the loop as it was: what a round ends with
  PHINode *Across, *Behind; // what it is when a part begins, and behind all of them
};

/// Makes one loop the steps of Ranges.h, beside the loop as it was.
class RangeReader {
public:
  RangeReader(Function &F, RangesInLoop &Around, const RangeLoop &R)
      : F(F), Context(F.getContext()), Around(Around), Natural(Around.Natural), R(R), Threads(Around.Threads), Latch(R.L->getLoopLatch()),
        Exit(R.L->getExitBlock()), Before(R.L->getLoopPreheader()), Type(R.Counter->getType()), Active(Natural.Below) {
    SmallVector<Instruction *, 8> Left(R.Kept.begin(), R.Kept.end());
    Needed.insert(Left.begin(), Left.end());
    while (!Left.empty())
      for (Value *V : Left.pop_back_val()->operands())
        if (auto *I = dyn_cast<Instruction>(V); I && I != R.Counter && R.L->contains(I) && Needed.insert(I).second)
          Left.push_back(I);
  }

  void run() {
    hoistEntry();
    ownRange();
    goAlong();
    Value *Together = askNeighbours();
    for (auto [BB, Name] : {std::pair(&Enter, "range.enter"), {&Part, "range.part"}, {&End, "range.end"}, {&Next, "range.next"}, {&Done, "range.done"},
                            {&Behind, "range.behind"}})
      *BB = BasicBlock::Create(Context, Name, &F, Before);
    B.CreateCondBr(Together, Enter, Own);
    copyBlocks(R.L->getBlocks(), Copy, ".range", F);
    enter();
    readPart();
    walkPart();
    endPart();
    leave();
    Around.Without = {Own, Done};
    addLoopProperty(*Latch->getTerminator(), "llvm.loop.unroll.disable");
  }

private:
  enum { Words = 64, MostEach = 8, PadShift = 5 }; // Threads are a multiple of 1 << PadShift

  Value *call(Intrinsic::ID ID, ArrayRef<Value *> Operands = {}) { return B.CreateIntrinsic(ID, {}, Operands); }

  // What stands between the branch around the loop and the loop.
  void hoistEntry() {
    for (Instruction &I : make_early_inc_range(*Before))
      if (!I.isTerminator())
        I.moveBefore(R.Guard->getTerminator());
  }

  // From and To, which are equal where the thread has no iterations of the loop.
  void ownRange() {
    auto *Branch = cast<BranchInst>(R.Guard->getTerminator());
    B.SetInsertPoint(Branch);
    HasAny = R.Way ? B.CreateNot(Branch->getCondition()) : Branch->getCondition();
    From = R.First;
    To = B.CreateSelect(HasAny, R.Widen ? B.CreateCast(*R.Widen, R.End, Type) : R.End, From);
  }

  // Threads without an iteration of the kernel's loop go along, from here to where the others are behind the inner one. Here the branch around
  // that begins, for teams whose ranges lie otherwise.
  void goAlong() {
    BasicBlock *Here = BasicBlock::Create(Context, "range", &F, Before);
    Guard = BasicBlock::Create(Context, "range.guard", &F, Before);
    Own = BasicBlock::Create(Context, "range.own", &F, Before);
    Instruction *Branch = R.Guard->getTerminator();
    for (BasicBlock *Next : successors(R.Guard))
      Next->replacePhiUsesWith(R.Guard, Guard);
    Branch->moveBefore(*Guard, Guard->end());
    BranchInst::Create(Here, R.Guard);
    for (BasicBlock *BB : Around.Without)
      BB->getTerminator()->setSuccessor(1, Here);
    BranchInst::Create(Guard, Natural.Leave, Active, Own);
    B.SetInsertPoint(Here);
    SmallPtrSet<const BasicBlock *, 8> Inside(R.Before.begin(), R.Before.end());
    Inside.insert(Here);
    auto IsBehind = [&](const Use &U) { return !Inside.count(cast<Instruction>(U.getUser())->getParent()); };
    auto Bring = [&](Value *V) {
      PHINode *P = PHINode::Create(V->getType(), 3, "", Here->begin());
      if (auto *I = dyn_cast<Instruction>(V); I && Inside.count(I->getParent()))
        V->replaceUsesWithIf(P, IsBehind);
      P->addIncoming(V, R.Guard);
      for (BasicBlock *BB : Around.Without)
        P->addIncoming(Constant::getNullValue(V->getType()), BB);
      return P;
    };
    for (Value **V : {&HasAny, &From, &To})
      *V = Bring(*V);
    for (BasicBlock *BB : R.Before)
      for (Instruction &I : *BB)
        if (any_of(I.uses(), IsBehind)) {
          if (Value *Again = computedAgain(I, Inside))
            I.replaceUsesWithIf(Again, IsBehind);
          else
            Bring(&I);
        }
  }

  // A value of one of those blocks, here, if it does not depend on what they do; null: it does.
  Value *computedAgain(Instruction &I, const SmallPtrSetImpl<const BasicBlock *> &Inside) {
    auto Here = [&](Value *V) -> Value * {
      auto *Operand = dyn_cast<Instruction>(V);
      return Operand && Inside.count(Operand->getParent()) ? computedAgain(*Operand, Inside) : V;
    };
    if (auto *P = dyn_cast<PHINode>(&I))
      return P->getNumIncomingValues() == 1 ? Here(P->getIncomingValue(0)) : nullptr;
    SmallVector<Value *, 4> Operands;
    if (I.mayReadFromMemory() || !isSafeToSpeculativelyExecute(&I))
      return nullptr;
    for (Value *V : I.operands()) {
      Operands.push_back(Here(V));
      if (!Operands.back())
        return nullptr;
    }
    Instruction *New = B.Insert(I.clone());
    for (auto [N, V] : enumerate(Operands))
      New->setOperand(unsigned(N), V);
    return New;
  }

  Value *place(GlobalVariable &Memory, llvm::Type *Of, Value *N) { return B.CreateGEP(Of, &Memory, N); }

  // Whether each of the team's ranges begins where the one before it ends. Shared memory has where all begin, and where they end.
  Value *askNeighbours() {
    unsigned Bytes = unsigned(F.getDataLayout().getTypeStoreSize(Type));
    GlobalVariable &Memory = Around.memory(F, 0, 2 * Threads * Bytes);
    Thread = call(Intrinsic::nvvm_read_ptx_sreg_tid_x);
    Value *Begins = &Memory, *Ends = place(Memory, Type, B.getInt32(Threads));
    Value *Left = B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateSub(Natural.Trips, Natural.Chunk), B.getInt32(Threads));
    Value *Last = B.CreateSub(Left, B.getInt32(1)), *IsLast = B.CreateICmpEQ(Thread, Last);
    B.CreateStore(From, B.CreateGEP(Type, Begins, Thread));
    B.CreateStore(To, B.CreateGEP(Type, Ends, Thread));
    call(Intrinsic::nvvm_barrier0);
    Value *Next = B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateAdd(Thread, B.getInt32(1), "", true, true), Last);
    Value *Following = B.CreateLoad(Type, B.CreateGEP(Type, Begins, Next));
    FirstOfAll = B.CreateLoad(Type, Begins);
    EndOfAll = B.CreateLoad(Type, B.CreateGEP(Type, Ends, Last));
    Value *Adjoins = B.CreateAnd(B.CreateICmpSLE(From, To), B.CreateOr(IsLast, B.CreateICmpEQ(Following, To)));
    Value *Ok = B.CreateOr(B.CreateNot(Active), Adjoins);
    return B.CreateICmpNE(call(Intrinsic::nvvm_barrier0_and, {B.CreateZExt(Ok, B.getInt32Ty())}), B.getInt32(0));
  }

  Value *copied(Value *V) const {
    Value *C = Copy.lookup(V);
    return C ? C : V;
  }

  void enter() {
    B.SetInsertPoint(Enter);
    B.CreateCondBr(B.CreateICmpSLT(FirstOfAll, EndOfAll), Part, Done);
    B.SetInsertPoint(Part);
    At = B.CreatePHI(Type, 2, "range.at");
    At->addIncoming(FirstOfAll, Enter);
    for (PHINode &P : R.L->getHeader()->phis())
      Phis[&P] = carry(P.getIncomingValueForBlock(Latch), P.getIncomingValueForBlock(Before));
    for (PHINode &P : Exit->phis())
      if (auto *I = dyn_cast<Instruction>(P.getIncomingValueForBlock(Latch)); I && R.L->contains(I) && !carried(I))
        Others.push_back(carry(I, Constant::getNullValue(I->getType())));
  }

  Carried carry(Value *Last, Value *First) {
    Carried C = {Last, B.CreatePHI(First->getType(), 2), PHINode::Create(First->getType(), 2, "", Done)};
    for (PHINode *P : {C.Across, C.Behind})
      P->addIncoming(First, Enter);
    return C;
  }

  const Carried *carried(const Value *Last) const {
    for (const auto &[P, C] : Phis)
      if (C.Last == Last)
        return &C;
    auto It = find_if(Others, [&](const Carried &C) { return C.Last == Last; });
    return It == Others.end() ? nullptr : &*It;
  }

  // An element's place: ranges whose length is a power of two begin in different banks.
  Value *padded(Value *N) { return B.CreateAdd(N, B.CreateLShr(N, B.getInt32(PadShift)), "", true, true); }
  static unsigned padded(unsigned N) { return N + (N >> PadShift); }

  // Each: elements that a thread reads. All loads of one kind stand side by side. Behind the range's end is the last element again.
  void readPart() {
    const unsigned Each = std::clamp<unsigned>(Words / R.Bytes, 2, MostEach), Size = Each * Threads;
    Value *Left = B.CreateSub(EndOfAll, At);
    IsLast = B.CreateICmpULE(Left, ConstantInt::get(Type, Size));
    Count = B.CreateSelect(IsLast, B.CreateTrunc(Left, B.getInt32Ty()), B.getInt32(Size));
    Value *Greatest = B.CreateSub(Count, B.getInt32(1));
    std::array<ValueToValueMapTy, MostEach> Elements;
    for (unsigned N = 0; N < Each; ++N) {
      Value *E = B.CreateAdd(Thread, B.getInt32(N * Threads), "", true, true);
      Elements[N][R.Counter] = B.CreateAdd(At, B.CreateZExtOrTrunc(B.CreateBinaryIntrinsic(Intrinsic::umin, E, Greatest), Type));
    }
    auto Compute = [&](Instruction &I) {
      for (unsigned N = 0; N < Each; ++N) {
        ValueToValueMapTy &Element = Elements[N];
        Instruction *New = I.clone();
        B.Insert(New);
        RemapInstruction(New, Element, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
        Element[&I] = New;
      }
    };
    for (BasicBlock *BB : R.L->blocks())
      for (Instruction &I : *BB)
        if (Needed.count(&I))
          Compute(I);
    for (Instruction *I : R.Kept) {
      unsigned Bytes = unsigned(F.getDataLayout().getTypeStoreSize(I->getType()));
      Memory.push_back(&Around.memory(F, unsigned(Memory.size()) + 1, padded(Size) * Bytes));
      Value *Mine = place(*Memory.back(), I->getType(), padded(Thread));
      for (unsigned N = 0; N < Each; ++N)
        B.CreateStore(Elements[N][I], B.CreateGEP(I->getType(), Mine, B.getInt32(padded(N * Threads))));
    }
    call(Intrinsic::nvvm_barrier0);
  }

  // As the loop was, to the end of the part or of the range.
  void walkPart() {
    auto *Header = cast<BasicBlock>(copied(R.L->getHeader())), *Back = cast<BasicBlock>(copied(Latch));
    const Carried &Counter = Phis[R.Counter];
    Value *Stop = B.CreateBinaryIntrinsic(Intrinsic::smin, To, B.CreateAdd(At, B.CreateZExtOrTrunc(Count, Type)));
    B.CreateCondBr(B.CreateICmpSLT(Counter.Across, Stop), Header, End);
    for (PHINode &P : R.L->getHeader()->phis()) {
      auto *New = cast<PHINode>(copied(&P));
      New->setIncomingValueForBlock(Before, Phis[&P].Across);
      New->replaceIncomingBlockWith(Before, Part);
    }
    auto *Branch = cast<BranchInst>(Back->getTerminator());
    B.SetInsertPoint(Branch);
    BranchInst *Again = B.CreateCondBr(B.CreateICmpEQ(copied(Counter.Last), Stop), End, Header);
    if (MDNode *Properties = Branch->getMetadata(LLVMContext::MD_loop))
      Again->setMetadata(LLVMContext::MD_loop, Properties);
    Branch->eraseFromParent();
    B.SetInsertPoint(Header, Header->getFirstInsertionPt());
    Value *E = padded(B.CreateTrunc(B.CreateSub(copied(R.Counter), At), B.getInt32Ty()));
    for (auto [I, Of] : zip(R.Kept, Memory)) {
      auto *Old = cast<Instruction>(copied(I));
      Old->replaceAllUsesWith(B.CreateLoad(I->getType(), place(*Of, I->getType(), E)));
    }
    for (Instruction *I : reverse(R.Shared)) {
      auto *Old = cast<Instruction>(copied(I));
      if (Old->use_empty())
        Old->eraseFromParent();
    }
  }

  void endPart() {
    B.SetInsertPoint(End);
    for (auto &[P, C] : Phis)
      goOn(C);
    for (Carried &C : Others)
      goOn(C);
    B.CreateCondBr(IsLast, Done, Next);
    B.SetInsertPoint(Next);
    call(Intrinsic::nvvm_barrier0);
    At->addIncoming(B.CreateAdd(At, B.CreateZExtOrTrunc(Count, Type)), Next);
    B.CreateBr(Part);
  }

  void goOn(const Carried &C) {
    PHINode *P = PHINode::Create(C.Across->getType(), 2, "", End->begin());
    P->addIncoming(C.Across, Part);
    P->addIncoming(copied(C.Last), cast<BasicBlock>(copied(Latch)));
    C.Across->addIncoming(P, Next);
    C.Behind->addIncoming(P, End);
  }

  // As behind the loop, or around it.
  void leave() {
    B.SetInsertPoint(Done);
    B.CreateCondBr(Active, Behind, Natural.Leave);
    B.SetInsertPoint(Behind);
    BasicBlock *Past = Guard->getTerminator()->getSuccessor(1 - R.Way);
    B.CreateCondBr(HasAny, Exit, Past);
    Around.Enter = {Exit, Past};
    for (PHINode &P : Exit->phis()) {
      Value *V = P.getIncomingValueForBlock(Latch);
      const Carried *C = carried(V);
      P.addIncoming(C ? C->Behind : V, Behind);
    }
    for (PHINode &P : Past->phis())
      P.addIncoming(P.getIncomingValueForBlock(Guard), Behind);
  }

  Function &F;
  LLVMContext &Context;
  RangesInLoop &Around;
  const NaturalLoop &Natural;
  const RangeLoop &R;
  const unsigned Threads;
  BasicBlock *Latch, *Exit, *Before, *Own = nullptr, *Guard = nullptr;
  llvm::Type *Type;
  IRBuilder<> B{Context};
  BasicBlock *Enter, *Part, *End, *Next, *Done, *Behind; // of what takes the loop's place
  SmallVector<GlobalVariable *, 2> Memory; // of what is kept
  SmallPtrSet<const Instruction *, 16> Needed; // for what is kept
  ValueToValueMapTy Copy;
  MapVector<PHINode *, Carried> Phis; // of the loop's header
  SmallVector<Carried, 2> Others;     // else used behind the loop
  Value *Active, *HasAny = nullptr; // whether the thread has an iteration, and one of the loop
  Value *From = nullptr, *To = nullptr, *FirstOfAll = nullptr, *EndOfAll = nullptr; // the thread's range; the team's
  Value *Thread = nullptr, *Count = nullptr, *IsLast = nullptr;
  PHINode *At = nullptr;
};

} // namespace

void readByTeam(Function &F, RangesInLoop &Around, const RangeLoop &R) { RangeReader(F, Around, R).run(); }

} // namespace place
