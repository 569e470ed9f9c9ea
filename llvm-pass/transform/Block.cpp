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
#include "BlockCounts.h"
#include "BlockFacts.h"
#include "Clone.h"
#include "DeviceSymbols.h"
#include "Edge.h"
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
      : C(C), F(C.function()), M(*F.getParent()), Shape(*C.version().Block), S(S), LI(Facts.loops()), N(Facts.nest()),
        T(Facts.body()), Counts(Shape, S, Facts) {}

  void run() {
    Plan = planTiles(T, Shape);
    // Barriers are around strips, where all threads of a team are, and a warp is one unless iterations part.
    C.Left.Converges = !Plan.Strips.empty() && T.branchMask();
    C.Left.HidesSteps = Shape.Alike > 1;
    Accesses = std::make_unique<AffineAccesses>(T, Shape);
    if (Shape.Apart)
      tellApart(C);
    if (Shape.Wide)
      tellAligned(C, BlockShape::WideBytes, /*ReadsAlone=*/false);
    Before = LI.getLoopFor(S.Header)->getLoopPreheader();
    IRBuilder<> B(Before->getTerminator());
    Value *Go = Counts.check(B, *Accesses, Plan);
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

  // Whether there may be more blocks than the original has chunks.
  bool hasOwnTeams() const { return N.folds() || Shape.Alike > 1; }

  // A team that has no chunk of the original's has left already; the others share the blocks.
  Value *teams(IRBuilder<> &B) {
    if (hasOwnTeams())
      return special(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
    unsigned Size = S.Size ? S.Size : Shape.threads();
    Value *Chunks = B.CreateUDiv(B.CreateAdd(Counts.iterations(), B.getInt32(Size - 1)), B.getInt32(Size));
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
      Blocks[D] = B.CreateUDiv(B.CreateAdd(Counts.extent(D), B.getInt32(Shape.extent(D) - 1)), B.getInt32(Shape.extent(D)));
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
      Strips.push_back({Loop.L, Counts.trips(B, *Loop.L), {}});
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
      Frame.Origin[D] = Shape.Once ? First : B.CreateBinaryIntrinsic(Intrinsic::umin, First, B.CreateSub(Counts.extent(D), Extend));
    }
  }

  // Whole blocks do the same as those at the edge: a thread has one iteration, and nothing is staged.
  bool isAllEdge() const { return Shape.each() == 1 && Strips.empty() && Turns.empty(); }

  // Whole blocks go on at B.
  void partEdges(IRBuilder<> &B, BlockFrame &Frame, BasicBlock *After) {
    Value *Whole = B.getTrue();
    for (unsigned D = 0; D < Shape.Dims; ++D)
      Whole = B.CreateAnd(Whole, B.CreateICmpULE(B.CreateAdd(Frame.Origin[D], B.getInt32(Shape.extent(D))), Counts.extent(D)));
    for (const Poly &P : Frame.T.inside())
      Whole = B.CreateAnd(Whole, B.CreateICmpSGE(leastInBlock(B, Frame, P), B.getInt64(0)));
    BasicBlock *Enter = newBlock("block.whole"), *Edge = newBlock("block.edge");
    B.CreateCondBr(Whole, Enter, Edge);
    walkEdge(Edge, Frame, Counts.extents(), After);
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
      walkEdge(Edge, Frame, Counts.extents(), After);
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
  Nest &N;
  Body &T;
  BlockCounts Counts;
  TilePlan Plan;
  std::vector<Tile> Turns;
  std::vector<Strip> Strips;
  std::unique_ptr<AffineAccesses> Accesses;
  Value *Later = nullptr; // than the first block's usual origin
  BasicBlock *Before = nullptr;
  std::array<Value *, 3> Blocks = {};
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
