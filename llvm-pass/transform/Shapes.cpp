//===- Shapes.cpp - Which blocks are worth trying -----------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Block.h"
#include "Target.h"
#include "Tile.h"
#include "Expr.h"
#include "Obstacle.h"
#include "Source.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace place {

namespace {

class ShapeFinder {
public:
  /// Mode: what all shapes of the kernel have in common.
  /// Parts: whether iterations that go different ways may be carried out by one thread. Interior: the body away from the borders
  /// of the space, or null.
  ShapeFinder(KernelSummary &K, const Body &B, const BlockShape &Mode, bool Parts, const Body *Interior)
      : K(K), B(B), Mode(Mode), Parts(Parts), Interior(Interior), Dims(B.nest().dims()) {}

  void find() {
    std::vector<TileAccess> Operands;
    for (const StripLoop &Strip : B.stripLoops(K.StripReason))
      append_range(Operands, Strip.Operands);
    if (!Operands.empty())
      K.StripReason = whyNot(Operands);
    bool Strips = !Operands.empty() && K.StripReason.empty();
    if (Dims == 1) {
      line(Strips ? &Operands : nullptr);
      return;
    }
    across();
    if (mayTile() && !B.transposed().empty()) {
      add(4, 8, false, 32, 1, 0, true);
      add(8, 8, false, 32, 1, 0, true);
      add(8, 8, false, 32, 2, 0, true);
    }
    if (Strips && touches(Operands, Dims - 1) && touches(Operands, Dims - 2)) {
      const BlockShape Usual = Mode;
      Mode.Adjacent[Dims - 1] = areReadTogether(Operands);
      add(8, 8, true, 32, 2, 16, false);
      add(8, 8, true, 32, 4, 16, false);
      Mode = Usual;
    }
    if (Dims == 3)
      planes(4);
    if (parts(Dims - 2) && !parts(Dims - 1)) {
      add(8, 1, false, 32, 4, 0, false);
      add(8, 1, false, 32, 8, 0, false);
    } else {
      add(8, 4, true, 32, 1, 0, false);
      add(8, 8, true, 32, 1, 0, false);
    }
    bool None = K.Blocks.empty();
    interior();
    if (None) { // an iteration at a time, but neighbours in both dimensions within a team
      add(8, 1, false, 32, 1, 0, false);
      part();
      add(8, 4, true, 32, 1, 0, false);
    }
  }

private:
  // Whether a thread's neighbouring columns are best read from the tiles in one access: where they are words side by side. (Products of 2,048
  // squared on an H200, 64x128: 0.444 ms for 0.486; but 0.81 for 0.50 where columns are a tile's rows, and in doubles 1.03 for 0.90.)
  bool areReadTogether(const std::vector<TileAccess> &Operands) const {
    return all_of(Operands, [&](const TileAccess &A) { return A.Row != Dims - 1 && (A.Column != Dims - 1 || A.Width == 4); });
  }
  static bool touches(const std::vector<TileAccess> &Operands, unsigned D) {
    for (const TileAccess &A : Operands)
      if (A.Row == D || A.Column == D)
        return true;
    return false;
  }

  // What keeps strips from being staged. A thread with several iterations carries out all of them at each step.
  Reason whyNot(const std::vector<TileAccess> &Operands) const {
    if (!mayTile())
      return PLACE_WHY_MAY_READ_WRITES;
    return B.branchMask() && !(Dims == 1 && readsRows(Operands)) ? PLACE_WHY_THREADS_PART : PLACE_WHY_NONE;
  }

  // A tile holds what it was filled with.
  bool mayTile() const { return !Mode.Once || Mode.Apart; }

  // Whether iterations go different ways along a dimension.
  bool parts(unsigned D) const { return B.branchMask() >> D & 1; }

  void part() { Mode.Parts = Parts && B.branchMask(); }

  // Where the guards are gone.
  void interior() {
    if (!Interior)
      return;
    ShapeFinder Finder(K, *Interior, Mode, false, nullptr);
    Finder.Mode.Interior = Finder.Mode.Once = true;
    Finder.Mode.Apart = K.mayBeApart();
    if (Dims == 3)
      Finder.planes(4);
    if (Dims > 1)
      Finder.add(8, 4, true, 32, 1, 0, false);
    Finder.add(Dims > 1 ? 8 : 1, Dims > 1 ? 8 : 1, Dims > 1, Dims > 1 ? 32 : 128, Dims > 1 ? 1 : 4, 0, false);
  }

  /// Whether neighbouring iterations read rows of memory, a line of the cache apart or more: what is staged is read side by side all the same.
  static bool readsRows(const std::vector<TileAccess> &Operands) {
    const int64_t Line = 128;
    return any_of(Operands, [](const TileAccess &A) {
      const Poly Apart = A.Row == 0 ? A.Offset.coefficient(0) : Poly();
      bool AlongRow = A.Column != TileAccess::None && A.Column >= Nest::MaxDims;
      return AlongRow && !(Apart.isConstant() && std::abs(Apart.constant()) < Line);
    });
  }

  // Strips: what is staged, or null. A row each is worth more threads than several.
  void line(const std::vector<TileAccess> *Strips) {
    interior();
    if (Strips && readsRows(*Strips)) {
      add(1, 1, false, 128, 1, 32, false);
      fewRows(*Strips);
      return;
    }
    part();
    if (Strips) {
      add(1, 1, false, 128, 4, 32, false);
      if (!K.Blocks.empty())
        K.Blocks.back().Adjacent[0] = true;
      pipeline();
    }
    untiled();
  }

  // Without tiles: a thread's iterations a team apart, or neighbours. Where all that iterations read and write lies side by side, in elements of one
  // size, and is aligned, neighbours have been faster, by up to 1.34; with some single bytes, and in most kernels where not all lies so, slower
  // (docs/versions.md).
  void untiled() {
    const Body::Runs Runs = K.mayBeApart() ? B.runs() : Body::Runs();
    bool All = breadth().AllSpaces, Wide = Runs.Narrowest && Runs.Narrowest <= 8, Streams = Wide && Runs.Alike;
    if (!Streams || All)
      add(1, 1, false, 128, 4, 0, false);
    if (Streams || (Wide && (All || (Runs.Only && Runs.Narrowest > 1))))
      wide(Runs.Narrowest);
  }

  // Where a thread for each row would leave most of the GPU idle: a warp of rows, which eight warps fetch. What they fetch of a row at a time is
  // fetched ahead, if that fits twice: then it takes no longer in any kernel measured, and up to 1.5 times as long otherwise.
  void fewRows(const std::vector<TileAccess> &Operands) {
    const unsigned BytesOfRow = 512;
    unsigned Width = 1;
    for (const TileAccess &A : Operands)
      Width = std::max(Width, A.Width);
    size_t Before = K.Blocks.size();
    add(1, 1, false, 32, 1, BytesOfRow / Width, false, 8);
    if (K.Blocks.size() == Before)
      return;
    if (!mayFetchAlong(B, K.Blocks.back())) {
      K.Blocks.pop_back();
      return;
    }
    pipeline();
    if (K.Blocks.size() == Before + 2)
      K.Blocks.erase(K.Blocks.begin() + Before);
  }

  // Neighbours in one access: 16 bytes of most elements, 8 of the smallest.
  void wide(unsigned Width) {
    const BlockShape Usual = Mode;
    Mode.Adjacent[0] = Mode.Wide = Mode.Once = Mode.Apart = true;
    add(1, 1, false, 128, Width < 4 ? 8 : 4, 0, false);
    Mode = Usual;
  }

  // The shape before, with its strips fetched ahead, if all fit twice. Measured on an H200 it gains 2% for windows, up to 100% for rows, and loses
  // 7 to 14% where two teams of a multiprocessor hide the latency anyway (benchmarks/RESULTS.md).
  void pipeline() {
    if (K.Blocks.empty() || !K.Blocks.back().Strip || !hasAsyncCopies(*K.F))
      return;
    BlockShape S = K.Blocks.back();
    size_t Fit = planTiles(B, S).accesses().size();
    S.Pipelined = true;
    if (planTiles(B, S).accesses().size() == Fit)
      K.Blocks.push_back(S);
  }

  // Where most accesses run along memory in another dimension than the innermost loop's, neighbouring threads lie along that one.
  void across() {
    const BlockShape Usual = Mode;
    Mode.Lanes = B.lanes();
    if (Mode.Lanes) {
      unsigned Rows = Mode.Lanes == 1 ? 32 : 1;
      if (Mode.Lanes > 1)
        Mode.Threads[0] = 32;
      add(Rows, 1, false, 8, 1, 0, false);
      add(Rows, 1, false, 8, 4, 0, false);
    }
    Mode = Usual;
  }

  // Several planes a thread: what they have in common is read once.
  void planes(unsigned Each) {
    size_t Before = K.Blocks.size();
    if (parts(0))
      return;
    add(8, 1, false, 32, 1, 0, false);
    if (K.Blocks.size() > Before && B.canInterleave()) {
      K.Blocks.back().Each[0] = Each;
      K.Blocks.back().Adjacent[0] = true;
    }
  }

  // Rows are the last dimension but one, columns the last; what lies outside of them is walked block by block.
  void add(unsigned RowThreads, unsigned RowEach, bool RowAdjacent, unsigned Threads, unsigned Each, unsigned Strip, bool Turned,
           unsigned Alike = 1) {
    BlockShape S = Mode;
    S.Dims = Dims;
    S.Alike = Alike;
    S.Threads[Dims - 1] = Threads, S.Each[Dims - 1] = Each;
    if (Dims > 1)
      S.Threads[Dims - 2] = RowThreads, S.Each[Dims - 2] = RowEach, S.Adjacent[Dims - 2] = RowAdjacent;
    S.Strip = Strip, S.Transposed = Turned;
    TilePlan Tiles = planTiles(B, S);
    for (const TileAccess &A : Tiles.accesses())
      S.Tiled.insert(A.Array->getArgNo());
    bool Known = any_of(K.Blocks, [&](const BlockShape &Other) { return Other.name() == S.name() && Other.Adjacent == S.Adjacent; });
    if (canCarry(S) && !Known)
      K.Blocks.push_back(S);
  }

  // A thread's iterations go the same way, step by step.
  bool canCarry(const BlockShape &S) const {
    for (unsigned D = 0; D < Dims; ++D)
      if (S.Each[D] > 1 && (!B.canInterleave() || (parts(D) && !S.Parts)))
        return false;
    return true;
  }

  KernelSummary &K;
  const Body &B;
  BlockShape Mode;
  bool Parts;
  const Body *Interior;
  unsigned Dims;
};

/// Whether a load can only meet memory that no iteration writes for another one.
bool isTraceable(const KernelSummary &K, const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return all_of(Objects, [&](const Value *O) {
    const auto *A = dyn_cast<Argument>(O);
    const auto *G = dyn_cast<GlobalVariable>(O);
    return (A && K.arrayOf(A) >= 0) || (G && G->isConstant()) || isa<AllocaInst>(O);
  });
}

/// Whether the runtime cannot know all that the body reads: what it writes might be among it.
bool readsElsewhere(const KernelSummary &K) {
  for (const BasicBlock *BB : K.Chunks->Inner)
    for (const Instruction &I : *BB) {
      if (!I.mayReadFromMemory() || isa<StoreInst>(I))
        continue;
      if (const Value *P = getLoadStorePointerOperand(&I)) {
        if (!isTraceable(K, P))
          return true;
      } else if (const auto *II = dyn_cast<IntrinsicInst>(&I)) {
        const auto *Copy = dyn_cast<AnyMemTransferInst>(II);
        if (Copy ? !isTraceable(K, Copy->getRawSource()) : !II->isAssumeLikeIntrinsic() && !isa<AnyMemSetInst>(II))
          return true;
      } else {
        return true;
      }
    }
  return false;
}

/// Why iterations may not be carried out in another order, or nothing.
Reason forbids(const KernelSummary &K) {
  if (!K.Chunks)
    return obstacle(*K.F, PLACE_WHY_OTHER_LOOP);
  if (K.Teams != PLACE_TEAMS_OPEN)
    return PLACE_WHY_TEAMS_OBSERVED;
  return K.reduces() ? PLACE_WHY_SIMULTANEOUS_SUMS : PLACE_WHY_NONE;
}

/// Whether no iteration may be carried out twice: one might read what another wrote, or what else writes an array is not known.
bool forbidsTwice(const KernelSummary &K) {
  auto Forbids = [](const ArraySummary &A) { return A.Atomic || (A.Read && (A.Written || A.Placeable < 0)); };
  return K.UnknownWrites || any_of(K.Arrays, Forbids) || readsElsewhere(K);
}

/// Whether a thread may carry out iterations that part, and their code does not grow out of proportion.
bool canPart(Body B) {
  const size_t Most = 600; // instructions of the body; there are five copies of it
  size_t Instructions = 0;
  for (const BasicBlock *BB : B.blocks())
    Instructions += BB->size();
  return B.branchMask() && B.canInterleave() && Instructions <= Most && B.part();
}

void describeExtents(KernelSummary &K, const Nest &N, ScalarEvolution &SE) {
  const SCEV *Rest = SE.getAddExpr(SE.getSCEV(N.last()), SE.getOne(N.last()->getType()));
  auto Add = [&](const SCEV *S) {
    ExprText T = exprText(S, SE, DenseMap<const Loop *, int>());
    K.Extents.push_back(T.Known ? T.Text : "");
  };
  for (Value *Divisor : N.divisors()) {
    Add(SE.getUDivExpr(Rest, SE.getSCEV(Divisor)));
    Rest = SE.getSCEV(Divisor);
  }
  Add(Rest);
  for (const Loop *L : N.folded().Loops)
    Add(SE.getAddExpr(SE.getBackedgeTakenCount(L), SE.getOne(SE.getBackedgeTakenCount(L)->getType())));
}

} // namespace

void findBlocks(KernelSummary &K, FunctionAnalysisManager &FAM) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(*K.F);
  DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(*K.F);
  ScalarEvolution &SE = FAM.getResult<ScalarEvolutionAnalysis>(*K.F);
  K.BlockReason = forbids(K);
  if (!K.BlockReason.empty())
    return;
  BlockShape Mode;
  Mode.Once = forbidsTwice(K);
  Mode.Apart = Mode.Once && K.mayBeApart();
  std::unique_ptr<Nest> N = recogniseNest(*K.Chunks, Mode, LI, DT, SE);
  if (!N) {
    K.BlockReason = {PLACE_WHY_UNKNOWN_FORM, "its collapsed loops"};
    return;
  }
  Body B(*K.Chunks, *N, LI, DT, SE);
  if (!B.isSelfContained()) {
    K.BlockReason = {PLACE_WHY_UNKNOWN_FORM, "values of the chunk loop in its body"};
    return;
  }
  describeExtents(K, *N, SE);
  Body Interior(*K.Chunks, *N, LI, DT, SE);
  bool HasInterior = B.branchMask() && !N->folds() && B.canInterleave() && Interior.assume();
  ShapeFinder(K, B, Mode, canPart(Body(*K.Chunks, *N, LI, DT, SE)), HasInterior ? &Interior : nullptr).find();
  if (K.Blocks.empty())
    K.BlockReason = B.canInterleave() ? PLACE_WHY_THREADS_PART : PLACE_WHY_PRIVATE_MEMORY;
}

} // namespace place
