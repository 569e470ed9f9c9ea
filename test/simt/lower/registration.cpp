// The constructor that tells the runner of a module's shared, global and constant variables.
#include "lowering.h"

#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace simt {

constexpr unsigned VariableReadOnly = 1, VariableUninitialised = 2, AbiVersion = 3;
constexpr unsigned InstrumentCheck = 1, InstrumentCount = 2;

static Constant *table(Lowering &L, ArrayRef<Constant *> Rows, StringRef Name) {
  if (Rows.empty())
    return ConstantPointerNull::get(PointerType::get(L.M.getContext(), 0));
  auto *Type = ArrayType::get(Rows[0]->getType(), Rows.size());
  return new GlobalVariable(L.M, Type, true, GlobalValue::InternalLinkage, ConstantArray::get(Type, Rows), Name);
}

static Constant *sharedRow(Lowering &L, GlobalVariable &G, GlobalVariable &Offset) {
  LLVMContext &C = L.M.getContext();
  Type *I64 = Type::getInt64Ty(C), *Ptr = PointerType::get(C, 0);
  const DataLayout &Layout = L.M.getDataLayout();
  Align Alignment = G.getAlign().value_or(Layout.getABITypeAlign(G.getValueType()));
  Constant *Fields[] = {L.string(G.getName()), &Offset,
                        ConstantInt::get(I64, Layout.getTypeAllocSize(G.getValueType())),
                        ConstantInt::get(I64, Alignment.value())};
  return ConstantStruct::get(StructType::get(C, {Ptr, Ptr, I64, I64}), Fields);
}

static std::vector<Constant *> sharedRows(Lowering &L) {
  std::vector<Constant *> Rows;
  for (GlobalVariable *G : L.SharedVariables) {
    auto *Offset = L.M.getGlobalVariable((G->getName() + ".simt_offset").str(), true);
    if (Offset && !G->isDeclaration())
      Rows.push_back(sharedRow(L, *G, *Offset));
  }
  return Rows;
}

static bool isDeviceVariable(const GlobalVariable &G) {
  if (G.isDeclaration() || G.isThreadLocal() || G.getAddressSpace() == SpaceShared || G.getSection() == "llvm.metadata")
    return false;
  StringRef Name = G.getName();
  return !Name.starts_with("llvm.") && !Name.starts_with("simt.") && !Name.ends_with(".simt_offset");
}

static Constant *globalRow(Lowering &L, GlobalVariable &G) {
  LLVMContext &C = L.M.getContext();
  Type *I64 = Type::getInt64Ty(C), *I32 = Type::getInt32Ty(C), *Ptr = PointerType::get(C, 0);
  bool IsConstantMemory = G.getAddressSpace() == SpaceConstant;
  bool Empty = !G.hasInitializer() || G.getInitializer()->isNullValue() || isa<UndefValue>(G.getInitializer());
  unsigned Flags = (G.isConstant() || IsConstantMemory ? VariableReadOnly : 0) |
                   (IsConstantMemory && Empty && !G.getName().starts_with("__omp_rtl_") ? VariableUninitialised : 0);
  llvm::Constant *Address = G.getAddressSpace() ? ConstantExpr::getAddrSpaceCast(&G, Ptr) : &G;
  llvm::Constant *Fields[] = {L.string(G.hasName() ? G.getName() : "(unnamed)"), Address,
                              ConstantInt::get(I64, L.M.getDataLayout().getTypeAllocSize(G.getValueType())),
                              ConstantInt::get(I32, IsConstantMemory ? SpaceConstant : SpaceGlobal),
                              ConstantInt::get(I32, Flags)};
  return ConstantStruct::get(StructType::get(C, {Ptr, Ptr, I64, I32, I32}), Fields);
}

static std::vector<Constant *> globalRows(Lowering &L) {
  std::vector<GlobalVariable *> Variables;
  for (GlobalVariable &G : L.M.globals())
    if (isDeviceVariable(G))
      Variables.push_back(&G);
  std::vector<Constant *> Rows;
  for (GlobalVariable *G : Variables)
    Rows.push_back(globalRow(L, *G));
  return Rows;
}

static void makeConstructor(Lowering &L, Constant *Description) {
  LLVMContext &C = L.M.getContext();
  auto *Type = FunctionType::get(Type::getVoidTy(C), false);
  auto *F = Function::Create(Type, GlobalValue::InternalLinkage, "simt.register", L.M);
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  B.CreateCall(L.runtime("simt_register_module", B.getVoidTy(), {B.getPtrTy()}), {Description});
  B.CreateRetVoid();
  appendToGlobalCtors(L.M, F, 0);
}

void registerModule(Lowering &L) {
  std::vector<Constant *> Globals = globalRows(L), Shared = sharedRows(L);
  LLVMContext &C = L.M.getContext();
  Type *I32 = Type::getInt32Ty(C), *Ptr = PointerType::get(C, 0);
  unsigned Instrumentation = (L.Opts.Check ? InstrumentCheck : 0) | (L.Opts.Count ? InstrumentCount : 0);
  Constant *Fields[] = {ConstantInt::get(I32, AbiVersion),     ConstantInt::get(I32, Shared.size()),
                        ConstantInt::get(I32, Globals.size()), ConstantInt::get(I32, Instrumentation),
                        table(L, Shared, "simt.shared"),       table(L, Globals, "simt.globals"),
                        L.string(L.M.getSourceFileName())};
  auto *Type = StructType::get(C, {I32, I32, I32, I32, Ptr, Ptr, Ptr});
  auto *Description = new GlobalVariable(L.M, Type, true, GlobalValue::InternalLinkage,
                                         ConstantStruct::get(Type, Fields), "simt.module");
  makeConstructor(L, Description);
  for (GlobalVariable *G : L.SharedVariables)
    if (G->use_empty())
      G->eraseFromParent();
}

} // namespace simt
