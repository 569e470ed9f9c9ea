//===- Block.cpp - Iterations of a nest in blocks ---------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: OpenMP gives a team 128 consecutive iterations of the collapsed space, and each pays divisions for its indices. In blocks
// neighbouring threads share rows and columns, a thread that carries out several iterations together keeps what they have in common
// in registers, and tiles in shared memory serve the whole team.
//
//===----------------------------------------------------------------------===//
#include "Block.h"
#include "BlockFacts.h"
#include "Clone.h"
#include "DeviceSymbols.h"
#include "Edge.h"
#include "Natural.h"
#include "ReadsAligned.h"
#include "Slice.h"
#include "Straight.h"
#include "Tile.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace place {

namespace {

BasicBlock *block(Clone &C, BasicBlock *Original) { return cast<BasicBlock>(C.cloned(Original)); }

/// The kernel's shape in its clone.
ChunkShape mapShape(Clone &C) {
  ChunkShape S = *C.kernel().Chunks;
  S.Header = block(C, S.Header), S.Latch = block(C, S.Latch), S.Skip = block(C, S.Skip);
  if (S.Last && !isa<Constant>(S.Last))
    S.Last = C.cloned(S.Last);
  S.InnerHeader = block(C, S.InnerHeader), S.InnerLatch = block(C, S.InnerLatch);
  for (BasicBlock *&BB : S.Inner)
    BB = block(C, BB);
  S.Base = cast<PHINode>(C.cloned(S.Base)), S.Bound = cast<PHINode>(C.cloned(S.Bound));
  if (S.Other && !isa<Constant>(S.Other))
    S.Other = C.cloned(S.Other);
  return S;
}

class BlockBuilder {
public:
  BlockBuilder(Clone &C, const ChunkShape &S, BlockFacts &Facts)
      : C(C), F(C.function()), M(*F.getParent()), Shape(*C.version().Block), S(S), LI(Facts.loops()), SE(Facts.evolution()),
        N(Facts.nest()), T(Facts.body()) {}

  void run() {
    Inside = T.insideNeeded();
    Plan = planTiles(T, Shape);
    // Barriers are around strips, where all threads of a team are, and a warp is one unless iterations part.
    C.Left.Converges = !Plan.Strips.empty() && T.branchMask();
    Accesses = std::make_unique<AffineAccesses>(T, Shape);
    if (Shape.Apart)
      tellApart(C);
    if (Shape.Wide)
      tellAligned(C, BlockShape::WideBytes, /*ReadsAlone=*/false);
    Before = LI.getLoopFor(S.Header)->getLoopPreheader();
    IRBuilder<> B(Before->getTerminator());
    expandTrips();
    assert(all_of(N.folded().Loops, [&](const Loop *L) { return Backedges.lookup(L); }) &&
           "recogniseNest folds loops in only if they are counted before the chunk loop");
    Value *Go = check(B);
    BasicBlock *Start = newBlock("blocks");
    BasicBlock *Chunks = hasOwnTeams() ? moveGuard() : S.Header;
    B.CreateCondBr(Go, Start, declineSlice(C, Before, Chunks));
    Before->getTerminator()->eraseFromParent();
    keepRolled(*S.InnerLatch->getTerminator());
    buildLoop(Start);
  }

private:
  BasicBlock *newBlock(const char *Name) { return BasicBlock::Create(F.getContext(), Name, &F); }

  Value *special(IRBuilder<> &B, Intrinsic::ID ID) { return B.CreateCall(Intrinsic::getDeclaration(&M, ID)); }

  // While scalar evolution still describes the function: how often the loops in question go round.
  void expandTrips() {
    Instruction *At = Before->getTerminator();
    SCEVExpander Expander(SE, M.getDataLayout(), "trips");
    for (const Loop *L : LI.getLoopsInPreorder()) {
      if (!N.inner()->contains(L) || L == N.inner() || !T.canCount(L))
        continue;
      const SCEV *Taken = T.backedges(L);
      IRBuilder<> B(At);
      Backedges[L] = B.CreateZExt(B.CreateFreeze(Expander.expandCodeFor(Taken, nullptr, At->getIterator())), B.getInt64Ty());
    }
    assert(all_of(Plan.Strips, [&](const StripLoop &Strip) { return Backedges.lookup(Strip.L); }) && "strips are of loops that are counted");
  }

  // Whether the block loop may run: fewer than 2^31 iterations, the loops' extents as the divisors say and no smaller than a
  // block, and every address as it was taken for.
  Value *check(IRBuilder<> &B) {
    Value *Last = N.last();
    Type *Ty = Last->getType();
    Value *Go = B.CreateICmpULT(Last, ConstantInt::get(Ty, Shape.Once ? uint64_t(MostNaturalIterations) : INT32_MAX - 1));
    Value *Rest = B.CreateTrunc(B.CreateAdd(Last, ConstantInt::get(Ty, 1)), B.getInt32Ty());
    Trips = Rest;
    unsigned D = 0;
    for (Value *Divisor : N.divisors()) {
      Divisor = B.CreateFreeze(Divisor);
      Go = B.CreateAnd(Go, B.CreateICmpULE(Divisor, B.CreateZExtOrTrunc(Rest, Ty)));
      Value *Small = B.CreateBinaryIntrinsic(Intrinsic::umax, B.CreateTrunc(Divisor, B.getInt32Ty()), B.getInt32(1));
      Extent[D] = B.CreateUDiv(Rest, Small);
      Go = B.CreateAnd(Go, B.CreateICmpEQ(B.CreateMul(Extent[D], Small), Rest));
      Rest = Small;
      ++D;
    }
    Extent[D] = Rest;
    if (N.folds())
      Go = B.CreateAnd(Go, foldedExtents(B));
    for (D = 0; D < Shape.Dims && !Shape.Once; ++D)
      Go = B.CreateAnd(Go, B.CreateICmpUGE(Extent[D], B.getInt32(Shape.extent(D))));
    Fits Needed = N.given();
    Needed.insert(Needed.end(), Accesses->needed().begin(), Accesses->needed().end());
    Needed.insert(Needed.end(), Inside.begin(), Inside.end());
    Needed.insert(Needed.end(), N.folded().Needed.begin(), N.folded().Needed.end());
    for (const TileAccess &A : Plan.accesses())
      Needed.insert(Needed.end(), A.Needed.begin(), A.Needed.end());
    Go = B.CreateAnd(Go, emitFits(B, N, Needed, [&](Poly::Symbol P) { return most(B, P); }));
    return S.Other ? guarded(B, Go) : Go;
  }

  // The chunk loop's guard asks for something else that never changes. Where it says no, the rest may be poison: no iteration
  // would have used it.
  Value *guarded(IRBuilder<> &B, Value *Go) {
    auto *Guard = cast<BranchInst>(S.Header->getTerminator());
    bool Leaves = Guard->getSuccessor(0) != S.InnerHeader;
    return B.CreateLogicalAnd(Leaves ? B.CreateNot(S.Other) : S.Other, B.CreateFreeze(Go));
  }

  // All dimensions together must stay below 2^31, too; and no two iterations of folded loops may store to one element.
  Value *foldedExtents(IRBuilder<> &B) {
    Value *Fits = B.getTrue(), *All = B.CreateZExt(Trips, B.getInt64Ty()), *Most = B.getInt64(INT32_MAX - 1);
    unsigned D = N.firstFolded();
    for (const Loop *L : N.folded().Loops) {
      Extent[D] = B.CreateTrunc(B.CreateAdd(Backedges[L], B.getInt64(1)), B.getInt32Ty());
      All = B.CreateMul(All, B.CreateZExt(Extent[D], B.getInt64Ty()));
      Fits = B.CreateAnd(Fits, B.CreateICmpULT(Backedges[L], Most));
      Fits = B.CreateAnd(Fits, B.CreateICmpULT(All, Most));
      ++D;
    }
    for (const Nest::Cell &C : N.folded().Cells)
      Fits = B.CreateAnd(Fits, storesApart(B, C));
    return Fits;
  }

  // One loop: its step is no shorter than the cell. Two: one's step is no shorter than the other's whole way.
  Value *storesApart(IRBuilder<> &B, const Nest::Cell &C) {
    Value *Apart = B.getTrue(), *Reaches = nullptr, *Before = nullptr;
    unsigned D = N.firstFolded();
    for (const Poly &P : C.Steps) {
      Value *Step = B.CreateBinaryIntrinsic(Intrinsic::abs, emitPoly(B, N, P, SymbolValues()), B.getFalse());
      Apart = B.CreateAnd(Apart, B.CreateICmpUGE(Step, B.getInt64(uint64_t(C.Bytes))));
      Value *Way = B.CreateMul(Step, B.CreateZExt(Extent[D++], B.getInt64Ty()));
      if (Reaches)
        Apart = B.CreateAnd(Apart, B.CreateOr(B.CreateICmpUGE(Before, Way), B.CreateICmpUGE(Step, Reaches)));
      Before = Step, Reaches = Way;
    }
    return Apart;
  }

  Value *most(IRBuilder<> &B, Poly::Symbol P) {
    const NestSymbol &Symbol = N.symbol(P);
    if (Symbol.K == NestSymbol::Dim)
      return B.CreateZExt(B.CreateSub(Extent[P], B.getInt32(1)), B.getInt64Ty());
    return Symbol.K == NestSymbol::Counter ? Backedges.lookup(Symbol.L) : nullptr;
  }

  // Whether there may be more blocks than the original has chunks.
  bool hasOwnTeams() const { return N.folds() || Shape.Alike > 1; }

  // A team that has no chunk of the original's has left already; the others share the blocks.
  Value *teams(IRBuilder<> &B) {
    if (hasOwnTeams())
      return special(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
    unsigned Size = S.Size ? S.Size : Shape.threads();
    Value *Chunks = B.CreateUDiv(B.CreateAdd(Trips, B.getInt32(Size - 1)), B.getInt32(Size));
    return B.CreateBinaryIntrinsic(Intrinsic::umin, special(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_x), Chunks);
  }

  // Teams without a chunk of the original's own leave in front of `Before`. Where there are blocks for them, the guard goes behind the way to
  // the blocks. Returns the block that it is in now.
  BasicBlock *moveGuard() {
    BasicBlock *From = Before->getSinglePredecessor(), *Now = newBlock("guard");
    auto *Guard = cast<BranchInst>(From->getTerminator());
    bool InIfTrue = Guard->getSuccessor(0) == Before;
    BasicBlock *Away = Guard->getSuccessor(InIfTrue ? 1 : 0);
    BranchInst::Create(InIfTrue ? S.Header : Away, InIfTrue ? Away : S.Header, Guard->getCondition(), Now);
    S.Header->replacePhiUsesWith(Before, Now);
    Away->replacePhiUsesWith(From, Now);
    BranchInst::Create(Before, From);
    Guard->eraseFromParent();
    return Now;
  }

  void buildLoop(BasicBlock *Start) {
    BasicBlock *Head = newBlock("block"), *After = newBlock("block.end"), *Done = newBlock("blocks.done");
    IRBuilder<> B(Start);
    BlockFrame Frame{T, Shape};
    Frame.Thread = special(B, Intrinsic::nvvm_read_ptx_sreg_tid_x);
    Value *Count = B.getInt32(1);
    for (unsigned D = 0; D < Shape.Dims; ++D) {
      Blocks[D] = B.CreateUDiv(B.CreateAdd(Extent[D], B.getInt32(Shape.extent(D) - 1)), B.getInt32(Shape.extent(D)));
      Count = B.CreateMul(Count, Blocks[D]);
    }
    locals(B, Frame);
    for (const TileAccess &A : Plan.Turned)
      Turns.emplace_back(B, A, Frame, *teamMemory(M, "place_tile", Tile::bytesOf(A, Shape)));
    makeStrips(B, Frame);
    Later = sliceOrigin(C, B);
    Value *Team = special(B, Intrinsic::nvvm_read_ptx_sreg_ctaid_x), *Teams = teams(B);
    Digits First = digits(B, Team), Step = digits(B, Teams), At = {};
    B.CreateCondBr(B.CreateICmpULT(Team, Count), Head, Done);
    B.SetInsertPoint(Head);
    PHINode *Block = B.CreatePHI(B.getInt32Ty(), 2, "block");
    Block->addIncoming(Team, Start);
    for (unsigned D = 0; D < Shape.Dims; ++D) {
      PHINode *P = B.CreatePHI(B.getInt32Ty(), 2);
      P->addIncoming(First[D], Start);
      At[D] = P;
    }
    oneBlock(B, Frame, At, After);
    B.SetInsertPoint(After);
    Value *Next = B.CreateAdd(Block, Teams);
    BasicBlock *Again = newBlock("block.next");
    B.CreateCondBr(B.CreateICmpULT(Next, Count), Again, Done);
    Block->addIncoming(Next, Again);
    B.SetInsertPoint(Again);
    Digits Later = sum(B, At, Step);
    for (unsigned D = 0; D < Shape.Dims; ++D)
      cast<PHINode>(At[D])->addIncoming(Later[D], Again);
    if (!Turns.empty()) // the next block's tiles take the place of this one's
      special(B, Intrinsic::nvvm_barrier0);
    B.CreateBr(Head);
    B.SetInsertPoint(Done);
    B.CreateRetVoid();
  }

  /// A loop, and what it is staged in.
  struct Strip {
    const Loop *L;
    Value *Trips;
    std::vector<Tile> Tiles;
  };

  // One loop is over before the next one begins: the n-th tiles of all are in one place.
  void makeStrips(IRBuilder<> &B, const BlockFrame &Frame) {
    std::vector<unsigned> Most;
    for (const StripLoop &Loop : Plan.Strips)
      for (const auto &[Number, A] : enumerate(Loop.Operands)) {
        Most.resize(std::max(Most.size(), Number + 1));
        Most[Number] = std::max(Most[Number], Tile::bytesOf(A, Shape));
      }
    std::vector<GlobalVariable *> Memory;
    for (unsigned Bytes : Most)
      Memory.push_back(teamMemory(M, "place_tile", Bytes));
    for (const StripLoop &Loop : Plan.Strips) {
      Strips.push_back({Loop.L, B.CreateAdd(Backedges[Loop.L], B.getInt64(1)), {}});
      for (const auto &[Number, A] : enumerate(Loop.Operands))
        Strips.back().Tiles.emplace_back(B, A, Frame, *Memory[Number]);
    }
  }

  /// A block's number, dimension by dimension.
  using Digits = std::array<Value *, 3>;

  Digits digits(IRBuilder<> &B, Value *Block) {
    Digits Of = {};
    for (unsigned D = Shape.Dims; D-- > 0;) {
      Of[D] = D ? B.CreateURem(Block, Blocks[D]) : Block;
      Block = D ? B.CreateUDiv(Block, Blocks[D]) : Block;
    }
    return Of;
  }

  // Without another division: a carry at most from one dimension to the next.
  Digits sum(IRBuilder<> &B, const Digits &X, const Digits &Y) {
    Digits Sum = {};
    Value *Carry = B.getInt32(0);
    for (unsigned D = Shape.Dims; D-- > 0;) {
      Sum[D] = B.CreateAdd(B.CreateAdd(X[D], Y[D]), Carry);
      if (!D)
        break;
      Value *Over = B.CreateICmpUGE(Sum[D], Blocks[D]);
      Sum[D] = B.CreateSelect(Over, B.CreateSub(Sum[D], Blocks[D]), Sum[D]);
      Carry = B.CreateZExt(Over, B.getInt32Ty());
    }
    return Sum;
  }

  // A thread's indices within any block.
  void locals(IRBuilder<> &B, BlockFrame &Frame) {
    Value *Rest = Frame.Thread;
    auto Take = [&](unsigned D) {
      Value *Threads = B.getInt32(Shape.Threads[D]), *Mine = B.CreateURem(Rest, Threads);
      Rest = B.CreateUDiv(Rest, Threads);
      Frame.Local[D] = Shape.Adjacent[D] ? B.CreateMul(Mine, B.getInt32(Shape.Each[D]), "", true, true) : Mine;
    };
    Take(Shape.lanes());
    for (unsigned D = Shape.Dims; D-- > 0;)
      if (D != Shape.lanes())
        Take(D);
  }

  void origin(IRBuilder<> &B, BlockFrame &Frame, const Digits &Block) {
    for (unsigned D = 0; D < Shape.Dims; ++D) {
      Value *Extend = B.getInt32(Shape.extent(D)), *First = B.CreateMul(Block[D], Extend, "", true, true);
      if (!D && Later)
        First = B.CreateAdd(First, Later, "", true, true);
      Frame.Origin[D] = Shape.Once ? First : B.CreateBinaryIntrinsic(Intrinsic::umin, First, B.CreateSub(Extent[D], Extend));
    }
  }

  // Whole blocks do the same as those at the edge: a thread has one iteration, and nothing is staged.
  bool isAllEdge() const { return Shape.each() == 1 && Strips.empty() && Turns.empty(); }

  // Whole blocks go on at B.
  void partEdges(IRBuilder<> &B, BlockFrame &Frame, BasicBlock *After) {
    Value *Whole = B.getTrue();
    for (unsigned D = 0; D < Shape.Dims; ++D)
      Whole = B.CreateAnd(Whole, B.CreateICmpULE(B.CreateAdd(Frame.Origin[D], B.getInt32(Shape.extent(D))), Extent[D]));
    for (const Poly &P : Frame.T.inside())
      Whole = B.CreateAnd(Whole, B.CreateICmpSGE(leastInBlock(B, Frame, P), B.getInt64(0)));
    BasicBlock *Enter = newBlock("block.whole"), *Edge = newBlock("block.edge");
    B.CreateCondBr(Whole, Enter, Edge);
    walkEdge(Edge, Frame, Extent, After);
    B.SetInsertPoint(Enter);
  }

  // Of what is between First and After.
  void storeOnce(Instruction *Enter, const BlockFrame &Frame, BasicBlock *First, BasicBlock *After) {
    SmallVector<StoreInst *, 4> Stores;
    df_iterator_default_set<BasicBlock *> Seen;
    Seen.insert(After);
    for (BasicBlock *BB : depth_first_ext(First, Seen))
      for (Instruction &I : *BB)
        if (auto *Store = dyn_cast<StoreInst>(&I); Store && !isOnChip(*Store->getPointerOperand()))
          Stores.push_back(Store);
    IRBuilder<> B(Enter);
    Value *Mine = isWorker(B, Frame);
    for (StoreInst *Store : Stores)
      Store->moveBefore(SplitBlockAndInsertIfThen(Mine, Store, false));
  }

  void oneBlock(IRBuilder<> &B, BlockFrame &Frame, const Digits &Block, BasicBlock *After) {
    std::array<SmallVector<Value *, 8>, 3> Index;
    origin(B, Frame, Block);
    if (Shape.Once && isAllEdge()) {
      BasicBlock *Edge = newBlock("block.edge");
      B.CreateBr(Edge);
      walkEdge(Edge, Frame, Extent, After);
      return;
    }
    if (Shape.Once)
      partEdges(B, Frame, After);
    for (unsigned D = 0; D < Shape.Dims; ++D) {
      Value *First = B.CreateAdd(Frame.Origin[D], Frame.Local[D], "", true, true);
      for (unsigned R = 0; R < Shape.Each[D]; ++R)
        Index[D].push_back(B.CreateAdd(First, B.getInt32(Shape.offset(D, R)), "", true, true));
    }
    BodyEmitter E(Frame.T, Shape, *Accesses, Index);
    // Values must end up in front of the body: a block of its own, so that staging may split it.
    BasicBlock *Entry = newBlock("block.body"), *Out = Turns.empty() ? After : newBlock("block.out");
    BranchInst *Enter = B.CreateBr(Entry);
    E.emit(Entry, Out);
    for (const Strip &S : Strips)
      stripMine(E, Frame, S.L, S.Tiles, S.Trips);
    if (Shape.Alike > 1)
      storeOnce(Enter, Frame, Entry, After);
    if (!Turns.empty())
      turnColumns(E, Frame, Turns, Enter, Out, After);
  }

  Clone &C;
  Function &F;
  Module &M;
  const BlockShape &Shape;
  const ChunkShape &S;
  LoopInfo &LI;
  ScalarEvolution &SE;
  Nest &N;
  Body &T;
  TilePlan Plan;
  std::vector<Tile> Turns;
  std::vector<Strip> Strips;
  std::unique_ptr<AffineAccesses> Accesses;
  Fits Inside;
  DenseMap<const Loop *, Value *> Backedges;
  Value *Trips = nullptr, *Later = nullptr; // Later: than the first block's usual origin
  BasicBlock *Before = nullptr;
  std::array<Value *, 3> Extent = {}, Blocks = {};
};

} // namespace

void rebuildBlocks(Clone &C) {
  ChunkShape S = mapShape(C);
  const BlockShape &Shape = *C.version().Block;
  BlockFacts Facts(C.function(), S, Shape);
  // The steps before have dropped barriers and moved loads: rarely, scalar evolution then knows less.
  if (Facts.holds() && (Shape.Alike == 1 || mayFetchAlong(Facts.body(), Shape)))
    BlockBuilder(C, S, Facts).run();
  else
    C.Fails = true;
}

} // namespace place
