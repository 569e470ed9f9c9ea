/* Levels of the placement problem: one class of each space and of each shared cache, so that all factors are constants.
 * Internal.
 *
 * Levels partition the plans. A level's lower bound is the Lagrangian one: for any weights of the paths that add up to 1,
 * the maximum over paths is at least their weighted sum, and each array then takes its cheapest space. */
#ifndef PLACE_CORE_SOLVE_LEVEL_H
#define PLACE_CORE_SOLVE_LEVEL_H

#include "solve.h"

struct level {
  int8_t class[SOLVE_MAX_SPACES]; /* -1: the space has no classes */
  int8_t share[SOLVE_MAX_SHARES]; /* -1: no classes */
  double bound_ns;
};

/* A level's numbers. */
struct level_costs {
  place_space_set may[SOLVE_MAX_ARRAYS];                                 /* spaces the array may take at this level */
  double ns[SOLVE_MAX_ARRAYS][SOLVE_MAX_SPACES][SOLVE_MAX_PATHS];        /* with all factors; finite where it may */
  double added[SOLVE_MAX_ARRAYS][SOLVE_MAX_SPACES];                      /* ns_per_byte of the space's class * bytes */
  double base[SOLVE_MAX_PATHS], fixed_ns;
};

/* The least bytes (users) that belong to a class. */
uint64_t level_least_bytes(const struct solve_space *space, int class);
unsigned level_least_users(const struct solve_share *share, int class);

void level_costs(const struct solve_problem *problem, const struct level *level, struct level_costs *costs);

/* Lower bound on T of the plans of the level: `steps` subgradient steps from `weight` on, ended early once it exceeds
 * `enough`; in `weight` the paths' weights that gave it, a good start for another level. level_weight: a start from nothing. */
void level_weight(const struct solve_problem *problem, double *weight);
double level_bound(const struct solve_problem *problem, const struct level_costs *costs, unsigned steps, double enough,
                   double *weight);

/* Searches a level depth first for a plan cheaper than *cost_ns, bounded by the Lagrangian costs; `weight` as above. 1: found, in space and
 * *cost_ns, and no cheaper one is in this level; 0: there is none; -1: given up after `nodes` nodes. */
int level_search(const struct solve_problem *problem, const struct level *level, const struct level_costs *costs,
                 unsigned nodes, double *weight, uint8_t *space, double *cost_ns);

/* The levels that may hold a plan cheaper than `below_ns`, by ascending bound, in *levels (for free()). Returns how many,
 * or -1: out of memory or more than LEVEL_MOST. */
enum { LEVEL_MOST = 1 << 17 };
int level_find(const struct solve_problem *problem, double below_ns, struct level **levels);

#endif
