// Iteration numbers: a value in each loop that names the iterations of all loops around it. Lanes that execute the same
// instruction under the same number execute it together.
#include "lowering.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace simt {

static constexpr uint64_t Mixer = 0x9E3779B97F4A7C15u;

// The number on entry to a loop: the surrounding one, mixed, so that inner counts do not meet.
static Value *startOf(IRBuilder<> &B, Value *Outer, unsigned LoopNumber) {
  return B.CreateMul(B.CreateAdd(Outer, B.getInt64(LoopNumber + 1)), B.getInt64(Mixer));
}

static void numberLoop(Loop &L, Value *Outer, unsigned &Count, DenseMap<BasicBlock *, Value *> &Numbers) {
  BasicBlock *Header = L.getHeader();
  IRBuilder<> B(Header, Header->begin());
  unsigned Loop = Count++;
  PHINode *Number = B.CreatePHI(B.getInt64Ty(), pred_size(Header), "simt.iteration");
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  Value *Next = B.CreateAdd(Number, B.getInt64(1));
  for (BasicBlock *Predecessor : predecessors(Header)) {
    if (L.contains(Predecessor)) {
      Number->addIncoming(Next, Predecessor);
      continue;
    }
    int Known = Number->getBasicBlockIndex(Predecessor);
    IRBuilder<> Before(Predecessor->getTerminator());
    Number->addIncoming(Known >= 0 ? Number->getIncomingValue(Known) : startOf(Before, Outer, Loop), Predecessor);
  }
  for (BasicBlock *Block : L.blocks())
    Numbers[Block] = Number;
  for (auto *Inner : L)
    numberLoop(*Inner, Number, Count, Numbers);
}

DenseMap<BasicBlock *, Value *> numberIterations(Function &F) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  DenseMap<BasicBlock *, Value *> Numbers;
  unsigned Count = 0;
  Value *Outside = ConstantInt::get(Type::getInt64Ty(F.getContext()), 0);
  for (BasicBlock &Block : F)
    Numbers[&Block] = Outside;
  for (Loop *L : Loops)
    numberLoop(*L, Outside, Count, Numbers);
  return Numbers;
}

} // namespace simt
