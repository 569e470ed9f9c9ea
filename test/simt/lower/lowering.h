// simt-lower: rewrites one translation unit's NVPTX device module for x86-64 and the runner.
//
// The steps are free functions over one Lowering, in the order that simt_lower.cpp calls them. Each step either
// rewrites everything it is responsible for or records an error with the name of what it cannot translate; a module
// with errors is never written.
// C++ because of LLVM's API: the C API can neither expand constant expressions nor compute underlying objects.
#ifndef SIMT_LOWERING_H
#define SIMT_LOWERING_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace simt {

enum class Access : uint8_t { Load, Store, Atomic, ReadOnlyLoad, Sync };
enum Space : unsigned { SpaceGeneric = 0, SpaceGlobal = 1, SpaceShared = 3, SpaceConstant = 4, SpaceLocal = 5 };
constexpr uint16_t NoArgument = 0xffff;

struct Options {
  bool Check = false, Count = false;
};

struct Lowering {
  llvm::Module &M;
  Options Opts;
  std::vector<std::string> Errors;
  std::vector<llvm::Function *> Kernels;
  llvm::SmallVector<llvm::GlobalVariable *, 16> SharedVariables; // as in the device module, until replaced

  Lowering(llvm::Module &M, Options Opts) : M(M), Opts(Opts) {}

  // abi.cpp: the types and functions of runtime/simt_abi.h.
  llvm::FunctionCallee runtime(llvm::StringRef Name, llvm::Type *Result, llvm::ArrayRef<llvm::Type *> Parameters);
  llvm::GlobalVariable *context(); // simt_self
  llvm::Constant *string(llvm::StringRef Text);
  llvm::Constant *site(const llvm::Instruction &I, Access A, unsigned Space, uint64_t Bytes,
                       const llvm::Value *Pointer);
  llvm::StructType *contextType();
  void error(const llvm::Instruction *I, const llvm::Twine &Message);

private:
  llvm::StringMap<llvm::Constant *> Strings;
  unsigned SiteCount = 0;
};

// Fields of struct simt_context.
enum ContextField : unsigned {
  FieldThread, FieldTeamThreads, FieldTeam, FieldTeams, FieldLane, FieldWarp, FieldShared, FieldDynamicShared
};
// The value of a field of the running thread's context, loaded before `At`.
llvm::Value *loadContextField(Lowering &L, llvm::IRBuilder<> &B, ContextField Field);

void findKernels(Lowering &L);         // kernels.cpp
void wrapKernels(Lowering &L);         // kernels.cpp: after all other rewriting
void lowerIntrinsics(Lowering &L);     // intrinsics.cpp
// arithmetic.cpp: an llvm.nvvm intrinsic, named without "llvm.nvvm.", that computes from its operands alone; null: another one.
llvm::Value *lowerArithmetic(Lowering &L, llvm::CallInst &Call, llvm::StringRef Name);
void lowerInlineAsm(Lowering &L);      // inline_asm.cpp
void lowerDeviceLibrary(Lowering &L);  // library.cpp: vprintf, malloc, ...
void instrument(Lowering &L);          // instrument.cpp: accesses, spinning
void replaceSharedVariables(Lowering &L); // shared.cpp
void registerModule(Lowering &L);      // registration.cpp: constructor that tells the runner of the module's variables
void retarget(Lowering &L);            // retarget.cpp: triple, data layout, attributes; checks that nothing is left

// iterations.cpp: for each block a value, available in it, that names the iterations of the loops around it.
llvm::DenseMap<llvm::BasicBlock *, llvm::Value *> numberIterations(llvm::Function &F);

bool isRuntimeMath(llvm::StringRef NvvmName); // math_names.cpp: without "llvm.nvvm."

} // namespace simt

#endif
