//===- Loader.cpp - How a finished program finds the runtime -----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// load_runtime.c, which the build compiled to bitcode, is linked into host modules that have target regions, or ask the runtime
// themselves (place_openacc.h).
//
//===----------------------------------------------------------------------===//
#pragma GCC visibility push(default) // types' identities must be those of the process
#include "llvm/ADT/Any.h"
#pragma GCC visibility pop

#include "Loader.h"
#include "Source.h"
#include "place/abi.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <dlfcn.h>

using namespace llvm;

extern "C" const unsigned char place_load_runtime_bitcode[];
extern "C" const unsigned long place_load_runtime_bitcode_bytes;

namespace place {

static const char LoaderName[] = "place_load_runtime_", CallsName[] = "place_libc_";
// Behind all code of the program's, and in front of its data, in what is read-only once it is relocated: both stay where they are.
static const char CodeSection[] = "place_load", CallsSection[] = ".data.rel.ro.place";

// Path of this plugin, as it was loaded; empty if unknown.
static std::string pluginPath() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&pluginPath), &Info) || !Info.dli_fname)
    return "";
  SmallString<256> Path(Info.dli_fname);
  sys::fs::make_absolute(Path);
  return std::string(Path);
}

// The runtime beside this plugin, or an empty string.
static std::string runtimeBeside() {
  std::string Plugin = pluginPath();
  for (StringRef Name : {PLACE_RUNTIME_SONAME, PLACE_RUNTIME_LIBRARY})
    for (StringRef Folder : {"", "../lib", "../omptarget-plugin"}) {
      SmallString<256> Candidate(sys::path::parent_path(Plugin));
      sys::path::append(Candidate, Folder, Name);
      sys::path::remove_dots(Candidate, /*remove_dot_dot=*/true);
      if (!Plugin.empty() && sys::fs::exists(Candidate))
        return std::string(Candidate);
    }
  return "";
}

std::string noLoaderSource() {
  return std::string("\n__attribute__((used)) static void ") + LoaderName + "(void) {}\n";
}

// It is compiled as the module is: for its target, with its flags.
static void adapt(Module &Source, const Module &M) {
  Source.setTargetTriple(M.getTargetTriple());
  Source.setDataLayout(M.getDataLayout());
  for (StringRef Name : {"llvm.module.flags", "llvm.ident"})
    if (NamedMDNode *Node = Source.getNamedMetadata(Name))
      Source.eraseNamedMetadata(Node);
  for (Function &F : Source)
    for (StringRef Kind : {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "min-legal-vector-width"})
      F.removeFnAttr(Kind);
}

static void nameBeside(Module &Source) {
  GlobalVariable *Declared = Source.getNamedGlobal("place_runtime_beside_");
  Constant *Path = ConstantDataArray::getString(Source.getContext(), runtimeBeside());
  auto *G = new GlobalVariable(Source, Path->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, Path);
  G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Declared->replaceAllUsesWith(G);
  Declared->eraseFromParent();
}

static void add(Module &M) {
  StringRef Bitcode(reinterpret_cast<const char *>(place_load_runtime_bitcode), place_load_runtime_bitcode_bytes);
  std::unique_ptr<Module> Source = cantFail(parseBitcodeFile(MemoryBufferRef(Bitcode, "load_runtime"), M.getContext()));
  adapt(*Source, M);
  nameBeside(*Source);
  if (Linker::linkModules(M, std::move(Source)))
    return;
  // One copy and one call in a program of many objects.
  Function *F = M.getFunction(LoaderName);
  F->setComdat(M.getOrInsertComdat(LoaderName));
  F->setSection(CodeSection);
  GlobalVariable *Calls = M.getNamedGlobal(CallsName);
  Calls->setComdat(F->getComdat());
  Calls->setSection(CallsSection);
  appendToGlobalCtors(M, F, 100, F);
  // It was optimised when the plugin was built, and runs once.
  for (Attribute::AttrKind Kind : {Attribute::MinSize, Attribute::OptimizeForSize})
    F->removeFnAttr(Kind);
  F->addFnAttr(Attribute::OptimizeNone);
  F->addFnAttr(Attribute::NoInline);
}

static bool hasRegions(const Module &M) {
  return any_of(M.globals(), [](const GlobalVariable &G) { return G.getName().starts_with(".offloading.entry.") ||
                                                                  G.getName().starts_with(".omp_offloading.entry."); });
}

// OpenACC without a region of its own: queues, acc_hostptr.
static bool asksRuntime(const Module &M) {
  return any_of(M, [](const Function &F) { return !F.isDeclaration() && F.getName().contains("place_acc_runtime_"); });
}

static bool addWhereNeeded(Module &M) {
  if (!options().Load || M.getFunction(LoaderName) || !(hasRegions(M) || asksRuntime(M)))
    return false;
  add(M);
  return true;
}

namespace {

struct LoaderPass : PassInfoMixin<LoaderPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return addWhereNeeded(M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

void registerLoader(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(LoaderPass()); });
}

void registerLoaderBeforeWriting(PassBuilder &PB) {
  PB.getPassInstrumentationCallbacks()->registerBeforeNonSkippedPassCallback([](StringRef Pass, Any IR) {
    if (auto *M = any_cast<const Module *>(&IR); M && (Pass == "BitcodeWriterPass" || Pass == "PrintModulePass"))
      addWhereNeeded(const_cast<Module &>(**M));
  });
}

} // namespace place
