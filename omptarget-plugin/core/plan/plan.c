/* Plans ranked by a model. */
#include <math.h>
#include <string.h>

#include "occupancy.h"
#include "session.h"

/* ---- plans ---- */

static void set_array(const struct session *s, size_t i, const uint8_t *space, struct place_plan *plan) {
  int placeable = s->in.region->arrays[i].placeable;
  if (placeable < 0) return;
  struct place_plan_array *array = &plan->array[placeable];
  array->space = (enum place_space)space[placeable];
  if (!place_space_is_copy(array->space)) return;
  array->window_lo = s->candidates[i].window.lo;
  array->window_bytes = s->candidates[i].window.bytes;
  if (place_space_home(array->space) == PLACE_HOME_SHARED) plan->shared_bytes += (uint32_t)candidates_shared_slot(array->window_bytes);
}

static double version_factor(const struct session *s, int version) {
  bool open = version >= 0 && place_version_is_open(s->in.region, &s->in.region->versions[version]);
  return open ? s->model->open_factor : 1;
}

/* 1; 0 if the spaces do not fit; -1 and a diagnostic where the model's cost is no number, or infinite though nothing is copied. */
static int cost_of(const struct session *s, const uint8_t *space, int version, double *cost, struct place_diag *diag) {
  *cost = s->scale * session_cost(s, space, NULL) * version_factor(s, version);
  if (isfinite(*cost) && *cost >= 0) return 1;
  bool copies = false;
  for (unsigned a = 0; a < s->problem.arrays; a++) copies |= space[a] != PLACE_GLOBAL;
  if (*cost == INFINITY && copies) return 0;
  return place_diag_set(diag, "%s: the cost that model %s predicts is no number (%g)", s->in.region->entry, s->model->name, *cost);
}

/* The same, with the plan of these spaces by that version. */
static int plan_of(const struct session *s, const uint8_t *space, int version, struct place_plan *plan, struct place_diag *diag) {
  const struct place_region *region = s->in.region;
  memset(plan, 0, sizeof *plan);
  plan->version = version;
  int rc = cost_of(s, space, version, &plan->cost_ns, diag);
  if (rc <= 0) return rc;
  double factor = version_factor(s, version);
  plan->least_ns = session_least(s, space, plan->cost_ns / factor) * factor;
  plan->placeable_count = region->placeable_count;
  for (size_t i = 0; i < region->array_count; i++) set_array(s, i, space, plan);
  plan->teams = occupancy_staged_teams(region, s->in.launch, s->in.machine, plan->shared_bytes);
  return 1;
}

/* ---- ranking ---- */

static bool is_same(const struct place_plan *a, const struct place_plan *b) {
  if (a->version != b->version) return false;
  for (unsigned i = 0; i < a->placeable_count; i++)
    if (a->array[i].space != b->array[i].space) return false;
  return true;
}

/* Inserts in order of cost; the last falls off when full, but never the plan with everything in global memory. */
static void rank_add(struct place_ranking *r, const struct place_plan *plan) {
  for (int i = 0; i < r->count; i++)
    if (is_same(&r->plans[i], plan)) return;
  int at = r->count;
  if (r->capacity <= 0) return;
  if (r->count == r->capacity) {
    int victim = place_plan_moves_nothing(&r->plans[r->count - 1]) ? r->count - 2 : r->count - 1;
    if (victim < 0 || (plan->cost_ns >= r->plans[victim].cost_ns && !place_plan_moves_nothing(plan))) return;
    memmove(&r->plans[victim], &r->plans[victim + 1], (size_t)(r->count - 1 - victim) * sizeof *plan);
    at = --r->count;
  }
  while (at > 0 && plan->cost_ns < r->plans[at - 1].cost_ns) r->plans[at] = r->plans[at - 1], at--;
  r->plans[at] = *plan;
  r->count++;
}

/* A plan of these spaces by that version, if the launch allows it. 0, or -1 and a diagnostic. */
static int rank_plan(const struct session *s, const uint8_t *space, int version, struct place_ranking *r, struct place_diag *diag) {
  struct place_plan plan;
  for (unsigned a = 0; a < s->problem.arrays; a++)
    if (!(s->problem.allowed[a] & PLACE_SPACE_BIT(space[a]))) return 0;
  int rc = plan_of(s, space, version, &plan, diag);
  if (rc > 0) rank_add(r, &plan);
  return rc < 0 ? -1 : 0;
}

static int rank_versions(const struct session *s, struct place_ranking *r, struct place_diag *diag) {
  const struct place_region *region = s->in.region;
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  int rc = rank_plan(s, space, -1, r, diag); /* all global: the original */
  for (size_t v = 0; rc == 0 && v < region->version_count; v++) {
    if (!place_version_is_placement(region, &region->versions[v])) continue;
    place_version_spaces(region, &region->versions[v], space);
    rc = rank_plan(s, space, (int)v, r, diag);
  }
  return rc;
}

/* What the solver found, if a version has it. */
static int rank_best(const struct session *s, const uint8_t *space, struct place_ranking *r, struct place_diag *diag) {
  int version = session_version(s->in.region, space);
  return version == -2 ? 0 : rank_plan(s, space, version, r, diag);
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
      unsigned level = place_space_home((enum place_space)p) == PLACE_HOME_CONSTANT && levels ? levels - 1 : 0; /* the caches hide nothing of a constant's divergence */
      if (out->candidates & PLACE_SPACE_BIT(p)) out->transactions[p] += share * s->traits.access[i].transactions[p][level];
    }
  }
}

/* Estimates of versions that are no plans of spaces alone. */
static int estimate_versions(const struct session *s, struct place_estimate *out, struct place_diag *diag) {
  static const uint8_t global[SOLVE_MAX_ARRAYS];
  const struct place_region *region = s->in.region;
  double base_ns;
  if (cost_of(s, global, -1, &base_ns, diag) < 0) return -1;
  bool any = base_ns > 0 && isfinite(base_ns);
  for (size_t v = 0; v < region->version_count; v++)
    out[v] = (struct place_estimate){PLACE_ESTIMATE_NONE, 0, any ? NULL : "the model predicts nothing of the original"};
  if (!any) return 0;
  return s->model->judge(&s->in, base_ns, out, diag);
}

int place_plan_rank(const struct place_question *question, enum place_solver solver, struct place_ranking *ranking,
                    struct place_diag *diag) {
  struct session *s = session_open(question, diag);
  struct solve_result best;
  ranking->count = 0;
  ranking->remark = NULL;
  if (!s) return -1;
  int rc = session_solve(s, solver, &best, diag);
  if (rc == 0) ranking->remark = session_unproven(&best, solver);
  if (rc == 0) rc = session_scale(s, diag);
  if (rc == 0) rc = rank_versions(s, ranking, diag);
  if (rc == 0) rc = rank_best(s, best.space, ranking, diag);
  if (rc == 0 && ranking->summary) summarise(s, ranking->summary);
  if (rc == 0 && ranking->estimate) rc = estimate_versions(s, ranking->estimate, diag);
  session_close(s);
  return rc ? -1 : ranking->count;
}

int place_plan_costs(const struct place_question *question, const uint8_t (*spaces)[PLACE_MAX_PLACEABLE], size_t count,
                     double *cost_ns, struct place_diag *diag) {
  const struct place_region *region = question->region;
  struct session *s = session_open(question, diag);
  int rc = 0;
  if (!s) return -1;
  for (size_t i = 0; rc == 0 && i < count; i++) {
    uint8_t space[SOLVE_MAX_ARRAYS] = {0};
    bool allowed = true;
    memcpy(space, spaces[i], region->placeable_count);
    for (unsigned a = 0; a < region->placeable_count; a++)
      allowed &= space[a] < PLACE_SPACE_COUNT && s->problem.allowed[a] >> space[a] & 1;
    int version = allowed ? session_version(region, space) : -2;
    cost_ns[i] = INFINITY;
    if (version != -2 && cost_of(s, space, version, &cost_ns[i], diag) < 0) rc = -1;
  }
  session_close(s);
  return rc;
}
