/* All plans in turn. */
#include <math.h>
#include <string.h>

#include "solve.h"

/* The next plan in counting order; false after the last. */
static int next_plan(const struct solve_problem *problem, uint8_t *space) {
  for (unsigned a = 0; a < problem->arrays; a++) {
    do space[a]++;
    while (space[a] < problem->spaces && !(problem->allowed[a] & PLACE_SPACE_BIT(space[a])));
    if (space[a] < problem->spaces) return 1;
    space[a] = 0;
  }
  return 0;
}

int solve_brute(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag) {
  uint8_t space[SOLVE_MAX_ARRAYS] = {0};
  if (solve_plan_count(problem) > UINT64_C(1) << 24)
    return place_diag_set(diag, "too many plans to try them all: use the exact or the greedy solver");
  result->cost_ns = INFINITY;
  result->unproven = false;
  do {
    double cost = solve_cost(problem, space);
    if (cost >= result->cost_ns) continue;
    result->cost_ns = cost;
    memcpy(result->space, space, sizeof space);
  } while (next_plan(problem, space));
  return isfinite(result->cost_ns) ? 0 : place_diag_set(diag, "no plan is feasible");
}
