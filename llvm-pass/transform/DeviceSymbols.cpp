//===- DeviceSymbols.cpp - Variables that versions share ------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceSymbols.h"
#include "Spaces.h"
#include "place/abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace place {

GlobalVariable *constantBank(Module &M) {
  if (GlobalVariable *G = M.getNamedGlobal(PLACE_CONST_SYMBOL))
    return G;
  auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), PLACE_CONST_BYTES);
  auto *G = new GlobalVariable(M, Ty, /*isConstant=*/false, GlobalValue::WeakAnyLinkage, Constant::getNullValue(Ty),
                               PLACE_CONST_SYMBOL, nullptr, GlobalValue::NotThreadLocal, AddrConstant);
  G->setVisibility(GlobalValue::ProtectedVisibility);
  G->setAlignment(Align(PLACE_CONST_ALIGN));
  return G;
}

GlobalVariable *sharedMemory(Module &M) {
  if (GlobalVariable *G = M.getNamedGlobal(PLACE_SHARED_SYMBOL))
    return G;
  auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), 0);
  auto *G = new GlobalVariable(M, Ty, false, GlobalValue::ExternalLinkage, nullptr, PLACE_SHARED_SYMBOL, nullptr,
                               GlobalValue::NotThreadLocal, AddrShared);
  G->setAlignment(Align(PLACE_SHARED_ALIGN));
  return G;
}

GlobalVariable *deviceBuffer(Module &M, StringRef Name, uint64_t Bytes) {
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    return G;
  auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes);
  auto *G = new GlobalVariable(M, Ty, false, GlobalValue::WeakAnyLinkage, Constant::getNullValue(Ty), Name, nullptr,
                               GlobalValue::NotThreadLocal, AddrGlobal);
  G->setVisibility(GlobalValue::ProtectedVisibility);
  G->setAlignment(Align(16));
  return G;
}

GlobalVariable *teamMemory(Module &M, StringRef Name, uint64_t Bytes, unsigned Alignment) {
  auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes);
  auto *G = new GlobalVariable(M, Ty, false, GlobalValue::InternalLinkage, UndefValue::get(Ty), Name, nullptr,
                               GlobalValue::NotThreadLocal, AddrShared);
  G->setAlignment(Align(Alignment));
  return G;
}

static void addConstant(Module &M, const Twine &Name, Constant &Value, Align Alignment) {
  auto *G = new GlobalVariable(M, Value.getType(), /*isConstant=*/true, GlobalValue::WeakODRLinkage, &Value, Name);
  G->setVisibility(GlobalValue::ProtectedVisibility);
  G->setAlignment(Alignment);
  appendToCompilerUsed(M, {G});
}

void constantBytes(Module &M, const Twine &Name, StringRef Bytes) {
  addConstant(M, Name, *ConstantDataArray::getString(M.getContext(), Bytes, /*AddNull=*/false), Align(1));
}

void constantWords(Module &M, const Twine &Name, StringRef Bytes, GlobalVariable &Beside) {
  auto *Word = Type::getInt64Ty(M.getContext());
  std::string Filled = Bytes.str();
  Filled.resize(alignTo(Bytes.size(), sizeof(uint64_t)));
  // In the order of the host's bytes: hosts of NVIDIA GPUs have the GPU's.
  Constant *Words = ConstantDataArray::getRaw(Filled, Filled.size() / sizeof(uint64_t), Word);
  addConstant(M, Name, *ConstantStruct::getAnon({Words, &Beside}), Align(8));
}

} // namespace place
