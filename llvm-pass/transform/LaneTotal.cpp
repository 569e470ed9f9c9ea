//===- LaneTotal.cpp - Adding up what lanes have ---------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneTotal.h"
#include "DeviceRuntime.h"
#include "DeviceSymbols.h"
#include "ElementCalls.h"
#include "Finish.h"
#include "Lean.h"
#include "ReducedArray.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace place {

namespace {

enum { BufferOffset = 8 }; // of the buffer in libomptarget's KernelLaunchEnvironment

/// The one function with a body that a function of a reduction calls, but for the device runtime's: it has lists of pointers.
Function *onlyCallee(Function &F) {
  Function *Only = nullptr;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallInst>(&I); C && C->getCalledFunction() && !isOfRuntime(C->getCalledFunction()->getName()) &&
                                              !C->getCalledFunction()->isDeclaration()) {
      if (Only)
        return nullptr;
      Only = C->getCalledFunction();
    }
  return Only;
}

/// Whether a function calls nothing but what works on the elements that it steps through.
bool callsForElements(Function &F, ElementCalls &Calls) {
  return all_of(instructions(F), [&](Instruction &I) {
    auto *C = dyn_cast<CallBase>(&I);
    return !C || isOnElements(*C, Calls, [](const PHINode &) { return true; });
  });
}

/// Code for all elements that a thread has at a time.
class Elements {
public:
  Elements(IRBuilder<> &B, const LaneElements &E) : B(B), E(E) {}

  Value *thread() { return B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}); }
  Value *threads() { return B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_x, {}, {}); }
  void barrier() { B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {}); }

  uint64_t bytes(unsigned N) const { return E.Room->getDataLayout().getTypeStoreSize(E.Types[N]); }

  /// Where a thread's element of an array is in the team's room.
  Value *inRoom(unsigned N, Value *Thread) {
    uint64_t Offset = 0;
    for (unsigned Before = 0; Before < N; ++Before)
      Offset += uint64_t(E.Threads) * bytes(Before);
    Value *Array = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), E.Room, Offset);
    return B.CreateAddrSpaceCast(B.CreateInBoundsGEP(E.Types[N], Array, B.CreateZExt(Thread, B.getInt64Ty())), B.getPtrTy());
  }

  void copy(unsigned N, Value *To, Value *From) {
    Align Natural = E.Room->getDataLayout().getABITypeAlign(E.Types[N]);
    if (E.Types[N]->isStructTy())
      B.CreateMemCpy(To, Natural, From, Natural, bytes(N));
    else
      B.CreateAlignedStore(B.CreateAlignedLoad(E.Types[N], From, Natural), To, Natural);
  }

  /// A list of pointers, in a function's entry block.
  AllocaInst *list(Function &F) {
    IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
    return Entry.CreateAlloca(ArrayType::get(Entry.getPtrTy(), E.Types.size()));
  }

  void fill(Value *List, function_ref<Value *(unsigned)> Pointer) {
    for (unsigned N = 0; N < E.Types.size(); ++N)
      B.CreateStore(Pointer(N), B.CreateConstInBoundsGEP1_64(B.getPtrTy(), List, N));
  }

  /// A variable of a function's own for an element of each array.
  SmallVector<Value *, 4> variables(Function &F) {
    IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
    SmallVector<Value *, 4> All;
    for (Type *Ty : E.Types)
      All.push_back(Entry.CreateAlloca(Ty));
    return All;
  }

  using PointerOf = function_ref<Value *(unsigned, Value *)>; // an array's element that has a number

  /// for (n = From; n < End; n += Step) To = To op Pointer(array, n), in front of an instruction. Several rounds have their loads in flight.
  void addUp(Instruction *Before, Value *From, Value *End, Value *Step, Value *To, Value *Others, PointerOf Pointer) {
    const unsigned AtOnce = 8;
    if (any_of(E.Types, [](Type *Ty) { return Ty->isStructTy(); }))
      return addUpObjects(Before, From, End, Step, To, Others, Pointer);
    Value *Rounds = B.CreateUDiv(B.CreateAdd(B.CreateSub(End, From), B.CreateSub(Step, B.getInt32(1))), Step);
    Rotated L = begin(Before, From, End);
    PHINode *Done = B.CreatePHI(From->getType(), 2);
    fill(Others, [&](unsigned N) { return Pointer(N, L.At); });
    B.CreateCall(E.Operator, {To, Others});
    Value *Next = B.CreateAdd(L.At, Step), *Count = B.CreateAdd(Done, B.getInt32(1), "", true);
    Done->addIncoming(B.getInt32(0), L.Before), Done->addIncoming(Count, L.Round);
    L.At->addIncoming(Next, L.Round);
    BranchInst *Back = B.CreateCondBr(B.CreateICmpULT(Count, Rounds), L.Round, L.Rest);
    LLVMContext &C = B.getContext();
    Metadata *Unroll[] = {MDString::get(C, "llvm.loop.unroll.count"), ConstantAsMetadata::get(B.getInt32(AtOnce))};
    MDNode *Loop = MDNode::getDistinct(C, {nullptr, MDNode::get(C, Unroll)});
    Loop->replaceOperandWith(0, Loop);
    Back->setMetadata(LLVMContext::MD_loop, Loop);
    B.SetInsertPoint(Before);
  }

private:
  /// A loop whose condition is asked behind its rounds. At: what it counts, still without its next value.
  struct Rotated {
    BasicBlock *Before, *Round, *Rest;
    PHINode *At;
  };

  /// One in front of an instruction, entered if From < End; the builder stands in it.
  Rotated begin(Instruction *Behind, Value *From, Value *End) {
    BasicBlock *Before = Behind->getParent(), *Rest = SplitBlock(Before, Behind);
    BasicBlock *Round = BasicBlock::Create(Before->getContext(), "round", Before->getParent(), Rest);
    B.SetInsertPoint(Before->getTerminator());
    B.CreateCondBr(B.CreateICmpULT(From, End), Round, Rest);
    Before->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Round);
    PHINode *At = B.CreatePHI(From->getType(), 2);
    At->addIncoming(From, Before);
    return {Before, Round, Rest, At};
  }

  /// As addUp. Operators of objects may branch by what they read, and would wait for each: so a round's are read first.
  void addUpObjects(Instruction *Before, Value *From, Value *End, Value *Step, Value *To, Value *Others, PointerOf Pointer) {
    const unsigned AtOnce = 4;
    Rotated L = begin(Before, From, End);
    SmallVector<std::pair<Value *, SmallVector<Value *, 4>>, AtOnce> Read; // whether there are that many, and what was read
    Value *At = L.At;
    for (unsigned K = 0; K < AtOnce; ++K, At = B.CreateAdd(At, Step)) {
      Value *IsOne = B.CreateICmpULT(At, End), *Number = B.CreateSelect(IsOne, At, L.At);
      Read.push_back({IsOne, variables(*Before->getFunction())});
      for (unsigned N = 0; N < E.Types.size(); ++N)
        copy(N, Read.back().second[N], Pointer(N, Number));
    }
    BranchInst *Back = B.CreateCondBr(B.CreateICmpULT(At, End), L.Round, L.Rest);
    for (const auto &[IsOne, Objects] : Read) {
      B.SetInsertPoint(SplitBlockAndInsertIfThen(IsOne, Back, false));
      fill(Others, [&, &Objects = Objects](unsigned N) { return Objects[N]; });
      B.CreateCall(E.Operator, {To, Others});
    }
    L.At->addIncoming(At, Back->getParent());
    B.SetInsertPoint(Before);
  }

  IRBuilder<> &B;
  const LaneElements &E;
};

/// The end of the reduction over teams. In the buffer a team has a row with the elements of one array behind those of another.
class LanesFinish {
public:
  LanesFinish(Module &M, const LaneElements &E, bool OfTeam)
      : E(E), OfTeam(OfTeam), B(M.getContext()), Each(B, E),
        F(*Function::Create(FunctionType::get(B.getVoidTy(), SmallVector<Type *, 8>(2 * E.Types.size() + 1, B.getPtrTy()), false),
                            GlobalValue::InternalLinkage, "place_finish_lanes", M)) {
    for (Attribute::AttrKind A : {Attribute::AlwaysInline, Attribute::Convergent, Attribute::NoUnwind, Attribute::NoRecurse})
      F.addFnAttr(A);
    F.addFnAttr(LeanFinishAttribute);
  }

  Function &build() {
    BasicBlock *Entry = BasicBlock::Create(F.getContext(), "entry", &F), *Leave = BasicBlock::Create(F.getContext(), "leave", &F);
    B.SetInsertPoint(Leave);
    B.CreateRetVoid();
    B.SetInsertPoint(Entry);
    B.CreateBr(Leave);
    B.SetInsertPoint(Entry->getTerminator());
    begin();
    then(B.CreateICmpULT(Team, Teams));
    Each.barrier(); // what the team has may be in shared memory
    Instruction *Rest = &*B.GetInsertPoint();
    then(IsOne);
    publish();
    B.SetInsertPoint(Rest);
    Each.barrier();
    Value *Last = countUp();
    then(B.CreateIsNotNull(B.CreateIntrinsic(Intrinsic::nvvm_barrier0_or, {}, {Last})));
    gather();
    return F;
  }

private:
  void begin() {
    Grid G = gridOf(B);
    auto Narrow = [&](Value *V) { return B.CreateTrunc(V, B.getInt32Ty()); };
    Thread = Narrow(G.Thread), Threads = Narrow(G.Threads), Team = Narrow(G.Team), Teams = Narrow(G.Teams);
    Buffer = B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), F.getArg(0), BufferOffset));
    IsOne = B.CreateICmpULT(Thread, B.getInt32(E.Lanes));
    Mine = Each.list(F), Others = Each.list(F), Own = Each.variables(F);
  }

  /// The rest of what stands at the insertion point is done only if the condition holds.
  Instruction *then(Value *Condition) {
    Instruction *Inside = SplitBlockAndInsertIfThen(Condition, &*B.GetInsertPoint(), false);
    B.SetInsertPoint(Inside);
    return Inside;
  }

  Value *row(unsigned N, Value *OfTeamNumber, Value *Lane) {
    uint64_t Row = 0, Offset = 0;
    for (unsigned A = 0; A < E.Types.size(); ++A) {
      Offset += A < N ? E.Lanes * Each.bytes(A) : 0;
      Row += E.Lanes * Each.bytes(A);
    }
    Value *Begin = B.CreateMul(B.CreateZExt(OfTeamNumber, B.getInt64Ty()), B.getInt64(Row));
    Value *Array = B.CreateInBoundsGEP(B.getInt8Ty(), Buffer, B.CreateAdd(Begin, B.getInt64(Offset)));
    return B.CreateInBoundsGEP(E.Types[N], Array, B.CreateZExt(Lane, B.getInt64Ty()));
  }

  Value *element(Value *Array, unsigned N) { return B.CreateInBoundsGEP(E.Types[N], Array, B.CreateZExt(Thread, B.getInt64Ty())); }

  // What the fence is between: a team's row, and the count that the last team reads.
  void publish() {
    for (unsigned N = 0; N < E.Types.size(); ++N) {
      Value *Result = F.getArg(1 + 2 * N);
      Each.copy(N, row(N, Team, Thread), OfTeam ? element(Result, N) : Result);
    }
    B.CreateIntrinsic(Intrinsic::nvvm_membar_gl, {}, {});
  }

  Value *countUp() {
    Instruction *Rest = &*B.GetInsertPoint();
    BasicBlock *Other = B.GetInsertBlock();
    Instruction *First = SplitBlockAndInsertIfThen(B.CreateIsNull(Thread), Rest, false);
    B.SetInsertPoint(First);
    Value *Before = B.CreateAtomicRMW(AtomicRMWInst::Add, F.getArg(0), B.getInt32(1), Align(4), AtomicOrdering::Monotonic);
    Value *IsLast = B.CreateZExt(B.CreateICmpEQ(Before, B.CreateSub(Teams, B.getInt32(1))), B.getInt32Ty());
    B.SetInsertPoint(&*Rest->getParent()->begin());
    PHINode *Said = B.CreatePHI(B.getInt32Ty(), 2);
    Said->addIncoming(B.getInt32(0), Other);
    Said->addIncoming(IsLast, First->getParent());
    B.SetInsertPoint(Rest);
    return Said;
  }

  // Groups of as many threads as there are lanes take rows in turn; then threads of the first group what the groups have.
  void gather() {
    Instruction *Rest = &*B.GetInsertPoint();
    B.CreateIntrinsic(Intrinsic::nvvm_membar_gl, {}, {});
    Value *Lanes = B.getInt32(E.Lanes), *Lane = B.CreateURem(Thread, Lanes), *Group = B.CreateUDiv(Thread, Lanes);
    Value *Groups = B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateUDiv(Threads, Lanes), Teams);
    if (E.Threads < E.Most)
      Groups = B.CreateBinaryIntrinsic(Intrinsic::umin, Groups, B.getInt32(E.Threads / E.Lanes));
    Each.fill(Mine, [&](unsigned N) { return Own[N]; });
    Instruction *Inside = then(B.CreateICmpULT(Group, Groups));
    for (unsigned N = 0; N < E.Types.size(); ++N)
      Each.copy(N, Own[N], row(N, Group, Lane));
    Each.addUp(Inside, B.CreateAdd(Group, Groups), Teams, Groups, Mine, Others, [&](unsigned N, Value *At) { return row(N, At, Lane); });
    for (unsigned N = 0; N < E.Types.size(); ++N)
      Each.copy(N, Each.inRoom(N, Thread), Own[N]);
    B.SetInsertPoint(Rest);
    Each.barrier();
    Instruction *Result = then(IsOne);
    Each.addUp(Result, B.CreateAdd(Thread, Lanes), B.CreateMul(Groups, Lanes), Lanes, Mine, Others,
               [&](unsigned N, Value *At) { return Each.inRoom(N, At); });
    Each.fill(Others, [&](unsigned N) { return element(F.getArg(2 + 2 * N), N); });
    B.CreateCall(E.Operator, {Others, Mine});
  }

  const LaneElements &E;
  const bool OfTeam;
  IRBuilder<> B;
  Elements Each;
  Function &F;
  Value *Thread = nullptr, *Threads = nullptr, *Team = nullptr, *Teams = nullptr, *Buffer = nullptr, *IsOne = nullptr;
  Value *Mine = nullptr, *Others = nullptr;
  SmallVector<Value *, 4> Own;
};

} // namespace

Function *elementOperator(Function &Shuffle, ArrayRef<Type *> Types, unsigned Lanes, ElementCalls &Calls) {
  Function *Whole = Shuffle.isDeclaration() ? nullptr : onlyCallee(Shuffle);
  if (!Whole || Whole->arg_size() != 2 || !Whole->getReturnType()->isVoidTy() || !callsForElements(*Whole, Calls))
    return nullptr;
  ValueToValueMapTy Map;
  Function *F = CloneFunction(Whole, Map);
  F->setName("place_element_operator");
  F->setLinkage(GlobalValue::InternalLinkage);
  F->removeFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::AlwaysInline);
  SmallVector<Type *, 4> Cut; // in the order of the arrays
  for (Instruction &I : instructions(*F)) {
    auto *End = dyn_cast<GetElementPtrInst>(&I);
    auto *Count = End && End->getNumIndices() == 1 ? dyn_cast<ConstantInt>(End->getOperand(1)) : nullptr;
    if (!Count || Count->getZExtValue() != Lanes || !isa<LoadInst>(End->getPointerOperand()))
      continue;
    Cut.push_back(End->getSourceElementType());
    End->setOperand(1, ConstantInt::get(Count->getType(), 1));
  }
  if (ArrayRef(Cut) == Types && inlineElementCalls(*F))
    return F;
  F->eraseFromParent();
  return nullptr;
}

GlobalVariable *roomForElements(Module &M, unsigned Threads, uint64_t BytesOfThread) {
  return teamMemory(M, "lane_elements", Threads * BytesOfThread);
}

/// The team's elements come to be in its room, in front of an instruction: those of threads beyond it are added to others' first. Returns how
/// many are there. List: of the pointers Mine.
static Value *fillRoom(Elements &Each, IRBuilder<> &B, const LaneElements &E, Instruction &Before, Value *List, Value *Others, ArrayRef<Value *> Mine) {
  Value *Thread = Each.thread(), *HasPlace = B.CreateICmpULT(Thread, B.getInt32(E.Threads));
  Value *End = B.CreateMul(B.CreateUDiv(Each.threads(), B.getInt32(E.Lanes)), B.getInt32(E.Lanes));
  auto Where = [&](Value *Condition, function_ref<void()> Do) {
    B.SetInsertPoint(SplitBlockAndInsertIfThen(Condition, &Before, false));
    Do();
    B.SetInsertPoint(&Before);
  };
  auto Put = [&](Value *Place) {
    for (unsigned N = 0; N < Mine.size(); ++N)
      Each.copy(N, Each.inRoom(N, Place), Mine[N]);
  };
  for (unsigned From = E.Threads; From < E.Most; From += E.Threads) {
    Each.barrier();
    Value *Place = B.CreateSub(Thread, B.getInt32(From));
    Where(B.CreateICmpULT(Place, B.getInt32(E.Threads)), [&] { Put(Place); });
    Each.barrier();
    Where(B.CreateAnd(HasPlace, B.CreateICmpULT(B.CreateAdd(Thread, B.getInt32(From)), End)), [&] {
      Each.fill(Others, [&](unsigned N) { return Each.inRoom(N, Thread); });
      B.CreateCall(E.Operator, {List, Others});
    });
  }
  Each.barrier(); // the room may have been read just before
  if (E.Threads >= E.Most) {
    Put(Thread);
    return End;
  }
  Where(HasPlace, [&] { Put(Thread); });
  return B.CreateBinaryIntrinsic(Intrinsic::umin, End, B.getInt32(E.Threads));
}

Value *addInTeam(CallInst &Before, const LaneElements &E, Value *List, ArrayRef<Value *> Mine) {
  IRBuilder<> B(&Before);
  Elements Each(B, E);
  Value *Others = Each.list(*Before.getFunction());
  Value *Thread = Each.thread(), *Lanes = B.getInt32(E.Lanes), *IsOne = B.CreateICmpULT(Thread, Lanes);
  Value *End = fillRoom(Each, B, E, Before, List, Others, Mine);
  Each.barrier();
  Instruction *Inside = SplitBlockAndInsertIfThen(IsOne, &Before, false);
  B.SetInsertPoint(Inside);
  Each.addUp(Inside, B.CreateAdd(Thread, Lanes), End, Lanes, List, Others, [&](unsigned N, Value *At) { return Each.inRoom(N, At); });
  return IsOne;
}

Function *lanesFinish(Module &M, const LaneElements &E, bool OfTeam) { return &LanesFinish(M, E, OfTeam).build(); }

} // namespace place
