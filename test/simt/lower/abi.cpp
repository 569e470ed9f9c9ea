// The types, functions and tables of runtime/simt_abi.h as LLVM values.
#include "lowering.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace simt {

FunctionCallee Lowering::runtime(StringRef Name, Type *Result, ArrayRef<Type *> Parameters) {
  FunctionCallee Callee = M.getOrInsertFunction(Name, FunctionType::get(Result, Parameters, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->addFnAttr(Attribute::NoUnwind);
  return Callee;
}

GlobalVariable *Lowering::context() {
  if (auto *G = M.getGlobalVariable("simt_self"))
    return G;
  return new GlobalVariable(M, PointerType::get(M.getContext(), 0), false, GlobalValue::ExternalLinkage, nullptr,
                            "simt_self", nullptr, GlobalValue::InitialExecTLSModel);
}

StructType *Lowering::contextType() {
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C), *Ptr = PointerType::get(C, 0);
  return StructType::get(C, {I32, I32, I32, I32, I32, I32, Ptr, Ptr});
}

Constant *Lowering::string(StringRef Text) {
  Constant *&Known = Strings[Text];
  if (!Known) {
    Constant *Data = ConstantDataArray::getString(M.getContext(), Text);
    Known = new GlobalVariable(M, Data->getType(), true, GlobalValue::PrivateLinkage, Data, "simt.text");
  }
  return Known;
}

// The kernel argument that a pointer is computed from, if it is computed in the kernel itself.
static uint16_t argumentOf(const Lowering &L, const Value *Base) {
  auto *A = dyn_cast_or_null<Argument>(Base);
  if (!A || !is_contained(L.Kernels, A->getParent()))
    return NoArgument;
  return A->getArgNo();
}

// What an address must be a multiple of on a GPU: the back end takes the alignment at its word, and trusts in 16 for a vector of 16 bytes, which LLVM 19
// loads by one instruction whatever it says.
static unsigned multipleOf(const Instruction &I) {
  const unsigned Widest = 16;
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    const auto *Vector = dyn_cast<FixedVectorType>(Load->getType());
    bool Bytes = Vector && Vector->getElementType()->isIntegerTy(8) && Vector->getNumElements() == Widest;
    return Bytes ? Widest : std::min<uint64_t>(Load->getAlign().value(), Widest);
  }
  const auto *Store = dyn_cast<StoreInst>(&I);
  return Store ? std::min<uint64_t>(Store->getAlign().value(), Widest) : 0;
}

Constant *Lowering::site(const Instruction &I, Access A, unsigned Space, uint64_t Bytes, const Value *Pointer) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I8 = Type::getInt8Ty(C), *I16 = Type::getInt16Ty(C), *I32 = Type::getInt32Ty(C);
  const Value *Base = Pointer ? getUnderlyingObject(Pointer, 0) : nullptr;
  StringRef Variable = Base && isa<GlobalVariable>(Base) ? Base->getName() : "";
  StringRef File = "";
  unsigned Line = 0;
  if (const DebugLoc &Location = I.getDebugLoc()) {
    Line = Location.getLine();
    File = cast<DIScope>(Location.getScope())->getFilename();
  }
  Type *I64 = Type::getInt64Ty(C);
  auto *StateType = ArrayType::get(I64, 2);
  auto *State = new GlobalVariable(M, StateType, false, GlobalValue::InternalLinkage,
                                   ConstantAggregateZero::get(StateType), "simt.state");
  Constant *Fields[] = {string(I.getFunction()->getName()),
                        string(File),
                        ConstantInt::get(I32, Line),
                        ConstantInt::get(I32, SiteCount++),
                        ConstantInt::get(I8, unsigned(A)),
                        ConstantInt::get(I8, Space),
                        ConstantInt::get(I16, argumentOf(*this, Base)),
                        ConstantInt::get(I32, Bytes),
                        ConstantInt::get(I32, multipleOf(I)),
                        string(Variable),
                        State};
  auto *Type = StructType::get(C, {Ptr, Ptr, I32, I32, I8, I8, I16, I32, I32, Ptr, Ptr});
  return new GlobalVariable(M, Type, true, GlobalValue::InternalLinkage, ConstantStruct::get(Type, Fields),
                            "simt.site");
}

void Lowering::error(const Instruction *I, const Twine &Message) {
  std::string Text = Message.str();
  if (I) {
    Text += " in function " + I->getFunction()->getName().str();
    if (const DebugLoc &Location = I->getDebugLoc())
      Text += " (line " + std::to_string(Location.getLine()) + ")";
  }
  if (!is_contained(Errors, Text))
    Errors.push_back(Text);
}

// The runner's own loads are no accesses of the program.
static Value *loadUnseen(IRBuilder<> &B, Type *Type, Value *Address) {
  LoadInst *Load = B.CreateLoad(Type, Address);
  Load->setMetadata("simt.unseen", MDNode::get(B.getContext(), {}));
  return Load;
}

Value *loadContextField(Lowering &L, IRBuilder<> &B, ContextField Field) {
  Value *Self = loadUnseen(B, B.getPtrTy(), B.CreateThreadLocalAddress(L.context()));
  StructType *Type = L.contextType();
  return loadUnseen(B, Type->getElementType(Field), B.CreateStructGEP(Type, Self, Field));
}

} // namespace simt
