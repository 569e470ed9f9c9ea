//===- DeviceSymbols.h - Variables that versions share ----------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_DEVICESYMBOLS_H
#define PLACE_DEVICESYMBOLS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace place {

/// Device symbols shared by all translation units, made on first use.
llvm::GlobalVariable *constantBank(llvm::Module &M);
llvm::GlobalVariable *sharedMemory(llvm::Module &M);
llvm::GlobalVariable *deviceBuffer(llvm::Module &M, llvm::StringRef Name, uint64_t Bytes);

/// Bytes of a team's shared memory, for the module alone and never set.
llvm::GlobalVariable *teamMemory(llvm::Module &M, llvm::StringRef Name, uint64_t Bytes, unsigned Alignment = 16);

/// What the runtime reads in the image: bytes under a name that stay though nothing in the module uses them.
void constantBytes(llvm::Module &M, const llvm::Twine &Name, llvm::StringRef Bytes);

/// The same for many bytes, filled up to words of 64 bits. Behind them stands an address, that of Beside: LLVM writes initialisers with an
/// address in them by words, all others by bytes, which take ptxas several times as long to read.
void constantWords(llvm::Module &M, const llvm::Twine &Name, llvm::StringRef Bytes, llvm::GlobalVariable &Beside);

} // namespace place

#endif
