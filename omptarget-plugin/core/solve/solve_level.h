/* Levels of the placement problem: one class of each space and of each shared cache, so that all factors are constants.
 * Internal.
 *
 * Levels partition the plans. A level's lower bound is the Lagrangian one: for any weights of the paths that add up to 1,
 * the maximum over paths is at least their weighted sum; for any price of a byte of a space (a user of a shared cache) that
 * the level's class bounds, what is below the class's most or above its least can only be paid back; and each array then takes
 * its cheapest space. */
#ifndef PLACE_CORE_SOLVE_LEVEL_H
#define PLACE_CORE_SOLVE_LEVEL_H

#include "solve.h"

enum { LEVEL_UNDECIDED = -2 }; /* any class of a shared cache: each of its costs is the least that it is in any */

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
  const double *least[SOLVE_MAX_SHARES]; /* of undecided shared caches, as one class of theirs (solve_share_ns) */
};

/* The least bytes (users) that belong to a class. */
uint64_t level_least_bytes(const struct solve_space *space, int class);
unsigned level_least_users(const struct solve_share *share, int class);

void level_costs(const struct solve_problem *problem, const struct level *level, struct level_costs *costs);

/* The multipliers of a bound. A price above 0 is of what the class has at most, below 0 of what it has at least. */
struct level_prices {
  double weight[SOLVE_MAX_PATHS];                      /* add up to 1 */
  double byte[SOLVE_MAX_SPACES], user[SOLVE_MAX_SHARES]; /* ns */
};

/* Lower bound on T of the plans of the level: `steps` subgradient steps from `prices` on, ended early once it exceeds
 * `enough`; in `prices` those that gave it, a good start for another level. level_start: a start from nothing. */
void level_start(const struct solve_problem *problem, struct level_prices *prices);
double level_bound(const struct solve_problem *problem, const struct level *level, const struct level_costs *costs,
                   unsigned steps, double enough, struct level_prices *prices);

/* What the bound takes array a to cost in space s, and what it takes whatever the arrays do. */
double level_price(const struct solve_problem *problem, const struct level_costs *costs, const struct level_prices *prices,
                   unsigned array, unsigned space);
double level_fixed(const struct solve_problem *problem, const struct level *level, const struct level_costs *costs,
                   const struct level_prices *prices);

/* Searches a level depth first for a plan cheaper than *cost_ns, bounded by the Lagrangian costs; spaces that cannot be in
 * such a plan are taken out of costs->may first. 1: found, in space and *cost_ns, and no cheaper one is in this level; 0: there
 * is none; -1: given up after `nodes` nodes. */
int level_search(const struct solve_problem *problem, const struct level *level, struct level_costs *costs, unsigned nodes,
                 struct level_prices *prices, uint8_t *space, double *cost_ns);

/* The levels that may hold a plan cheaper than `below_ns`, by ascending bound, in *levels (for free()). Returns how many,
 * or -1: out of memory or more than LEVEL_MOST. */
enum { LEVEL_MOST = 1 << 17 };
int level_find(const struct solve_problem *problem, double below_ns, struct level **levels);

#endif
