/* The placement problem as numbers, and its solvers. Knows nothing of what the spaces are. Internal.
 *
 * Each array takes one space. Putting array a into space s costs cost_ns[a][s][p] on each transfer path p and takes
 * bytes[a][s] of the space. The total of the bytes in a space falls into one of the space's classes (the first whose
 * max_bytes is not below it; beyond the last: infeasible), and a class
 *   - multiplies the costs of all arrays in space s' by scale[s'] (caches outgrown, uneven shares of work),
 *   - multiplies all costs on path p by path_scale[p] (occupancy lost to staged copies), and
 *   - adds fixed_ns + ns_per_byte * bytes (making the copies).
 * Paths work in parallel:  T = max over p of T(p) + overlap_loss * (sum of the other T(p)) + what the classes add, where
 * T(p) is base_ns[p] plus the scaled costs on p, times path scales, and base_ns counts as the cost of an array in space 0. overlap_loss is 0
 * for perfect overlap (paper 000) and 1 for none.
 *
 * solve_brute and solve_ilp are exact, solve_greedy is Procedure 1 of paper 000. */
#ifndef PLACE_CORE_SOLVE_H
#define PLACE_CORE_SOLVE_H

#include <stdint.h>

#include "place/diag.h"
#include "place/space.h"

enum { SOLVE_MAX_ARRAYS = 16, SOLVE_MAX_SPACES = 8, SOLVE_MAX_PATHS = 8, SOLVE_MAX_CLASSES = 24 };

struct solve_class {
  uint64_t max_bytes;
  double scale[SOLVE_MAX_SPACES], path_scale[SOLVE_MAX_PATHS];
  double fixed_ns, ns_per_byte;
};

struct solve_space {
  unsigned class_count; /* 0: no limit, no effect */
  struct solve_class classes[SOLVE_MAX_CLASSES];
};

struct solve_problem {
  unsigned arrays, spaces, paths;
  int constant_space; /* that Procedure 1 fills first; -1: none */
  place_space_set allowed[SOLVE_MAX_ARRAYS]; /* never empty; space 0 always allowed */
  double cost_ns[SOLVE_MAX_ARRAYS][SOLVE_MAX_SPACES][SOLVE_MAX_PATHS];
  uint64_t bytes[SOLVE_MAX_ARRAYS][SOLVE_MAX_SPACES];
  double base_ns[SOLVE_MAX_PATHS];
  double overlap_loss; /* 0 to 1 */
  struct solve_space space[SOLVE_MAX_SPACES];
};

struct solve_result {
  uint8_t space[SOLVE_MAX_ARRAYS];
  double cost_ns;
};

/* T of a plan, INFINITY if it breaks a capacity. */
double solve_cost(const struct solve_problem *problem, const uint8_t *space);

/* Class of a number of bytes in a space with classes; -1: too many. */
int solve_class_of(const struct solve_space *space, uint64_t bytes);

/* Number of plans that `allowed` leaves. */
uint64_t solve_plan_count(const struct solve_problem *problem);

/* Each returns 0, or -1 and a diagnostic. */
int solve_brute(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag);
int solve_greedy(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag);
int solve_ilp(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag);

#endif
