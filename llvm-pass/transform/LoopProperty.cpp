//===- LoopProperty.cpp - What LLVM is told about a loop ------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoopProperty.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Type.h"

using namespace llvm;

namespace place {

static MDNode *property(LLVMContext &Context, StringRef Name, std::optional<unsigned> Value) {
  SmallVector<Metadata *, 2> Words = {MDString::get(Context, Name)};
  if (Value)
    Words.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), *Value)));
  return MDNode::get(Context, Words);
}

// The node's first operand is the node itself, so that no two loops share one.
static void give(Instruction &Back, ArrayRef<Metadata *> Properties) {
  SmallVector<Metadata *, 4> Operands = {nullptr};
  append_range(Operands, Properties);
  MDNode *ID = MDNode::getDistinct(Back.getContext(), Operands);
  ID->replaceOperandWith(0, ID);
  Back.setMetadata(LLVMContext::MD_loop, ID);
}

void addLoopProperty(Instruction &Back, StringRef Name, std::optional<unsigned> Value) {
  SmallVector<Metadata *, 4> Properties;
  if (const MDNode *Before = Back.getMetadata(LLVMContext::MD_loop))
    append_range(Properties, drop_begin(Before->operands()));
  Properties.push_back(property(Back.getContext(), Name, Value));
  give(Back, Properties);
}

void setLoopProperty(Instruction &Back, StringRef Name, std::optional<unsigned> Value) {
  give(Back, {property(Back.getContext(), Name, Value)});
}

bool hasLoopProperty(const Instruction &Back, StringRef Prefix) {
  const MDNode *ID = Back.getMetadata(LLVMContext::MD_loop);
  return ID && any_of(drop_begin(ID->operands()), [&](const MDOperand &Operand) {
    const auto *Property = dyn_cast<MDNode>(Operand);
    const auto *Name = Property && Property->getNumOperands() ? dyn_cast<MDString>(Property->getOperand(0)) : nullptr;
    return Name && Name->getString().starts_with(Prefix);
  });
}

} // namespace place
