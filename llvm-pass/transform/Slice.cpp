//===- Slice.cpp - A launch's teams in several launches ---------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that launches a long kernel once or twice has nothing to try versions on. So the runtime splits such a launch into slices,
// each an interval of the iteration space, and tries versions on slices of it. A slice of a version is an interval of the teams that
// carry out the whole space with one chunk or block each: the launch has as many teams as the interval, and the kernel adds the
// interval's first to a team's number and takes the number of all teams from the launch, too.
//
// Legal where OpenMP leaves the number of teams open and nobody looks at it, teams wait for nothing that others do, and no reduction
// needs all of them in one launch. Reductions whose order cannot be told from the result do not: their grid-stride loops have an interval of
// the iterations, with teams of any number (SliceLoop.h), and the base goes on with the chunks of its teams alone.
//
//===----------------------------------------------------------------------===//
#include "Slice.h"
#include "ChunkStarts.h"
#include "DeviceSymbols.h"
#include "Expr.h"
#include "SliceLoop.h"
#include "Transform.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

//===-- Which ------------------------------------------------------------------===//

/// Whether it is the kernel's own arguments that a value is computed from: then the number of iterations is what the host has told the
/// runtime. One that is read from memory may differ there from the host's.
static bool isFromArguments(const Value *Root) {
  return !dependsOn(Root, [](const Instruction &I) { return I.mayReadFromMemory() || specialRegister(&I); });
}

/// Iterations without a loop are over before a slice of them could tell anything.
static bool maySliceInterval(const KernelSummary &K) {
  return K.Intervals && K.Teams == PLACE_TEAMS_OPEN && any_of(K.Loops, [](const LoopSummary &L) { return !L.Chunk && L.Parent >= 0; });
}

static bool maySlice(const KernelSummary &K) {
  bool HasKnownLength = K.Chunks && K.Chunks->Last && K.Chunks->Size && isFromArguments(K.Chunks->Last);
  return HasKnownLength && K.Teams == PLACE_TEAMS_OPEN && !K.reduces() && !K.Strided && K.hasLoopInside() &&
         none_of(instructions(*K.F), mayWait);
}

/// Iterations of a team, in the order of the space and however many threads it is launched with; 0: in another order, or not known.
static unsigned slice(const KernelSummary &K, const Version &V) {
  if (V.Strided || V.Rows || V.Open || V.isProfile() || (V.Natural && !V.Natural->Open))
    return 0;
  if (V.Block)
    return V.Block->extent(0) * V.Block->extent(1) * V.Block->extent(2);
  return V.Natural ? V.Threads : K.Chunks->Size;
}

void offerSlices(const KernelSummary &K, std::vector<Version> &Versions) {
  if (maySliceInterval(K))
    for (Version &V : Versions)
      V.Slice = V.isPlan() && V.Strided && !V.Strided->Interchanged && V.Strided->Private.empty(); // any iteration begins one
  if (maySlice(K))
    for (Version &V : Versions)
      V.Slice = slice(K, V);
}

void offerBaseSlices(Function &Original, std::vector<Version> &Versions) {
  if (none_of(Versions, [](const Version &V) { return V.Slice; }))
    return;
  if (std::optional<ChunkStarts> Starts = findChunkStarts(Original))
    for (Version &V : Versions)
      if (V.isBase())
        V.Slice = Starts->Size;
}

//===-- How --------------------------------------------------------------------===//

/// The chunk loop's start goes by the launch's numbers; what reduces the teams' results goes by their own.
static void shiftStarts(Clone &C, Value *Team, Value *Teams) {
  std::optional<ChunkStarts> Starts = findChunkStarts(C.function());
  C.Fails |= !Starts;
  if (!Starts)
    return;
  auto Give = [](ArrayRef<Use *> Uses, Value *Number) {
    for (Use *U : Uses)
      U->set(IRBuilder<>(cast<Instruction>(U->getUser())).CreateZExt(Number, U->get()->getType()));
  };
  Give(Starts->Team, Team);
  Give(Starts->Teams, Teams);
}

static void shiftTeams(Function &F, Value *Own, Value *All, Value *Team, Value *Teams) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *II = dyn_cast<IntrinsicInst>(&I);
    if (!II || II == Own || II == All)
      continue;
    if (II->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_ctaid_x)
      II->replaceAllUsesWith(Team);
    else if (II->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_nctaid_x)
      II->replaceAllUsesWith(Teams);
    else
      continue;
    II->eraseFromParent();
  }
}

static void apply(Clone &C) {
  Function &F = C.function();
  if (takesInterval(C.version()))
    return;
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *Own = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {}, {});
  Value *All = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, {}, {});
  Value *Told = B.CreateTrunc(C.sliceWord(PLACE_SLICE_TEAMS), B.getInt32Ty());
  Value *Team = B.CreateAdd(Own, B.CreateTrunc(C.sliceWord(PLACE_SLICE_FIRST), B.getInt32Ty()), "team", true, true);
  Value *Teams = B.CreateSelect(B.CreateIsNull(Told), All, Told, "teams");
  if (C.kernel().Intervals)
    shiftStarts(C, Team, Teams);
  else
    shiftTeams(F, Own, All, Team, Teams);
}

BasicBlock *declineSlice(Clone &C, BasicBlock *From, BasicBlock *Otherwise) {
  if (!C.version().Slice)
    return Otherwise;
  Function &F = C.function();
  Module &M = *F.getParent();
  BasicBlock *Ask = BasicBlock::Create(M.getContext(), "whole", &F), *Tell = BasicBlock::Create(M.getContext(), "declined", &F);
  IRBuilder<> B(Ask);
  B.CreateCondBr(B.CreateIsNull(C.sliceWord(PLACE_SLICE_TEAMS)), Otherwise, Tell);
  B.SetInsertPoint(Tell);
  GlobalVariable *Buffer = deviceBuffer(M, PLACE_TIMER_SYMBOL, PLACE_TIMER_BYTES);
  Value *Entry = B.CreateSub(C.control(PLACE_CONTROL_TIMER), B.getInt64(1)); // such slices are timed
  Value *Offset = B.CreateAdd(B.CreateMul(Entry, B.getInt64(PLACE_TIMER_SLOTS * PLACE_TIMER_SLOT_BYTES)), B.getInt64(PLACE_TIMER_DECLINED));
  B.CreateStore(B.getInt64(1), B.CreateGEP(B.getInt8Ty(), Buffer, Offset));
  B.CreateRetVoid();
  Otherwise->replacePhiUsesWith(From, Ask);
  return Ask;
}

/// Where the base's slice ends is where blocks begin: were it a multiple of their extent alone, it would have to be long, and the base may be
/// slow.
static bool hasOrigin(const Version &V) {
  return V.Slice && V.Block && V.Block->extent(0) > PLACE_SLICE_ROWS && V.Block->extent(0) % PLACE_SLICE_ROWS == 0;
}

Value *sliceOrigin(Clone &C, IRBuilder<> &B) {
  if (!hasOrigin(C.version()))
    return nullptr;
  Value *Origin = B.CreateTrunc(B.CreateLShr(C.sliceWord(PLACE_SLICE_FIRST), PLACE_SLICE_ORIGIN_SHIFT), B.getInt32Ty());
  return B.CreateMul(Origin, B.getInt32(PLACE_SLICE_ROWS), "origin", true, true);
}

static bool isPart(const Version &V) { return V.Slice; }

static void describe(const KernelSummary &, const Version &V, VersionRecord &R) {
  R.key("slice", std::to_string(V.Slice));
  if (hasOrigin(V))
    R.key("origin", std::to_string(PLACE_SLICE_ROWS));
}

const Transform SliceTransform = {isPart, nullptr, describe, apply, nullptr};

} // namespace place
