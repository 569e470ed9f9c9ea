//===- Make.cpp - Making versions -----------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Make.h"
#include "Chunks.h"
#include "Condition.h"
#include "Converge.h"
#include "HiddenSteps.h"
#include "Hoist.h"
#include "Kernel.h"
#include "Moves.h"
#include "PointerMask.h"
#include "ReadsAligned.h"
#include "Routes.h"
#include "Transform.h"
#include "UnalignedBytes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

namespace place {

static const char ConvergeAttribute[] = "place-converge", JoinAttribute[] = "place-join", RecombineAttribute[] = "place-recombine",
                  HoistAttribute[] = "place-hoist", GatherAttribute[] = "place-gather", ForerunAttribute[] = "place-forerun",
                  StepsAttribute[] = "place-steps", BaseAttribute[] = "place-base";

/// For the end of the pipeline.
static void note(Function &F, const LeftToFinish &Left, bool IsBase) {
  markVersion(F);
  const std::pair<bool, const char *> Notes[] = {{Left.Converges, ConvergeAttribute},
                                                 {Left.Joins, JoinAttribute},
                                                 {Left.Recombines, RecombineAttribute},
                                                 {Left.Hoists, HoistAttribute},
                                                 {Left.Gathers, GatherAttribute},
                                                 {Left.Foreruns, ForerunAttribute},
                                                 {Left.HidesSteps, StepsAttribute},
                                                 {IsBase, BaseAttribute}};
  for (auto [Wanted, Attribute] : Notes)
    if (Wanted)
      F.addFnAttr(Attribute);
}

/// What LLVM 19's back end would get wrong. The original's copy loads as the original does, for better or worse: it tells what that takes.
static bool mendForBackEnd(Function &F) {
  bool Moves = hideSpacesOfMoves(F);
  return (!F.hasFnAttribute(BaseAttribute) && halveUnalignedBytes(F)) || Moves;
}

PreservedAnalyses FinishVersionPass::run(Function &F, FunctionAnalysisManager &FAM) {
  bool Mended = (OwnModule || isVersion(F)) && mendForBackEnd(F);
  bool Converges = F.hasFnAttribute(ConvergeAttribute) && convergeAtBarriers(F, FAM);
  if (!F.hasFnAttribute(JoinAttribute))
    return Converges || Mended ? PreservedAnalyses::none() : PreservedAnalyses::all();
  // The iterations of a thread, and those of an unrolled loop, read some elements in common.
  if (F.hasFnAttribute(RecombineAttribute)) {
    FAM.invalidate(F, ReassociatePass().run(F, FAM));
    FAM.invalidate(F, EarlyCSEPass(/*UseMemorySSA=*/true).run(F, FAM));
  }
  // Arrays that the launch was checked to have apart: what is known of an element is not loaded again, and what nothing reads in between is
  // stored once. Behind a barrier, other threads may have written.
  if (any_of(F.args(), [](const Argument &A) { return A.hasNoAliasAttr(); }) && none_of(instructions(F), isMeeting)) {
    FAM.invalidate(F, GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)).run(F, FAM));
    FAM.invalidate(F, DSEPass().run(F, FAM));
  }
  if (F.hasFnAttribute(HoistAttribute))
    hoistLoads(F);
  if (F.hasFnAttribute(GatherAttribute)) {
    sinkConditions(F);
    gatherLoads(F);
  } else if (F.hasFnAttribute(ForerunAttribute)) {
    loadBeforeBranches(F);
  }
  InferAlignmentPass().run(F, FAM); // the vectorizer looks no further than an access's own
  loadFourths(F);
  LoadStoreVectorizerPass().run(F, FAM);
  emitRoutes(F);
  if (F.hasFnAttribute(StepsAttribute))
    hideSteps(F);
  return PreservedAnalyses::none();
}

void registerFinish(PassBuilder &PB, bool OwnModule) {
  PB.registerOptimizerLastEPCallback([OwnModule](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(createModuleToFunctionPassAdaptor(FinishVersionPass{{}, OwnModule}));
  });
}

bool makeVersion(const KernelSummary &K, const Version &V, const TargetTransformInfo &TTI) {
  Clone C(K, V, TTI);
  for (const Transform *T : transforms())
    if (T->IsPart(V))
      T->Apply(C);
  spellPointerMasks(C.function());
  note(C.function(), C.Left, V.isBase());
  assert(!verifyFunction(C.function(), &errs()) && "a version is not well-formed");
  return !C.Fails;
}

} // namespace place
