//===- LinkBack.cpp - Modules of versions joined to the one they came from ===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LinkBack.h"
#include "Kernel.h"
#include "Spaces.h"

#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace place {

namespace {

/// Makes static variables of the module visible to the linker under their names for as long as it lives: those that Wanted holds
/// for. (The optimiser may have found one constant in the meantime; it is the same object all the same.)
class StaticsExposed {
public:
  StaticsExposed(Module &M, function_ref<bool(StringRef)> Wanted) {
    for (GlobalVariable &G : M.globals())
      if (G.hasLocalLinkage() && G.getAddressSpace() != AddrShared && Wanted(G.getName())) {
        Statics.push_back({&G, G.getLinkage()});
        G.setLinkage(GlobalValue::ExternalLinkage);
      }
  }
  ~StaticsExposed() {
    for (auto &[G, Linkage] : Statics)
      G->setLinkage(Linkage);
  }
  StaticsExposed(const StaticsExposed &) = delete;
  StaticsExposed &operator=(const StaticsExposed &) = delete;

private:
  SmallVector<std::pair<GlobalVariable *, GlobalValue::LinkageTypes>, 8> Statics;
};

/// Whether M has the variables that One declares. What place itself adds is defined in One.
bool hasVariablesOf(const Module &M, const Module &One) {
  return all_of(One.globals(), [&](const GlobalVariable &G) {
    if (!G.isDeclaration() || G.use_empty() || G.getAddressSpace() == AddrShared)
      return true;
    const GlobalVariable *There = M.getNamedGlobal(G.getName());
    return There && There->getValueType() == G.getValueType();
  });
}

} // namespace

static bool linkPart(Module &M, Module &Part, FunctionAnalysisManager &FAM) {
  std::vector<std::string> Versions;
  for (Function *F : kernelsOf(Part))
    Versions.push_back(F->getName().str());
  // The linker takes a module apart. Addresses of functions in modules that are gone would be taken for the same function's
  // by NVPTX's cache of annotations, so it gets a copy, and the original lives as long as the context.
  if (!hasVariablesOf(M, Part) || Linker::linkModules(M, CloneModule(Part)))
    return false;
  for (const std::string &Name : Versions)
    settleKernel(M, Name, FAM);
  return true;
}

std::vector<bool> linkBack(Module &M, MutableArrayRef<std::unique_ptr<Module>> Parts, FunctionAnalysisManager &FAM) {
  StaticsExposed Exposed(M, [&](StringRef Name) {
    return any_of(Parts, [&](const std::unique_ptr<Module> &Part) {
      const GlobalVariable *G = Part->getNamedGlobal(Name);
      return G && G->isDeclaration();
    });
  });
  std::vector<bool> Linked;
  for (const std::unique_ptr<Module> &Part : Parts)
    Linked.push_back(linkPart(M, *Part, FAM));
  for (std::unique_ptr<Module> &Part : Parts)
    Part.release();
  return Linked;
}

} // namespace place
