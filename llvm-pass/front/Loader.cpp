//===- Loader.cpp - How a finished program finds the runtime -----------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program built with the plugin carries a hidden function that runs before libomptarget hears of its device code
// (constructor priority 100; images register at 101) and opens libplacert.so: the one beside the plugin, else the one
// that the dynamic loader finds. Opening a library that is linked or preloaded gives the loaded one again. If that fails,
// the program runs as without the plugin; what it says then, and when, is in docs/loading.md.
//
//===----------------------------------------------------------------------===//
#include "Loader.h"
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

// %s: what the dynamic loader says.
static const char Failed[] = "place: %s; the program runs as without place. Install what is missing, or name its folder in "
                             "LD_LIBRARY_PATH; PLACE=off silences this.\n";
// The dynamic loader's words for a runtime that is nowhere, rather than there and unusable, begin so.
static const char Nowhere[] = PLACE_RUNTIME_LIBRARY ":";
static const int OpenFlags = RTLD_NOW | RTLD_GLOBAL;
// Lets a runtime that is there already see the object that opens it again: a shared library opened late.
static const char Attach[] = "place_runtime_attach";
// Of all objects in a process, one says that the runtime cannot be loaded.
static const char Said[] = "place_load_failed_";

std::string loaderSource(bool CPlusPlus) {
  std::string Text;
  raw_string_ostream OS(Text);
  // A file of its own, as a system header: flags such as -Wmissing-prototypes are about the program's code. Other names with
  // assembler labels: the program's headers may declare these functions in their own way.
  OS << "\n# 1 \"<place>\" 1 3\n";
  if (CPlusPlus)
    OS << "extern \"C\" {\n";
  OS << "void *place_dlopen_(const char *, int) __asm__(\"dlopen\");\n"
     << "void *place_dlsym_(void *, const char *) __asm__(\"dlsym\");\n"
     << "char *place_dlerror_(void) __asm__(\"dlerror\");\n"
     << "char *place_getenv_(const char *) __asm__(\"getenv\");\n"
     << "int place_access_(const char *, int) __asm__(\"access\");\n"
     << "int place_strcmp_(const char *, const char *) __asm__(\"strcmp\");\n"
     << "int place_strncmp_(const char *, const char *, unsigned long) __asm__(\"strncmp\");\n"
     << "int place_dprintf_(int, const char *, ...) __asm__(\"dprintf\");\n"
     << "__attribute__((weak, visibility(\"default\"))) int " << Said << ";\n"
     << "__attribute__((constructor(100), used, weak, visibility(\"hidden\"))) void " << LoaderName << "(void) {\n"
     << "  const char *sibling = " << quoted(siblingRuntime()) << ", *name = " << quoted(PLACE_RUNTIME_LIBRARY) << ", *off, *why;\n"
     << "  int there = *sibling && !place_access_(sibling, 0);\n"
     << "  void *runtime = place_dlopen_(there ? sibling : name, " << OpenFlags << "), (*attach)(void);\n"
     << "  if (runtime) {\n"
     << "    *(void **)&attach = place_dlsym_(runtime, " << quoted(Attach) << ");\n"
     << "    if (attach) attach();\n"
     << "    return;\n"
     << "  }\n"
     << "  why = place_dlerror_();\n"
     << "  off = place_getenv_(\"PLACE\");\n"
     << "  if (!why || (off && (!place_strcmp_(off, \"off\") || !place_strcmp_(off, \"0\")))) return;\n"
     << "  if (!there && !place_strncmp_(why, " << quoted(Nowhere) << ", " << sizeof Nowhere - 1
     << ") && !place_getenv_(\"PLACE_REPORT\") && !place_getenv_(\"PLACE_FORCE\")) return;\n"
     << "  if (!" << Said << "++) place_dprintf_(2, " << quoted(Failed) << ", why);\n"
     << "}\n";
  if (CPlusPlus)
    OS << "}\n";
  OS << "# 1 \"<built-in>\" 2\n";
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
    auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), false), GlobalValue::WeakAnyLinkage, LoaderName, M);
    F->setVisibility(GlobalValue::HiddenVisibility);
    auto *Entry = BasicBlock::Create(C, "", F), *Found = BasicBlock::Create(C, "", F), *Call = BasicBlock::Create(C, "", F),
         *NotLoaded = BasicBlock::Create(C, "", F), *Say = BasicBlock::Create(C, "", F), *Done = BasicBlock::Create(C, "", F);
    IRBuilder<> B(Entry), InFound(Found), InCall(Call), InSay(Say);
    Value *Sibling = B.CreateGlobalStringPtr(siblingRuntime());
    Value *There = B.CreateIsNull(call(B, "access", B.getInt32Ty(), {Sibling, B.getInt32(0)})); // an empty name is nowhere
    Value *Name = B.CreateSelect(There, Sibling, B.CreateGlobalStringPtr(PLACE_RUNTIME_LIBRARY));
    Value *Runtime = call(B, "dlopen", B.getPtrTy(), {Name, B.getInt32(OpenFlags)});
    B.CreateCondBr(B.CreateIsNotNull(Runtime), Found, NotLoaded);

    Value *Function = call(InFound, "dlsym", B.getPtrTy(), {Runtime, InFound.CreateGlobalStringPtr(Attach)});
    InFound.CreateCondBr(InFound.CreateIsNotNull(Function), Call, Done);
    InCall.CreateCall(FunctionType::get(B.getVoidTy(), false), Function);
    InCall.CreateBr(Done);

    IRBuilder<> InNotLoaded(NotLoaded);
    Value *Why = call(InNotLoaded, "dlerror", B.getPtrTy(), {});
    InNotLoaded.CreateCondBr(mattersToUser(InNotLoaded, M, There, Why), Say, Done);
    call(InSay, "dprintf", B.getInt32Ty(), {B.getInt32(2), InSay.CreateGlobalStringPtr(Failed), Why}, /*VarArg=*/2);
    InSay.CreateBr(Done);
    IRBuilder<>(Done).CreateRetVoid();
    appendToGlobalCtors(M, F, 100);
  }

  // There, or a library that it needs is missing, or the user asked for something of place; not switched off, not said before.
  static Value *mattersToUser(IRBuilder<> &B, Module &M, Value *There, Value *Why) {
    Value *Empty = B.CreateGlobalStringPtr(""), *Null = ConstantPointerNull::get(B.getPtrTy());
    auto Variable = [&](StringRef Name) { return call(B, "getenv", B.getPtrTy(), {B.CreateGlobalStringPtr(Name)}); };
    auto Begins = [&](Value *Text, StringRef Word, bool Whole) {
      Value *Known = B.CreateSelect(B.CreateICmpEQ(Text, Null), Empty, Text);
      return B.CreateIsNull(
          call(B, "strncmp", B.getInt32Ty(), {Known, B.CreateGlobalStringPtr(Word), B.getInt64(Word.size() + Whole)}));
    };
    Value *Setting = Variable("PLACE");
    Value *Off = B.CreateOr(Begins(Setting, "off", true), Begins(Setting, "0", true));
    Value *Asked = B.CreateOr(B.CreateIsNotNull(Variable("PLACE_REPORT")), B.CreateIsNotNull(Variable("PLACE_FORCE")));
    Value *Broken = B.CreateOr(There, B.CreateNot(Begins(Why, Nowhere, false)));
    Value *Matters = B.CreateAnd(B.CreateOr(Broken, Asked), B.CreateNot(Off));
    auto *Flag = cast<GlobalVariable>(M.getOrInsertGlobal(Said, B.getInt32Ty()));
    if (!Flag->hasInitializer()) {
      Flag->setLinkage(GlobalValue::WeakAnyLinkage);
      Flag->setInitializer(B.getInt32(0));
    }
    Value *Before = B.CreateLoad(B.getInt32Ty(), Flag);
    B.CreateStore(B.CreateOr(Before, B.CreateZExt(Matters, B.getInt32Ty())), Flag);
    return B.CreateAnd(Matters, B.CreateIsNull(Before));
  }

  // Calls a function of the C library; of a variadic one the first VarArg arguments are named.
  static Value *call(IRBuilder<> &B, StringRef Name, Type *Result, ArrayRef<Value *> Arguments, size_t VarArg = 0) {
    SmallVector<Type *, 4> Types;
    for (Value *V : VarArg ? Arguments.take_front(VarArg) : Arguments)
      Types.push_back(V->getType());
    FunctionType *Type = FunctionType::get(Result, Types, VarArg != 0);
    return B.CreateCall(B.GetInsertBlock()->getModule()->getOrInsertFunction(Name, Type), Arguments);
  }
};

} // namespace

void registerLoader(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(LoaderPass()); });
}

} // namespace place
