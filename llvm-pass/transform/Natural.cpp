//===- Natural.cpp - One iteration a thread, in the order of the space ---------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (iv = size * team + tid; iv < trips; iv += size * teams) body
//
// Launched with a team for each chunk the loop goes round once: what a CUDA programmer writes. Teams that run at the same time
// then hold neighbouring iterations, whose rows and planes meet in L2, and nothing is kept in registers for a next chunk but
// the counter. The counter has 32 bits: the runtime launches this only for fewer than 2^31 iterations (needs=, region.h).
// With any number of teams the loop is right.
//
//===----------------------------------------------------------------------===//
#include "Natural.h"
#include "Ahead.h"
#include "Expr.h"
#include "InPlace.h"
#include "Lean.h"
#include "Narrow.h"
#include "Pressure.h"
#include "Ranges.h"
#include "ReadsAligned.h"
#include "Source.h"
#include "Straight.h"
#include "Streams.h"
#include "Switches.h"
#include "Transform.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace place {

namespace {

/// Whether the chunks' size is in nothing of the loop but the two counters that a version replaces: then a team may have another number
/// of threads than that. LLVM keeps a counter of its own for what is derived of a chunk's first iteration; and of a multiple of the size it
/// knows the low bits, so that those of an iteration's number become those of the thread's.
class ChunkCounters {
public:
  explicit ChunkCounters(const ChunkShape &S) : S(S), DT(*S.Header->getParent()), LI(DT), Outer(LI.getLoopFor(S.Header)) {}

  bool areAll() {
    for (PHINode &P : S.Header->phis())
      if (&P != S.Base && &P != S.Bound)
        return false;
    return all_of(S.Bound->users(), [&](User *U) { return isNextBound(U) || comparesOnly(U); }) &&
           all_of(Outer->blocks(), [&](BasicBlock *BB) { return all_of(*BB, [&](Instruction &I) { return isFree(I); }); });
  }

private:
  Value *next(PHINode *P) const { return P->getIncomingValueForBlock(S.Latch); }
  bool isNextBound(Value *V) const {
    auto *Next = dyn_cast<Instruction>(next(S.Bound));
    return V == Next || (Next && is_contained(Next->operands(), V));
  }
  static bool comparesOnly(Value *V) {
    return isa<ICmpInst>(V) || (match(V, m_Add(m_Value(), m_One())) && all_of(V->users(), [](User *U) { return isa<ICmpInst>(U); }));
  }

  bool isFree(Instruction &I) const {
    if (&I == S.Base || &I == S.Bound || &I == next(S.Base) || isNextBound(&I))
      return true;
    return none_of(I.operands(), [&](Use &U) {
      auto *Operand = dyn_cast<Instruction>(U.get());
      bool IsFrom = Operand && (!Outer->contains(Operand) || specialRegister(Operand));
      return IsFrom && (dependsOnRegister(Operand, "team") || (dependsOnRegister(Operand, "tid") && !isThreadOf(I)));
    });
  }

  // base + tid, or tid widened for that
  bool isThreadOf(Instruction &I) const {
    Value *Thread = nullptr;
    return isThreadNumber(&I) || (match(&I, m_c_Add(m_Specific(S.Base), m_Value(Thread))) && isThreadNumber(Thread));
  }

  const ChunkShape &S;
  DominatorTree DT;
  LoopInfo LI;
  Loop *Outer;
};

class NaturalOrder {
public:
  explicit NaturalOrder(Clone &C)
      : C(C), F(C.function()), S(*C.kernel().Chunks), Header(block(S.Header)), Base(cast<PHINode>(C.cloned(S.Base))) {}

  NaturalLoop run() {
    if (unsigned Threads = C.version().knownThreads(C.kernel()))
      fixThreads(F, Threads);
    if (C.version().Apart)
      tellApart(C);
    countNarrowly();
    if (C.version().FewerThreads)
      letAllTeamsIn();
    enter();
    leaveInnerLoop();
    goRound();
    SmallVector<BasicBlock *, 16> Body;
    for (BasicBlock *Original : S.Inner)
      Body.push_back(block(Original));
    findRemainders(Body);
    divideNarrowly(Body, F.getParent()->getDataLayout());
    eraseBarriers(F);
    return {Chunk, Mine, Trips, Below, block(S.InnerHeader), Leave};
  }

private:
  BasicBlock *block(BasicBlock *Original) { return cast<BasicBlock>(C.cloned(Original)); }
  Value *value(Value *Original) { return isa<Constant>(Original) ? Original : C.cloned(Original); }

  Value *special(IRBuilder<> &B, Intrinsic::ID ID) { return B.CreateIntrinsic(ID, {}, {}); }

  // The first iteration of the team's next chunk, in 32 bits; Base is that, widened. So many teams that their chunks would pass
  // 2^31 have no iteration, and no second chunk.
  void countNarrowly() {
    BasicBlock *Before = *find_if(predecessors(Header), [&](BasicBlock *P) { return P != latch(); });
    IRBuilder<> B(Before->getTerminator());
    unsigned Threads = C.version().Threads;
    Value *Size = C.version().knownThreads(C.kernel()) ? B.getInt32(Threads) : special(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x);
    // What is launched with fewer threads has so few iterations that none are beyond this.
    Value *Most = Threads ? B.getInt32(INT32_MAX / Threads) : B.CreateUDiv(B.getInt32(INT32_MAX), Size);
    auto Times = [&](Intrinsic::ID ID) {
      return B.CreateMul(B.CreateBinaryIntrinsic(Intrinsic::umin, special(B, ID), Most), Size, "", true);
    };
    Value *First = Times(Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
    Trips = B.CreateAdd(B.CreateTrunc(B.CreateFreeze(value(S.Last)), B.getInt32Ty()), B.getInt32(1));
    B.SetInsertPoint(latch()->getTerminator());
    Value *Step = Times(Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
    B.SetInsertPoint(Header, Header->begin());
    Chunk = B.CreatePHI(B.getInt32Ty(), 2, "chunk");
    B.SetInsertPoint(latch()->getTerminator());
    Chunk->addIncoming(First, Before);
    Chunk->addIncoming(B.CreateAdd(Chunk, Step, "", true), latch());
    B.SetInsertPoint(Header, Header->getFirstInsertionPt());
    Mine = B.CreateAdd(Chunk, special(B, Intrinsic::nvvm_read_ptx_sreg_tid_x), "", true);
    Value *WideChunk = B.CreateZExtOrTrunc(Chunk, Base->getType()), *WideMine = B.CreateZExtOrTrunc(Mine, Base->getType());
    for (User *U : make_early_inc_range(Base->users()))
      if (isMine(U))
        U->replaceAllUsesWith(WideMine);
    Base->replaceAllUsesWith(WideChunk);
  }

  // Fewer threads a team take more teams than the original has chunks for, and what is in front of the loop turns those away. Nothing in
  // the kernel looks at teams: what depends on their number there is that alone. How many iterations there are is asked again instead.
  void letAllTeamsIn() {
    BasicBlock *Before = *find_if(predecessors(Header), [&](BasicBlock *P) { return P != latch(); });
    IRBuilder<> B(Before->getTerminator());
    Value *Last = B.CreateFreeze(value(S.Last));
    Some = B.CreateICmpULT(Last, ConstantInt::get(Last->getType(), MostNaturalIterations));
    for (BasicBlock &BB : F) {
      auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
      if (!Branch || !Branch->isConditional() || !isPotentiallyReachable(&BB, Before) || !dependsOnRegister(Branch->getCondition(), "team"))
        continue;
      for (unsigned Way : {0u, 1u}) {
        BasicBlock *In = Branch->getSuccessor(Way), *Out = Branch->getSuccessor(1 - Way);
        if (In == Out || isPotentiallyReachable(Out, Header) || !isPotentiallyReachable(In, Header))
          continue;
        Out->removePredecessor(&BB, /*KeepOneInputPHIs=*/true);
        BranchInst::Create(In, Branch->getIterator());
        Branch->eraseFromParent();
        break;
      }
    }
  }

  // Base + tid
  bool isMine(const User *U) const {
    Value *Tid = nullptr;
    return match(U, m_c_Add(m_Specific(Base), m_Value(Tid))) && isThreadNumber(Tid);
  }

  // A thread without an iteration has none later on either: it leaves, and does not count as parted from the others.
  void enter() {
    auto *Guard = cast<BranchInst>(Header->getTerminator());
    BasicBlock *Body = block(S.InnerHeader), *Skip = block(S.Skip);
    Leave = leaveBlock(F);
    IRBuilder<> B(Guard);
    Below = cast<ICmpInst>(B.CreateICmpULT(Mine, Trips));
    Value *Go = Below;
    if (Some)
      Go = B.CreateAnd(Go, Some);
    if (S.Other) {
      bool Leaves = Guard->getSuccessor(0) != Body;
      Go = B.CreateAnd(Go, Leaves ? B.CreateNot(value(S.Other)) : value(S.Other));
    }
    B.CreateCondBr(Go, Body, Leave);
    Guard->eraseFromParent();
    for (PHINode &P : make_early_inc_range(Skip->phis()))
      P.removeIncomingValue(Header, /*DeletePHIIfEmpty=*/false);
  }

  void leaveInnerLoop() { runOnce(block(S.InnerHeader), block(S.InnerLatch), block(S.Skip)); }

  // The guard above ends the loop.
  void goRound() {
    auto *Branch = cast<BranchInst>(latch()->getTerminator());
    for (BasicBlock *Next : successors(latch()))
      if (Next != Header)
        Next->removePredecessor(latch());
    BranchInst::Create(Header, Branch->getIterator());
    Branch->eraseFromParent();
  }

  BasicBlock *latch() { return block(S.Latch); }

  Clone &C;
  Function &F;
  const ChunkShape &S;
  BasicBlock *Header, *Leave = nullptr;
  ICmpInst *Below = nullptr;
  PHINode *Base, *Chunk = nullptr;
  Value *Trips = nullptr, *Mine = nullptr, *Some = nullptr;
};

} // namespace

NaturalLoop orderNaturally(Clone &C) { return NaturalOrder(C).run(); }

/// Whether the loop is known, and the number of teams open.
static bool mayBeNatural(const KernelSummary &K) {
  return !K.reduces() && (K.LeanNatural || (K.Chunks && K.Chunks->Last && K.Teams == PLACE_TEAMS_OPEN));
}

/// Threads of a team that may have any number. An H100 begins a team each 0.6 ns, however many of its multiprocessors wait for one: with 128
/// threads, iterations that are over soon keep few of them busy (docs/loops.md). Iterations with loops of their own take longer than that,
/// and small teams make room one by one where they differ.
static unsigned threadsByChoice(const KernelSummary &K) {
  const unsigned Least = 64, Usual = 128, FewBytes = 8, OfShort = K.bytesOfAccesses() > FewBytes ? 256 : 512;
  if (K.Team)
    return K.Team;
  bool MayBeConstant = K.LeanNatural && K.Threads;
  if (!MayBeConstant && K.isSoonOver() && (!K.Threads || K.Threads == Usual)) // clang's, not the program's
    return OfShort;
  return K.Threads >= Least || MayBeConstant ? K.Threads : Usual;
}

/// One iteration a thread, where that may be. Small teams are widened where nobody can see it.
static Version naturalVersion(const KernelSummary &K, ArrayRef<int8_t> AsIs) {
  Version V;
  V.Stands = Standing::Improves;
  V.Space = AsIs.vec();
  NaturalShape &S = V.Natural.emplace();
  S.Open = K.Teams == PLACE_TEAMS_OPEN;
  S.SoonOver = K.isSoonOver() && none_of(K.Arrays, [](const ArraySummary &A) { return A.Atomic; });
  // A kernel rebuilt without the runtime was optimised for the team that it asks for: a thread's number may be a constant in it.
  S.AnyThreads = K.OpenThreads && (!K.Chunks || !K.Chunks->Size || ChunkCounters(*K.Chunks).areAll());
  if (K.OpenThreads)
    V.Threads = S.AnyThreads ? threadsByChoice(K) : K.Threads;
  if (fitsInto(*K.F, HalfOfThreadsRegisters))
    V.Registers = HalfOfThreadsRegisters;
  return V;
}

/// Threads of a team, which its part of a range is read by; 0: any number.
static unsigned threadsOfRanges(const KernelSummary &K, const Version &V) {
  unsigned Known = V.knownThreads(K);
  return Known || !K.Chunks ? Known : K.Chunks->Size;
}
enum { ThreadsOfRanges = 64 }; // a multiple of that

static bool isPart(const Version &V) { return V.Natural.has_value(); }

static bool allows(const KernelSummary &K, const Version &) { return mayBeNatural(K); }

static void describe(const KernelSummary &K, const Version &V, VersionRecord &R) {
  if (V.Natural->Open) {
    R.Loop = V.Natural->Ranges ? PLACE_LOOP_RANGES : PLACE_LOOP_NATURAL;
    R.key("each", "1");
    if (V.Natural->SoonOver && V.Route.empty())
      R.key("short", std::to_string(K.bytesOfAccesses()));
  }
  R.Threads = V.Threads;
  if (V.Threads)
    R.need(PLACE_NEED_OPEN_THREADS);
  unsigned Most = K.LeanNatural ? unsigned(MostLeanIterations) : unsigned(MostNaturalIterations);
  R.need(PLACE_NEED_TRIPS_MOST, V.Natural->Most ? std::min(V.Natural->Most, Most) : Most);
  if (V.Apart)
    R.need(PLACE_NEED_APART);
  if (V.Natural->Aligned)
    R.need(PLACE_NEED_READS_ALIGNED, V.Natural->Aligned);
}

/// Where there are fewer teams than multiprocessors, teams of a warp occupy all of them: the last version's code, launched with those. Iterations
/// that take long gain from them as long as a GPU holds all of them at once: of 288 teams of 256 threads 132 multiprocessors have three, or two.
static void proposeWarps(const KernelSummary &K, std::vector<Version> &Versions) {
  const unsigned Warp = 32, Multiprocessors = 128, TeamsHeld = 32;
  Version &Whole = Versions.back();
  bool Any = Whole.Natural->AnyThreads && !K.Team && !(K.LeanNatural && K.Threads); // else the number may be a constant in it
  const unsigned Most = Multiprocessors * (K.isSoonOver() ? Whole.Threads : std::max(TeamsHeld * Warp, Whole.Threads));
  const auto *Last = K.Chunks ? dyn_cast_or_null<ConstantInt>(K.Chunks->Last) : nullptr;
  bool Never = Last && Last->getValue().uge(Most);
  if (!Any || !Whole.Natural->Open || Whole.Threads <= Warp || Never || breadth().OneLoop)
    return;
  Whole.FewerThreads = true;
  Version V = Whole;
  V.Kernel = Whole.Entry;
  V.Threads = Warp;
  V.Natural->Most = Most;
  V.Stands = Standing::Refines;
  V.Entry = versionName(K, "natural_warp");
  Versions.push_back(std::move(V));
}

/// Where what is read is not written, the ranges that iterations walk along may be read by whole teams.
static void proposeRanges(const KernelSummary &K, Version V, std::vector<Version> &Versions) {
  unsigned Threads = threadsOfRanges(K, V);
  if (!K.HasRanges || K.LeanNatural || breadth().OneLoop || !Threads || Threads % ThreadsOfRanges)
    return;
  V.Natural->Ranges = true;
  V.Natural->Aligned = 0;
  V.FewerThreads = V.Ahead = false;
  V.Stands = Standing::Free;
  V.Entry = versionName(K, V.Apart ? "ranges_apart" : "ranges");
  Versions.push_back(std::move(V));
}

/// One for launches whose arrays are known to be apart, and one for all; one of the better of them for few iterations.
static void propose(const KernelSummary &K, ArrayRef<int8_t> AsIs, std::vector<Version> &Versions) {
  if (!mayBeNatural(K))
    return;
  Version V = naturalVersion(K, AsIs);
  V.Apart = K.wantsApart();
  if (V.Apart) {
    V.Entry = versionName(K, "natural_apart");
    V.Ahead = K.readsAhead() && !K.PromisedApart; // where it is promised, launches need not be known
    V.Natural->Aligned = K.PromisedApart ? 0 : std::max(alignmentToReadTogether(K), alignmentToReadAhead(K));
    Versions.push_back(V);
    proposeWarps(K, Versions);
  }
  proposeRanges(K, V, Versions);
  V.Entry = versionName(K, "natural");
  V.Apart = V.Ahead = false;
  V.Natural->Aligned = 0;
  Versions.push_back(V);
  if (!K.wantsApart())
    proposeWarps(K, Versions);
}

static void apply(Clone &C) {
  if (unsigned Bytes = C.version().Natural->Aligned)
    tellAligned(C, Bytes, /*ReadsAlone=*/true);
  if (C.kernel().Lean)
    finishLean(C, 0);
  else if (NaturalLoop N = orderNaturally(C); C.version().Natural->Ranges)
    C.Fails |= !readRangesTogether(C, N, threadsOfRanges(C.kernel(), C.version()));
  C.Left.Converges |= C.version().Natural->Ranges;
  C.Left.Gathers |= C.version().Apart;
  flattenSwitches(C.function());
  if (C.version().Apart) {
    unrollStreams(C.function(), C.target());
    goAlongInPlace(C.function(), C.target());
  }
}

const Transform NaturalTransform = {isPart, allows, describe, apply, propose};

} // namespace place
