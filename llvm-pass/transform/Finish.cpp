//===- Finish.cpp - The end of a reduction over teams ---------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device runtime's own end of a reduction is carried out by all threads only inside a parallel region, and clang calls it
// outside: there its number of threads is 1, and one thread walks over up to 1,024 slots. This one does the same with all threads:
//
//   thread 0 puts the team's result into the team's slot of the buffer; whoever counts the last team up makes its team go on:
//   thread t takes slots t, t + threads, ...; warps reduce by shuffles, their results go to the first warp, which reduces them
//
// Buffer and counter are the launch's own (libomptarget's KernelLaunchEnvironment: { i32 count, i32 unused, ptr buffer }); the
// counter is 0 at its start.
//
//===----------------------------------------------------------------------===//
#include "Finish.h"
#include "RuntimeCall.h"
#include "Target.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

Grid gridOf(IRBuilder<> &B) {
  auto Special = [&](Intrinsic::ID ID) { return B.CreateZExt(B.CreateIntrinsic(ID, {}, {}), B.getInt64Ty()); };
  Grid G;
  G.Thread = Special(Intrinsic::nvvm_read_ptx_sreg_tid_x), G.Threads = Special(Intrinsic::nvvm_read_ptx_sreg_ntid_x);
  G.Team = Special(Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
  G.Teams = B.CreateBinaryIntrinsic(Intrinsic::umin, Special(Intrinsic::nvvm_read_ptx_sreg_nctaid_x), B.getInt64(MostTeamsOfReduction));
  return G;
}

namespace {

using namespace teams_reduce;

class Finisher {
public:
  explicit Finisher(CallInst &Call)
      : Call(Call), B(Call.getContext()), F(*Function::Create(FunctionType::get(B.getInt32Ty(), {B.getPtrTy(), B.getPtrTy()}, false),
                                                             GlobalValue::InternalLinkage, "place_finish", *Call.getModule())),
        Environment(F.getArg(0)), Partial(F.getArg(1)) {
    for (Attribute::AttrKind A : {Attribute::AlwaysInline, Attribute::Convergent, Attribute::NoUnwind, Attribute::NoRecurse})
      F.addFnAttr(A);
  }

  Function &build() {
    BasicBlock *Entry = block("entry"), *Mine = block("mine"), *Publish = block("publish"), *Meet = block("meet");
    BasicBlock *Gather = block("gather");
    Leave = block("leave");
    B.SetInsertPoint(Entry);
    Grid G = gridOf(B);
    auto Narrow = [&](Value *V) { return B.CreateTrunc(V, B.getInt32Ty()); };
    Thread = Narrow(G.Thread), Threads = Narrow(G.Threads), Team = Narrow(G.Team), Teams = Narrow(G.Teams);
    Buffer = B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Environment, BufferOffset));
    B.CreateCondBr(B.CreateICmpULT(Team, Teams), Mine, Leave);
    B.SetInsertPoint(Mine);
    B.CreateCondBr(isFirst(), Publish, Meet);
    B.SetInsertPoint(Publish);
    Value *IsLast = publish();
    B.CreateBr(Meet);
    B.SetInsertPoint(Meet);
    PHINode *Said = B.CreatePHI(B.getInt32Ty(), 2);
    Said->addIncoming(B.getInt32(0), Mine);
    Said->addIncoming(IsLast, Publish);
    Value *Any = B.CreateIntrinsic(Intrinsic::nvvm_barrier0_or, {}, {Said});
    B.CreateCondBr(B.CreateIsNotNull(Any), Gather, Leave);
    B.SetInsertPoint(Gather);
    gather();
    B.SetInsertPoint(Leave);
    B.CreateRet(B.getInt32(0));
    return F;
  }

private:
  enum { BufferOffset = 8 };
  enum Lanes { AllLanes = 0, LowerLanes = 1 }; // of shuffle and reduce: whose results count

  BasicBlock *block(const char *Name) { return BasicBlock::Create(F.getContext(), Name, &F); }
  Value *isFirst() { return B.CreateICmpEQ(Thread, B.getInt32(0)); }

  /// A function that clang outlined.
  void call(unsigned Which, ArrayRef<Value *> Arguments) {
    auto *Callee = cast<Function>(Call.getArgOperand(Which)->stripPointerCasts());
    B.CreateCall(Callee, Arguments)->setCallingConv(Callee->getCallingConv());
  }

  void shuffle(Value *Lane, Value *Distance, Lanes Which) {
    auto Short = [&](Value *V) { return B.CreateTrunc(V, B.getInt16Ty()); };
    call(ShuffleAndReduce, {Partial, Short(Lane), Short(Distance), B.getInt16(Which)});
  }

  // What the fence is between: this team's slot, and the count that the last team reads.
  Value *publish() {
    call(ToBuffer, {Buffer, Team, Partial});
    B.CreateIntrinsic(Intrinsic::nvvm_membar_gl, {}, {});
    Value *Before = B.CreateAtomicRMW(AtomicRMWInst::Add, Environment, B.getInt32(1), Align(4), AtomicOrdering::Monotonic);
    return B.CreateZExt(B.CreateICmpEQ(Before, B.CreateSub(Teams, B.getInt32(1))), B.getInt32Ty());
  }

  /// The slots, taken by whole warps, or by one thread where there are fewer.
  void gather() {
    BasicBlock *Collect = block("collect"), *Joined = block("joined"), *Warps = block("warps"), *Done = block("done");
    B.CreateIntrinsic(Intrinsic::nvvm_membar_gl, {}, {});
    Value *Most = B.CreateBinaryIntrinsic(Intrinsic::umin, Threads, Teams);
    Value *Whole = B.CreateAnd(Most, B.getInt32(-WarpThreads));
    Value *Active = B.CreateSelect(B.CreateIsNull(Whole), B.getInt32(1), Whole);
    B.CreateCondBr(B.CreateICmpULT(Thread, Active), Collect, Joined);
    B.SetInsertPoint(Collect);
    collect(Active, Joined);
    B.SetInsertPoint(Joined);
    B.CreateCondBr(B.CreateICmpUGT(Active, B.getInt32(WarpThreads)), Warps, Done);
    B.SetInsertPoint(Warps);
    joinWarps(B.CreateUDiv(Active, B.getInt32(WarpThreads)), Done);
    B.SetInsertPoint(Done);
    B.CreateRet(B.CreateZExt(isFirst(), B.getInt32Ty()));
  }

  void collect(Value *Active, BasicBlock *Joined) {
    BasicBlock *From = B.GetInsertBlock(), *More = block("more"), *Lanes = block("lanes"), *Shuffle = block("shuffle");
    call(FromBuffer, {Buffer, Thread, Partial});
    Value *Second = B.CreateAdd(Thread, Active);
    B.CreateCondBr(B.CreateICmpULT(Second, Teams), More, Lanes);
    B.SetInsertPoint(More);
    PHINode *Slot = B.CreatePHI(B.getInt32Ty(), 2);
    call(ReduceFromBuffer, {Buffer, Slot, Partial});
    Value *Next = B.CreateAdd(Slot, Active);
    Slot->addIncoming(Second, From);
    Slot->addIncoming(Next, More);
    B.CreateCondBr(B.CreateICmpULT(Next, Teams), More, Lanes);
    B.SetInsertPoint(Lanes);
    B.CreateCondBr(B.CreateICmpUGT(Active, B.getInt32(1)), Shuffle, Joined);
    B.SetInsertPoint(Shuffle);
    for (unsigned Distance = WarpThreads / 2; Distance; Distance /= 2)
      shuffle(B.getInt32(0), B.getInt32(Distance), AllLanes);
    B.CreateBr(Joined);
  }

  // The copy between warps has barriers: all threads of the team get here. The first warp halves what is left until it is one.
  void joinWarps(Value *Count, BasicBlock *Done) {
    BasicBlock *First = block("first"), *Halve = block("halve");
    call(BetweenWarps, {Partial, Count});
    B.CreateCondBr(B.CreateICmpULT(Thread, B.getInt32(WarpThreads)), First, Done);
    B.SetInsertPoint(First);
    B.CreateBr(Halve);
    B.SetInsertPoint(Halve);
    PHINode *Left = B.CreatePHI(B.getInt32Ty(), 2);
    shuffle(Thread, B.CreateLShr(Left, 1), LowerLanes);
    Value *Half = B.CreateLShr(B.CreateAdd(Left, B.getInt32(1)), 1);
    Left->addIncoming(Count, First);
    Left->addIncoming(Half, Halve);
    B.CreateCondBr(B.CreateICmpUGT(Half, B.getInt32(1)), Halve, Done);
  }

  CallInst &Call;
  IRBuilder<> B;
  Function &F;
  Value *Environment, *Partial;
  Value *Thread = nullptr, *Threads = nullptr, *Team = nullptr, *Teams = nullptr, *Buffer = nullptr;
  BasicBlock *Leave = nullptr;
};

} // namespace

void finishByAllThreads(CallInst &Call, Value *Environment) {
  Function &F = Finisher(Call).build();
  IRBuilder<> B(&Call);
  Call.replaceAllUsesWith(B.CreateCall(&F, {Environment, Call.getArgOperand(teams_reduce::List)}));
  Call.eraseFromParent();
}

} // namespace place
