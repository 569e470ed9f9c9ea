//===- OwnImage.cpp - Versions in a device image of their own -------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OwnImage.h"
#include "DeviceRuntime.h"
#include "DeviceSymbols.h"
#include "Extract.h"
#include "Kernel.h"
#include "Pipeline.h"
#include "Reach.h"
#include "Spaces.h"
#include "place/abi.h"
#include "place/packed.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace place {

Assembler &assembler() {
  static Assembler A;
  return A;
}

namespace {

using Globals = SetVector<GlobalValue *>;

/// A variable that the runtime reads or writes through its symbol.
bool isOfPlace(const GlobalValue &G) {
  StringRef Name = G.getName();
  return Name == PLACE_CONST_SYMBOL || Name == PLACE_TIMER_SYMBOL || Name == PLACE_PROFILE_SYMBOL;
}

/// One that libomptarget looks for in each image.
bool isOfLibomptarget(const GlobalValue &G) { return G.getName().starts_with("__omp_rtl_"); }

const StringRef DynamicSuffix = "_dynamic_environment";

/// Calls of the device runtime that would be linked later are instructions in an image that nothing is linked to.
void spellCalledLater(Module &Own) {
  for (Function &F : make_early_inc_range(Own)) {
    Intrinsic::ID ID = F.isDeclaration() ? intrinsicCalledLater(F.getName()) : Intrinsic::not_intrinsic;
    if (ID == Intrinsic::not_intrinsic)
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledOperand() == &F) {
        Call->replaceAllUsesWith(IRBuilder<>(Call).CreateIntrinsic(ID, {}, {}));
        Call->eraseFromParent();
      }
  }
}

/// A call through a pointer that may come from the program's image, whose functions cannot be called from another one.
bool callsFromElsewhere(const Function &F) { return !isOfRuntime(F.getName()) && any_of(instructions(F), callsThroughPointer); }

/// State of the device runtime, as it is in each file.
bool isRuntimesOwn(const GlobalVariable &V) { return V.hasLocalLinkage() && V.getName().starts_with("_") && isOfRuntime(V.getName()); }

/// Whether a second copy of it, which only versions see, does. Kept is all that is reached by what stays behind.
bool mayBeThereTwice(const GlobalValue &G, const Globals &Kept) {
  if (const auto *F = dyn_cast<Function>(&G))
    return F->isDeclaration() ? F->isIntrinsic() || isOfDriver(*F) || intrinsicCalledLater(F->getName()) : !callsFromElsewhere(*F);
  const auto *V = dyn_cast<GlobalVariable>(&G);
  if (!V || V->isThreadLocal())
    return false;
  if (V->getAddressSpace() == AddrShared || isOfPlace(*V) || isOfLibomptarget(*V) || V->getName().ends_with(DynamicSuffix))
    return true;
  if (V->isDeclaration())
    return false;
  return (V->isConstant() && !V->isExternallyInitialized()) || isRuntimesOwn(*V) ||
         (V->hasLocalLinkage() && !Kept.contains(const_cast<GlobalVariable *>(V)));
}

/// Versions and what belongs to each alone; with all that they reach.
struct Moved {
  Globals Roots, Reached;
};

/// The versions of one kernel: they stay or move together.
using VersionsOfKernel = std::vector<Function *>;

std::vector<VersionsOfKernel> versionsOf(Module &M) {
  MapVector<StringRef, VersionsOfKernel> ByKernel;
  for (Function *F : kernelsOf(M))
    if (isVersion(*F))
      ByKernel[F->getName().rsplit("_place_").first].push_back(F);
  std::vector<VersionsOfKernel> All;
  for (auto &[Name, Versions] : ByKernel)
    All.push_back(std::move(Versions));
  return All;
}

Globals rootsOf(const VersionsOfKernel &Versions) {
  Globals Roots;
  for (Function *F : Versions) {
    Roots.insert(F);
    if (GlobalVariable *Environment = environmentOf(*F))
      Roots.insert(Environment);
  }
  return Roots;
}

Globals reachedFromAny(const Globals &Roots) {
  Globals Reached;
  for (GlobalValue *Root : Roots)
    for (const GlobalValue *G : reachedFrom(*Root, [&](const Function &F) { return &F == Root || !Reached.contains(const_cast<Function *>(&F)); }))
      Reached.insert(const_cast<GlobalValue *>(G));
  return Reached;
}

/// What is reached by all that others than versions that move may reach: other kernels, and what other files may know by name.
Globals keptWithout(Module &M, const Globals &Roots) {
  Globals Others;
  for (GlobalValue &G : M.global_values())
    if (!G.isDeclaration() && !G.hasLocalLinkage() && !Roots.contains(&G) && !G.getName().starts_with("llvm."))
      Others.insert(&G);
  for (Function *F : kernelsOf(M))
    if (!Roots.contains(F))
      Others.insert(F);
  return reachedFromAny(Others);
}

Moved movedOf(Module &M, ArrayRef<VersionsOfKernel> Kernels) {
  Moved All;
  for (const VersionsOfKernel &Versions : Kernels) {
    Globals Roots = rootsOf(Versions);
    All.Roots.insert(Roots.begin(), Roots.end());
  }
  All.Reached = reachedFromAny(All.Roots);
  if (GlobalVariable *Asked = M.getNamedGlobal("__omp_rtl_device_environment"))
    All.Reached.insert(Asked); // libomptarget asks each image for it, and the driver notes an error where there is none
  return All;
}

/// What may move. A variable that versions alone use moves with all of them or stays, so that one kernel that stays may keep others.
Moved movable(Module &M) {
  std::vector<VersionsOfKernel> Kernels = versionsOf(M);
  for (;;) {
    Moved All = movedOf(M, Kernels);
    const Globals Kept = keptWithout(M, All.Roots);
    size_t Before = Kernels.size();
    erase_if(Kernels, [&](const VersionsOfKernel &Versions) {
      return any_of(reachedFromAny(rootsOf(Versions)), [&](const GlobalValue *G) { return !mayBeThereTwice(*G, Kept); });
    });
    if (Kernels.size() == Before)
      return All;
  }
}

std::unique_ptr<Module> copyOf(Module &M, const Moved &All) {
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Own = CloneModule(M, Map, [&](const GlobalValue *G) { return All.Reached.contains(const_cast<GlobalValue *>(G)); });
  eraseVariables(*Own, {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"});
  keepAnnotations(*Own, [&](const Function &F) { return !F.isDeclaration(); });
  eraseMetadataOfOriginal(*Own);
  spellCalledLater(*Own);
  internalizeModule(*Own, [&](const GlobalValue &G) {
    const GlobalValue *There = M.getNamedValue(G.getName());
    return isOfPlace(G) || isOfLibomptarget(G) || (There && All.Roots.contains(const_cast<GlobalValue *>(There)));
  });
  Pipeline(nullptr, OptimizationLevel::O1).sweep(*Own);
  return Own;
}

/// What is left of M is what it would be without versions but for its table, once GlobalDCE has run. Functions are not freed: NVPTX's cache of annotations
/// would take another one at their address for a kernel.
void removeFrom(Module &M, const Moved &All) {
  removeFromUsedLists(M, [&](Constant *C) {
    auto *G = dyn_cast<GlobalValue>(C->stripPointerCasts());
    return G && (All.Roots.contains(G) || isOfPlace(*G));
  });
  keepAnnotations(M, [&](const Function &F) { return !All.Roots.contains(const_cast<Function *>(&F)); });
  for (GlobalValue *G : All.Roots)
    if (auto *F = dyn_cast<Function>(G))
      F->deleteBody();
  for (GlobalValue *G : All.Reached) {
    G->removeDeadConstantUsers();
    if (!G->use_empty() || !(All.Roots.contains(G) || isOfPlace(*G)))
      continue;
    if (auto *F = dyn_cast<Function>(G))
      F->removeFromParent();
    else
      G->eraseFromParent();
  }
}

std::string pack(StringRef Image) {
  SmallVector<uint8_t, 0> Stream;
  compression::zlib::compress(arrayRefFromStringRef(Image), Stream, compression::zlib::DefaultCompression);
  std::string Packed(sizeof(place_packed_head), '\0');
  Packed.replace(0, 8, PLACE_PACKED_MAGIC);
  support::endian::write64le(&Packed[offsetof(place_packed_head, image_bytes)], Image.size());
  support::endian::write64le(&Packed[offsetof(place_packed_head, stream_bytes)], Stream.size());
  return Packed + toStringRef(Stream).str();
}

} // namespace

/// What the image is found by: it has the rest of its name.
static GlobalVariable &tableOf(Module &M) {
  return *find_if(M.globals(), [](const GlobalVariable &G) { return G.getName().starts_with(PLACE_TABLE_PREFIX); });
}

bool moveVersions(Module &M, const Assembler &Assemble) {
  if (!Assemble || !compression::zlib::isAvailable())
    return false;
  const Moved All = movable(M);
  if (All.Roots.empty())
    return false;
  std::string Image;
  std::unique_ptr<Module> Own = copyOf(M, All);
  Assembled Result = Assemble(*Own, Image);
  Own.release(); // lives as long as the context: NVPTX keeps what it knows of a module by its address
  if (Result == Assembled::No)
    return false;
  removeFrom(M, All);
  if (Result == Assembled::Refused)
    return false;
  GlobalVariable &Table = tableOf(M);
  constantWords(M, PLACE_PACKED_PREFIX + Table.getName().drop_front(strlen(PLACE_TABLE_PREFIX)), pack(Image), Table);
  return true;
}

} // namespace place
