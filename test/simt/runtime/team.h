// One team of device threads on one worker: its threads, warps, barriers and shared memory, and the scheduler that
// runs each thread's fiber until it waits.
//
// Units: bytes; epochs count barriers since the worker started and never repeat within a worker.
// Ownership: a team belongs to one worker and is reused for all the teams that the worker runs.
// Thread-safety: none needed; only the worker and the fibers it runs touch its team.
// Errors: a team whose threads wait for each other for ever is reported as a finding and ends the program.
#ifndef SIMT_TEAM_H
#define SIMT_TEAM_H

#include "fiber.h"
#include "simt_abi.h"

enum { SIMT_MAX_THREADS = 1024, SIMT_MAX_WARPS = SIMT_MAX_THREADS / SIMT_WARP_LANES, SIMT_BARRIERS = 16 };

enum simt_state { SIMT_READY, SIMT_SPINNING, SIMT_AT_BARRIER, SIMT_AT_WARP_OPERATION, SIMT_LOG_FULL, SIMT_EXITED };

enum simt_operation {
  SIMT_OPERATION_SYNC, SIMT_OPERATION_SHUFFLE, SIMT_OPERATION_VOTE, SIMT_OPERATION_MATCH, SIMT_OPERATION_REDUX,
  SIMT_OPERATION_ACTIVEMASK
};

// What a lane brings to a warp operation, and what it takes away.
struct simt_warp_request {
  enum simt_operation operation;
  uint32_t mode, mask;
  uint64_t value;
  uint32_t lane, clamp;
  uint64_t result;
};

struct simt_async;

struct simt_thread {
  struct simt_context context; // first: simt_self points here
  enum simt_state state;
  void *stack_pointer;
  const struct simt_site *site; // where it waits
  uint32_t barrier;             // which it waits at
  struct simt_warp_request request;
  uint32_t spins;
  struct simt_async *copies; // async.c: issued and not yet waited for, oldest first
  uint32_t copy_count, copy_capacity;
  uint32_t copy_group; // that the next copy belongs to
};

struct simt_warp {
  uint32_t alive, waiting; // lanes
  uint32_t epoch;          // counts bar.warp.sync of the whole warp
};

struct simt_barrier_state {
  uint32_t arrived, expected; // expected 0: every thread alive
  uint32_t predicate_count, result;
  const struct simt_site *site; // of the first to arrive
  bool aligned;
};

struct simt_launch_state;
struct simt_trace;

struct simt_team {
  struct simt_launch_state *launch;
  uint32_t number, thread_count, alive;
  uint32_t worker;
  uint64_t epoch, first_epoch; // now, and at the start of this team
  void *scheduler_stack_pointer;
  struct simt_thread *running;
  struct simt_trace *trace; // replay.h, where accesses are counted
  struct simt_stacks stacks;
  char *shared; // static variables, then dynamic memory
  uint64_t shared_bytes;
  struct simt_warp warps[SIMT_MAX_WARPS];
  uint32_t waited_at; // of the barriers, by bit
  struct simt_barrier_state barriers[SIMT_BARRIERS];
  struct simt_thread threads[SIMT_MAX_THREADS];
};

// The team whose thread runs on this native thread; null outside of device code.
extern __thread struct simt_team *simt_team;

// Runs all threads of team `number` of the launch to their end.
void simt_team_run(struct simt_team *team, struct simt_launch_state *launch, uint32_t number);

// For the running thread: wait in `state` until another thread or the scheduler makes it ready.
void simt_team_wait(enum simt_state state, const struct simt_site *site);

static inline struct simt_thread *simt_thread_self(void) { return (struct simt_thread *)simt_self; }
static inline struct simt_warp *simt_warp_of(struct simt_team *team, const struct simt_thread *thread) {
  return &team->warps[thread->context.warp];
}
static inline struct simt_thread *simt_lane(struct simt_team *team, uint32_t warp, uint32_t lane) {
  return &team->threads[warp * SIMT_WARP_LANES + lane];
}

// barrier.c: a thread has ended; true if that completed a barrier.
bool simt_barrier_after_exit(struct simt_team *team);
// warp.c: no lane of the warp can run; completes what can be completed. True if a lane became ready.
bool simt_warp_resolve(struct simt_team *team, uint32_t warp);

#endif
