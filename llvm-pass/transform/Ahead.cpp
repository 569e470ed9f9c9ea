//===- Ahead.cpp - Loads ahead of where a loop may end early --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Ahead.h"
#include "Computation.h"
#include "CopyAnalyses.h"
#include "Expr.h"
#include "LoopProperty.h"
#include "Transform.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace place {

namespace {

const DenseMap<const Loop *, int> NoLoops; // none is around what the launch knows
const unsigned BytesInFlight = 128, MostTimes = 16, MostInstructions = 160;

/// A load whose address goes along with the loop.
struct StepLoad {
  const Argument *Array;
  unsigned First, Step, Width; // bytes: behind the argument, from one iteration to the next, of an element
};

/// An innermost loop whose iterations do nothing but decide whether it ends.
struct Search {
  Loop *L = nullptr;
  SmallVector<BasicBlock *, 4> Chain; // its blocks, in the order in which an iteration goes through them
  BasicBlock *Counted = nullptr;      // the one where it ends by a count
  const SCEV *Rounds = nullptr;       // that count: of iterations that do not end it there
  SmallVector<StepLoad, 4> Loads;
  unsigned Times = 0; // iterations looked at together
};

class Searcher {
public:
  Searcher(Loop &L, ScalarEvolution &SE) : SE(SE), DL(SE.getDataLayout()) { S.L = &L; }

  std::optional<Search> find() {
    bool HasForm = S.L->isInnermost() && S.L->getLoopPredecessor() && S.L->getLoopLatch() && isChain() && findCount();
    if (!HasForm || !onlyDecides() || S.Loads.empty())
      return std::nullopt;
    S.Times = times();
    return S.Times ? std::optional(std::move(S)) : std::nullopt;
  }

private:
  BasicBlock *nextOf(BasicBlock *BB) const {
    BasicBlock *Next = nullptr;
    if (!isa<BranchInst>(BB->getTerminator()))
      return nullptr;
    for (BasicBlock *To : successors(BB)) {
      if (S.L->contains(To) && Next)
        return nullptr;
      Next = S.L->contains(To) ? To : Next;
    }
    return Next;
  }

  /// One way through, which other ways only leave.
  bool isChain() {
    BasicBlock *BB = S.L->getHeader();
    do {
      S.Chain.push_back(BB);
      BB = nextOf(BB);
      if (!BB || (BB != S.L->getHeader() && !BB->getSinglePredecessor()))
        return false;
    } while (BB != S.L->getHeader());
    return S.Chain.size() == S.L->getNumBlocks();
  }

  /// Whether the launch knows the number: nothing but the kernel's arguments is in it.
  bool isKnown(const SCEV *Count) const {
    ExprText T = exprText(Count, SE, NoLoops);
    return !T.Text.empty() && T.Known && !T.UsesLane && !T.UsesTeam && !T.UsesLoop;
  }

  bool findCount() {
    bool OtherExit = false;
    SCEVExpander E(SE, DL, "place");
    for (BasicBlock *BB : S.Chain) {
      if (!S.L->isLoopExiting(BB))
        continue;
      const SCEV *Count = SE.getExitCount(S.L, BB);
      bool Known = !isa<SCEVCouldNotCompute>(Count) && isKnown(Count) && E.isSafeToExpandAt(Count, S.L->getLoopPredecessor()->getTerminator());
      if (Known && !S.Counted)
        S.Counted = BB, S.Rounds = Count;
      else
        OtherExit = true;
    }
    return S.Counted && OtherExit;
  }

  bool onlyDecides() {
    return all_of(S.Chain, [&](BasicBlock *BB) { return all_of(*BB, [&](Instruction &I) { return mayBeEarly(I); }); });
  }

  /// Whether it may be carried out though the loop has ended before, once arrays are known to be mapped so far.
  bool mayBeEarly(Instruction &I) {
    if (isa<PHINode>(I))
      return I.getParent() == S.L->getHeader();
    if (I.isTerminator())
      return true;
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple() && mayBeRead(*Load);
    auto *C = dyn_cast<CallBase>(&I);
    return (C && isComputation(*C)) || (isSafeToSpeculativelyExecute(&I) && !I.mayHaveSideEffects());
  }

  bool mayBeRead(LoadInst &Load) {
    const SCEV *Address = SE.getSCEV(Load.getPointerOperand());
    if (SE.isLoopInvariant(Address, S.L))
      return Load.getParent() == S.L->getHeader(); // and so in the first iteration
    const auto *Along = dyn_cast<SCEVAddRecExpr>(Address);
    const auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
    const auto *Array = Base ? dyn_cast<Argument>(Base->getValue()) : nullptr;
    if (!Along || Along->getLoop() != S.L || !Along->isAffine() || !Array)
      return false;
    const auto *First = dyn_cast<SCEVConstant>(SE.removePointerBase(Along->getStart()));
    const auto *Step = dyn_cast<SCEVConstant>(Along->getStepRecurrence(SE));
    const unsigned MostBytes = 4096;
    if (!First || !Step || First->getAPInt().ugt(MostBytes) || Step->getAPInt().isZero() || Step->getAPInt().ugt(MostBytes))
      return false;
    S.Loads.push_back({Array, unsigned(First->getAPInt().getZExtValue()), unsigned(Step->getAPInt().getZExtValue()),
                       unsigned(DL.getTypeStoreSize(Load.getType()))});
    return true;
  }

  /// So many that some loads are in flight and the code stays short; 0: it is not worth it.
  unsigned times() const {
    unsigned Widest = 1, Instructions = 0;
    for (const StepLoad &Load : S.Loads)
      Widest = std::max(Widest, Load.Width);
    for (const BasicBlock *BB : S.Chain)
      Instructions += count_if(*BB, [](const Instruction &I) { return !isa<PHINode>(I) && !I.isTerminator(); });
    unsigned Most = std::min({MostTimes, BytesInFlight / Widest, MostInstructions / std::max(Instructions, 1u)});
    const auto *Constant = dyn_cast<SCEVConstant>(S.Rounds);
    return Most < 4 || (Constant && Constant->getAPInt().ult(4 * Most)) ? 0 : bit_floor(Most);
  }

  ScalarEvolution &SE;
  const DataLayout &DL;
  Search S;
};

std::vector<Search> searchesOf(LoopInfo &LI, ScalarEvolution &SE) {
  std::vector<Search> All;
  for (Loop *L : LI.getLoopsInPreorder())
    if (std::optional<Search> S = Searcher(*L, SE).find())
      All.push_back(std::move(*S));
  return All;
}

/// Bytes behind the argument that all iterations together may read. A count beyond 2^40 is more than is mapped anywhere.
const SCEV *bytesOf(const StepLoad &Load, const Search &S, ScalarEvolution &SE) {
  Type *Wide = IntegerType::get(SE.getContext(), 64);
  auto Number = [&](int64_t N) { return SE.getConstant(Wide, uint64_t(N), /*isSigned=*/true); };
  const SCEV *Rounds = SE.getTruncateOrZeroExtend(S.Rounds, Wide);
  if (SE.getTypeSizeInBits(S.Rounds->getType()) >= 64)
    Rounds = SE.getUMinExpr(Rounds, Number(int64_t(1) << 40));
  return SE.getAddExpr(SE.getMulExpr(Number(Load.Step), Rounds), Number(int64_t(Load.First) + Load.Width - Load.Step));
}

/// By array: the bytes, as an expression; empty: none.
std::vector<std::string> reachOf(const KernelSummary &K, ArrayRef<Search> Searches, ScalarEvolution &SE) {
  std::vector<const SCEV *> Most(K.Arrays.size());
  for (const Search &S : Searches)
    for (const StepLoad &Load : S.Loads) {
      int Array = K.arrayOf(K.F->getArg(Load.Array->getArgNo()));
      if (Array < 0)
        return {};
      const SCEV *Bytes = bytesOf(Load, S, SE);
      Most[Array] = Most[Array] ? SE.getSMaxExpr(Most[Array], Bytes) : Bytes;
    }
  std::vector<std::string> Text(Most.size());
  for (size_t A = 0; A < Most.size(); ++A)
    if (Most[A] && (Text[A] = exprText(Most[A], SE, NoLoops).Text).empty())
      return {};
  return Text;
}

/// Puts the loop that looks at several iterations together in front of a search.
class LookAhead {
public:
  LookAhead(const Search &S, Value *Rounds)
      : S(S), Rounds(Rounds), Header(S.L->getHeader()), Latch(S.L->getLoopLatch()), Before(S.L->getLoopPredecessor()), F(*Header->getParent()),
        B(F.getContext()) {}

  void run() {
    keepComparisons();
    BasicBlock *Check = block("ahead"), *Together = block("together"), *Rest = block("rest");
    Before->getTerminator()->replaceSuccessorWith(Header, Check);
    B.SetInsertPoint(Check);
    PHINode *Count = B.CreatePHI(Rounds->getType(), 2, "ahead");
    for (PHINode &P : Header->phis())
      Ahead.push_back({&P, B.CreatePHI(P.getType(), 2, P.getName())});
    Value *Times = ConstantInt::get(Rounds->getType(), S.Times);
    B.CreateCondBr(B.CreateICmpUGE(B.CreateSub(Rounds, Count), Times), Together, Rest);
    B.SetInsertPoint(Together);
    Value *Ends = iterations();
    Value *Next = B.CreateAdd(Count, Times, "", /*HasNUW=*/true);
    Instruction *Back = B.CreateCondBr(Ends, Rest, Check);
    addLoopProperty(*Back, "llvm.loop.unroll.disable");
    B.SetInsertPoint(Rest);
    B.CreateBr(Header);
    Count->addIncoming(ConstantInt::get(Rounds->getType(), 0), Before);
    Count->addIncoming(Next, Together);
    for (auto &[P, Now] : Ahead) {
      Now->addIncoming(P->getIncomingValueForBlock(Before), Before);
      Now->addIncoming(Values[P], Together);
      P->setIncomingValue(P->getBasicBlockIndex(Before), Now);
      P->setIncomingBlock(P->getBasicBlockIndex(Before), Rest);
    }
  }

private:
  BasicBlock *block(const char *Name) { return BasicBlock::Create(F.getContext(), Name, &F, Header); }

  /// Of a >= x | b >= x NVPTX's back end makes max(a, b) >= x, which takes five instructions for doubles where the comparison takes one. It does
  /// not where it cannot see that both are compared with the same.
  void keepComparisons() {
    B.SetInsertPoint(Before->getTerminator());
    for (BasicBlock *BB : S.Chain)
      for (Instruction &I : *BB)
        for (Value *V : I.operands())
          if (isa<FCmpInst>(I) && V->getType()->isDoubleTy() && !isa<Constant>(V) && S.L->isLoopInvariant(V) && !Twins.count(V))
            Twins[V] = opaque(V, "mov.b64", 'd');
  }

  /// The same value, of which LLVM does not know that. The instruction is one that ptxas leaves out.
  Value *opaque(Value *V, StringRef Move, char Register) {
    FunctionType *T = FunctionType::get(V->getType(), {V->getType()}, false);
    std::string Constraints = {'=', Register, ',', Register};
    CallInst *Moved = B.CreateCall(InlineAsm::get(T, (Move + " $0, $1;").str(), Constraints, /*hasSideEffects=*/false), {V});
    Moved->setDoesNotAccessMemory();
    Moved->setDoesNotThrow();
    Moved->addFnAttr(Attribute::WillReturn);
    return Moved;
  }

  /// Whether any of the iterations ends the loop. Of more than a few conditions LLVM would make a vector, and NVPTX's back end a number with a
  /// bit for each; so it is not to know what a few of them come to.
  Value *iterations() {
    const unsigned Few = 8;
    Value *Ends = nullptr;
    unsigned Asked = 0;
    for (auto &[P, Now] : Ahead)
      Values[P] = Now;
    for (unsigned N = 0; N < S.Times; ++N) {
      for (auto &[Original, Copy] : Twins)
        Values[Original] = N % 2 ? Copy : Original;
      for (BasicBlock *BB : S.Chain)
        if (Value *Leaves = iteration(*BB)) {
          Ends = !Ends ? Leaves : B.CreateLogicalOr(Asked % Few ? Ends : opaque(Ends, "mov.pred", 'b'), Leaves);
          ++Asked;
        }
      SmallVector<Value *, 4> Next;
      for (auto &[P, Now] : Ahead)
        Next.push_back(valueOf(P->getIncomingValueForBlock(Latch)));
      for (size_t I = 0; I < Next.size(); ++I)
        Values[Ahead[I].first] = Next[I];
    }
    return Ends;
  }

  Value *valueOf(Value *Original) {
    auto Found = Values.find(Original);
    return Found == Values.end() ? Original : Found->second;
  }

  /// A copy of a block's instructions; whether it leaves the loop, if that is not by the count. In an iteration behind the last one that may be
  /// anything: nobody asks then.
  Value *iteration(BasicBlock &BB) {
    for (Instruction &I : BB) {
      if (isa<PHINode>(I) || I.isTerminator())
        continue;
      Instruction *Copy = B.Insert(I.clone(), I.getName());
      for (Use &U : Copy->operands())
        U.set(valueOf(U.get()));
      Copy->dropUBImplyingAttrsAndMetadata();
      Values[&I] = Copy;
    }
    auto *Branch = cast<BranchInst>(BB.getTerminator());
    if (&BB == S.Counted || !S.L->isLoopExiting(&BB))
      return nullptr;
    Value *Condition = valueOf(Branch->getCondition());
    return S.L->contains(Branch->getSuccessor(0)) ? B.CreateNot(Condition) : Condition;
  }

  const Search &S;
  Value *Rounds;
  BasicBlock *Header, *Latch, *Before;
  Function &F;
  IRBuilder<> B;
  SmallVector<std::pair<PHINode *, PHINode *>, 4> Ahead; // the loop's, and those of the loop in front of it
  MapVector<Value *, Value *> Twins;                     // the same value, of which the back end does not know that
  DenseMap<const Value *, Value *> Values;               // of the iteration at hand
};

} // namespace

void findLoadsAhead(KernelSummary &K, FunctionAnalysisManager &FAM) {
  ScalarEvolution &SE = FAM.getResult<ScalarEvolutionAnalysis>(*K.F);
  std::vector<Search> Searches = searchesOf(FAM.getResult<LoopAnalysis>(*K.F), SE);
  std::vector<std::string> Reach = reachOf(K, Searches, SE);
  for (size_t A = 0; A < Reach.size(); ++A)
    K.Arrays[A].Ahead = Reach[A];
  for (const Search &S : Searches)
    for (const StepLoad &Load : S.Loads)
      K.JoinsAhead |= !Reach.empty() && Load.Step == Load.Width && Load.First % WideBytes == 0 && Load.Width < WideBytes;
}

unsigned alignmentToReadAhead(const KernelSummary &K) { return K.JoinsAhead ? unsigned(WideBytes) : 0; }

static bool isPart(const Version &V) { return V.Ahead; }

static bool allows(const KernelSummary &K, const Version &) { return K.readsAhead(); }

static void describe(const KernelSummary &K, const Version &, VersionRecord &R) {
  std::string Text;
  for (const ArraySummary &A : K.Arrays)
    Text += (&A == &K.Arrays.front() ? "" : ";") + (A.Ahead.empty() ? "-" : VersionRecord::expression(A.Ahead));
  R.key("ahead", Text);
  R.need(PLACE_NEED_READS_MAPPED);
}

static void apply(Clone &C) {
  CopyAnalyses Of(C.function());
  std::vector<Search> Searches = searchesOf(Of.LI, Of.SE);
  std::vector<std::string> Reach = reachOf(C.kernel(), Searches, Of.SE);
  if (!equal(Reach, C.kernel().Arrays, [](const std::string &Bytes, const ArraySummary &A) { return Bytes == A.Ahead; }))
    return; // another copy of the loops than the launch is checked for
  SCEVExpander E(Of.SE, Of.SE.getDataLayout(), "place");
  SmallVector<Value *, 4> Rounds;
  for (const Search &S : Searches)
    Rounds.push_back(E.expandCodeFor(S.Rounds, S.Rounds->getType(), S.L->getLoopPredecessor()->getTerminator()));
  for (size_t N = 0; N < Searches.size(); ++N)
    LookAhead(Searches[N], Rounds[N]).run();
}

const Transform AheadTransform = {isPart, allows, describe, apply, nullptr};

} // namespace place
