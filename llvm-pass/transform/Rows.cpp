//===- Rows.cpp - Teams of another size for nested loops ------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   teams distribute over rows, parallel for over what a row has
//
// How many threads suit a row depends on how long and how many the rows are, which the compiler cannot know; the program's number is
// often clang's default of 128. Rows that are few and long are best shared by large teams. Of short ones most of a team's threads have
// nothing to do and wait at its barriers: there each warp has a row to itself, and needs no barrier but its own.
//
//===----------------------------------------------------------------------===//
#include "Rows.h"
#include "Chunks.h"
#include "Expr.h"
#include "Lean.h"
#include "Spaces.h"
#include "Straight.h"
#include "Target.h"
#include "Transform.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

/// The team's variables that a kernel uses.
SetVector<GlobalVariable *> teamVariables(Function &F) {
  SetVector<GlobalVariable *> Found;
  SmallVector<Value *, 16> Work;
  SmallPtrSet<Value *, 32> Seen;
  for (Instruction &I : instructions(F))
    append_range(Work, I.operands());
  while (!Work.empty()) {
    auto *C = dyn_cast<Constant>(Work.pop_back_val());
    if (!C || !Seen.insert(C).second)
      continue;
    if (auto *G = dyn_cast<GlobalVariable>(C); G && G->getAddressSpace() == AddrShared)
      Found.insert(G);
    else if (!isa<GlobalValue>(C))
      append_range(Work, C->operands());
  }
  return Found;
}

Align alignOf(const GlobalVariable &G) {
  return G.getParent()->getDataLayout().getValueOrABITypeAlignment(G.getAlign(), G.getValueType());
}

uint64_t bytesForEach(const GlobalVariable &G) {
  return alignTo(G.getParent()->getDataLayout().getTypeAllocSize(G.getValueType()), alignOf(G));
}

class WarpsAsTeams {
public:
  explicit WarpsAsTeams(Clone &C) : F(C.function()), Each(C.version().Rows->Each) {}

  void run() {
    fixThreads(F, WarpThreads);
    IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    auto Special = [&](Intrinsic::ID ID) { return B.CreateIntrinsic(ID, {}, {}); };
    CallInst *Tid = Special(Intrinsic::nvvm_read_ptx_sreg_tid_x), *Team = Special(Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
    CallInst *Teams = Special(Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
    Number = B.CreateLShr(Tid, 5);
    Value *Lane = B.CreateAnd(Tid, WarpThreads - 1);
    Value *Mine = B.CreateAdd(B.CreateMul(Team, B.getInt32(Each)), Number), *All = B.CreateMul(Teams, B.getInt32(Each));
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *II = dyn_cast<IntrinsicInst>(&I); II && II != Tid && II != Team && II != Teams)
        replace(*II, Lane, Mine, All);
    B.SetInsertPoint(cast<Instruction>(Number)->getNextNode()); // what stood there may be gone
    for (GlobalVariable *G : teamVariables(F))
      giveEach(*G, B);
  }

private:
  void replace(IntrinsicInst &I, Value *Lane, Value *Mine, Value *All) {
    Value *By = nullptr;
    switch (I.getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x: By = Lane; break;
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x: By = Mine; break;
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x: By = All; break;
    default: break;
    }
    if (By)
      I.replaceAllUsesWith(By);
    else if (isBarrier(I))
      IRBuilder<>(&I).CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {ConstantInt::getSigned(Type::getInt32Ty(F.getContext()), -1)});
    else
      return;
    I.eraseFromParent();
  }

  // An array of them, of which each warp has an element.
  void giveEach(GlobalVariable &G, IRBuilder<> &B) {
    Type *Bytes = ArrayType::get(B.getInt8Ty(), bytesForEach(G)), *Ty = ArrayType::get(Bytes, Each);
    auto *New = new GlobalVariable(*F.getParent(), Ty, false, GlobalValue::InternalLinkage, UndefValue::get(Ty), G.getName() + ".warps", &G,
                                   GlobalValue::NotThreadLocal, AddrShared);
    New->setAlignment(alignOf(G));
    convertUsersOfConstantsToInstructions({&G}, &F, /*RemoveDeadConstants=*/false);
    Value *Mine = B.CreateInBoundsGEP(Ty, New, {B.getInt32(0), Number});
    G.replaceUsesWithIf(Mine, [&](Use &U) {
      auto *I = dyn_cast<Instruction>(U.getUser());
      return I && I->getFunction() == &F;
    });
  }

  Function &F;
  unsigned Each;
  Value *Number = nullptr; // of the thread's warp
};

/// The kernel's own counter of rows, where that has 64 bits: a team's number, and on by that of teams (LeanShares.cpp). Null if there is none.
PHINode *wideCounter(const KernelSummary &K) {
  BinaryOperator *Next = nullptr;
  Value *First = nullptr, *Step = nullptr;
  for (BasicBlock &BB : *K.F)
    for (PHINode &P : BB.phis())
      if (P.getType()->isIntegerTy(64) && matchSimpleRecurrence(&P, Next, First, Step) && Next->getOpcode() == Instruction::Add &&
          match(First, m_ZExt(m_Value(First))) && isRegister(First, "team") && match(Step, m_ZExt(m_Value(Step))) && isRegister(Step, "teams"))
        return &P;
  return nullptr;
}

/// At most 2^30 rows, as the launch has shown, and no more teams than rows: the counter stays below 2^31 also where it has passed the last one.
void countNarrowly(PHINode &Wide) {
  BinaryOperator *WideNext = nullptr;
  Value *First = nullptr, *Step = nullptr;
  [[maybe_unused]] bool Grows = matchSimpleRecurrence(&Wide, WideNext, First, Step);
  assert(Grows && "no counter of rows");
  IRBuilder<> B(&Wide);
  auto *Row = B.CreatePHI(B.getInt32Ty(), 2, "row");
  B.SetInsertPoint(WideNext);
  Value *Next = B.CreateAdd(Row, B.CreateTrunc(Step, B.getInt32Ty()), "", true, true);
  for (unsigned N : {0u, 1u}) {
    BasicBlock *From = Wide.getIncomingBlock(N);
    B.SetInsertPoint(From->getTerminator());
    Row->addIncoming(Wide.getIncomingValue(N) == WideNext ? Next : B.CreateTrunc(First, B.getInt32Ty()), From);
  }
  B.SetInsertPoint(WideNext);
  WideNext->replaceAllUsesWith(B.CreateZExt(Next, Wide.getType()));
  B.SetInsertPoint(Wide.getParent(), Wide.getParent()->getFirstInsertionPt());
  Wide.replaceAllUsesWith(B.CreateAnd(B.CreateZExt(Row, Wide.getType()), B.getInt64(INT32_MAX))); // for divideNarrowly
  WideNext->eraseFromParent();
  Wide.eraseFromParent();
}

/// Whether the warps' copies of a team's variables leave room for several teams on a multiprocessor.
bool fitsWarps(const KernelSummary &K, unsigned Each) {
  const uint64_t Most = 16 * 1024;
  uint64_t Bytes = 0;
  for (GlobalVariable *G : teamVariables(*K.F))
    Bytes += bytesForEach(*G) * Each;
  return Bytes <= Most;
}

} // namespace

void makeWarpsTeams(Clone &C) { WarpsAsTeams(C).run(); }

static bool isPart(const Version &V) { return V.Rows.has_value(); }

static bool allows(const KernelSummary &K, const Version &V) {
  bool Open = K.LeanRows && K.OpenThreads && K.Teams == PLACE_TEAMS_OPEN && !K.reduces() && !K.Team && !K.AskedTeam;
  return Open && (V.Rows->Each == 1 || fitsWarps(K, V.Rows->Each));
}

static void describe(const KernelSummary &, const Version &V, VersionRecord &R) {
  R.Loop = PLACE_LOOP_ROWS;
  R.Threads = V.Threads;
  R.key("rows", std::to_string(V.Rows->Each));
  R.need(PLACE_NEED_OPEN_THREADS);
  if (V.Rows->Narrow)
    R.need(PLACE_NEED_TRIPS_MOST, MostLeanIterations);
  if (V.Apart)
    R.need(PLACE_NEED_APART);
}

/// A larger team where there is room for one, and a warp each where teams are larger.
static void propose(const KernelSummary &K, ArrayRef<int8_t> AsIs, std::vector<Version> &Versions) {
  const unsigned Usual = 128, MostWidened = 256, Widened = 4, Rows = 4;
  unsigned Threads = K.Threads ? K.Threads : Usual;
  auto Add = [&](unsigned OfTeam, unsigned Each, const Twine &Suffix) {
    Version V;
    V.Entry = versionName(K, "rows_" + Suffix);
    V.Stands = Standing::Refines;
    V.Space = AsIs.vec();
    V.Threads = OfTeam;
    V.Apart = K.wantsApart();
    V.Rows = {Each, wideCounter(K) != nullptr};
    if (allows(K, V))
      Versions.push_back(std::move(V));
  };
  if (Threads <= MostWidened && Threads % WarpThreads == 0)
    Add(Threads * Widened, 1, Twine(Threads * Widened));
  if (Threads > WarpThreads)
    Add(Rows * WarpThreads, Rows, "warp");
}

static void apply(Clone &C) {
  const bool Warps = C.version().Rows->Each > 1;
  if (C.version().Rows->Narrow)
    countNarrowly(*cast<PHINode>(C.cloned(wideCounter(C.kernel()))));
  if (Warps)
    makeWarpsTeams(C);
  finishLean(C, Warps ? WarpThreads : C.version().Threads);
  C.Left.Foreruns = C.version().Apart;
}

const Transform RowsTransform = {isPart, allows, describe, apply, propose};

} // namespace place
