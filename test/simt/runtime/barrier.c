// Barriers of a team: barrier0, numbered barriers with and without a thread count, and barriers that reduce.
#include "check.h"
#include "finding.h"
#include "team.h"

static void release(struct simt_team *team, uint32_t id) {
  struct simt_barrier_state *barrier = &team->barriers[id];
  for (uint32_t i = 0; i < team->thread_count; i++) {
    struct simt_thread *thread = &team->threads[i];
    if (thread->state == SIMT_AT_BARRIER && thread->barrier == id)
      thread->state = SIMT_READY;
  }
  team->epoch++;
  barrier->result = barrier->predicate_count;
  barrier->arrived = barrier->predicate_count = 0;
  team->waited_at &= ~(1u << id);
}

static bool complete(const struct simt_team *team, const struct simt_barrier_state *barrier) {
  uint32_t expected = barrier->expected ? barrier->expected : team->alive;
  return barrier->arrived > 0 && barrier->arrived >= expected;
}

static void arrive(struct simt_team *team, uint32_t id, uint32_t threads, bool aligned, const struct simt_site *site) {
  struct simt_barrier_state *barrier = &team->barriers[id % SIMT_BARRIERS];
  if (barrier->arrived == 0) {
    barrier->site = site;
    barrier->aligned = aligned;
    barrier->expected = threads;
  } else if (barrier->aligned && aligned && barrier->site != site) {
    simt_finding_barrier(site, barrier->site);
  }
  barrier->arrived++;
  team->waited_at |= 1u << id % SIMT_BARRIERS;
  simt_thread_self()->barrier = id % SIMT_BARRIERS;
  if (complete(team, barrier)) {
    if (aligned && team->alive < team->thread_count)
      simt_finding_barrier_exited(site, team);
    release(team, id % SIMT_BARRIERS);
  } else {
    simt_team_wait(SIMT_AT_BARRIER, site);
  }
}

void simt_barrier(uint32_t id, uint32_t threads, uint32_t aligned, const struct simt_site *site) {
  arrive(simt_team, id, threads, aligned != 0, site);
}

uint32_t simt_barrier_reduce(uint32_t reduction, uint32_t predicate, const struct simt_site *site) {
  struct simt_team *team = simt_team;
  team->barriers[0].predicate_count += predicate != 0;
  arrive(team, 0, 0, true, site);
  uint32_t count = team->barriers[0].result;
  switch ((enum simt_barrier_reduction)reduction) {
  case SIMT_BARRIER_AND:
    return count == team->thread_count;
  case SIMT_BARRIER_OR:
    return count > 0;
  default:
    return count;
  }
}

bool simt_barrier_after_exit(struct simt_team *team) {
  bool any = false;
  for (uint32_t left = team->waited_at; left; left &= left - 1) {
    uint32_t id = (uint32_t)__builtin_ctz(left);
    if (!team->barriers[id].expected && complete(team, &team->barriers[id])) {
      if (team->barriers[id].aligned)
        simt_finding_barrier_exited(team->barriers[id].site, team);
      release(team, id);
      any = true;
    }
  }
  return any;
}
