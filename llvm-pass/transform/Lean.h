//===- Lean.h - Kernels without the device runtime ---------------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why: what the device runtime keeps for a kernel in general (levels of parallelism, a team's variables in shared memory, chunks
// of iterations behind calls, one thread that works while the others wait) is overhead in nearly every kernel in particular. A
// kernel as the front end made it still says what it means: which calls share iterations out, where parallel regions begin, what
// stands between them. Here each call of the runtime becomes the few instructions that it means in this kernel:
//
//   distribute parallel for      for (iv = size * team + tid; iv < n; iv += size * teams) body             "natural"
//   for, in a parallel region    for (iv = tid; iv < n; iv += threads) body, whatever schedule is asked for
//   parallel                     all threads go on
//   code of teams around it      repeated by each thread, where its effects are private; by the first thread, between barriers,
//                                where they are not
//
// Iterations that a schedule leaves to the implementation, and those that nothing can tell apart, change threads; all else is as
// the runtime does it, and a kernel with a call that is not known here stays as it is.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_LEAN_H
#define PLACE_LEAN_H

#include "Reason.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class CallInst;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace place {

/// What a kernel became.
struct LeanKernel {
  bool Made = false;
  bool Natural = false; // one iteration a thread, with as many teams as that takes; at most MostLeanIterations
  bool Rows = false;    // all that it does stands in its one distributed loop, whoever carries out which iteration with how many threads
  Reason Why;           // why it was not made
};
enum : uint32_t { MostLeanIterations = 1u << 30 }; // a step more stays below 2^31

/// Rebuilds a kernel as the front end made it, in a module of its own with the device runtime in it.
LeanKernel makeLean(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM);

/// What a function as the front end made it needs before its variables, calls and branches can be seen through. What FAM knows of it is dropped.
void simplifyEarly(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

//===-- Parts, each in a file of its own ---------------------------------------===//

/// Where code stands, as OpenMP counts levels.
enum class LeanLevel { Team, Parallel, Serial }; // Serial: a parallel region within another, by one thread

struct LeanPlace {
  LeanLevel Level = LeanLevel::Team;
  bool Fused = false;               // the loop has one iteration for each call: distribute has shared them out already
  bool OpenShape = false;           // nothing can tell which thread or team carries out which iteration
  bool OpenTeams = false;           // nothing looks at the number of teams
  bool TeamVariables = false;       // alloc_shared is for the whole team: left to shareTeamPart
  llvm::Value *Threads = nullptr;   // where the number of threads of the parallel region is; null: all of the team
};

/// Turns all calls of the runtime in F but those that begin parallel regions into what they mean there. Returns why it cannot, or
/// nothing. (LeanCalls.cpp)
Reason lowerRuntimeCalls(llvm::Function &F, const LeanPlace &At);

/// A reduction over all threads of a team, which all reach the instruction: the two functions that clang has for the runtime's call do what
/// the data (a list of pointers) needs. Returns whether the thread has the result. (LeanReduce.cpp)
llvm::Value *reduceInTeam(llvm::Instruction &Before, llvm::Value &Data, llvm::Function &Shuffle, llvm::Function &Copy);

/// In the place of the runtime's call for a reduction over teams, whose functions do without the runtime already, where all threads carry
/// out what a team does: a call after which all go on with the result, if theirs is the team that comes last. IsOwn: whether each thread
/// has a variable for itself; others are the team's. Null: what it reduces is not known. (LeanTeams.cpp)
llvm::CallBase *finishTogether(llvm::CallInst &C, llvm::function_ref<bool(const llvm::Value *)> IsOwn);
extern const char LeanFinishAttribute[]; // of a function in which all threads of a team take part

/// Chunks of one iteration begin and end with the same one: what clang has two loops for becomes one. (LeanLoops.cpp)
void joinChunkBounds(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// What a team does outside of its parallel regions, which are calls of functions with that attribute, becomes work of all threads.
/// Returns why it cannot be, or nothing. (LeanTeam.cpp)
Reason shareTeamPart(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM, unsigned DistributeLoops);
extern const char LeanRegionAttribute[];
bool isLeanRegion(const llvm::Instruction &I); // whether it calls such a function

/// Inlines what needs the runtime's state into a function; everything but the runtime itself, if All. Returns false if that does not end.
/// (Lean.cpp)
bool inlineCalls(llvm::Function &F, bool All);

/// Threads for which the condition holds leave a function without a result in front of an instruction. (Lean.cpp)
void leaveIf(llvm::Value *Condition, llvm::Instruction *Before);

} // namespace place

#endif
