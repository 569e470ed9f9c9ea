//===- PlanQueue.cpp - async and wait ---------------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between place_acc_async_begin and place_acc_async_end is done by a queue of libplacert: kernels, mappings and updates,
// whose arguments are evaluated here. What the host must see done at once waits for its queue instead.
//
//===----------------------------------------------------------------------===//
#include "Planner.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace place::acc {

using K = ClauseKind;

static const char Synchronous[] = "- 2"; // acc_async_sync: no queue

// A call for each queue that is waited for; Waiting: who waits, a queue or, where it is none, the host.
void Planner::waits(const std::vector<Item> &Items, llvm::StringRef Waiting) {
  const Item *Device = nullptr;
  bool All = true;
  for (const Item &I : Items) {
    if (I.Keyword == "devnum") {
      Device = &I;
      continue;
    }
    All = false;
    W.wrapped("place_acc_wait_device ( (", I.Text);
    W.words(", " + Waiting.str() + " ,");
    Device ? W.wrapped("(", Device->Text) : W.words("- 1");
    W.words(") ;");
  }
  if (All)
    W.words("place_acc_wait_all ( " + Waiting.str() + " ) ;");
}

void Planner::queueOf(const Clause &Async) {
  W.words("int place_acc_queue =");
  Async.Items.empty() ? W.words("- 1") : W.wrapped("(", Async.Items[0].Text);
  W.words(";");
}

// Able: all of it may be put off.
void Planner::queued(const Directive &D, bool Able, llvm::function_ref<void()> Write) {
  const Clause *Async = D.find(K::Async);
  if (!Async && !D.has(K::Wait))
    return Write();
  W.at(D.At);
  W.words("{");
  if (Async)
    queueOf(*Async);
  for (const Clause &C : D.Clauses)
    if (C.Kind == K::Wait)
      waits(C.Items, Async ? "place_acc_queue" : Synchronous);
  if (Async)
    W.words(Able ? "place_acc_async_begin ( place_acc_queue ) ;" : "place_acc_wait ( place_acc_queue , - 2 ) ;");
  Write();
  W.at(D.At);
  if (Async && Able)
    W.words("place_acc_async_end ( ) ;");
  W.words("}");
}

// In kernels, scalars are the host's own: what uses them waits for what the queue has, and the rest of the construct follows at once.
void Planner::leaveQueue(const Directive &D) {
  if (D.Kind == DirectiveKind::Kernels && D.has(K::Async) && !D.hasAny({K::If, K::Self}))
    W.words("place_acc_async_end ( ) ; place_acc_wait ( place_acc_queue , - 2 ) ;");
}

void Planner::wait(const Directive &D) {
  const Clause *Async = D.find(K::Async);
  W.words("{");
  if (const Clause *If = D.find(K::If))
    W.wrapped("if (", If->Items[0].Text);
  W.words("{");
  if (Async)
    queueOf(*Async);
  waits(D.Items, Async ? "place_acc_queue" : Synchronous);
  W.words("} }");
}

} // namespace place::acc
