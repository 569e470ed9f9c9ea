//===- TeamSize.cpp - Teams of a size that the source asks for ------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TeamSize.h"
#include "Environment.h"
#include "Kernel.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

// As the front end does for thread_limit: the limit is an attribute (openmp-opt folds by it), an annotation (ptxas), and in the
// environment (libomptarget).
bool limitThreads(Function &Kernel, unsigned Threads) {
  auto *Environment = environmentOf(Kernel);
  if (!Environment || !Environment->hasInitializer())
    return false;
  Environment->setInitializer(withThreads(Environment->getInitializer(), Threads));
  Kernel.addFnAttr("omp_target_thread_limit", std::to_string(Threads));
  replaceAnnotation(Kernel, "maxntidx", Threads);
  return true;
}

void setTeam(Function &Kernel, bool SumsByItself) {
  unsigned Threads = Kernel.getFnAttributeAsParsedInteger(AskedTeamAttribute);
  bool Sums = environmentField(Kernel, EnvReductionDataSize).value_or(0) != 0 && !SumsByItself;
  if (Threads && !Sums && limitThreads(Kernel, Threads))
    Kernel.addFnAttr(TeamAttribute, std::to_string(Threads));
}

void leaveTeamOpen(Function &Kernel) {
  const unsigned MostThreads = 1024;
  if (mostThreads(Kernel)) // else nothing is known of it
    replaceAnnotation(Kernel, "maxntidx", MostThreads);
}

} // namespace place
