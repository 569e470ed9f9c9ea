//===- LaneTeams.cpp - Arrays of sums in kernels without the device runtime ===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several loops, one after the other, may form the arrays of one reduction over teams. Each is shared by the same number of lanes. The
// variables of the team are arrays in shared memory; a region adds to them what its lanes have.
//
//===----------------------------------------------------------------------===//
#include "ChosenValue.h"
#include "ElementCalls.h"
#include "GridLoop.h"
#include "Kernel.h"
#include "LaneSums.h"
#include "Mark.h"
#include "RuntimeCall.h"
#include "Stride.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

namespace {

const char RegionLanesAttribute[] = "place-region-lanes";

SmallVector<CallInst *, 4> callsIn(Function &F, function_ref<bool(const Instruction &)> Wanted) {
  SmallVector<CallInst *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (Wanted(I))
      Calls.push_back(cast<CallInst>(&I));
  return Calls;
}

class LaneTeams {
public:
  explicit LaneTeams(Function &Kernel) : Kernel(Kernel) {}

  bool run() {
    SmallVector<CallInst *, 4> Finish = callsIn(Kernel, [](const Instruction &I) { return isCallOf(I, teams_reduce::Name); });
    SmallVector<CallInst *, 4> Begun = callsIn(Kernel, [](const Instruction &I) { return isCallOf(I, "__kmpc_parallel_51"); });
    if (Finish.size() != 1 || !all_of(Begun, [&](CallInst *C) { return look(*C); }) || !sumByLanes(Kernel, *Finish.front(), Regions, Calls))
      return false;
    for (const LaneRegion &R : Regions)
      share(R);
    markLaneSums(Kernel, Regions.front().Lanes.Lanes);
    return true;
  }

private:
  // One in which nothing is summed up stays as it is.
  bool look(CallInst &Begin) {
    using namespace parallel_51;
    auto *Body = dyn_cast<Function>(Begin.getArgOperand(Outlined)->stripPointerCasts());
    if (!Body || Body->isDeclaration())
      return false;
    if (callsIn(*Body, [](const Instruction &I) { return isCallOf(I, "__kmpc_nvptx_parallel_reduce_nowait_v2"); }).empty())
      return true;
    SmallVector<CallInst *, 4> Shares = callsIn(*Body, isForStatic);
    if (!isNumber(Begin.getArgOperand(If), 1) || !isNumber(Begin.getArgOperand(NumThreads), -1) || Shares.size() != 1 ||
        any_of(Regions, [&](const LaneRegion &R) { return R.Share == Shares.front(); }))
      return false;
    return findLoop(Begin, *Shares.front());
  }

  bool findLoop(CallInst &Begin, CallInst &Share) {
    using namespace static_init;
    chooseByValue(*Share.getFunction());
    DominatorTree DT(*Share.getFunction());
    LoopInfo LI(DT);
    std::optional<CountedLoop> Found = countedLoop(Share, LI, DT);
    if (!Found || scheduleOf(Share) != schedule::ForChunked || !isNumber(Share.getArgOperand(Chunk), 1) ||
        !isNumber(Share.getArgOperand(Increment), 1) || isLoaded(Share.getArgOperand(LastFlag)))
      return false;
    Regions.push_back({&Begin, &Share, findLaneLoop(*Found->L, Found->Counted->getPointerOperand(), DT, Calls)});
    Guards.push_back(Found->Guard);
    return Regions.back().Lanes.Lanes > 1;
  }

  // The runtime's call becomes the lanes' share (LeanShares.cpp). Threads beyond the last that are as many as there are lanes have none.
  void share(const LaneRegion &R) {
    IRBuilder<> B(R.Share);
    Value *Lanes = B.getInt32(R.Lanes.Lanes), *Thread = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {});
    Value *Threads = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_x, {}, {});
    Value *Some = B.CreateICmpULT(B.CreateUDiv(Thread, Lanes), B.CreateUDiv(Threads, Lanes));
    shareLaneLoop(R.Lanes, B.CreateZExt(B.CreateURem(Thread, Lanes), B.getInt64Ty()), B.getInt64(R.Lanes.Lanes));
    BranchInst *Guard = Guards[size_t(&R - Regions.begin())];
    B.SetInsertPoint(Guard);
    Guard->setCondition(B.CreateAnd(Some, Guard->getCondition()));
    R.Share->getFunction()->addFnAttr(RegionLanesAttribute, std::to_string(R.Lanes.Lanes));
  }

  Function &Kernel;
  ElementCalls Calls;
  SmallVector<LaneRegion, 2> Regions;
  SmallVector<BranchInst *, 2> Guards;
};

} // namespace

bool sumByLanesOfTeams(Module &One, StringRef Name) {
  Function *Kernel = One.getFunction(Name);
  return Kernel && executionMode(*Kernel) == ExecutionMode::Generic && hasOpenTeams(*Kernel) && hasOpenThreads(*Kernel) && inlineTeams(One, Name) &&
         LaneTeams(*Kernel).run();
}

unsigned threadsOfLaneTeams(const Function &Kernel) {
  const unsigned Large = 512, Warp = 32;
  unsigned Most = mostThreads(Kernel);
  return Most < Warp || Kernel.hasFnAttribute(AskedTeamAttribute) ? 0 : std::max(Most, Large);
}

unsigned lanesOfRegion(const Function &Region) { return unsigned(Region.getFnAttributeAsParsedInteger(RegionLanesAttribute, 1)); }

} // namespace place
