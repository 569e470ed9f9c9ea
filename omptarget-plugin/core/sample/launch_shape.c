/* Shape of a launch. */
#include "launch_shape.h"

uint32_t shape_threads(const struct place_region *region, const struct place_launch *launch) {
  return launch->threads ? launch->threads : region->threads ? region->threads : SHAPE_DEFAULT_THREADS;
}

uint32_t shape_default_teams(const struct place_region *region, const struct place_launch *launch) {
  uint32_t threads = shape_threads(region, launch);
  if (launch->teams) return launch->teams;
  if (!launch->trip_count) return SHAPE_DEFAULT_TEAMS;
  uint64_t teams = (launch->trip_count - 1) / threads + 1;
  return teams < SHAPE_DEFAULT_TEAMS ? (uint32_t)teams : SHAPE_DEFAULT_TEAMS;
}

uint32_t shape_warps_per_team(const struct place_region *region, const struct place_launch *launch) {
  return (shape_threads(region, launch) + SHAPE_WARP - 1) / SHAPE_WARP;
}

void shape_unasked(const struct place_region *region, const struct place_launch *launch, uint32_t *threads, uint32_t *teams) {
  uint64_t trips = launch->trip_count, full = SHAPE_DEFAULT_TEAMS;
  *threads = shape_threads(region, launch);
  *teams = shape_default_teams(region, launch);
  if (launch->teams || !trips || *threads <= SHAPE_LEAST_THREADS || trips >= full * *threads) return;
  uint64_t each = trips >= full * SHAPE_LEAST_THREADS ? (trips + full - 1) / full : SHAPE_LEAST_THREADS;
  uint32_t power = 1;
  while (power < each) power *= 2;
  if (power < *threads) *threads = power;
  uint64_t all = (trips - 1) / *threads + 1;
  *teams = all < full ? (uint32_t)all : (uint32_t)full;
}

/* Iteration numbers of a loop that makes `trips` iterations: unsigned, so what may be negative may be huge. */
static struct place_range iterations(struct place_range trips) {
  if (!trips.known || trips.lo < 0) return (struct place_range){0, INT64_MAX, true};
  return (struct place_range){0, trips.hi > 0 ? trips.hi - 1 : 0, true};
}

void shape_box(const struct place_table *table, const struct place_region *region, const struct place_launch *launch,
               struct place_range *loop, struct place_box *box) {
  /* Where the program fixes a number of teams, libomptarget may still launch fewer; where not, any number up to the
   * device's limit. */
  int64_t threads = shape_threads(region, launch), teams = launch->teams ? launch->teams : INT32_MAX;
  if (!launch->threads && !region->threads) threads = 1024;
  *box = (struct place_box){.tid = {0, threads - 1, true}, .team = {0, teams - 1, true}, .threads = {threads, threads, true},
                            .teams = {1, teams, true}, .loop = loop, .loops = 0, .arg = launch->arg,
                            .arg_known = launch->arg_known, .args = launch->args};
  if (!launch->threads && !region->threads) box->threads.lo = 1;
  for (size_t i = 0; i < region->loop_count; i++) { /* parents come first */
    loop[i] = iterations(place_expr_bound(&table->exprs, region->loops[i].trips, box));
    box->loops = i + 1;
  }
}
