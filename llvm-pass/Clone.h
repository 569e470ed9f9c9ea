//===- Clone.h - Versions of a kernel ----------------------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_CLONE_H
#define PLACE_CLONE_H

#include "Access.h"

#include "llvm/IR/ValueMap.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class FunctionType;
class GlobalVariable;
class LoadInst;
class ReturnInst;
class TargetTransformInfo;
class Value;
} // namespace llvm

namespace place {

/// How a version is made. Table.cpp alone turns this into the record that the runtime reads (include/place/version.h).
enum place_version_kind { PLACE_SPECIAL, PLACE_AGNOSTIC, PLACE_PROFILE, PLACE_BASE, PLACE_BLOCK };

/// One iteration a thread (Chunks.h).
struct NaturalShape {
  unsigned Threads = 0; // of a team; 0: whatever it is launched with
  bool Apart = false;   // what the kernel writes is told to be apart from all else that it touches
};

/// What a version does with each array of a kernel.
struct Version {
  std::string Entry;
  place_version_kind Kind = PLACE_SPECIAL;
  std::vector<int8_t> Space; // by array: enum place_space, or -1: any (agnostic) or not placeable
  bool Straight = false;     // chunk loop rebuilt (Chunks.h); needs exactly as many threads a team as it has
  std::optional<NaturalShape> Natural;
  std::optional<BlockShape> Block; // iterations in blocks (Block.h); needs exactly its threads a team
};

/// A clone under construction, with access to its extra parameters (include/place/abi.h).
class Clone {
public:
  /// Clones K.F under a new name, with the extra parameters, its annotations and its own kernel environment.
  Clone(const KernelSummary &K, const Version &V, const llvm::TargetTransformInfo &TTI);

  llvm::Function &function() const { return *New; }
  const KernelSummary &kernel() const { return K; }
  const Version &version() const { return V; }

  llvm::Argument *control(unsigned Word) const;
  llvm::Argument *word(const ArraySummary &A, unsigned Word) const;
  /// The clone's copy of an array's argument, and of an access's instruction.
  llvm::Argument *array(const ArraySummary &A) const;
  llvm::Instruction *access(const AccessSummary &S) const;
  /// The clone's copy of any value of the kernel.
  llvm::Value *cloned(llvm::Value *Original) const;
  /// Accesses to A that are loads.
  std::vector<llvm::LoadInst *> loads(int Array) const;
  /// The first instruction behind the entry block's allocas, and all places where threads return.
  llvm::Instruction *start() const;
  std::vector<llvm::ReturnInst *> returns() const;

private:
  void create(llvm::FunctionType *Type, const llvm::TargetTransformInfo &TTI);
  void annotate(llvm::Function &F) const;
  void copyEnvironment() const;

  const KernelSummary &K;
  const Version &V;
  llvm::Function *New = nullptr;
  llvm::ValueToValueMapTy Map;
};

/// The name of a version, for people alone: `<kernel>_place_` and a letter an array, or `agnostic`, or `profile`; with blocks,
/// their shape.
std::string versionName(const KernelSummary &K, place_version_kind Kind, llvm::ArrayRef<int8_t> Space,
                        const BlockShape *Block = nullptr);

/// Makes one version, complete: loads in their spaces, staging, timer, profile code.
llvm::Function *makeVersion(const KernelSummary &K, const Version &V, const llvm::TargetTransformInfo &TTI);

/// At the end of the pipeline, on special versions: joins neighbouring loads from a copy. The back end does so too late,
/// after strength reduction, when nothing is known about alignment any more.
struct FinishVersionPass : llvm::PassInfoMixin<FinishVersionPass> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  static bool isRequired() { return true; }
};

/// The versions worth having for a kernel; bounded by options().
std::vector<Version> chooseVersions(const KernelSummary &K);

/// Emits the region table of the module.
void emitTable(llvm::Module &M, llvm::StringRef Text);

/// The text of a region, and of a whole table with its checksum.
std::string regionText(const KernelSummary &K, llvm::ArrayRef<Version> Versions);
std::string tableText(llvm::StringRef Regions);

//===-- Parts of a version, each in a file of its name ----------------------===//

/// Copies the windows of the given arrays into shared memory at kernel entry; if Selected, those whose selector says so.
void emitStaging(Clone &C, llvm::ArrayRef<int> Arrays, bool Selected);

/// Records the launch's begin and end in the timer buffer.
void emitTimer(Clone &C);

/// Logs the accesses that have a log index.
void emitProfile(Clone &C);

/// Device symbols shared by all translation units, made on first use.
llvm::GlobalVariable *constantBank(llvm::Module &M);
llvm::GlobalVariable *sharedMemory(llvm::Module &M);
llvm::GlobalVariable *deviceBuffer(llvm::Module &M, llvm::StringRef Name, uint64_t Bytes);

} // namespace place

#endif
