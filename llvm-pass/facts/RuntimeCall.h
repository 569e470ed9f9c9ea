//===- RuntimeCall.h - Calls of the device runtime --------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the numbers in calls of LLVM 19's device runtime stand for: operands of its functions, and kinds of schedules.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_RUNTIME_CALL_H
#define PLACE_RUNTIME_CALL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace place {

/// Operands of __kmpc_parallel_51: a parallel region is begun.
namespace parallel_51 {
enum Operand : unsigned { If = 2, NumThreads, ProcBind, Outlined, Wrapper, Arguments, Count };
} // namespace parallel_51

/// Of __kmpc_distribute_static_init_* and __kmpc_for_static_init_*: which iterations are the caller's.
namespace static_init {
enum Operand : unsigned { Sched = 2, LastFlag, Lower, Upper, Stride, Increment, Chunk };
} // namespace static_init

/// Of __kmpc_nvptx_teams_reduce_nowait_v2: the end of a reduction over teams. List: of pointers to what is reduced; behind it are
/// functions that clang made for this reduction.
namespace teams_reduce {
enum Operand : unsigned { List = 4, ShuffleAndReduce, BetweenWarps, ToBuffer, ReduceIntoBuffer, FromBuffer, ReduceFromBuffer, Count };
const char Name[] = "__kmpc_nvptx_teams_reduce_nowait_v2";
} // namespace teams_reduce

/// Of __kmpc_nvptx_parallel_reduce_nowait_v2: the end of a reduction over the threads of a team. As above.
namespace parallel_reduce {
enum Operand : unsigned { List = 2, ShuffleAndReduce, BetweenWarps, Count };
const char Name[] = "__kmpc_nvptx_parallel_reduce_nowait_v2";
} // namespace parallel_reduce

/// Schedules, without the bits that say monotonic or not.
namespace schedule {
enum Kind : unsigned {
  ForChunked = 33,
  For = 34,
  ForBalancedChunked = 45,
  FirstOrdered = 64,
  DistributeChunked = 91,
  Distribute = 92,
  Modifiers = 3u << 29, // those bits
};
} // namespace schedule

/// The schedule that a call of static_init or of __kmpc_dispatch_init_* asks for, where that is a constant.
inline std::optional<unsigned> scheduleOf(const llvm::CallBase &C) {
  const auto *S = llvm::dyn_cast<llvm::ConstantInt>(C.getArgOperand(static_init::Sched));
  return S ? std::optional(unsigned(S->getZExtValue()) & ~schedule::Modifiers) : std::nullopt;
}

/// The function that an instruction calls by its name, or null.
inline llvm::Function *calledFunction(const llvm::Instruction &I) {
  const auto *C = llvm::dyn_cast<llvm::CallBase>(&I);
  return C ? C->getCalledFunction() : nullptr;
}

/// Whether an instruction calls the function of that name.
inline bool isCallOf(const llvm::Instruction &I, llvm::StringRef Name) {
  const llvm::Function *Callee = calledFunction(I);
  return Callee && Callee->getName() == Name;
}

/// The function that a call is given as its Nth operand; null: something else, or there is no such operand.
inline llvm::Function *functionAt(const llvm::CallBase &C, unsigned N) {
  return N < C.arg_size() ? llvm::dyn_cast<llvm::Function>(C.getArgOperand(N)->stripPointerCasts()) : nullptr;
}

/// What a call that ends a reduction is given to take what another lane has, and reduce with it.
inline llvm::Function *shuffleOf(const llvm::CallBase &C) {
  return functionAt(C, isCallOf(C, teams_reduce::Name) ? unsigned(teams_reduce::ShuffleAndReduce) : parallel_reduce::ShuffleAndReduce);
}

/// Whether an operand is that number.
inline bool isNumber(const llvm::Value *V, int64_t Number) {
  const auto *C = llvm::dyn_cast<llvm::ConstantInt>(V);
  return C && C->getSExtValue() == Number;
}

/// Whether it shares the iterations of a loop out among teams.
inline bool isDistribute(const llvm::Instruction &I) {
  const llvm::Function *Callee = calledFunction(I);
  return Callee && Callee->getName().starts_with("__kmpc_distribute_static_init_");
}

/// Whether it shares the iterations of a loop out among the threads of a team, by a static schedule.
inline bool isForStatic(const llvm::Instruction &I) {
  const llvm::Function *Callee = calledFunction(I);
  return Callee && Callee->getName().starts_with("__kmpc_for_static_init");
}

/// Where a value is loaded from, casts left out; null: it is not loaded.
inline const llvm::Value *loadedFrom(const llvm::Value *V) {
  const auto *Load = llvm::dyn_cast<llvm::LoadInst>(V);
  return Load ? Load->getPointerOperand()->stripPointerCasts() : nullptr;
}

/// Whether it does either.
inline bool isSharedOut(const llvm::Instruction &I) { return isDistribute(I) || isForStatic(I); }

} // namespace place

#endif
