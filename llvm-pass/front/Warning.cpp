//===- Warning.cpp - Warnings of the middle end ---------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Warning.h"

#include "llvm/ADT/Twine.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace place {

namespace {

class Warning : public DiagnosticInfo {
public:
  explicit Warning(const Twine &Text)
      : DiagnosticInfo(getNextAvailablePluginDiagnosticKind(), DS_Warning), Text(Text.str()) {}
  void print(DiagnosticPrinter &DP) const override { DP << Text; }

private:
  std::string Text;
};

} // namespace

void sayWarning(LLVMContext &Context, const Twine &Text) { Context.diagnose(Warning(Text)); }

SourceWarning &sourceWarning() {
  static SourceWarning Say;
  return Say;
}

} // namespace place
