#include "launch.h"

#include "check.h"
#include "count.h"
#include "extents.h"
#include "finding.h"
#include "placement.h"
#include "registry.h"
#include "team.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORKERS = 64, DEFAULT_STACK_BYTES = 256 * 1024, SHARED_CAPACITY_BYTES = 48 * 1024 };

__thread struct simt_request simt_request;

// The helpers sleep until `generation` changes; the launching thread is worker 0.
static struct {
  pthread_mutex_t launch_lock; // one launch at a time
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  struct simt_launch_state *launch;
  uint64_t generation, launches;
  uint32_t workers, busy;
  uint64_t stack_bytes;
} pool = {.launch_lock = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .work = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

static struct simt_team *teams[MAX_WORKERS];

uint32_t simt_worker_count(void) { return pool.workers; }

static void reserve_team(struct simt_team **slot, uint32_t worker, struct simt_launch_state *launch) {
  if (!*slot) {
    *slot = calloc(1, sizeof **slot);
    if (!*slot)
      simt_fatal("no memory for a team");
    (*slot)->worker = worker;
  }
  struct simt_team *team = *slot;
  team->launch = launch;
  if (!simt_stacks_reserve(&team->stacks, launch->grid.threads > 128 ? SIMT_MAX_THREADS : 128, pool.stack_bytes))
    simt_fatal("no memory for the stacks of %u threads", launch->grid.threads);
  uint64_t bytes = launch->static_shared_bytes + launch->dynamic_shared_bytes;
  if (team->shared_bytes < bytes || !team->shared) {
    free(team->shared);
    team->shared_bytes = (bytes + 4095) / 4096 * 4096 + 4096;
    team->shared = aligned_alloc(4096, team->shared_bytes);
    if (!team->shared)
      simt_fatal("no memory for %llu bytes of shared memory", (unsigned long long)bytes);
    memset(team->shared, 0, team->shared_bytes);
  }
}

static void run_teams(struct simt_launch_state *launch, uint32_t worker) {
  struct simt_team **slot = &teams[worker];
  reserve_team(slot, worker, launch);
  if (launch->checking)
    simt_check_reserve(*slot);
  for (;;) {
    uint32_t number = atomic_fetch_add(&launch->next_team, 1);
    if (number >= launch->grid.teams)
      return;
    simt_team_run(*slot, launch, number);
  }
}

static void *helper_main(void *argument) {
  uint32_t worker = (uint32_t)(uintptr_t)argument;
  uint64_t seen = 0;
  for (;;) {
    pthread_mutex_lock(&pool.lock);
    while (pool.generation == seen)
      pthread_cond_wait(&pool.work, &pool.lock);
    seen = pool.generation;
    struct simt_launch_state *launch = pool.launch;
    pthread_mutex_unlock(&pool.lock);
    run_teams(launch, worker);
    pthread_mutex_lock(&pool.lock);
    if (--pool.busy == 0)
      pthread_cond_signal(&pool.done);
    pthread_mutex_unlock(&pool.lock);
  }
  return NULL;
}

static void start_pool(void) {
  if (pool.workers)
    return;
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t wanted = simt_environment_number("SIMT_THREADS", online > 0 ? (uint64_t)online : 1);
  pool.workers = wanted < 1 ? 1 : wanted > MAX_WORKERS ? MAX_WORKERS : (uint32_t)wanted;
  pool.stack_bytes = simt_environment_number("SIMT_STACK_BYTES", DEFAULT_STACK_BYTES) / 4096 * 4096;
  for (uint32_t i = 1; i < pool.workers; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, helper_main, (void *)(uintptr_t)i) != 0)
      simt_fatal("cannot start worker %u", i);
    pthread_detach(thread);
  }
}

static void run_on_pool(struct simt_launch_state *launch) {
  bool parallel = pool.workers > 1 && launch->grid.teams > 1;
  if (parallel) {
    pthread_mutex_lock(&pool.lock);
    pool.launch = launch;
    pool.busy = pool.workers - 1;
    pool.generation++;
    pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.lock);
  }
  run_teams(launch, 0);
  if (!parallel)
    return;
  pthread_mutex_lock(&pool.lock);
  while (pool.busy)
    pthread_cond_wait(&pool.done, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
}

static void trace(const struct simt_launch_state *launch) {
  if (simt_environment_number("SIMT_TRACE", 0))
    fprintf(stderr, "simt: launch %llu of %s: %u teams of %u threads, %llu bytes of dynamic shared memory\n",
            (unsigned long long)launch->number, launch->kernel->name, launch->grid.teams, launch->grid.threads,
            (unsigned long long)launch->dynamic_shared_bytes);
}

// libomptarget 19 asks CUDA for no more than this; a launch that needs more fails on a GPU.
static void check_capacity(const struct simt_launch_state *launch) {
  if (launch->dynamic_shared_bytes > SHARED_CAPACITY_BYTES)
    simt_finding_host("shared-capacity",
                      "launch of %s with %llu bytes of dynamic shared memory: a GPU gives it at most %d",
                      launch->kernel->name, (unsigned long long)launch->dynamic_shared_bytes, SHARED_CAPACITY_BYTES);
}

void simt_launch(const struct simt_kernel *kernel, const uint64_t *arguments) {
  struct simt_request request = simt_request;
  pthread_mutex_lock(&pool.launch_lock);
  start_pool();
  struct simt_launch_state launch = {
      .kernel = kernel,
      .arguments = arguments,
      .request = &request,
      .grid = simt_choose_grid(kernel, &request),
      .static_shared_bytes = simt_registry_shared_bytes(),
      .dynamic_shared_bytes = request.dynamic_shared_bytes,
      .number = ++pool.launches,
      .checking = simt_check_enabled(),
      .counting = simt_count_enabled(),
  };
  trace(&launch);
  check_capacity(&launch);
  if (launch.checking || launch.counting) {
    simt_mapper_note_mapped(-1);
    simt_extents_begin_launch(&launch);
    simt_placement_begin_launch(&launch);
  }
  if (launch.checking)
    simt_placement_check_constants(&launch);
  if (launch.counting)
    simt_count_begin_launch(&launch);
  run_on_pool(&launch);
  if (launch.counting)
    simt_count_end_launch(&launch);
  pthread_mutex_unlock(&pool.launch_lock);
}
