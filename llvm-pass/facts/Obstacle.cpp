//===- Obstacle.cpp - What keeps a region from being one loop -------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Obstacle.h"
#include "DeviceRuntime.h"
#include "Kernel.h"
#include "Reach.h"
#include "RuntimeCall.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace place {

static const char Attribute[] = "place-obstacle";

namespace {

/// Looks at all that the program has in a kernel. The reasons come in the order in which they would have to go.
class Search {
public:
  Reason run(Function &Kernel) {
    for (Function *F : programFunctions(Kernel))
      for (Instruction &I : instructions(*F))
        if (auto *C = dyn_cast<CallBase>(&I))
          look(*C);
    for (CallBase *C : Regions)
      region(*C);
    if (Regions.size() > 1)
      found(PLACE_WHY_SEVERAL_PARALLEL);
    if (Regions.empty() || !Distributes || executionMode(Kernel) == ExecutionMode::Generic)
      found(PLACE_WHY_NOT_DISTRIBUTED);
    return First;
  }

private:
  void found(const Reason &R) {
    if (First.empty() || rank(R) < rank(First))
      First = R;
  }

  static unsigned rank(const Reason &R) {
    static const place_reason Order[] = {
        PLACE_WHY_EXTERNAL_CALL,        PLACE_WHY_CALL_THROUGH_POINTER, PLACE_WHY_INLINE_ASSEMBLY,    PLACE_WHY_RUNTIME_CALL,
        PLACE_WHY_ORDERED,              PLACE_WHY_NESTED_PARALLEL,      PLACE_WHY_SEVERAL_PARALLEL,   PLACE_WHY_NOT_DISTRIBUTED,
        PLACE_WHY_SCHEDULE_AT_RUN_TIME, PLACE_WHY_SCHEDULE_OF_CHUNKS,   PLACE_WHY_PARALLEL_IF,        PLACE_WHY_SIMULTANEOUS_SUMS};
    return unsigned(find(Order, R.why()) - std::begin(Order));
  }

  void look(CallBase &C) {
    const Function *Callee = C.getCalledFunction();
    if (const auto *Assembly = dyn_cast<InlineAsm>(C.getCalledOperand())) {
      if (Assembly->hasSideEffects() || C.mayWriteToMemory()) // libdevice's own only computes
        found(PLACE_WHY_INLINE_ASSEMBLY);
      return;
    }
    if (!Callee)
      return found(PLACE_WHY_CALL_THROUGH_POINTER);
    StringRef Name = Callee->getName();
    if (Name == "__kmpc_parallel_51")
      Regions.push_back(&C);
    else if (Name.starts_with("__kmpc_distribute_static_init_"))
      distribute(C);
    else if (Name.starts_with("__kmpc_for_static_init_"))
      share(C);
    else if (Name.starts_with("__kmpc_dispatch_init_"))
      found(scheduleOf(C).value_or(0) >= schedule::FirstOrdered ? PLACE_WHY_ORDERED : PLACE_WHY_SCHEDULE_AT_RUN_TIME);
    else if (Name.contains("_reduce_nowait"))
      found(PLACE_WHY_SIMULTANEOUS_SUMS);
    else if (isNeeded(Name))
      found({PLACE_WHY_RUNTIME_CALL, sourceName(*Callee)});
    else if (isUnseen(*Callee))
      found({PLACE_WHY_EXTERNAL_CALL, sourceName(*Callee)});
  }

  // What only the device runtime can do.
  static bool isNeeded(StringRef Name) {
    for (StringRef Prefix : {"__kmpc_critical", "__kmpc_omp_task", "__kmpc_single", "__kmpc_ordered", "__kmpc_flush", "omp_set_lock",
                             "omp_init_lock", "omp_test_lock", "omp_set_num", "omp_get_max"})
      if (Name.starts_with(Prefix))
        return true;
    return false;
  }

  // The device runtime has printf's and assert's bodies, but what they do is the host's.
  static bool isUnseen(const Function &Callee) {
    StringRef Name = Callee.getName();
    if (Name == "__assert_fail" || Name == "__assertfail" || Name == "vprintf" || Name == "__llvm_omp_vprintf")
      return true;
    return Callee.isDeclaration() && !Callee.isIntrinsic() && !isOfRuntime(Name) && !isOfLibdevice(Name) &&
           !Callee.doesNotAccessMemory() && Name != "malloc" && Name != "free";
  }

  // One iteration after the other, in turn, is what clang makes of no clause.
  void share(const CallBase &C) {
    if (scheduleOf(C) != schedule::ForChunked || !isNumber(C.getArgOperand(static_init::Chunk), 1))
      found(PLACE_WHY_SCHEDULE_OF_CHUNKS);
  }

  void distribute(const CallBase &C) {
    Distributes = true;
    if (scheduleOf(C) != schedule::DistributeChunked || isa<ConstantInt>(C.getArgOperand(static_init::Chunk)))
      found(PLACE_WHY_SCHEDULE_OF_CHUNKS);
  }

  void region(const CallBase &C) {
    if (!isNumber(C.getArgOperand(parallel_51::If), 1))
      found(PLACE_WHY_PARALLEL_IF);
    auto *Body = dyn_cast<Function>(C.getArgOperand(parallel_51::Outlined)->stripPointerCasts());
    if (!Body || Body->isDeclaration())
      return;
    for (Function *F : programFunctions(*Body))
      for (Instruction &I : instructions(*F))
        if (is_contained(Regions, dyn_cast<CallBase>(&I)))
          found(PLACE_WHY_NESTED_PARALLEL);
  }

  Reason First;
  SmallVector<CallBase *, 4> Regions;
  bool Distributes = false;
};

} // namespace

void noteObstacle(Function &Kernel) {
  if (Reason R = Search().run(Kernel); !R.empty())
    Kernel.addFnAttr(Attribute, (R.name() + ":" + R.parameter()).str());
}

Reason obstacle(const Function &Kernel, const Reason &Otherwise) {
  auto [Name, Parameter] = Kernel.getFnAttribute(Attribute).getValueAsString().split(':');
  place_reason Why = place_reason_named(Name.str().c_str());
  return Why == PLACE_WHY_NONE ? Otherwise : Reason(Why, Parameter);
}

} // namespace place
