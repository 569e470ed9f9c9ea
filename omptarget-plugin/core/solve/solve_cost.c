/* Cost of a plan. Loops go over all paths that there may be where that does no harm: the compiler then knows their number. */
#include <math.h>
#include <stdlib.h>

#include "solve.h"

int solve_class_of(const struct solve_space *space, uint64_t bytes) {
  unsigned low = 0, high = space->class_count; /* max_bytes ascends */
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (bytes > space->classes[middle].max_bytes) low = middle + 1;
    else high = middle;
  }
  return low < space->class_count ? (int)low : -1;
}

unsigned solve_share_class(const struct solve_share *share, unsigned users) {
  unsigned low = 0, high = share->class_count ? share->class_count - 1 : 0; /* `most` ascends */
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (users > share->most[middle]) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Costs that depend on how many arrays use each shared cache; count: arrays in each space. */
static void add_shares(const struct solve_problem *problem, const uint8_t *space, const unsigned *count, const double *scale,
                       double *path) {
  for (unsigned g = 0; g < problem->shares; g++) {
    const struct solve_share *share = &problem->share[g];
    unsigned users = share->fixed;
    if (!share->class_count) continue;
    for (unsigned s = 0; s < problem->spaces; s++) users += share->spaces >> s & 1 ? count[s] : 0;
    const double *row = solve_share_ns(problem, share, solve_share_class(share, users), 0, 0);
    for (unsigned a = 0; a <= problem->arrays; a++, row += 2 * problem->spaces) {
      unsigned s = a < problem->arrays ? space[a] : 0;
      if (!(share->spaces >> s & 1)) continue;
      path[share->path[s][0]] += scale[s] * row[2 * s];
      path[share->path[s][1]] += scale[s] * row[2 * s + 1];
    }
  }
}

/* The factors and sums of the spaces' classes; false if a space is overfull. */
static int apply_classes(const struct solve_problem *problem, const uint8_t *space, unsigned *count, double *scale,
                         double *path_scale, double *added) {
  uint64_t bytes[SOLVE_MAX_SPACES] = {0};
  *added = 0;
  for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++) scale[s] = 1;
  for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) path_scale[p] = 1;
  for (unsigned a = 0; a < problem->arrays; a++) {
    bytes[space[a]] += problem->bytes[a][space[a]];
    count[space[a]]++;
  }
  for (unsigned s = 0; s < problem->spaces; s++) {
    if (!problem->space[s].class_count) continue;
    int c = solve_class_of(&problem->space[s], bytes[s]);
    if (c < 0) return 0;
    const struct solve_class *class = &problem->space[s].classes[c];
    *added += class->fixed_ns + class->ns_per_byte * (double)bytes[s];
    for (unsigned other = 0; other < SOLVE_MAX_SPACES; other++) scale[other] *= class->scale[other];
    for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) path_scale[p] *= class->path_scale[p];
  }
  return 1;
}

double solve_cost_paths(const struct solve_problem *problem, const uint8_t *space, double *path_ns, double *added_ns) {
  double scale[SOLVE_MAX_SPACES], path_scale[SOLVE_MAX_PATHS], path[SOLVE_MAX_PATHS] = {0}, added, most = 0, sum = 0;
  unsigned count[SOLVE_MAX_SPACES] = {0};
  if (!apply_classes(problem, space, count, scale, path_scale, &added)) return INFINITY;
  for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) path[p] = scale[0] * problem->base_ns[p];
  for (unsigned a = 0; a < problem->arrays; a++) {
    const double *cost = problem->cost_ns[a][space[a]], times = scale[space[a]];
    for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) path[p] += times * cost[p];
  }
  add_shares(problem, space, count, scale, path);
  for (unsigned p = 0; p < problem->paths; p++) {
    path[p] *= path_scale[p];
    if (path[p] > most) most = path[p];
    sum += path[p];
  }
  for (unsigned p = 0; path_ns && p < problem->paths; p++) path_ns[p] = path[p];
  if (added_ns) *added_ns = added;
  return most + problem->overlap_loss * (sum - most) + added;
}

double solve_cost(const struct solve_problem *problem, const uint8_t *space) {
  return solve_cost_paths(problem, space, NULL, NULL);
}

uint64_t solve_plan_count(const struct solve_problem *problem) {
  uint64_t count = 1;
  for (unsigned a = 0; a < problem->arrays; a++)
    if (__builtin_mul_overflow(count, (uint64_t)__builtin_popcount(problem->allowed[a]), &count)) return UINT64_MAX;
  return count;
}

void solve_problem_free(struct solve_problem *problem) {
  for (unsigned g = 0; g < problem->shares; g++) {
    free(problem->share[g].ns);
    problem->share[g].ns = NULL;
  }
  problem->shares = 0;
}
