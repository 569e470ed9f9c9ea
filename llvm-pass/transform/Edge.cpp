//===- Edge.cpp - Blocks that reach over the end of the space ---------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Edge.h"
#include "LoopProperty.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace place {

namespace {

/// The same team, an iteration at a time.
BlockShape singly(const BlockShape &Shape) {
  BlockShape S = Shape;
  S.Each = {1, 1, 1};
  S.Interior = false;
  return S;
}

/// A thread's R-th index of each dimension; the last dimension's change first.
std::array<Value *, 3> indices(IRBuilder<> &B, const BlockFrame &F, Value *R) {
  std::array<Value *, 3> Index = {};
  for (unsigned D = F.Shape.Dims; D-- > 0;) {
    Value *Each = B.getInt32(F.Shape.Each[D]);
    Value *Mine = D ? B.CreateURem(R, Each) : R;
    R = D ? B.CreateUDiv(R, Each) : R;
    Value *Apart = F.Shape.Adjacent[D] ? Mine : B.CreateMul(Mine, B.getInt32(F.Shape.Threads[D]), "", true, true);
    Index[D] = B.CreateAdd(B.CreateAdd(F.Origin[D], F.Local[D], "", true, true), Apart, "", true, true);
  }
  return Index;
}

} // namespace

Value *leastInBlock(IRBuilder<> &B, const BlockFrame &F, const Poly &P) {
  SymbolValues First;
  int64_t Down = 0;
  for (unsigned D = 0; D < F.Shape.Dims; ++D) {
    First[D] = B.CreateZExt(F.Origin[D], B.getInt64Ty());
    Poly Step = P.coefficient(D);
    if (Step.isConstant() && Step.constant() < 0)
      Down += Step.constant() * int64_t(F.Shape.extent(D) - 1);
  }
  return B.CreateAdd(emitPoly(B, F.T.nest(), P, First), B.getInt64(uint64_t(Down)));
}

Value *isWorker(IRBuilder<> &B, const BlockFrame &F) {
  return F.Shape.Alike > 1 ? B.CreateICmpULT(F.Thread, B.getInt32(F.Shape.workers())) : B.getTrue();
}

void keepRolled(Instruction &Terminator) { setLoopProperty(Terminator, "llvm.loop.unroll.disable"); }

void walkEdge(BasicBlock *Edge, const BlockFrame &F, const std::array<Value *, 3> &Extent, BasicBlock *After) {
  auto NewBlock = [&](const char *Name) { return BasicBlock::Create(Edge->getContext(), Name, Edge->getParent()); };
  BasicBlock *Head = NewBlock("edge"), *Enter = NewBlock("edge.body"), *Next = NewBlock("edge.next");
  const BlockShape Single = singly(F.Shape);
  unsigned Count = F.Shape.each();
  IRBuilder<> B(Edge);
  B.CreateBr(Head);
  B.SetInsertPoint(Head);
  PHINode *R = B.CreatePHI(B.getInt32Ty(), 2);
  R->addIncoming(B.getInt32(0), Edge);
  std::array<Value *, 3> Index = indices(B, F, R);
  Value *Exists = isWorker(B, F);
  std::array<SmallVector<Value *, 8>, 3> One;
  for (unsigned D = 0; D < F.Shape.Dims; ++D) {
    Exists = B.CreateAnd(Exists, B.CreateICmpULT(Index[D], Extent[D]));
    One[D].push_back(Index[D]);
  }
  B.CreateCondBr(Exists, Enter, Next);
  BodyEmitter(F.T, Single, AffineAccesses(F.T, Single), One).emit(Enter, Next);
  B.SetInsertPoint(Next);
  Value *Following = B.CreateAdd(R, B.getInt32(1), "", true, true);
  R->addIncoming(Following, Next);
  keepRolled(*B.CreateCondBr(B.CreateICmpULT(Following, B.getInt32(Count)), Head, After));
}

} // namespace place
