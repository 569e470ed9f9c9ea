//===- Source.h - What the source says about target regions -----*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, element types and hints of the arrays of target regions, as clang's AST has them. Filled by the front-end half
// of the plugin before the optimiser runs, read by the IR half; empty when the plugin runs in opt. IR has none of this:
// release builds of clang drop value names, and pointers are opaque.
//
// One compiler process compiles one translation unit: the registry is a plain global without locks.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SOURCE_H
#define PLACE_SOURCE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "place/space.h"

namespace place {

/// One capture of a target construct; kernel argument n is capture n.
struct SourceArray {
  std::string Name;         // as declared, or "this"
  unsigned ElementBytes = 0; // of the pointee or of the array's element; 0: not an array or not known
};

/// What `#pragma place` asks for, in front of one target construct.
struct Hints {
  std::map<std::string, enum place_space> Spaces; // by variable name
  std::map<std::string, enum place_route> Routes; // by variable name: of its loads where it stays in global memory
  std::set<std::string> Tiles; // arrays of which blocks shall have tiles in shared memory
  bool NoPlace = false;
  bool KeepThreads = false; // versions are launched in the shape that the program asks for
  bool Apart = false;       // nothing that it writes overlaps another of its arrays: a promise
  unsigned Team = 0;        // threads of the versions' teams; 0: the versions' own choice
  std::map<std::string, unsigned> At; // by the hint as it is written ("constant(w)"): clang's raw SourceLocation of it
};

/// One target construct.
struct SourceRegion {
  unsigned Line = 0;    // presumed line of the directive, as in the kernel's name
  std::string Function; // mangled name of the function that contains it, may be empty
  std::string Variant;  // of a constructor or destructor: the name of the complete object's, where Function is the base object's
  std::string File;
  std::vector<SourceArray> Captures;
  Hints Asked;
};

class SourceRegistry {
public:
  void add(SourceRegion Region) { Regions.push_back(std::move(Region)); }

  /// The region that a kernel was made from, by the function and line in `__omp_offloading_<dev>_<file>_<function>_l<line>`
  /// and by its number of arguments; null if unknown.
  const SourceRegion *find(llvm::StringRef KernelName, unsigned Arguments) const;

private:
  std::vector<SourceRegion> Regions;
};

/// The registry of this compiler process.
SourceRegistry &sourceRegistry();

/// Options of the plugin (-fplugin-arg-place-<name>=<value>, or -mllvm for opt through the environment of tests).
struct Options {
  unsigned Effort = 2;                  // 1 to 3: breadth()
  std::optional<unsigned> MaxVersions;  // Breadth::Spaces, where given
  std::optional<unsigned> MaxBlocks;    // Breadth::Blocks, where given
  unsigned Routes = 0;                  // versions with cache operators, at most
  bool NoAgnostic = false;
  bool Isolate = true;      // kernels that keep state of the device runtime are optimised in a module of their own
  bool OwnImage = true;     // versions are assembled to a device image of their own (OwnImage.h)
  std::string Assembler;    // path of what makes it; empty: the toolkit's ptxas
  bool Load = true;         // make the program load the runtime by itself
  bool Acc = true;          // read #pragma acc
  std::string DeviceRuntime; // path of its bitcode where clang links it with device code only later (LinkTime.h); empty: it has been linked, or is not found
  std::string LibDevice;    // path of the bitcode that clang links into device code; empty: not known
  std::string DumpAccess;   // "acc", "access", "table": print that stage to stderr
  bool ByFrontEnd = false;  // this process has the source, and -fplugin= registers the passes
  place_space_set Textures = 0; // versions with arrays in these textures, though no hint asks for them
};
Options &options();

/// Which versions of a kernel are made, beside the base version.
struct Breadth {
  unsigned Spaces;     // with arrays in other spaces, at most
  unsigned LeanSpaces; // the same of a kernel rebuilt without the device runtime
  unsigned Blocks;     // with iterations in blocks, at most
  bool AllSpaces;      // whatever an array may be in; else copies that are likely to gain
  bool OneLoop;        // one loop form: no straight chunk loop where one iteration a thread is possible
  bool Agnostic;       // one that leaves open where arrays are
};
Breadth breadth();

/// Parses one option ("max-versions=4"); returns an error message, or an empty string.
std::string parseOption(llvm::StringRef Text);

} // namespace place

#endif
