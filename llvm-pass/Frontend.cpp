//===- Frontend.cpp - The plugin inside clang --------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -fplugin=libplace.so alone: in each compile of a source file this registers the passes, lets the host side load the
// runtime, reads `#pragma place`, and collects the names and element types of what target constructs capture. Host and
// device compile both see the source; the device compile needs the hints, the host compile warns about their form.
//
//===----------------------------------------------------------------------===//
#include "Again.h"
#include "Assemble.h"
#include "Hints.h"
#include "HugePages.h"
#include "Loader.h"
#include "NoDeviceCode.h"
#include "OwnImage.h"
#include "Plugin.h"
#include "Pragmas.h"
#include "Source.h"
#include "SourceRegions.h"
#include "Warning.h"
#include "front/acc/Install.h"
#include "front/acc/Translator.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <dlfcn.h>

using namespace clang;

namespace place {

namespace {

// IR is only made in this process, and optimised in another: host code, which waits for the device's, and with -save-temps all.
bool optimisedLater(const CompilerInstance &CI) { return CI.getCodeGenOpts().DisableLLVMPasses; }

// With -foffload-lto and -fopenmp-target-jit.
bool joinsRuntimeLater(const CompilerInstance &CI) {
  const CodeGenOptions &Code = CI.getCodeGenOpts();
  return CI.getLangOpts().OpenMPIsTargetDevice && CI.getTarget().getTriple().isNVPTX() && (Code.PrepareForLTO || Code.PrepareForThinLTO);
}

// Where the driver looks for it if no option tells: in LIBRARY_PATH, and beside clang's own folder of libraries; "" if it is not there.
std::string deviceRuntimeOf(const CompilerInstance &CI) {
  std::string Name = "libomptarget-nvptx-" + CI.getTargetOpts().CPU + ".bc";
  llvm::SmallVector<llvm::StringRef, 4> Folders;
  const char *Path = std::getenv("LIBRARY_PATH");
  llvm::StringRef(Path ? Path : "").split(Folders, llvm::sys::EnvPathSeparator, -1, /*KeepEmpty=*/false);
  llvm::StringRef Libraries = llvm::sys::path::parent_path(llvm::sys::path::parent_path(CI.getHeaderSearchOpts().ResourceDir));
  Folders.push_back(Libraries);
  for (llvm::StringRef Folder : Folders) {
    llvm::SmallString<128> File = Folder;
    llvm::sys::path::append(File, Name);
    if (llvm::sys::fs::exists(File))
      return std::string(File);
  }
  return "";
}

class Consumer : public ASTConsumer {
public:
  explicit Consumer(CompilerInstance &CI)
      : CI(CI), SystemHeaders(CI.getLangOpts().Modules || !CI.getPreprocessorOpts().ImplicitPCHInclude.empty()) {
    if (CI.getLangOpts().OpenMP)
      watchSystemHeaders(CI, SystemHeaders);
    else
      watchUnreadTargets(CI, Unread);
  }

  // Before the back end's own consumer, which runs the passes.
  void HandleTranslationUnit(ASTContext &Context) override {
    const LangOptions &Language = CI.getLangOpts();
    const bool Device = Language.OpenMPIsTargetDevice;
    DiagnosticsEngine &Diagnostics = CI.getDiagnostics();
    SourceLocation First = readRegions(Context, !Device, SystemHeaders);
    sourceWarning() = [this](unsigned At, const std::string &Text) { warn(CI.getDiagnostics(), SourceLocation::getFromRawEncoding(At), Text); };
    warnOfNoDevice(CI, First, Unread);
    warnOfToolkit(CI, First);
    if (!Device && Language.OpenMP && !Language.OpenMPSimd)
      for (const PendingHints &H : hintStore().unused()) {
        warn(Diagnostics, H.At, "'#pragma place' is followed by no target construct, and has no effect");
        if (SourceLocation Other = H.Follows.isValid() ? H.Follows : H.Construct; Other.isValid())
          note(Diagnostics, Other, "this follows; a hint is for the construct that comes next");
      }
  }

private:
  CompilerInstance &CI;
  SourceLocation Unread;
  bool SystemHeaders; // may have target constructs
};

class Action : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, llvm::StringRef) override {
    return std::make_unique<Consumer>(CI);
  }

  // The hook that both compiles of a source file pass through before their pipelines are built.
  bool ParseArgs(const CompilerInstance &Const, const std::vector<std::string> &Arguments) override {
    auto &CI = const_cast<CompilerInstance &>(Const);
    for (const std::string &Argument : Arguments)
      if (std::string Error = parseOption(Argument); !Error.empty()) {
        unsigned ID = CI.getDiagnostics().getCustomDiagID(DiagnosticsEngine::Error, "-fplugin-arg-place: %0");
        CI.getDiagnostics().Report(ID) << Error;
        return false;
      }
    options().ByFrontEnd = true;
    for (const CodeGenOptions::BitcodeFileToLink &File : CI.getCodeGenOpts().LinkBitcodeFiles)
      if (llvm::sys::path::filename(File.Filename).starts_with("libdevice"))
        options().LibDevice = File.Filename;
    if (joinsRuntimeLater(CI))
      options().DeviceRuntime = deviceRuntimeOf(CI);
    predefine(CI, "#define __PLACE__ 1\n");
    CI.getPreprocessor().setTokenWatcher([](const Token &T) { hintStore().lexed(T); });
    CI.getCodeGenOpts().PassBuilderCallbacks.push_back(registerPasses);
    const LangOptions &Language = CI.getLangOpts();
    if (Language.OpenMP && Language.OpenMPIsTargetDevice)
      compileDevice(CI);
    else if (Language.OpenMP && options().Load)
      CI.getCodeGenOpts().PassBuilderCallbacks.push_back(optimisedLater(CI) ? registerLoaderBeforeWriting : registerLoader);
    else if (Language.OpenMP && optimisedLater(CI) && !isModuleUnit(CI))
      predefine(CI, noLoaderSource());
    if (options().Acc && !isModuleUnit(CI) && acc::isMentioned(CI)) // it begins with a header
      acc::install(CI);
    return true;
  }

  // In a unit of a C++ module nothing may stand before its first line.
  static bool isModuleUnit(CompilerInstance &CI) {
    SourceManager &SM = CI.getSourceManager();
    if (!CI.getLangOpts().CPlusPlusModules)
      return false;
    Lexer L(SM.getMainFileID(), SM.getBufferOrFake(SM.getMainFileID()), SM, CI.getLangOpts());
    Token T;
    L.LexFromRawLexer(T);
    if (T.is(tok::raw_identifier) && T.getRawIdentifier() == "export")
      L.LexFromRawLexer(T);
    return T.is(tok::raw_identifier) && T.getRawIdentifier() == "module";
  }

  static void predefine(CompilerInstance &CI, const std::string &Source) {
    Preprocessor &PP = CI.getPreprocessor();
    PP.setPredefines(PP.getPredefines() + Source);
  }

  static void compileDevice(CompilerInstance &CI) {
    optimiseNow(CI);
    if (!optimisedLater(CI) && options().OwnImage)
      assembler() = assemblerOf(CI);
  }

  // See Again.h.
  static void optimiseNow(CompilerInstance &CI) {
    if (!optimisedLater(CI) || !savesSteps(CI) || !CI.getTarget().getTriple().isNVPTX())
      return;
    CI.getCodeGenOpts().DisableLLVMPasses = false;
    CI.getCodeGenOpts().PassBuilderCallbacks.push_back(registerOpenMPDone);
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

} // namespace place

// In opt there is no clang to register with (see CMakeLists.txt). With another version of clang nothing of it can be called.
__attribute__((constructor)) static void registerWithClang() {
  if (!dlsym(RTLD_DEFAULT, "_ZN5clang16CompilerInstanceD1Ev"))
    return;
  if (!place::isOurLLVM())
    return;
  place::allocateInHugePages();
  static FrontendPluginRegistry::Add<place::Action> Action("place", "puts the arrays of OpenMP target regions where they serve best");
  static PragmaHandlerRegistry::Add<place::HintHandler> Hints("place", "where the arrays of a target region shall lie");
  static PragmaHandlerRegistry::Add<place::acc::ReprintHandler> Acc("acc", "OpenACC, printed again where nothing but the preprocessor runs");
}
