//===- ChosenValue.cpp - The greater of two, by value ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ChosenValue.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <optional>

using namespace llvm;

namespace place {

namespace {

/// A comparison of what two pointers lead to, and which of them is returned where it holds.
struct Choice {
  CmpInst::Predicate Compare = CmpInst::BAD_FCMP_PREDICATE;
  FastMathFlags Math;
  Type *Ty = nullptr;
  unsigned Left = 0, Right = 0; // arguments that are compared
  unsigned If = 0, Else = 0;    // arguments that are returned
};

void promote(Function &F) {
  SmallVector<AllocaInst *, 4> Variables;
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A))
      Variables.push_back(A);
  DominatorTree DT(F);
  PromoteMemToReg(Variables, DT);
}

/// The argument whose value is compared, of that type.
const Argument *comparedArgument(const Value *V, Type *&Ty) {
  const auto *L = dyn_cast<LoadInst>(V);
  if (!L || !L->isSimple() || (Ty && Ty != L->getType()))
    return nullptr;
  Ty = L->getType();
  return dyn_cast<Argument>(L->getPointerOperand());
}

bool doesMore(const Instruction &I) { return !isa<LoadInst, CmpInst, BranchInst, PHINode, ReturnInst>(I); }

/// What a function does, if that is all; F: a copy of it.
std::optional<Choice> choiceOf(Function &F) {
  promote(F);
  auto *Branch = dyn_cast<BranchInst>(F.getEntryBlock().getTerminator());
  auto *Compare = Branch && Branch->isConditional() ? dyn_cast<CmpInst>(Branch->getCondition()) : nullptr;
  auto *Return = dyn_cast<ReturnInst>(F.back().getTerminator());
  auto *Chosen = Return ? dyn_cast_or_null<PHINode>(Return->getReturnValue()) : nullptr;
  const unsigned Blocks = 4;
  if (!Compare || !Chosen || F.size() != Blocks || Chosen->getNumIncomingValues() != 2 || Chosen->getParent() != Return->getParent() ||
      any_of(instructions(F), doesMore) || Chosen->getBasicBlockIndex(Branch->getSuccessor(0)) < 0 ||
      Chosen->getBasicBlockIndex(Branch->getSuccessor(1)) < 0)
    return std::nullopt;
  Choice C;
  C.Compare = Compare->getPredicate();
  if (auto *Math = dyn_cast<FPMathOperator>(Compare))
    C.Math = Math->getFastMathFlags();
  const Argument *Left = comparedArgument(Compare->getOperand(0), C.Ty), *Right = comparedArgument(Compare->getOperand(1), C.Ty);
  const auto *If = dyn_cast<Argument>(Chosen->getIncomingValueForBlock(Branch->getSuccessor(0)));
  const auto *Else = dyn_cast<Argument>(Chosen->getIncomingValueForBlock(Branch->getSuccessor(1)));
  if (!Left || !Right || !If || !Else || Left == Right)
    return std::nullopt;
  C.Left = Left->getArgNo(), C.Right = Right->getArgNo(), C.If = If->getArgNo(), C.Else = Else->getArgNo();
  return C;
}

std::optional<Choice> choiceBy(Function *Callee) {
  const unsigned MostInstructions = 30;
  if (!Callee || Callee->isDeclaration() || Callee->arg_size() != 2 || !Callee->getReturnType()->isPointerTy() || Callee->isVarArg() ||
      Callee->getInstructionCount() > MostInstructions)
    return std::nullopt;
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(Callee, Map);
  std::optional<Choice> C = choiceOf(*Copy);
  Copy->eraseFromParent();
  return C;
}

/// The load that reads the result at once; it is used for nothing else.
LoadInst *readAtOnce(CallInst &Call, Type *Ty) {
  auto *Read = Call.hasOneUse() ? dyn_cast<LoadInst>(*Call.user_begin()) : nullptr;
  return Read && Read->isSimple() && Read->getType() == Ty && Call.getNextNonDebugInstruction() == Read ? Read : nullptr;
}

} // namespace

void chooseByValue(Function &F) {
  SmallVector<CallInst *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->getType()->isPointerTy() && Call->hasOneUse())
      Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    std::optional<Choice> C = choiceBy(Call->getCalledFunction());
    LoadInst *Read = C ? readAtOnce(*Call, C->Ty) : nullptr;
    if (!Read)
      continue;
    IRBuilder<> B(Call);
    B.setFastMathFlags(C->Math);
    Value *Values[2] = {};
    for (unsigned N : {C->Left, C->Right}) {
      LoadInst *One = B.CreateLoad(C->Ty, Call->getArgOperand(N));
      One->setAAMetadata(Read->getAAMetadata());
      Values[N] = One;
    }
    Value *Holds = B.CreateCmp(C->Compare, Values[C->Left], Values[C->Right]);
    Read->replaceAllUsesWith(B.CreateSelect(Holds, Values[C->If], Values[C->Else]));
    Read->eraseFromParent();
    Call->eraseFromParent();
  }
}

} // namespace place
