//===- Reason.cpp - Why something is left as it is --------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Reason.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Function.h"
#include <cstdlib>

using namespace llvm;

namespace place {

std::string Reason::text() const {
  std::string Text(place_reason_print(Why, Parameter.c_str(), nullptr, 0), '\0');
  place_reason_print(Why, Parameter.c_str(), Text.data(), Text.size() + 1);
  return Text;
}

std::string Reason::named() const { return text() + " [" + name().str() + "]"; }

static std::string demangled(StringRef Symbol) {
  ItaniumPartialDemangler D; // keeps pointers into what it is given
  const std::string Mangled = Symbol.str();
  if (D.partialDemangle(Mangled.c_str()) || !D.isFunction())
    return demangle(Symbol);
  auto Take = [](char *Text) {
    std::string Name = Text ? Text : "";
    std::free(Text);
    return Name;
  };
  std::string Context = Take(D.getFunctionDeclContextName(nullptr, nullptr));
  return (Context.empty() ? "" : Context + "::") + Take(D.getFunctionBaseName(nullptr, nullptr));
}

// clang's names for what the program writes in another way.
std::string sourceName(StringRef Symbol) {
  static const std::pair<const char *, const char *> Known[] = {
      {"vprintf", "printf"},          {"__llvm_omp_vprintf", "printf"},  {"__assertfail", "assert"},
      {"__assert_fail", "assert"},    {"__kmpc_critical", "critical"},   {"__kmpc_omp_task", "task"},
      {"__kmpc_taskwait", "taskwait"}, {"__kmpc_single", "single"},      {"__kmpc_flush", "flush"},
      {"__kmpc_ordered", "ordered"},  {"__kmpc_dispatch", "schedule"},   {"__kmpc_parallel_51", "parallel"},
      {"__kmpc_barrier", "barrier"},  {"__kmpc_nvptx", "reduction"},     {"__kmpc_global_thread_num", "the thread's number"}};
  if (Symbol.contains("__omp_offloading_") || Symbol.contains("omp_outlined"))
    return "code of a parallel region";
  for (auto [Prefix, Name] : Known)
    if (Symbol.starts_with(Prefix))
      return Name;
  return demangled(Symbol);
}

std::string sourceName(const Function &F) { return sourceName(F.getName()); }

} // namespace place
