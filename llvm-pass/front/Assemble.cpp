//===- Assemble.cpp - A device image within the compile -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Assemble.h"
#include "Source.h"
#include "Toolkit.h"
#include "Warning.h"

#include "clang/CodeGen/BackendUtil.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/TimeProfiler.h"
#include <unistd.h>

using namespace llvm;

namespace place {

// Bitcode is written first (Again.h).
bool savesSteps(const clang::CompilerInstance &CI) { return !CI.getCodeGenOpts().SaveTempsFilePrefix.empty(); }

namespace {

/// A file that goes with it.
class Temporary {
public:
  explicit Temporary(StringRef Suffix) : Failed(bool(sys::fs::createTemporaryFile("place", Suffix, Path))), Remover(Path) {}
  bool exists() const { return !Failed; }
  StringRef path() const { return Path; }
  std::string text() const {
    auto Read = MemoryBuffer::getFile(Path);
    return Read ? (*Read)->getBuffer().str() : "";
  }

private:
  SmallString<128> Path;
  bool Failed;
  FileRemover Remover;
};

/// What the back end makes of an optimised module.
bool emit(clang::CompilerInstance &CI, Module &Own, clang::BackendAction Action, StringRef Path) {
  std::error_code Failed;
  auto Out = std::make_unique<raw_fd_ostream>(Path, Failed);
  if (Failed)
    return false;
  clang::CodeGenOptions Code = CI.getCodeGenOpts();
  Code.DisableLLVMPasses = true;
  Code.PassBuilderCallbacks.clear();
  Code.PassPlugins.clear();
  Code.TimePasses = false;
  clang::EmitBackendOutput(CI.getDiagnostics(), CI.getHeaderSearchOpts(), Code, CI.getTargetOpts(), CI.getLangOpts(),
                           CI.getTarget().getDataLayoutString(), &Own, Action, CI.getFileManager().getVirtualFileSystemPtr(), std::move(Out));
  return !CI.getDiagnostics().hasErrorOccurred();
}

/// What makes an image: ptxas and nvlink, or the program that was asked for.
struct Tools {
  std::string Assembler, Linker; // paths; without a linker the assembler makes images
  bool areThere() const { return !Assembler.empty() && (!Linker.empty() || !options().Assembler.empty()); }
};

Tools toolsOf() {
  if (!options().Assembler.empty())
    return {options().Assembler, ""};
  if (options().LibDevice.empty() || cudaVersionOf(options().LibDevice) >= FirstCudaNotLoaded)
    return {};
  return {toolOf(options().LibDevice, "ptxas"), toolOf(options().LibDevice, "nvlink")};
}

bool succeeds(ArrayRef<StringRef> Command, StringRef Messages) {
  return sys::ExecuteAndWait(Command.front(), Command, std::nullopt, {StringRef(), Messages, Messages}) == 0;
}

/// As the driver calls ptxas and nvlink. (ptxas could make the image alone, but inlines more where it knows of no linker: the copy of a
/// kernel would be no measure of the original, which is linked.)
Assembled assemble(const clang::CompilerInstance &CI, const Tools &By, StringRef In, StringRef Out, StringRef Messages) {
  const clang::CodeGenOptions &Code = CI.getCodeGenOpts();
  StringRef Processor = CI.getTargetOpts().CPU;
  std::string Level = "-O" + std::to_string(Code.OptimizationLevel);
  SmallVector<StringRef, 12> Assembly = {By.Assembler, "-m64", Level, "--gpu-name", Processor};
  if (Code.getDebugInfo() != codegenoptions::NoDebugInfo)
    Assembly.push_back("-lineinfo");
  TimeTraceScope Trace("place: ptxas of the versions' own image");
  if (By.Linker.empty()) {
    Assembly.append({"--output-file", Out, In});
    return succeeds(Assembly, Messages) ? Assembled::Yes : Assembled::Refused;
  }
  Temporary Object("o");
  Assembly.append({"-c", "--output-file", Object.path(), In});
  if (!Object.exists())
    return Assembled::No;
  if (!succeeds(Assembly, Messages))
    return Assembled::Refused;
  return succeeds({By.Linker, "-m64", "-arch", Processor, "-o", Out, Object.path()}, Messages) ? Assembled::Yes : Assembled::No;
}

/// Says why there is no image.
void complain(LLVMContext &C, const Tools &By, Assembled Result, const std::string &Messages) {
  const std::string First = StringRef(Messages).ltrim().split('\n').first.str();
  if (Result == Assembled::Refused)
    sayWarning(C, "place: " + By.Assembler + " failed on the versions of this file, which are therefore left out: " + First);
  else
    sayWarning(C, "place: " + By.Linker + " failed on the versions of this file, which therefore stay in the program's own device image: " + First);
}

/// Whether the compile's assembly goes on to ptxas: to a file that the driver names so, and removes. Who asks for assembly sees it whole.
bool goesOn(const clang::CompilerInstance &CI) {
  static const Regex Temporary("-[0-9a-f]{6}\\.s$");
  StringRef Out = CI.getFrontendOpts().OutputFile;
  SmallString<128> Folder;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Folder);
  sys::path::append(Folder, "file"); // TMPDIR may end in a slash
  return sys::path::parent_path(Out) == sys::path::parent_path(Folder) && Temporary.match(Out);
}

/// With -save-temps versions' assembly stays beside the original kernels'.
std::string keptAssembly(const clang::CompilerInstance &CI) {
  SmallString<128> Path = StringRef(CI.getFrontendOpts().OutputFile);
  sys::path::replace_extension(Path, "place.s");
  return Path.str().str();
}

/// Whether this step of the compile has what an image can be made of.
bool isLastStep(const clang::CompilerInstance &CI) {
  switch (CI.getFrontendOpts().ProgramAction) {
  case clang::frontend::EmitAssembly:
    return goesOn(CI);
  case clang::frontend::EmitBC:
    return savesSteps(CI) || !options().Assembler.empty();
  default:
    return false;
  }
}

bool mentions(StringRef File, StringRef Text) {
  auto Read = MemoryBuffer::getFileAsStream(File);
  return Read && (*Read)->getBuffer().contains(Text);
}

/// Whether options are given for ptxas alone, by which the versions are to be assembled, too. This step of the compile is not told of them, but
/// is the driver's child, if not the driver itself.
bool hasOptionsForAssembler() {
  const StringRef Option = "-Xcuda-ptxas";
  for (const std::string &Process : {std::string("self"), std::to_string(getppid())}) {
    auto Arguments = MemoryBuffer::getFileAsStream("/proc/" + Process + "/cmdline");
    for (StringRef Rest = Arguments ? (*Arguments)->getBuffer() : ""; !Rest.empty();) {
      auto [Argument, Behind] = Rest.split('\0');
      if (Argument == Option || (Argument.consume_front("@") && mentions(Argument, Option)))
        return true;
      Rest = Behind;
    }
  }
  return false;
}

} // namespace

Assembler assemblerOf(clang::CompilerInstance &CI) {
  const Tools By = toolsOf();
  if (!By.areThere() || !isLastStep(CI) || !CI.getTarget().getTriple().isNVPTX() ||
      CI.getCodeGenOpts().getDebugInfo() > codegenoptions::DebugDirectivesOnly || hasOptionsForAssembler())
    return nullptr;
  const bool Bitcode = !savesSteps(CI) && CI.getFrontendOpts().ProgramAction == clang::frontend::EmitBC;
  return [&CI, Bitcode, By](Module &Own, std::string &Image) -> Assembled {
    TimeTraceScope Trace("place: versions' own image");
    Temporary In(Bitcode ? "bc" : "s"), Out("image"), Messages("txt");
    const std::string Code = savesSteps(CI) ? keptAssembly(CI) : In.path().str();
    if (!In.exists() || !Out.exists() || !Messages.exists() ||
        !emit(CI, Own, Bitcode ? clang::Backend_EmitBC : clang::Backend_EmitAssembly, Code))
      return Assembled::No;
    Assembled Result = assemble(CI, By, Code, Out.path(), Messages.path());
    if (Result != Assembled::Yes)
      complain(Own.getContext(), By, Result, Messages.text());
    else if (Image = Out.text(); Image.empty())
      Result = Assembled::No;
    return Result;
  };
}

} // namespace place
