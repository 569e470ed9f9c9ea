//===- LeanMeaning.cpp - Functions of the device runtime --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LeanMeaning.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace place {

Meaning meaningOf(StringRef Name) {
  return StringSwitch<Meaning>(Name)
      .StartsWith("__kmpc_for_static_init_", Meaning::For)
      .StartsWith("__kmpc_distribute_static_init_", Meaning::Distribute)
      .StartsWith("__kmpc_dispatch_init_", Meaning::DispatchInit)
      .StartsWith("__kmpc_dispatch_next_", Meaning::DispatchNext)
      .StartsWith("__kmpc_dispatch_fini_", Meaning::Nothing)
      .Cases("__kmpc_for_static_fini", "__kmpc_distribute_static_fini", "__kmpc_dispatch_deinit", Meaning::Nothing)
      .Cases("__kmpc_end_single", "__kmpc_end_master", "__kmpc_end_masked", Meaning::Nothing)
      .Cases("__kmpc_target_deinit", "__kmpc_push_proc_bind", Meaning::Nothing)
      .Case("__kmpc_target_init", Meaning::Init)
      .Case("__kmpc_alloc_shared", Meaning::Allocate)
      .Case("__kmpc_free_shared", Meaning::Free)
      .Case("__kmpc_global_thread_num", Meaning::GlobalThread)
      .Case("__kmpc_get_hardware_num_threads_in_block", Meaning::TeamThreads)
      .Case("__kmpc_get_hardware_thread_id_in_block", Meaning::TeamThread)
      .Cases("__kmpc_single", "__kmpc_master", "__kmpc_masked", Meaning::OneThread)
      .Case("omp_get_team_num", Meaning::TeamNumber)
      .Case("omp_get_num_teams", Meaning::TeamCount)
      .Case("omp_get_thread_num", Meaning::ThreadNumber)
      .Case("omp_get_num_threads", Meaning::ThreadCount)
      .Case("omp_get_level", Meaning::Level)
      .Cases("omp_get_active_level", "omp_in_parallel", Meaning::InParallel)
      .Case("__kmpc_is_spmd_exec_mode", Meaning::Spmd)
      .Cases("__kmpc_barrier", "__kmpc_barrier_simple_spmd", Meaning::Barrier)
      .Case("__kmpc_nvptx_parallel_reduce_nowait_v2", Meaning::Reduce)
      .Case("__kmpc_reduction_get_fixed_buffer", Meaning::TeamsBuffer)
      .Case("__kmpc_nvptx_teams_reduce_nowait_v2", Meaning::TeamsReduce)
      .Default(Meaning::Unknown);
}

} // namespace place
