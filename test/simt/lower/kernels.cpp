// Kernels: each becomes a body, an entry that unpacks the launch's argument words, and, under the kernel's own name,
// the function that libomptarget's host plugin calls with one word for each argument.
#include "lowering.h"

#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace simt {

static bool isKernelCallingConvention(const Function &F) { return F.getCallingConv() == CallingConv::PTX_Kernel; }

void findKernels(Lowering &L) {
  SetVector<Function *> Found;
  if (NamedMDNode *Annotations = L.M.getNamedMetadata("nvvm.annotations"))
    for (MDNode *Node : Annotations->operands()) {
      auto *F = mdconst::dyn_extract_or_null<Function>(Node->getOperand(0));
      for (unsigned I = 1; F && I + 1 < Node->getNumOperands(); I += 2)
        if (auto *Key = dyn_cast<MDString>(Node->getOperand(I)); Key && Key->getString() == "kernel")
          Found.insert(F);
    }
  for (Function &F : L.M)
    if (!F.isDeclaration() && isKernelCallingConvention(F))
      Found.insert(&F);
  for (Function *F : Found)
    if (!F->isDeclaration())
      L.Kernels.push_back(F);
}

static uint64_t annotation(const Module &M, const Function &F, StringRef Name) {
  if (NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations"))
    for (MDNode *Node : Annotations->operands())
      for (unsigned I = 1; I + 1 < Node->getNumOperands(); I += 2)
        if (mdconst::dyn_extract_or_null<Function>(Node->getOperand(0)) == &F)
          if (auto *Key = dyn_cast<MDString>(Node->getOperand(I)); Key && Key->getString() == Name)
            return mdconst::extract<ConstantInt>(Node->getOperand(I + 1))->getZExtValue();
  return 0;
}

// An argument word as a value of the parameter's type; null if no word holds that type.
static Value *fromWord(IRBuilder<> &B, Value *Word, Type *Type, const DataLayout &Layout) {
  if (Type->isPointerTy())
    return B.CreateIntToPtr(Word, Type);
  if (!Type->isIntegerTy() && !Type->isFloatingPointTy())
    return nullptr;
  unsigned Bits = Layout.getTypeSizeInBits(Type);
  if (Bits > 64)
    return nullptr;
  Value *Integer = B.CreateTrunc(Word, B.getIntNTy(Bits));
  return Type->isIntegerTy() ? Integer : B.CreateBitCast(Integer, Type);
}

static Function *makeEntry(Lowering &L, Function &Body, StringRef Name) {
  LLVMContext &C = L.M.getContext();
  auto *Type = FunctionType::get(Type::getVoidTy(C), {PointerType::get(C, 0)}, false);
  auto *Entry = Function::Create(Type, GlobalValue::InternalLinkage, Name + "__simt_entry", L.M);
  IRBuilder<> B(BasicBlock::Create(C, "", Entry));
  SmallVector<Value *, 16> Arguments;
  for (Argument &A : Body.args()) {
    Value *Address = B.CreateConstGEP1_64(B.getInt64Ty(), Entry->getArg(0), A.getArgNo());
    Value *V = fromWord(B, B.CreateLoad(B.getInt64Ty(), Address), A.getType(), L.M.getDataLayout());
    if (!V) {
      L.error(nullptr, "unsupported type of argument " + Twine(A.getArgNo()) + " of kernel " + Name);
      V = PoisonValue::get(A.getType());
    }
    Arguments.push_back(V);
  }
  CallInst *Call = B.CreateCall(&Body, Arguments);
  Call->setCallingConv(Body.getCallingConv());
  B.CreateRetVoid();
  return Entry;
}

static Constant *describe(Lowering &L, Function &Body, Function &Entry, StringRef Name) {
  LLVMContext &C = L.M.getContext();
  auto *Ptr = PointerType::get(C, 0);
  Type *I32 = Type::getInt32Ty(C);
  Constant *Environment = L.M.getNamedGlobal((Name + "_kernel_environment").str());
  if (!Environment)
    Environment = ConstantPointerNull::get(Ptr);
  Constant *Fields[] = {L.string(Name), &Entry, Environment, ConstantInt::get(I32, Body.arg_size()),
                        ConstantInt::get(I32, annotation(L.M, Body, "maxntidx"))};
  auto *Type = StructType::get(C, {Ptr, Ptr, Ptr, I32, I32});
  return new GlobalVariable(L.M, Type, true, GlobalValue::InternalLinkage, ConstantStruct::get(Type, Fields),
                            "simt.kernel");
}

static void makeWrapper(Lowering &L, Function &Body, StringRef Name, GlobalValue::LinkageTypes Linkage) {
  LLVMContext &C = L.M.getContext();
  Function *Entry = makeEntry(L, Body, Name);
  SmallVector<Type *, 16> Words(Body.arg_size(), Type::getInt64Ty(C));
  auto *Wrapper = Function::Create(FunctionType::get(Type::getVoidTy(C), Words, false), Linkage, Name, L.M);
  Wrapper->setVisibility(GlobalValue::ProtectedVisibility);
  Wrapper->setDSOLocal(true);
  IRBuilder<> B(BasicBlock::Create(C, "", Wrapper));
  Value *Array = B.CreateAlloca(B.getInt64Ty(), B.getInt32(std::max<unsigned>(1, Body.arg_size())));
  for (Argument &A : Wrapper->args())
    B.CreateStore(&A, B.CreateConstGEP1_64(B.getInt64Ty(), Array, A.getArgNo()));
  B.CreateCall(L.runtime("simt_launch", B.getVoidTy(), {B.getPtrTy(), B.getPtrTy()}),
               {describe(L, Body, *Entry, Name), Array});
  B.CreateRetVoid();
}

void wrapKernels(Lowering &L) {
  for (Function *Body : L.Kernels) {
    std::string Name = Body->getName().str();
    GlobalValue::LinkageTypes Linkage = Body->getLinkage();
    Body->setName(Name + "__simt_body");
    Body->setLinkage(GlobalValue::InternalLinkage);
    Body->setVisibility(GlobalValue::DefaultVisibility);
    Body->setCallingConv(CallingConv::C);
    makeWrapper(L, *Body, Name, Linkage);
  }
}

} // namespace simt
