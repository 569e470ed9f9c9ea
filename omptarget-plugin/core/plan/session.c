/* Analysing a launch, and searching for its best plan. */
#include "session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "find_traits.h"
#include "occupancy.h"
#include "overrun.h"

enum { BRUTE_MOST_PLANS = 1024, MOVE_ROUNDS = 4 };

void session_close(struct session *s) {
  free(s->candidates);
  walk_free(&s->walk);
  traits_free(&s->traits);
  solve_problem_free(&s->problem);
  if (s->hopeful) solve_problem_free(s->hopeful);
  free(s->hopeful);
  free(s->prepared);
  free(s);
}

static int session_model(struct session *s, struct place_diag *diag) {
  int rc = 0;
  if (s->model->prepare && !(s->in.prepared = s->prepared = s->model->prepare(&s->in, diag))) return -1;
  if (!s->model->problem) return model_limits(&s->in, &s->problem), 0;
  rc = s->model->problem(&s->in, false, &s->problem);
  if (rc == 0 && s->model->has_hope && s->model->has_hope(&s->in)) {
    s->hopeful = calloc(1, sizeof *s->hopeful);
    s->in.stated = &s->problem;
    rc = s->hopeful ? s->model->problem(&s->in, true, s->hopeful) : -1;
  }
  return rc ? place_diag_set(diag, "%s: out of memory", s->in.region->entry) : 0;
}

static int session_fill(struct session *s, const struct place_question *question, struct place_diag *diag) {
  const struct place_region *region = s->in.region;
  struct place_extent *window = malloc((region->array_count + 1) * sizeof *window);
  s->candidates = calloc(region->array_count + 1, sizeof *s->candidates);
  int rc = window && s->candidates ? 0 : place_diag_set(diag, "%s: out of memory", region->entry);
  if (rc == 0) rc = candidates_find(question, s->candidates, diag);
  if (rc == 0) overrun_exclude(region, s->in.launch, question->profile.words, s->candidates);
  for (size_t i = 0; rc == 0 && i < region->array_count; i++) window[i] = s->candidates[i].window;
  if (rc == 0) rc = walk_launch(question, window, &s->walk, diag);
  s->in.candidates = s->candidates;
  s->in.walk = &s->walk;
  s->in.traits = &s->traits;
  s->in.warps = occupancy_of(region, s->in.launch, s->in.machine, 0).warps;
  if (rc == 0) rc = traits_find(region, s->in.machine, &s->walk, s->candidates, &s->traits, diag);
  if (rc == 0) rc = session_model(s, diag);
  free(window);
  return rc;
}

struct session *session_open(const struct place_question *question, struct place_diag *diag) {
  struct session *s = calloc(1, sizeof *s);
  if (!s) return place_diag_set(diag, "%s: out of memory", question->region->entry), NULL;
  s->in = (struct model_input){.table = question->table, .region = question->region, .launch = question->launch,
                               .machine = question->machine, .forest = question->forest};
  s->model = model_of(question->model);
  s->scale = 1;
  if (session_fill(s, question, diag) == 0) return s;
  session_close(s);
  return NULL;
}

/* A model that does not know an array's texture has no costs of it, which are not 0. */
static bool is_unknown(const struct session *s, const uint8_t *space) {
  const place_space_set textures = place_space_set_of(PLACE_HOME_TEXTURE);
  for (unsigned a = 0; a < s->problem.arrays; a++)
    if (PLACE_SPACE_BIT(space[a]) & textures & ~s->problem.allowed[a]) return true;
  return false;
}

double session_cost(const struct session *s, const uint8_t *space, struct breakdown *breakdown) {
  if (is_unknown(s, space)) return INFINITY;
  return s->model->cost(&s->in, &s->problem, space, breakdown);
}

int session_scale(struct session *s, struct place_diag *diag) {
  static const uint8_t global[SOLVE_MAX_ARRAYS];
  if (!s->model->relative) return 0;
  struct solve_problem *problem = calloc(1, sizeof *problem);
  int rc = problem ? model_place.problem(&s->in, false, problem) : -1;
  double ns = rc == 0 ? model_place.cost(&s->in, problem, global, NULL) : 0;
  if (ns > 0 && isfinite(ns)) s->scale = ns;
  if (problem) solve_problem_free(problem);
  free(problem);
  return rc ? place_diag_set(diag, "%s: out of memory", s->in.region->entry) : 0;
}

double session_least(const struct session *s, const uint8_t *space, double cost) {
  return s->hopeful ? fmin(cost, s->model->cost(&s->in, s->hopeful, space, NULL)) : cost;
}

/* ---- models that are no sum ---- */

static void try_space(const struct session *s, const uint8_t *space, struct solve_result *best) {
  double cost = session_cost(s, space, NULL);
  if (cost >= best->cost_ns) return;
  best->cost_ns = cost;
  memcpy(best->space, space, sizeof best->space);
}

static void try_all(const struct session *s, unsigned array, uint8_t *space, struct solve_result *best) {
  if (array == s->problem.arrays) return try_space(s, space, best);
  for (unsigned k = 0; k < PLACE_SPACE_COUNT; k++) {
    if (!(s->problem.allowed[array] >> k & 1)) continue;
    space[array] = (uint8_t)k;
    try_all(s, array + 1, space, best);
  }
}

static void move_while_better(const struct session *s, struct solve_result *best) {
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  try_space(s, space, best);
  for (int round = 0; round < MOVE_ROUNDS; round++) {
    double before = best->cost_ns;
    for (unsigned a = 0; a < s->problem.arrays; a++)
      for (unsigned k = 0; k < PLACE_SPACE_COUNT; k++) {
        memcpy(space, best->space, sizeof space);
        space[a] = (uint8_t)k;
        if (s->problem.allowed[a] >> k & 1) try_space(s, space, best);
      }
    if (best->cost_ns >= before) break;
  }
}

static int search_costs(const struct session *s, struct solve_result *best, struct place_diag *diag) {
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  memset(best->space, 0, sizeof best->space);
  best->cost_ns = INFINITY;
  if (solve_plan_count(&s->problem) <= SESSION_FEW_PLANS) try_all(s, 0, space, best);
  else move_while_better(s, best);
  return isfinite(best->cost_ns) ? 0 : place_diag_set(diag, "no plan is feasible");
}

/* The best that can be proven; the greedy search's where that fails. */
static int solve_exactly(const struct session *s, const struct solve_effort *effort, struct solve_result *result,
                         struct place_diag *diag) {
  if (solve_exact_with(&s->problem, effort, result, diag) == 0) return 0;
  int rc = solve_greedy(&s->problem, result, diag); /* it has too many levels */
  result->unproven = true;
  return rc;
}

static enum place_solver choose_solver(const struct solve_problem *p, enum place_solver solver) {
  if (solver == PLACE_SOLVER_GLPK && !solve_has_glpk()) solver = PLACE_SOLVER_EXACT;
  if (solver != PLACE_SOLVER_AUTO) return solver;
  if (solve_plan_count(p) <= BRUTE_MOST_PLANS) return PLACE_SOLVER_BRUTE;
  return p->arrays <= PLACE_EXACT_MAX_ARRAYS ? PLACE_SOLVER_ILP : PLACE_SOLVER_GREEDY;
}

int session_solve(const struct session *s, enum place_solver solver, struct solve_result *result, struct place_diag *diag) {
  enum { LONG_SEARCH = 1 << 22 };
  const struct solve_problem *p = &s->problem;
  result->unproven = false;
  if (!s->model->problem) return search_costs(s, result, diag);
  if (solver == PLACE_SOLVER_AUTO && solve_separate(p, result)) return 0;
  switch (choose_solver(p, solver)) {
  case PLACE_SOLVER_BRUTE: return solve_brute(p, result, diag);
  case PLACE_SOLVER_GREEDY: return solve_greedy(p, result, diag);
  case PLACE_SOLVER_GLPK: return solve_exactly(s, &(struct solve_effort){0, 0, true}, result, diag);
  case PLACE_SOLVER_EXACT: return solve_exactly(s, &(struct solve_effort){LONG_SEARCH, LONG_SEARCH, false}, result, diag);
  default: return solve_exactly(s, &(struct solve_effort){SOLVE_NODES, UINT32_MAX, true}, result, diag);
  }
}

const char *session_unproven(const struct solve_result *result, enum place_solver solver) {
  if (!result->unproven) return NULL;
  if (solver == PLACE_SOLVER_EXACT) return "the exact search was given up; the best plan that it and the greedy search met is used";
  if (solve_has_glpk()) return "GLPK failed; the best plan that the greedy search and the exact one met is used";
  return "the exact search was given up, and GLPK (libglpk.so.40) is not installed; the best plan that it and the greedy search met is used";
}

bool place_solver_has_glpk(void) { return solve_has_glpk(); }

/* ---- versions ---- */

int session_version(const struct place_region *region, const uint8_t *space) {
  bool placed = false;
  for (unsigned a = 0; a < region->placeable_count; a++) placed |= space[a] != PLACE_GLOBAL;
  int version = placed ? place_version_find(region, space) : -1;
  return placed && version < 0 ? -2 : version;
}
