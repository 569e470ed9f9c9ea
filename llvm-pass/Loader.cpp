//===- Loader.cpp - How a finished program finds the runtime -----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program built with the plugin carries a hidden function that runs before libomptarget hears of its device code
// (constructor priority 100; images register at 101) and opens libplacert.so: the one beside the plugin, else the one
// that the dynamic loader finds. Opening a library that is linked or preloaded gives the loaded one again. If there is
// none, the program runs as without the plugin, and says so if PLACE_REPORT is set.
//
//===----------------------------------------------------------------------===//
#include "Plugin.h"
#include "Source.h"

#include "place/abi.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <dlfcn.h>

using namespace llvm;

namespace place {

static const char LoaderName[] = "place_load_runtime_";

std::string pluginPath() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&pluginPath), &Info) || !Info.dli_fname)
    return "";
  SmallString<256> Path(Info.dli_fname);
  sys::fs::make_absolute(Path);
  return std::string(Path);
}

// The runtime beside this plugin, or an empty string.
static std::string siblingRuntime() {
  std::string Plugin = pluginPath();
  if (Plugin.empty())
    return "";
  for (StringRef Folder : {".", "../lib", "../omptarget-plugin"}) {
    SmallString<256> Candidate(sys::path::parent_path(Plugin));
    sys::path::append(Candidate, Folder, PLACE_RUNTIME_LIBRARY);
    SmallString<256> Real;
    if (!sys::fs::real_path(Candidate, Real))
      return std::string(Real);
  }
  return "";
}

static std::string quoted(StringRef Text) {
  std::string Out = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Out += '\\';
    Out += C == '\n' ? std::string("\\n") : std::string(1, C);
  }
  return Out + "\"";
}

static const char NotFound[] = "place: " PLACE_RUNTIME_LIBRARY " not found; the program runs as without it. Set "
                               "LD_LIBRARY_PATH or link with -lplacert.\n";
static const int OpenFlags = RTLD_NOW | RTLD_GLOBAL;
// Lets a runtime that is there already see the object that opens it again: a shared library opened late.
static const char Attach[] = "place_runtime_attach";

std::string loaderSource(bool CPlusPlus) {
  std::string Text;
  raw_string_ostream OS(Text);
  // Other names with assembler labels: the program's headers may declare these functions in their own way.
  OS << "\n";
  if (CPlusPlus)
    OS << "extern \"C\" {\n";
  OS << "void *place_dlopen_(const char *, int) __asm__(\"dlopen\");\n"
     << "void *place_dlsym_(void *, const char *) __asm__(\"dlsym\");\n"
     << "char *place_getenv_(const char *) __asm__(\"getenv\");\n"
     << "long place_write_(int, const void *, unsigned long) __asm__(\"write\");\n"
     << "__attribute__((constructor(100), used, weak, visibility(\"hidden\"))) void " << LoaderName << "(void) {\n";
  std::string Sibling = siblingRuntime();
  OS << "  void *runtime = 0, (*attach)(void);\n";
  for (const std::string &Name : {Sibling, std::string(PLACE_RUNTIME_LIBRARY)})
    if (!Name.empty())
      OS << "  if (!runtime) runtime = place_dlopen_(" << quoted(Name) << ", " << OpenFlags << ");\n";
  OS << "  if (runtime) {\n    *(void **)&attach = place_dlsym_(runtime, " << quoted(Attach) << ");\n"
     << "    if (attach) attach();\n  } else if (place_getenv_(\"PLACE_REPORT\"))\n    (void)place_write_(2, " << quoted(NotFound) << ", " << sizeof NotFound - 1 << ");\n}\n";
  if (CPlusPlus)
    OS << "}\n";
  return Text;
}

std::string noLoaderSource() {
  return std::string("\n__attribute__((used)) static void ") + LoaderName + "(void) {}\n";
}

namespace {

/// The same function in IR.
struct LoaderPass : PassInfoMixin<LoaderPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!options().Load || M.getFunction(LoaderName) || !hasRegions(M))
      return PreservedAnalyses::all();
    build(M);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  static bool hasRegions(const Module &M) {
    return any_of(M.globals(), [](const GlobalVariable &G) { return G.getName().starts_with(".offloading.entry.") ||
                                                                    G.getName().starts_with(".omp_offloading.entry."); });
  }

  static void build(Module &M) {
    LLVMContext &C = M.getContext();
    IRBuilder<> B(C);
    FunctionCallee Open = M.getOrInsertFunction("dlopen", B.getPtrTy(), B.getPtrTy(), B.getInt32Ty());
    FunctionCallee Lookup = M.getOrInsertFunction("dlsym", B.getPtrTy(), B.getPtrTy(), B.getPtrTy());
    FunctionCallee GetEnv = M.getOrInsertFunction("getenv", B.getPtrTy(), B.getPtrTy());
    FunctionCallee Write = M.getOrInsertFunction("write", B.getInt64Ty(), B.getInt32Ty(), B.getPtrTy(), B.getInt64Ty());
    auto *F = Function::Create(FunctionType::get(B.getVoidTy(), false), GlobalValue::WeakAnyLinkage, LoaderName, M);
    F->setVisibility(GlobalValue::HiddenVisibility);
    BasicBlock *Next = BasicBlock::Create(C, "", F), *Done = BasicBlock::Create(C, "", F);
    B.SetInsertPoint(Done);
    B.CreateRetVoid();
    B.SetInsertPoint(Next);
    auto *Found = BasicBlock::Create(C, "", F, Done), *Call = BasicBlock::Create(C, "", F, Done);
    PHINode *Runtime = IRBuilder<>(Found).CreatePHI(B.getPtrTy(), 2);
    for (const std::string &Name : {siblingRuntime(), std::string(PLACE_RUNTIME_LIBRARY)}) {
      if (Name.empty())
        continue;
      Value *Handle = B.CreateCall(Open, {B.CreateGlobalStringPtr(Name), B.getInt32(OpenFlags)});
      Runtime->addIncoming(Handle, B.GetInsertBlock());
      Next = BasicBlock::Create(C, "", F, Done);
      B.CreateCondBr(B.CreateIsNotNull(Handle), Found, Next);
      B.SetInsertPoint(Next);
    }
    IRBuilder<> InFound(Found), InCall(Call);
    Value *Function = InFound.CreateCall(Lookup, {Runtime, InFound.CreateGlobalStringPtr(Attach)});
    InFound.CreateCondBr(InFound.CreateIsNotNull(Function), Call, Done);
    InCall.CreateCall(FunctionType::get(B.getVoidTy(), false), Function);
    InCall.CreateBr(Done);
    Value *Report = B.CreateCall(GetEnv, B.CreateGlobalStringPtr("PLACE_REPORT"));
    Next = BasicBlock::Create(C, "", F, Done);
    B.CreateCondBr(B.CreateIsNotNull(Report), Next, Done);
    B.SetInsertPoint(Next);
    B.CreateCall(Write, {B.getInt32(2), B.CreateGlobalStringPtr(NotFound), B.getInt64(sizeof NotFound - 1)});
    B.CreateBr(Done);
    appendToGlobalCtors(M, F, 100);
  }
};

} // namespace

void registerLoader(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(LoaderPass()); });
}

} // namespace place
