/* What the profiling version logged, as the walk takes it. */
#include "walker.h"

#include <stdlib.h>

static const uint32_t *log_counts(const struct walker *w, int log) {
  return w->profile + ((size_t)w->slot * PLACE_PROFILE_ACCESSES + (size_t)log) * 32;
}

const uint32_t *walker_log_entry(const struct walker *w, int log, uint32_t e) {
  size_t row = ((size_t)w->slot * PLACE_PROFILE_ACCESSES + (size_t)log) * PLACE_PROFILE_ENTRIES + e;
  return w->profile + PLACE_PROFILE_COUNT_WORDS + row * 32;
}

/* Lanes that executed a logged access more than `e` times; in *most, how often the busiest lane did. */
uint32_t walker_log_active(const struct walker *w, int log, uint32_t e, uint32_t *most) {
  const uint32_t *count = log_counts(w, log);
  uint32_t active = 0;
  *most = 0;
  for (unsigned l = 0; l < 32; l++) {
    if (count[l] > *most) *most = count[l];
    active |= (uint32_t)(count[l] > e) << l;
  }
  return active;
}

void walker_find_logged_slots(struct walker *w) {
  uint32_t most;
  for (w->slot = 0; w->profile && w->slot < PLACE_PROFILE_SLOTS; w->slot++)
    for (size_t i = 0; i < w->region->access_count && !w->slot_logged[w->slot]; i++) {
      int log = w->region->accesses[i].log;
      w->slot_logged[w->slot] = log >= 0 && (walker_log_active(w, log, 0, &most), most > 0);
    }
}

/* A logged access directly in that loop, or -1: it tells how often the loop's body ran. */
int walker_witness(const struct walker *w, int loop) {
  for (size_t i = 0; w->slot_logged[w->slot] && i < w->region->access_count; i++)
    if (w->region->accesses[i].loop == loop && w->region->accesses[i].log >= 0) return w->region->accesses[i].log;
  return -1;
}

/* ---- what the profile says of loops and conditions ---- */

/* Adds a slot's counts: of loops' bodies, and of how often they were entered. */
static void add_slot(struct walker *w, double *entered, double *ran, double *executed, double *possible) {
  double body[MAX_LOOPS];
  struct lanes trips;
  uint32_t logged;
  for (size_t i = 0; i < w->region->loop_count; i++) {
    int parent = w->region->loops[i].parent, log = walker_witness(w, (int)i);
    double before = parent < 0 ? 1 : body[parent];
    w->loop[i] = 0;
    w->at.loops = i;
    bool known = lanes_eval(&w->table->exprs, w->region->loops[i].trips, &w->at, &trips); /* another shape than is bound */
    if (known) body[i] = before * (double)walker_most_trips(&trips);
    else if (log >= 0) body[i] = (walker_log_active(w, log, 0, &logged), (double)logged), entered[i] += before, ran[i] += body[i];
    else body[i] = before * (parent < 0 ? walker_distributed_trips(w) : WALK_DEFAULT_TRIPS);
  }
  for (size_t i = 0; i < w->region->access_count; i++) {
    const struct place_access *a = &w->region->accesses[i];
    if (a->log < 0 || !a->guarded) continue;
    walker_log_active(w, a->log, 0, &logged);
    executed[i] += logged;
    possible[i] += a->loop < 0 ? 1 : body[a->loop];
  }
}

/* Trips of loops and frequencies of guarded accesses, over all logged warps. */
int walker_read_profile(struct walker *w) {
  size_t n = w->region->access_count;
  double entered[MAX_LOOPS] = {0}, ran[MAX_LOOPS] = {0}, *executed = calloc(2 * n + 1, sizeof *executed);
  struct place_point walked = w->at;
  uint32_t threads, teams;
  if (!executed) return -1;
  shape_unasked(w->region, w->launch, &threads, &teams);
  for (unsigned slot = 0; w->profile && slot < PLACE_PROFILE_SLOTS && slot < teams; slot++) {
    uint64_t warps = (threads + SHAPE_WARP - 1) / SHAPE_WARP;
    uint64_t stride = teams / PLACE_PROFILE_SLOTS ? teams / PLACE_PROFILE_SLOTS : 1;
    w->slot = slot;
    w->at.threads = threads, w->at.teams = teams;
    w->at.tid = slot % warps * SHAPE_WARP, w->at.team = slot * stride;
    if (w->slot_logged[slot]) add_slot(w, entered, ran, executed, executed + n);
  }
  w->at = walked;
  for (size_t i = 0; i < w->region->loop_count; i++) w->trips_each[i] = entered[i] > 0 ? ran[i] / entered[i] : 0;
  for (size_t i = 0; i < n; i++)
    w->taken[i] = executed[n + i] > 0 && executed[i] < executed[n + i] ? executed[i] / executed[n + i] : 1;
  free(executed);
  return 0;
}

bool walker_has_entries(const uint32_t *profile) {
  for (size_t i = 0; profile && i < PLACE_PROFILE_COUNT_WORDS; i++)
    if (profile[i]) return true;
  return false;
}
