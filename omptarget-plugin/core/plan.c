/* Plans: from what the solver chose to what the runtime launches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"

/* A load through the agnostic version's selector takes a uniform branch. */
/* A switch at each load, and no joined loads: measured on an H200 against the special version of the same plan, 1.65 (random
 * look-up) to 3.3 (64-tap filter) times its time (benchmarks/RESULTS.md). */
static const double agnostic_penalty = 1.65;
enum { BRUTE_MOST_PLANS = 1024 };

struct session { /* one call's working data */
  struct cost_input in;
  struct candidate *candidates;
  struct walk walk;
  struct traits traits;
  struct solve_problem problem;
};

static void session_close(struct session *s) {
  free(s->candidates);
  walk_free(&s->walk);
  traits_free(&s->traits);
  free(s);
}

static int session_fill(struct session *s, const struct place_table *table, const struct place_profile *profile,
                        struct place_diag *diag) {
  const struct place_region *region = s->in.region;
  struct place_extent *window = malloc((region->array_count + 1) * sizeof *window);
  s->candidates = calloc(region->array_count + 1, sizeof *s->candidates);
  int rc = window && s->candidates ? 0 : place_diag_set(diag, "%s: out of memory", region->entry);
  if (rc == 0) rc = candidates_find(table, region, s->in.launch, s->in.machine, s->candidates, diag);
  for (size_t i = 0; rc == 0 && i < region->array_count; i++) window[i] = s->candidates[i].window;
  if (rc == 0) rc = walk_launch(table, region, s->in.launch, profile, window, &s->walk, diag);
  s->in.candidates = s->candidates;
  s->in.walk = &s->walk;
  s->in.traits = &s->traits;
  if (rc == 0) rc = traits_find(region, s->in.machine, &s->walk, s->candidates, &s->traits, diag);
  if (rc == 0) cost_problem(&s->in, &s->problem);
  free(window);
  return rc;
}

static struct session *session_open(const struct place_table *table, const struct place_region *region,
                                    const struct place_launch *launch, const struct place_profile *profile,
                                    const struct place_machine *machine, struct place_diag *diag) {
  struct session *s = calloc(1, sizeof *s);
  if (!s) return place_diag_set(diag, "%s: out of memory", region->entry), NULL;
  s->in = (struct cost_input){.region = region, .launch = launch, .machine = machine};
  if (session_fill(s, table, profile, diag) == 0) return s;
  session_close(s);
  return NULL;
}

/* ---- versions ---- */

static bool version_matches(const struct place_region *region, const struct place_version *version, const uint8_t *space) {
  for (size_t i = 0; i < region->array_count; i++) {
    int placeable = region->arrays[i].placeable;
    if (placeable >= 0 && version->space[i] != (int8_t)space[placeable]) return false;
  }
  return version->kind == PLACE_SPECIAL;
}

/* The version that realises the spaces, special ones first. -1: the original does; -2: none. */
static int find_version(const struct place_region *region, const uint8_t *space) {
  bool placed = false;
  for (unsigned a = 0; a < region->placeable_count; a++) placed |= space[a] != PLACE_GLOBAL;
  if (!placed) return -1;
  for (size_t v = 0; v < region->version_count; v++)
    if (version_matches(region, &region->versions[v], space)) return (int)v;
  for (size_t v = 0; v < region->version_count; v++)
    if (region->versions[v].kind == PLACE_AGNOSTIC) return (int)v;
  return -2;
}

/* ---- plans ---- */

static void set_array(const struct session *s, size_t i, const uint8_t *space, struct place_plan *plan) {
  int placeable = s->in.region->arrays[i].placeable;
  if (placeable < 0) return;
  struct place_plan_array *array = &plan->array[placeable];
  array->space = (enum place_space)space[placeable];
  if (array->space != PLACE_CONSTANT && array->space != PLACE_SHARED) return;
  array->window_lo = s->candidates[i].window.lo;
  array->window_bytes = s->candidates[i].window.bytes;
  if (array->space == PLACE_SHARED) plan->shared_bytes += (uint32_t)candidates_shared_slot(array->window_bytes);
}

/* False if no version realises the spaces, or they do not fit. */
static bool plan_of(const struct session *s, const uint8_t *space, struct place_plan *plan) {
  const struct place_region *region = s->in.region;
  memset(plan, 0, sizeof *plan);
  plan->version = find_version(region, space);
  plan->cost_ns = solve_cost(&s->problem, space);
  if (plan->version == -2 || !isfinite(plan->cost_ns)) return false;
  if (plan->version >= 0 && region->versions[plan->version].kind == PLACE_AGNOSTIC) plan->cost_ns *= agnostic_penalty;
  plan->placeable_count = region->placeable_count;
  for (size_t i = 0; i < region->array_count; i++) set_array(s, i, space, plan);
  plan->teams = cost_staged_teams(region, s->in.launch, s->in.machine, plan->shared_bytes);
  return true;
}

/* ---- ranking ---- */

struct ranking {
  struct place_plan *plans;
  int count, capacity;
};

static bool same_spaces(const struct place_plan *a, const struct place_plan *b) {
  for (unsigned i = 0; i < a->placeable_count; i++)
    if (a->array[i].space != b->array[i].space) return false;
  return true;
}

static bool all_global(const struct place_plan *plan) {
  for (unsigned i = 0; i < plan->placeable_count; i++)
    if (plan->array[i].space != PLACE_GLOBAL) return false;
  return true;
}

/* Inserts in order of cost; the last falls off when full, but never the plan with everything in global memory. */
static void rank_add(struct ranking *r, const struct place_plan *plan) {
  for (int i = 0; i < r->count; i++)
    if (same_spaces(&r->plans[i], plan)) return;
  int at = r->count;
  if (r->capacity == 0) return;
  if (r->count == r->capacity) {
    int victim = all_global(&r->plans[r->count - 1]) ? r->count - 2 : r->count - 1;
    if (victim < 0 || (plan->cost_ns >= r->plans[victim].cost_ns && !all_global(plan))) return;
    memmove(&r->plans[victim], &r->plans[victim + 1], (size_t)(r->count - 1 - victim) * sizeof *plan);
    at = --r->count;
  }
  while (at > 0 && plan->cost_ns < r->plans[at - 1].cost_ns) r->plans[at] = r->plans[at - 1], at--;
  r->plans[at] = *plan;
  r->count++;
}

static void rank_spaces(const struct session *s, const uint8_t *space, struct ranking *r) {
  struct place_plan plan;
  for (unsigned a = 0; a < s->problem.arrays; a++)
    if (!(s->problem.allowed[a] & PLACE_SPACE_BIT(space[a]))) return;
  if (plan_of(s, space, &plan)) rank_add(r, &plan);
}

static void rank_versions(const struct session *s, struct ranking *r) {
  const struct place_region *region = s->in.region;
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  rank_spaces(s, space, r); /* all global: the original */
  for (size_t v = 0; v < region->version_count; v++) {
    if (region->versions[v].kind != PLACE_SPECIAL) continue;
    for (size_t i = 0; i < region->array_count; i++)
      if (region->arrays[i].placeable >= 0) space[region->arrays[i].placeable] = (uint8_t)region->versions[v].space[i];
    rank_spaces(s, space, r);
  }
}

static int solve(const struct session *s, enum place_solver solver, struct solve_result *result, struct place_diag *diag) {
  const struct solve_problem *p = &s->problem;
  bool few = solve_plan_count(p) <= BRUTE_MOST_PLANS;
  if (solver == PLACE_SOLVER_AUTO)
    solver = few ? PLACE_SOLVER_BRUTE : p->arrays <= PLACE_ILP_MAX_ARRAYS ? PLACE_SOLVER_ILP : PLACE_SOLVER_GREEDY;
  if (solver == PLACE_SOLVER_BRUTE) return solve_brute(p, result, diag);
  if (solver == PLACE_SOLVER_ILP && solve_ilp(p, result, diag) == 0) return 0;
  return solve_greedy(p, result, diag); /* also when GLPK fails */
}

static void summarise(const struct session *s, struct place_array_summary *summary) {
  const struct place_region *region = s->in.region;
  for (size_t i = 0; i < region->array_count; i++) {
    struct place_array_summary *out = &summary[i];
    const struct array_traits *t = &s->traits.array[i];
    memset(out, 0, sizeof *out);
    memcpy(out->pattern, t->pattern, sizeof out->pattern);
    out->accesses_per_warp = t->accesses_per_warp;
    out->candidates = s->candidates[i].spaces;
    memcpy(out->excluded, s->candidates[i].excluded, sizeof out->excluded);
  }
  for (size_t i = 0; i < region->access_count; i++) { /* mean over the array's accesses, by how often they run */
    struct place_array_summary *out = &summary[region->accesses[i].array];
    double share = out->accesses_per_warp > 0 ? s->walk.access[i].executions / out->accesses_per_warp : 0;
    for (unsigned p = 0; p < PLACE_SPACE_COUNT; p++) {
      unsigned levels = traits_chain(s->in.machine, (enum place_space)p).count;
      unsigned level = p == PLACE_CONSTANT && levels ? levels - 1 : 0; /* the caches hide nothing of a constant's divergence */
      if (out->candidates & PLACE_SPACE_BIT(p)) out->transactions[p] += share * s->traits.access[i].transactions[p][level];
    }
  }
}

int place_plan_rank(const struct place_table *table, const struct place_region *region, const struct place_launch *launch,
                    const struct place_profile *profile, const struct place_machine *machine,
                    const struct place_options *options, struct place_plan *plans, int capacity,
                    struct place_array_summary *summary, struct place_diag *diag) {
  struct session *s = session_open(table, region, launch, profile, machine, diag);
  struct ranking ranking = {plans, 0, capacity < 0 ? 0 : capacity};
  struct solve_result best;
  if (!s) return -1;
  int rc = solve(s, options ? options->solver : PLACE_SOLVER_AUTO, &best, diag);
  if (rc == 0) {
    rank_versions(s, &ranking);
    rank_spaces(s, best.space, &ranking);
    if (summary) summarise(s, summary);
  }
  session_close(s);
  return rc ? -1 : ranking.count;
}

/* ---- a given plan ---- */

static int check_spaces(const struct session *s, const enum place_space *spaces, uint8_t *space, struct place_diag *diag) {
  const struct place_region *region = s->in.region;
  for (size_t i = 0; i < region->array_count; i++) {
    int placeable = region->arrays[i].placeable;
    if (placeable < 0) continue;
    enum place_space wanted = spaces[placeable];
    if ((unsigned)wanted >= PLACE_SPACE_COUNT)
      return place_diag_set(diag, "%s: array %s: there is no space %d", region->entry, region->arrays[i].name, (int)wanted);
    if (!(s->candidates[i].spaces & PLACE_SPACE_BIT(wanted)))
      return place_diag_set(diag, "%s: array %s cannot be in %s: %s", region->entry, region->arrays[i].name,
                            place_space_name(wanted), s->candidates[i].excluded[wanted]);
    space[placeable] = (uint8_t)wanted;
  }
  return 0;
}

int place_plan_make(const struct place_table *table, const struct place_region *region, const struct place_launch *launch,
                    const enum place_space *spaces, const struct place_machine *machine, struct place_plan *plan,
                    struct place_diag *diag) {
  struct session *s = session_open(table, region, launch, NULL, machine, diag);
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  if (!s) return -1;
  int rc = check_spaces(s, spaces, space, diag);
  if (rc == 0 && !plan_of(s, space, plan))
    rc = place_diag_set(diag, find_version(region, space) == -2
                                  ? "%s: no version of the kernel has these spaces"
                                  : "%s: the arrays do not fit into constant or shared memory together", region->entry);
  session_close(s);
  return rc;
}
