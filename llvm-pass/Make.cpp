//===- Make.cpp - Making versions -----------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Make.h"
#include "Converge.h"
#include "Hoist.h"
#include "PointerMask.h"
#include "Routes.h"
#include "Transform.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

namespace place {

static const char SpecialAttribute[] = "place-special", BlockAttribute[] = "place-block", PrivateAttribute[] = "place-private",
                  ConvergeAttribute[] = "place-converge";

PreservedAnalyses FinishVersionPass::run(Function &F, FunctionAnalysisManager &FAM) {
  bool Converges = F.hasFnAttribute(ConvergeAttribute) && convergeAtBarriers(F);
  if (!F.hasFnAttribute(SpecialAttribute))
    return Converges ? PreservedAnalyses::none() : PreservedAnalyses::all();
  // The iterations of a thread, and those of an unrolled loop, read some elements in common.
  if (F.hasFnAttribute(BlockAttribute)) {
    FAM.invalidate(F, ReassociatePass().run(F, FAM));
    FAM.invalidate(F, EarlyCSEPass(/*UseMemorySSA=*/true).run(F, FAM));
  }
  if (F.hasFnAttribute(PrivateAttribute))
    hoistLoads(F);
  LoadStoreVectorizerPass().run(F, FAM);
  emitRoutes(F);
  return PreservedAnalyses::none();
}

void registerFinish(PassBuilder &PB) {
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(createModuleToFunctionPassAdaptor(FinishVersionPass()));
  });
}

Function *makeVersion(const KernelSummary &K, const Version &V, const TargetTransformInfo &TTI) {
  Clone C(K, V, TTI);
  for (const Transform *T : transforms())
    if (T->IsPart(V))
      T->Apply(C);
  spellPointerMasks(C.function());
  if (V.Kind == PLACE_SPECIAL || V.Kind == PLACE_BLOCK)
    C.function().addFnAttr(SpecialAttribute);
  if (V.Kind == PLACE_BLOCK)
    C.function().addFnAttr(BlockAttribute);
  // The base version is as the original. Blocks have barriers in their innermost loops, where all threads of a team are.
  if (V.Kind != PLACE_BASE && !V.Block)
    C.function().addFnAttr(ConvergeAttribute);
  if (V.Strided && !V.Strided->Private.empty())
    C.function().addFnAttr(PrivateAttribute);
  assert(!verifyFunction(C.function(), &errs()) && "a version is not well-formed");
  return &C.function();
}

} // namespace place
