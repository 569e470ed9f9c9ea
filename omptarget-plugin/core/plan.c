/* Plans ranked by a model. */
#include <math.h>
#include <string.h>

#include "block.h"
#include "occupancy.h"
#include "session.h"
#include "straight.h"

/* What a switch at each load, and no joined loads, cost: measured on an H200 against the special version of the same plan,
 * 1.65 (random look-up) to 3.3 (64-tap filter) times its time (benchmarks/RESULTS.md). Model `place` only: the papers' models
 * know no other versions, or none that switch. */
static const double agnostic_penalty = 1.65;

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

static double version_factor(const struct session *s, int version) {
  bool agnostic = version >= 0 && s->in.region->versions[version].kind == PLACE_AGNOSTIC;
  return agnostic && s->model == &model_place ? agnostic_penalty : 1;
}

/* False if no version realises the spaces, or they do not fit. */
static bool plan_of(const struct session *s, const uint8_t *space, struct place_plan *plan) {
  const struct place_region *region = s->in.region;
  memset(plan, 0, sizeof *plan);
  plan->version = session_version(region, space);
  plan->cost_ns = session_cost(s, space, NULL);
  if (plan->version == -2 || !isfinite(plan->cost_ns)) return false;
  plan->least_ns = session_least(s, space, plan->cost_ns) * version_factor(s, plan->version);
  plan->cost_ns *= version_factor(s, plan->version);
  plan->placeable_count = region->placeable_count;
  for (size_t i = 0; i < region->array_count; i++) set_array(s, i, space, plan);
  plan->teams = occupancy_staged_teams(region, s->in.launch, s->in.machine, plan->shared_bytes);
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

/* Whether the launch lets arrays be where a version has them. */
static bool version_fits(const struct session *s, const struct place_version *version) {
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  for (size_t i = 0; i < s->in.region->array_count; i++) {
    int placeable = s->in.region->arrays[i].placeable;
    if (placeable < 0 || version->space[i] < 0) continue;
    space[placeable] = (uint8_t)version->space[i];
    if (!(s->problem.allowed[placeable] & PLACE_SPACE_BIT(space[placeable]))) return false;
  }
  return model_fits(&s->in, space, NULL);
}

/* Estimates of versions that are no plans of their own. */
static void estimate_versions(const struct session *s, double *version_ns) {
  static const uint8_t global[SOLVE_MAX_ARRAYS];
  block_costs(s, version_ns);
  for (size_t v = 0; v < s->in.region->version_count; v++)
    if (s->in.region->versions[v].kind == PLACE_BLOCK && !version_fits(s, &s->in.region->versions[v])) version_ns[v] = INFINITY;
  int straight = place_plan_straight(s->in.region);
  if (straight >= 0) version_ns[straight] = session_cost(s, global, NULL) * straight_ratio(s);
}

int place_plan_straight(const struct place_region *region) {
  for (size_t v = 0; v < region->version_count; v++) {
    bool global = region->versions[v].kind == PLACE_SPECIAL;
    for (size_t a = 0; a < region->array_count; a++) global &= region->versions[v].space[a] <= PLACE_GLOBAL;
    if (global) return (int)v;
  }
  return -1;
}

int place_plan_rank(const struct place_table *table, const struct place_region *region, const struct place_launch *launch,
                    const struct place_profile *profile, const struct place_machine *machine,
                    const struct place_options *options, struct place_plan *plans, int capacity,
                    struct place_array_summary *summary, double *version_ns, struct place_diag *diag) {
  enum place_model model = options ? options->model : PLACE_MODEL_PLACE;
  struct session *s = session_open(table, region, launch, profile, machine, model, diag);
  struct ranking ranking = {plans, 0, capacity < 0 ? 0 : capacity};
  struct solve_result best;
  if (!s) return -1;
  int rc = session_solve(s, options ? options->solver : PLACE_SOLVER_AUTO, &best, diag);
  if (rc == 0) {
    rank_versions(s, &ranking);
    rank_spaces(s, best.space, &ranking);
    if (summary) summarise(s, summary);
    if (version_ns) estimate_versions(s, version_ns);
  }
  session_close(s);
  return rc ? -1 : ranking.count;
}

int place_plan_costs(const struct place_table *table, const struct place_region *region, const struct place_launch *launch,
                     const struct place_profile *profile, const struct place_machine *machine, enum place_model model,
                     const uint8_t (*spaces)[PLACE_MAX_PLACEABLE], size_t count, double *cost_ns, struct place_diag *diag) {
  struct session *s = session_open(table, region, launch, profile, machine, model, diag);
  if (!s) return -1;
  for (size_t i = 0; i < count; i++) {
    uint8_t space[SOLVE_MAX_ARRAYS] = {0};
    bool allowed = true;
    memcpy(space, spaces[i], region->placeable_count);
    for (unsigned a = 0; a < region->placeable_count; a++)
      allowed &= space[a] < PLACE_SPACE_COUNT && s->problem.allowed[a] >> space[a] & 1;
    int version = allowed ? session_version(region, space) : -2;
    cost_ns[i] = version == -2 ? INFINITY : session_cost(s, space, NULL) * version_factor(s, version);
  }
  session_close(s);
  return 0;
}
