// simt-lower INPUT -o OUTPUT [--device-runtime=BITCODE] [--simt-check] [--simt-count] [-S]
//
// INPUT is the device module of one translation unit, bitcode or text, after the whole NVPTX optimisation pipeline.
// The device compile has linked the parts of OpenMP's device runtime that it knew to need; optimisations add calls that
// nvlink resolves later, so what is still undefined is taken from the same BITCODE, in its own copy as nvlink does.
// OUTPUT is a module for x86-64 that calls libsimt. Exit status 1, and one line for each reason, if anything in it has
// no translation.
#include "lowering.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

static cl::opt<std::string> Input(cl::Positional, cl::Required, cl::desc("<device module>"));
static cl::opt<std::string> Output("o", cl::Required, cl::desc("where the lowered module goes"));
static cl::opt<std::string> DeviceRuntime("device-runtime", cl::desc("OpenMP's device runtime as bitcode"));
static cl::opt<bool> Check("simt-check", cl::desc("instrument every access for the runner's checks"));
static cl::opt<bool> Count("simt-count", cl::desc("instrument every access for counting transactions"));
static cl::opt<bool> Text("S", cl::desc("write text"));

static bool linkDeviceRuntime(Module &M) {
  if (DeviceRuntime.empty())
    return true;
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> Runtime = parseIRFile(DeviceRuntime, Diagnostic, M.getContext());
  if (!Runtime) {
    Diagnostic.print("simt-lower", errs());
    return false;
  }
  Runtime->setDataLayout(M.getDataLayout());
  Runtime->setTargetTriple(M.getTargetTriple());
  return !Linker::linkModules(M, std::move(Runtime), Linker::LinkOnlyNeeded,
                              [](Module &Linked, const StringSet<> &Names) {
                                internalizeModule(Linked, [&](const GlobalValue &V) {
                                  return !V.hasName() || Names.count(V.getName()) == 0;
                                });
                              });
}

static void runSteps(simt::Lowering &L) {
  simt::findKernels(L);
  simt::lowerDeviceLibrary(L);
  simt::lowerIntrinsics(L);
  simt::lowerInlineAsm(L);
  if (!L.Errors.empty())
    return;
  simt::instrument(L);
  simt::replaceSharedVariables(L);
  if (!L.Errors.empty())
    return;
  simt::registerModule(L);
  simt::wrapKernels(L);
  simt::retarget(L);
}

static int report(const simt::Lowering &L) {
  for (const std::string &Message : L.Errors)
    errs() << "simt-lower: error: " << Message << "\n";
  return L.Errors.empty() ? 0 : 1;
}

static int write(Module &M) {
  std::error_code Code;
  ToolOutputFile File(Output, Code, Text ? sys::fs::OF_Text : sys::fs::OF_None);
  if (Code) {
    errs() << "simt-lower: error: " << Output << ": " << Code.message() << "\n";
    return 1;
  }
  if (Text)
    M.print(File.os(), nullptr);
  else
    WriteBitcodeToFile(M, File.os());
  File.keep();
  return 0;
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "lower NVPTX device code for the simt runner\n");
  LLVMContext Context;
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> M = parseIRFile(Input, Diagnostic, Context);
  if (!M) {
    Diagnostic.print("simt-lower", errs());
    return 1;
  }
  if (!StringRef(M->getTargetTriple()).starts_with("nvptx")) {
    errs() << "simt-lower: error: " << Input << " is for " << M->getTargetTriple() << ", not NVPTX\n";
    return 1;
  }
  if (!linkDeviceRuntime(*M))
    return 1;
  simt::Lowering L(*M, {Check, Count});
  runSteps(L);
  if (int Status = report(L))
    return Status;
  if (verifyModule(*M, &errs())) {
    errs() << "simt-lower: error: the lowered module is malformed (a defect of simt-lower)\n";
    return 1;
  }
  return write(*M);
}
