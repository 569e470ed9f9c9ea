//===- BlockFacts.h - What blocks of iterations are built from --*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_BLOCK_FACTS_H
#define PLACE_BLOCK_FACTS_H

#include "Body.h"
#include "CopyAnalyses.h"

namespace place {

/// The nest and the body of a function that is about to be rebuilt in blocks: what findBlocks found of the kernel, found of its clone,
/// whose values are others. It changes nothing, and holds until the function is changed. S and Shape must outlive it.
class BlockFacts {
public:
  BlockFacts(llvm::Function &F, const ChunkShape &S, const BlockShape &Shape);
  BlockFacts(const BlockFacts &) = delete;
  BlockFacts &operator=(const BlockFacts &) = delete;

  /// False: the function is no nest that the shape fits; then there is nothing else.
  bool holds() const { return Holds; }
  Nest &nest() const { return *N; }
  Body &body() const { return *T; }
  llvm::LoopInfo &loops() { return Of.LI; }
  llvm::ScalarEvolution &evolution() { return Of.SE; }

private:
  CopyAnalyses Of;
  std::unique_ptr<Nest> N;
  std::unique_ptr<Body> T;
  bool Holds = false;
};

} // namespace place

#endif
