// A launch: the grid that libomptarget's CUDA plugin would choose, and the pool of workers that runs its teams.
//
// Ownership: the launch state belongs to the native thread that launches, for the time of the launch.
// Thread-safety: launches from several native threads run one after the other; teams of a launch run in parallel.
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include "simt_abi.h"

#include <stdatomic.h>
#include <stddef.h>

// What the program asks for; 0 means unset. Comes from the interposed __tgt_target_kernel.
struct simt_request {
  bool known;
  uint32_t teams, threads; // num_teams and thread_limit
  uint64_t trip_count, dynamic_shared_bytes;
  // What the region maps; the kernel's arguments are the entries with SIMT_MAP_ARGUMENT, in order, from number 1.
  uint32_t map_count;
  void **map_bases, **map_begins; // host addresses
  const int64_t *map_bytes, *map_types;
  void **map_names; // null without -g; ";name;file;line;column;;"
};

#define SIMT_MAP_TO 0x1
#define SIMT_MAP_ARGUMENT 0x20
#define SIMT_MAP_LITERAL 0x100

struct simt_grid {
  uint32_t teams, threads;
};

struct simt_launch_state {
  const struct simt_kernel *kernel;
  const uint64_t *arguments;
  const struct simt_request *request;
  struct simt_grid grid;
  uint64_t static_shared_bytes, dynamic_shared_bytes;
  uint64_t number; // counts launches from 1
  bool checking, counting;
  _Atomic uint32_t next_team;
};

// The request of the launch that this native thread is about to make.
extern __thread struct simt_request simt_request;

// The size of the buffer through which the teams of a kernel reduce; 0 for none.
uint64_t simt_reduction_buffer_bytes(const struct simt_kernel *kernel);

struct simt_grid simt_choose_grid(const struct simt_kernel *kernel, const struct simt_request *request);

// The value of an environment variable as a number, or fallback if it is unset or not a number.
uint64_t simt_environment_number(const char *name, uint64_t fallback);

uint32_t simt_worker_count(void);

#endif
