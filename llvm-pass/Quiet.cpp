//===- Quiet.cpp - What LLVM says of versions -------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Quiet.h"
#include "Kernel.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace place {

namespace {

unsigned Copies = 0;                          // how many AllAreCopies there are
const DiagnosticHandler *Installed = nullptr; // the one that there is

/// What place itself says is about the program's kernels, wherever it was found out.
bool isOfCopy(const DiagnosticInfo &DI) {
  if (const auto *O = dyn_cast<DiagnosticInfoOptimizationBase>(&DI))
    return O->getPassName() != "place" && (Copies || isVersion(O->getFunction()));
  if (const auto *R = dyn_cast<DiagnosticInfoResourceLimit>(&DI))
    return R->getSeverity() != DS_Error && isVersion(R->getFunction());
  return false;
}

class ButOfVersions : public DiagnosticHandler {
public:
  explicit ButOfVersions(std::unique_ptr<DiagnosticHandler> To) : To(std::move(To)) { Installed = this; }
  ~ButOfVersions() override { Installed = nullptr; }
  bool handleDiagnostics(const DiagnosticInfo &DI) override { return isOfCopy(DI) || To->handleDiagnostics(DI); }
  bool isAnalysisRemarkEnabled(StringRef Pass) const override { return To->isAnalysisRemarkEnabled(Pass); }
  bool isMissedOptRemarkEnabled(StringRef Pass) const override { return To->isMissedOptRemarkEnabled(Pass); }
  bool isPassedOptRemarkEnabled(StringRef Pass) const override { return To->isPassedOptRemarkEnabled(Pass); }
  bool isAnyRemarkEnabled() const override { return To->isAnyRemarkEnabled(); }

private:
  std::unique_ptr<DiagnosticHandler> To;
};

} // namespace

void quietVersions(LLVMContext &C) {
  if (!C.getDiagHandlerPtr() || C.getDiagHandlerPtr() == Installed)
    return;
  std::unique_ptr<DiagnosticHandler> To = C.getDiagnosticHandler();
  C.setDiagnosticHandler(std::make_unique<ButOfVersions>(std::move(To)));
}

AllAreCopies::AllAreCopies() { ++Copies; }
AllAreCopies::~AllAreCopies() { --Copies; }

} // namespace place
