//===- Mark.cpp - What can only be seen before inlining ----------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "Expr.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

// Whether code of the program (not of the device runtime) reachable from F asks for the number or index of teams.
static bool observesTeams(Function &F) {
  SmallVector<Function *, 8> Work{&F};
  SmallPtrSet<Function *, 16> Seen;
  while (!Work.empty()) {
    Function *Next = Work.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    for (Instruction &I : instructions(*Next)) {
      if (const char *R = specialRegister(&I); R && StringRef(R).starts_with("team"))
        return true; // CUDA-like code of the program itself
      for (Value *Operand : I.operands()) {
        auto *Callee = dyn_cast<Function>(Operand->stripPointerCasts());
        if (!Callee || Callee->isIntrinsic())
          continue;
        StringRef Name = Callee->getName();
        if (Name == "omp_get_num_teams" || Name == "omp_get_team_num" || Name.starts_with("ompx_block_id") ||
            Name.starts_with("ompx_grid_dim"))
          return true;
        if (!Name.starts_with("__kmpc_") && !Name.starts_with("_ZN4ompx") && !Name.starts_with("omp_"))
          Work.push_back(Callee);
      }
      if (auto *C = dyn_cast<CallBase>(&I); C && C->isIndirectCall())
        return true;
    }
  }
  return false;
}

PreservedAnalyses MarkKernelsPass::run(Module &M, ModuleAnalysisManager &) {
  if (isDeviceModule(M))
    for (Function *F : offloadKernels(M))
      F->addFnAttr("place-teams", observesTeams(*F) ? "observed" : "open");
  return PreservedAnalyses::all();
}

} // namespace place
