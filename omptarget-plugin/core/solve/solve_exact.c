/* The exact solution: the least T over all levels (solve_level.h).
 *
 * It starts from the greedy solution: levels whose lower bound is no better than what is known are skipped, the others visited in
 * order of their bound. A level is first searched depth first, by its Lagrangian bound (solve_search.c), which is far cheaper than
 * setting an integer program up; where that takes too many nodes, GLPK solves it, and stops at nodes that cannot win. Without GLPK
 * the best plan that was met stands, unproven. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "glpk_library.h"
#include "solve_glpk.h"

struct exact {
  const struct solve_problem *problem;
  const struct solve_effort *effort;
  unsigned nodes_left; /* of all levels */
  struct level_costs costs;
  struct level_prices prices;
};

/* Whether the search has settled the level. */
static bool search(struct exact *e, const struct level *level, struct solve_result *result) {
  unsigned nodes = e->effort->nodes < e->nodes_left ? e->effort->nodes : e->nodes_left;
  if (!nodes) return false;
  if (level_search(e->problem, level, &e->costs, nodes, &e->prices, result->space, &result->cost_ns) >= 0) return true;
  e->nodes_left -= nodes;
  return false;
}

/* Whether GLPK has. */
static bool ask_glpk(struct exact *e, const struct level *level, struct solve_result *result) {
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  if (!e->effort->glpk) return false;
  int found = glpk_level(e->problem, level, &e->costs, result->cost_ns, space);
  double cost = found > 0 ? solve_cost(e->problem, space) : INFINITY;
  if (cost >= result->cost_ns) return found >= 0;
  result->cost_ns = cost;
  memcpy(result->space, space, sizeof space);
  return true;
}

static void solve_levels(struct exact *e, const struct level *levels, int count, struct solve_result *result) {
  level_start(e->problem, &e->prices);
  for (int i = 0; i < count && levels[i].bound_ns < result->cost_ns; i++) {
    level_costs(e->problem, &levels[i], &e->costs);
    if (!search(e, &levels[i], result) && !ask_glpk(e, &levels[i], result)) result->unproven = true;
  }
}

bool solve_has_glpk(void) { return glpk() != NULL; }

int solve_exact_with(const struct solve_problem *problem, const struct solve_effort *effort, struct solve_result *result,
                     struct place_diag *diag) {
  struct level *levels = NULL;
  struct exact *e = malloc(sizeof *e);
  if (solve_greedy(problem, result, NULL)) result->cost_ns = INFINITY;
  int count = e ? level_find(problem, result->cost_ns, &levels) : -1;
  if (e) e->problem = problem, e->effort = effort, e->nodes_left = effort->nodes_of_all;
  if (count > 0) solve_levels(e, levels, count, result);
  free(levels);
  free(e);
  if (count < 0) return place_diag_set(diag, "out of memory or too many levels");
  return isfinite(result->cost_ns) ? 0 : place_diag_set(diag, "no plan is feasible");
}

int solve_exact(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag) {
  return solve_exact_with(problem, &(struct solve_effort){SOLVE_NODES, UINT32_MAX, true}, result, diag);
}
