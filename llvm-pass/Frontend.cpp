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
#include "Loader.h"
#include "OwnImage.h"
#include "Plugin.h"
#include "Source.h"
#include "Toolkit.h"
#include "Warning.h"
#include "front/acc/Install.h"
#include "front/acc/Translator.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"

#include <dlfcn.h>

using namespace clang;

namespace place {

namespace {

/// Visits every target construct, in templates' instantiations too. SystemHeaders: also those that are in such, of which most have none.
class RegionVisitor : public RecursiveASTVisitor<RegionVisitor> {
public:
  RegionVisitor(ASTContext &Context, bool WarnOfHints, bool SystemHeaders)
      : Context(Context), WarnOfHints(WarnOfHints), SystemHeaders(SystemHeaders), Mangler(ItaniumMangleContext::create(Context, Context.getDiagnostics())) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }

  bool TraverseDecl(Decl *D) {
    if (D && !SystemHeaders && Context.getSourceManager().isInSystemHeader(D->getLocation()))
      return true;
    return Base::TraverseDecl(D);
  }
  bool TraverseFunctionDecl(FunctionDecl *F) { return within(F, [&] { return Base::TraverseFunctionDecl(F); }); }
  bool TraverseCXXMethodDecl(CXXMethodDecl *F) { return within(F, [&] { return Base::TraverseCXXMethodDecl(F); }); }
  bool TraverseCXXConstructorDecl(CXXConstructorDecl *F) {
    return within(F, [&] { return Base::TraverseCXXConstructorDecl(F); });
  }
  bool TraverseCXXDestructorDecl(CXXDestructorDecl *F) {
    return within(F, [&] { return Base::TraverseCXXDestructorDecl(F); });
  }

  bool VisitOMPExecutableDirective(OMPExecutableDirective *D) {
    if (!isOpenMPTargetExecutionDirective(D->getDirectiveKind()) || !D->hasAssociatedStmt())
      return true;
    if (First.isInvalid())
      First = D->getBeginLoc();
    if (D->getCapturedStmt(llvm::omp::OMPD_target)->getCapturedDecl()->isDependentContext())
      hintStore().take(D->getBeginLoc(), Context.getSourceManager()); // for its instantiations, if there are any
    else
      record(*D);
    return true;
  }

  SourceLocation First; // construct

private:
  using Base = RecursiveASTVisitor<RegionVisitor>;

  template <typename TraverseFn> bool within(FunctionDecl *F, TraverseFn Traverse) {
    FunctionDecl *Outer = Current;
    Current = F;
    bool Result = Traverse();
    Current = Outer;
    return Result;
  }

  void record(const OMPExecutableDirective &D) {
    SourceManager &SM = Context.getSourceManager();
    PresumedLoc At = SM.getPresumedLoc(D.getBeginLoc());
    SourceRegion R;
    R.Line = At.isValid() ? At.getLine() : 0;
    R.File = At.isValid() ? At.getFilename() : "";
    R.Function = mangledName(Ctor_Base, Dtor_Base);
    R.Variant = mangledName(Ctor_Complete, Dtor_Complete);
    if (R.Variant == R.Function)
      R.Variant.clear();
    for (const CapturedStmt::Capture &C : D.getCapturedStmt(llvm::omp::OMPD_target)->captures())
      R.Captures.push_back(capture(C));
    for (const PendingHints *H : hintStore().take(D.getBeginLoc(), SM)) {
      Hints Asked = withoutMembers(H->Asked, D, Current, [&](SourceLocation At, const std::string &Text) {
        if (WarnOfHints)
          warn(Context.getDiagnostics(), At, Text);
      });
      if (WarnOfHints)
        warnOfNames(D, R, Asked, H->At);
      addHints(R.Asked, Asked);
    }
    sourceRegistry().add(std::move(R));
  }

  std::string mangledName(CXXCtorType Constructor, CXXDtorType Destructor) {
    if (!Current)
      return "";
    if (!Mangler->shouldMangleDeclName(Current))
      return Current->getNameAsString();
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    if (auto *C = dyn_cast<CXXConstructorDecl>(Current))
      Mangler->mangleName(GlobalDecl(C, Constructor), OS);
    else if (auto *X = dyn_cast<CXXDestructorDecl>(Current))
      Mangler->mangleName(GlobalDecl(X, Destructor), OS);
    else
      Mangler->mangleName(GlobalDecl(Current), OS);
    return Name;
  }

  SourceArray capture(const CapturedStmt::Capture &C) {
    SourceArray A;
    if (C.capturesThis()) {
      A.Name = "this";
    } else if (C.capturesVariable() || C.capturesVariableByCopy()) {
      const VarDecl *V = C.getCapturedVar();
      A.Name = V->getNameAsString();
      A.ElementBytes = elementBytes(V->getType());
    }
    return A;
  }

  // Of what a pointer, an array, or a reference to either leads to, down to the element of a multi-dimensional array.
  unsigned elementBytes(QualType T) {
    T = T.getNonReferenceType();
    if (T->isPointerType())
      T = T->getPointeeType();
    T = Context.getBaseElementType(T);
    if (T->isIncompleteType() || T->isDependentType() || T->isFunctionType() || T->isVoidType())
      return 0;
    return unsigned(Context.getTypeSizeInChars(T).getQuantity());
  }

  static bool isNumber(const OMPExecutableDirective &D, StringRef Name) {
    return llvm::any_of(D.getCapturedStmt(llvm::omp::OMPD_target)->captures(), [&](const CapturedStmt::Capture &C) {
      return (C.capturesVariable() || C.capturesVariableByCopy()) && C.getCapturedVar()->getName() == Name &&
             C.getCapturedVar()->getType().getNonReferenceType()->isArithmeticType();
    });
  }

  void warnOfName(const OMPExecutableDirective &D, const std::vector<std::string> &Used, const std::string &Name, SourceLocation At) {
    if (!llvm::is_contained(Used, Name))
      warn(Context.getDiagnostics(), At, "'#pragma place' names '" + Name + "', which the target construct does not use" + suggestion(Name, Used));
    if (isNumber(D, Name))
      warn(Context.getDiagnostics(), At, "'#pragma place' names '" + Name + "', which is no array");
  }

  // Names that the construct does not use, that are no arrays, and what contradicts another of its pragmas.
  void warnOfNames(const OMPExecutableDirective &D, const SourceRegion &R, const Hints &Asked, SourceLocation Pragma) {
    if (std::string Text = contradiction(R.Asked, Asked); !Text.empty())
      warn(Context.getDiagnostics(), Pragma, Text);
    std::vector<std::string> Used;
    for (const SourceArray &A : R.Captures)
      Used.push_back(A.Name);
    auto place = [&](const std::string &Written) { return SourceLocation::getFromRawEncoding(Asked.At.at(Written)); };
    for (const std::string &Name : Asked.Tiles) {
      warnOfName(D, Used, Name, place(writtenTile(Name)));
      if (auto Before = R.Asked.Spaces.find(Name); Before != R.Asked.Spaces.end())
        warn(Context.getDiagnostics(), place(writtenTile(Name)), tilesToo(Name, Before->second));
    }
    for (const auto &[Name, Route] : Asked.Routes) {
      warnOfName(D, Used, Name, place(written(Route, Name)));
      if (auto Before = R.Asked.Routes.find(Name); Before != R.Asked.Routes.end() && Before->second != Route)
        warn(Context.getDiagnostics(), place(written(Route, Name)), twoRoutes(Name, Before->second, Route));
    }
    for (const auto &[Name, Space] : Asked.Spaces) {
      warnOfName(D, Used, Name, place(written(Space, Name)));
      if (R.Asked.Tiles.count(Name))
        warn(Context.getDiagnostics(), place(written(Space, Name)), tilesToo(Name, Space));
      if (auto Before = R.Asked.Spaces.find(Name); Before != R.Asked.Spaces.end() && Before->second != Space)
        warn(Context.getDiagnostics(), place(written(Space, Name)), twice(Name, Before->second, Space));
    }
  }

  ASTContext &Context;
  bool WarnOfHints, SystemHeaders;
  std::unique_ptr<MangleContext> Mangler;
  FunctionDecl *Current = nullptr;
};

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

// What is written in a file from there on, enough for a pragma's first words.
StringRef textAt(const SourceManager &SM, SourceLocation At) {
  enum { Most = 200 };
  auto [File, Offset] = SM.getDecomposedLoc(At);
  return SM.getBufferData(File).substr(Offset, Most);
}

// Without OpenMP target constructs are but pragmas that nobody reads.
class UnreadTargets : public PPCallbacks {
public:
  UnreadTargets(const SourceManager &SM, SourceLocation &First) : SM(SM), First(First) {}

  void PragmaDirective(SourceLocation At, PragmaIntroducerKind) override {
    static const llvm::Regex Target("^#?[ \t]*pragma[ \t]+omp[ \t]+target[^A-Za-z0-9_]");
    if (First.isInvalid() && At.isFileID() && !SM.isInSystemHeader(At) && Target.match(textAt(SM, At)))
      First = At;
  }

private:
  const SourceManager &SM;
  SourceLocation &First;
};

// OpenMP in system headers.
class SystemOpenMP : public PPCallbacks {
public:
  SystemOpenMP(const SourceManager &SM, bool &Found) : SM(SM), Found(Found) {}

  void PragmaDirective(SourceLocation At, PragmaIntroducerKind) override {
    if (!Found && SM.isInSystemHeader(At))
      Found = !At.isFileID() || textAt(SM, At).split('\n').first.contains("omp");
  }

private:
  const SourceManager &SM;
  bool &Found;
};

class Consumer : public ASTConsumer {
public:
  explicit Consumer(CompilerInstance &CI)
      : CI(CI), Device(CI.getLangOpts().OpenMPIsTargetDevice),
        SystemHeaders(CI.getLangOpts().Modules || !CI.getPreprocessorOpts().ImplicitPCHInclude.empty()) {
    const SourceManager &SM = CI.getSourceManager();
    if (CI.getLangOpts().OpenMP)
      CI.getPreprocessor().addPPCallbacks(std::make_unique<SystemOpenMP>(SM, SystemHeaders));
    else
      CI.getPreprocessor().addPPCallbacks(std::make_unique<UnreadTargets>(SM, Unread));
  }

  // Before the back end's own consumer, which runs the passes.
  void HandleTranslationUnit(ASTContext &Context) override {
    RegionVisitor Visitor(Context, !Device, SystemHeaders);
    Visitor.TraverseDecl(Context.getTranslationUnitDecl());
    sourceWarning() = [&](unsigned At, const std::string &Text) { warn(CI.getDiagnostics(), SourceLocation::getFromRawEncoding(At), Text); };
    warnOfNoDevice(Context.getDiagnostics(), Visitor.First);
    warnOfToolkit(Context.getDiagnostics(), Visitor.First);
    if (!Device && CI.getLangOpts().OpenMP && !CI.getLangOpts().OpenMPSimd)
      for (const PendingHints &H : hintStore().unused()) {
        warn(Context.getDiagnostics(), H.At, "'#pragma place' is followed by no target construct, and has no effect");
        if (SourceLocation Other = H.Follows.isValid() ? H.Follows : H.Construct; Other.isValid())
          note(Context.getDiagnostics(), Other, "this follows; a hint is for the construct that comes next");
      }
  }

private:
  // One warning a file: the compile lacks what makes device code of it.
  void warnOfNoDevice(DiagnosticsEngine &Diagnostics, SourceLocation Construct) {
    const LangOptions &Language = CI.getLangOpts();
    if (!Language.OpenMP && Unread.isInvalid() && !hintStore().unused().empty())
      Unread = hintStore().unused().front().At;
    if (!Language.OpenMP && Unread.isValid())
      warn(Diagnostics, Unread, "place: compiled without OpenMP, so that target constructs and '#pragma place' have no effect; add -fopenmp and "
                                "--offload-arch=sm_90, or what the GPU is, or -Wno-backend-plugin if that is meant");
    else if (Construct.isValid() && !Device && !Language.OpenMPSimd && Language.OMPTargetTriples.empty())
      warn(Diagnostics, Construct, "place: target regions are compiled for the host alone, where place does nothing; add --offload-arch=sm_90, or "
                                   "what the GPU is");
  }

  // One warning a file: its device code is about to be assembled into what libomptarget cannot load.
  void warnOfToolkit(DiagnosticsEngine &Diagnostics, SourceLocation Construct) {
    unsigned Version = Device && Construct.isValid() ? cudaVersionOf(options().LibDevice) : 0;
    std::string Name = std::to_string(Version / 1000) + "." + std::to_string(Version % 1000 / 10);
    if (Version >= FirstCudaNotLoaded)
      warn(Diagnostics, Construct, "place: clang's CUDA toolkit is CUDA " + Name + ", whose device code libomptarget 19 cannot load: the program would "
                                   "see no device. Add --cuda-path=, with one of 11.8 to 12.x; place-cuda-toolkit gets it");
  }

  CompilerInstance &CI;
  SourceLocation Unread;
  bool Device, SystemHeaders; // the latter: target constructs may be in some
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
    if (options().Acc && !isModuleUnit(CI) && mentionsOpenACC(CI)) // it begins with a header
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

  static StringRef mainFile(const CompilerInstance &CI) {
    return CI.getSourceManager().getBufferOrFake(CI.getSourceManager().getMainFileID()).getBuffer();
  }

  // A match lies within a line, its end included, and has one of the words. (Regex takes its time.)
  static bool anyLineMatches(StringRef Text, std::initializer_list<StringRef> Words, const llvm::Regex &Pattern) {
    for (StringRef Word : Words)
      for (size_t At = Text.find(Word); At != StringRef::npos;) {
        size_t From = Text.rfind('\n', At) + 1, To = Text.find('\n', At); // npos + 1 is 0
        if (Pattern.match(Text.slice(From, To == StringRef::npos ? To : To + 1)))
          return true;
        At = Text.find(Word, To);
      }
    return false;
  }

  // OpenACC begins with definitions of its own: a unit that has nothing of it is compiled without them. -fopenacc asks for it.
  static bool mentionsOpenACC(CompilerInstance &CI) {
    static const llvm::Regex Word("pragma[ \t]+acc[^A-Za-z0-9_]|Pragma[ \t]*\\([ \t]*\"[ \t]*acc[^A-Za-z0-9_]|openacc|OPENACC|"
                                  "(^|[^A-Za-z0-9_])acc_(get|set|async|wait|malloc|free|copy|create|delete|update|map|unmap|device|host"
                                  "|is_present|memcpy|attach|detach|init|shutdown|on_device)");
    return CI.getLangOpts().OpenACC || anyLineMatches(mainFile(CI), {"acc", "ACC"}, Word);
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
  static FrontendPluginRegistry::Add<place::Action> Action("place", "puts the arrays of OpenMP target regions where they serve best");
  static PragmaHandlerRegistry::Add<place::HintHandler> Hints("place", "where the arrays of a target region shall lie");
  static PragmaHandlerRegistry::Add<place::acc::ReprintHandler> Acc("acc", "OpenACC, printed again where nothing but the preprocessor runs");
}
