/* Cost of a plan, and all plans in turn. */
#include <math.h>
#include <string.h>

#include "solve.h"

int solve_class_of(const struct solve_space *space, uint64_t bytes) {
  for (unsigned c = 0; c < space->class_count; c++)
    if (bytes <= space->classes[c].max_bytes) return (int)c;
  return -1;
}

double solve_cost(const struct solve_problem *problem, const uint8_t *space) {
  double scale[SOLVE_MAX_SPACES], path_scale[SOLVE_MAX_PATHS], path[SOLVE_MAX_PATHS] = {0}, added = 0, most = 0, sum = 0;
  uint64_t bytes[SOLVE_MAX_SPACES] = {0};
  for (unsigned s = 0; s < problem->spaces; s++) scale[s] = 1;
  for (unsigned p = 0; p < problem->paths; p++) path_scale[p] = 1;
  for (unsigned a = 0; a < problem->arrays; a++) bytes[space[a]] += problem->bytes[a][space[a]];
  for (unsigned s = 0; s < problem->spaces; s++) {
    if (!problem->space[s].class_count) continue;
    int c = solve_class_of(&problem->space[s], bytes[s]);
    if (c < 0) return INFINITY;
    const struct solve_class *class = &problem->space[s].classes[c];
    added += class->fixed_ns + class->ns_per_byte * (double)bytes[s];
    for (unsigned other = 0; other < problem->spaces; other++) scale[other] *= class->scale[other];
    for (unsigned p = 0; p < problem->paths; p++) path_scale[p] *= class->path_scale[p];
  }
  for (unsigned p = 0; p < problem->paths; p++) {
    path[p] = scale[0] * problem->base_ns[p];
    for (unsigned a = 0; a < problem->arrays; a++) path[p] += scale[space[a]] * problem->cost_ns[a][space[a]][p];
    path[p] *= path_scale[p];
    if (path[p] > most) most = path[p];
    sum += path[p];
  }
  return most + problem->overlap_loss * (sum - most) + added;
}

uint64_t solve_plan_count(const struct solve_problem *problem) {
  uint64_t count = 1;
  for (unsigned a = 0; a < problem->arrays; a++) count *= (uint64_t)__builtin_popcount(problem->allowed[a]);
  return count; /* at most 8^16 = 2^48 */
}

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
    return place_diag_set(diag, "too many plans to try them all: use the ILP or the greedy solver");
  result->cost_ns = INFINITY;
  do {
    double cost = solve_cost(problem, space);
    if (cost >= result->cost_ns) continue;
    result->cost_ns = cost;
    memcpy(result->space, space, sizeof space);
  } while (next_plan(problem, space));
  return isfinite(result->cost_ns) ? 0 : place_diag_set(diag, "no plan is feasible");
}
