#include "team.h"

#include "check.h"
#include "count.h"
#include "finding.h"
#include "launch.h"

#include <stdlib.h>

__thread struct simt_context *simt_self;
__thread struct simt_team *simt_team;

static void thread_main(void) {
  struct simt_launch_state *launch = simt_team->launch;
  launch->kernel->entry(launch->arguments);
  simt_exit();
}

_Noreturn void simt_exit(void) {
  struct simt_team *team = simt_team;
  struct simt_thread *self = simt_thread_self();
  simt_warp_of(team, self)->alive &= ~(1u << self->context.lane);
  team->alive--;
  self->state = SIMT_EXITED;
  simt_barrier_after_exit(team);
  simt_fiber_switch(&self->stack_pointer, team->scheduler_stack_pointer);
  abort(); // nobody resumes an ended thread
}

void simt_team_wait(enum simt_state state, const struct simt_site *site) {
  struct simt_team *team = simt_team;
  struct simt_thread *self = simt_thread_self();
  self->state = state;
  self->site = site;
  simt_fiber_switch(&self->stack_pointer, team->scheduler_stack_pointer);
}

static void resume(struct simt_team *team, struct simt_thread *thread) {
  team->running = thread;
  simt_self = &thread->context;
  simt_fiber_switch(&team->scheduler_stack_pointer, thread->stack_pointer);
}

// Runs the lanes of one warp until each waits for another warp, spins or has ended. True if any ran.
static bool run_warp(struct simt_team *team, uint32_t warp) {
  uint32_t first = warp * SIMT_WARP_LANES;
  uint32_t last = first + SIMT_WARP_LANES;
  if (last > team->thread_count)
    last = team->thread_count;
  bool ran = false, again = true;
  while (again) {
    again = false;
    for (uint32_t i = first; i < last; i++)
      if (team->threads[i].state == SIMT_READY) {
        resume(team, &team->threads[i]);
        ran = again = true; // it may have made lanes before it ready
      }
    if (!again)
      again = simt_warp_resolve(team, warp);
    if (!again && ran && team->launch->counting)
      again = simt_count_warp_stalled(team, warp);
  }
  return ran;
}

static bool wake_spinning(struct simt_team *team) {
  bool any = false;
  for (uint32_t i = 0; i < team->thread_count; i++)
    if (team->threads[i].state == SIMT_SPINNING) {
      team->threads[i].state = SIMT_READY;
      any = true;
    }
  return any;
}

static void schedule(struct simt_team *team) {
  uint32_t warps = (team->thread_count + SIMT_WARP_LANES - 1) / SIMT_WARP_LANES;
  while (team->alive > 0) {
    bool ran = false;
    for (uint32_t w = 0; w < warps; w++)
      ran |= run_warp(team, w);
    bool woken = wake_spinning(team);
    if (!ran && !woken)
      simt_finding_deadlock(team);
  }
}

static void prepare_thread(struct simt_team *team, uint32_t number) {
  struct simt_launch_state *launch = team->launch;
  struct simt_thread *thread = &team->threads[number];
  thread->context = (struct simt_context){
      .thread = number,
      .team_threads = team->thread_count,
      .team = team->number,
      .teams = launch->grid.teams,
      .lane = number % SIMT_WARP_LANES,
      .warp = number / SIMT_WARP_LANES,
      .shared = team->shared,
      .dynamic_shared = team->shared + launch->static_shared_bytes,
  };
  thread->state = SIMT_READY;
  thread->spins = 0;
  thread->copy_count = thread->copy_group = 0;
  thread->stack_pointer = simt_fiber_prepare(simt_stack_high(&team->stacks, number), thread_main);
}

static void prepare(struct simt_team *team, struct simt_launch_state *launch, uint32_t number) {
  team->launch = launch;
  team->number = number;
  team->thread_count = team->alive = launch->grid.threads;
  team->first_epoch = ++team->epoch;
  for (uint32_t w = 0; w < SIMT_MAX_WARPS; w++) {
    uint32_t first = w * SIMT_WARP_LANES;
    uint32_t lanes = team->thread_count > first ? team->thread_count - first : 0;
    team->warps[w].alive = lanes >= SIMT_WARP_LANES ? 0xffffffffu : (1u << lanes) - 1;
    team->warps[w].waiting = 0;
  }
  for (uint32_t b = 0; b < SIMT_BARRIERS; b++)
    team->barriers[b] = (struct simt_barrier_state){0};
  team->waited_at = 0;
  for (uint32_t i = 0; i < team->thread_count; i++)
    prepare_thread(team, i);
}

void simt_team_run(struct simt_team *team, struct simt_launch_state *launch, uint32_t number) {
  prepare(team, launch, number);
  struct simt_team *outer = simt_team;
  struct simt_context *outer_self = simt_self;
  simt_team = team;
  if (launch->counting)
    simt_count_begin_team(team);
  schedule(team);
  if (launch->counting)
    simt_count_end_team(team);
  simt_team = outer;
  simt_self = outer_self;
}
