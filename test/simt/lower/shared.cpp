// Variables in shared memory: each becomes an offset into the team's storage, which the runner lays out when it loads
// the image, and each function computes the addresses it needs on entry. The offset carries the variable's name and
// linkage, so variables shared between translation units still are.
#include "lowering.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace simt {

static bool isDynamic(const GlobalVariable &G) {
  return G.isDeclaration() && G.getParent()->getDataLayout().getTypeAllocSize(G.getValueType()) == 0;
}

static bool usedByData(const GlobalVariable &G) {
  return any_of(G.users(), [](const User *U) { return !isa<Instruction>(U); });
}

static GlobalVariable *makeOffset(Lowering &L, GlobalVariable &Variable) {
  Type *I64 = Type::getInt64Ty(L.M.getContext());
  GlobalValue::LinkageTypes Linkage = Variable.getLinkage();
  if (Variable.hasAppendingLinkage() || Variable.hasCommonLinkage())
    Linkage = GlobalValue::WeakAnyLinkage;
  Constant *Initial = Variable.isDeclaration() ? nullptr : ConstantInt::get(I64, 0);
  auto *Offset = new GlobalVariable(L.M, I64, false, Linkage, Initial, Variable.getName() + ".simt_offset");
  Offset->setVisibility(Variable.hasLocalLinkage() ? GlobalValue::DefaultVisibility : GlobalValue::HiddenVisibility);
  return Offset;
}

static Value *addressOnEntry(Lowering &L, Function &F, GlobalVariable &Variable, GlobalVariable *Offset) {
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  Value *Address;
  if (Offset) {
    Value *Base = loadContextField(L, B, FieldShared);
    Address = B.CreateGEP(B.getInt8Ty(), Base, B.CreateLoad(B.getInt64Ty(), Offset));
  } else {
    Address = loadContextField(L, B, FieldDynamicShared);
  }
  return B.CreateAddrSpaceCast(Address, Variable.getType());
}

static void replaceIn(Lowering &L, GlobalVariable &Variable, GlobalVariable *Offset) {
  MapVector<Function *, Value *> Addresses;
  SmallVector<Use *, 32> Uses;
  for (Use &U : Variable.uses())
    Uses.push_back(&U);
  for (Use *U : Uses) {
    auto *I = cast<Instruction>(U->getUser());
    Value *&Address = Addresses[I->getFunction()];
    if (!Address)
      Address = addressOnEntry(L, *I->getFunction(), Variable, Offset);
    U->set(Address);
  }
}

void replaceSharedVariables(Lowering &L) {
  SmallVector<Constant *, 16> Variables;
  for (GlobalVariable &G : L.M.globals())
    if (G.getAddressSpace() == SpaceShared) {
      Variables.push_back(&G);
      L.SharedVariables.push_back(&G);
    }
  convertUsersOfConstantsToInstructions(Variables);
  for (GlobalVariable *G : L.SharedVariables) {
    G->removeDeadConstantUsers();
    if (usedByData(*G)) {
      L.error(nullptr, "unsupported use of shared variable " + G->getName() + " in another variable's initial value");
      continue;
    }
    replaceIn(L, *G, isDynamic(*G) ? nullptr : makeOffset(L, *G));
  }
}

} // namespace simt
