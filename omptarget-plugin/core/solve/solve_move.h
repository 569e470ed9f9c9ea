/* What moving one or two arrays of a plan makes of its cost, without adding all arrays up. Internal.
 *
 * Sums over the arrays are kept by space, so that a move costs a few sums over spaces and paths; one that leaves the classes of
 * the spaces as they are costs a few numbers. They differ from solve_cost by rounding only; what they rule out is certain, the
 * rest is for solve_cost to decide.
 *
 * Owner: plain data. Thread-safety: none (sums of shared caches are made when asked for). */
#ifndef PLACE_CORE_SOLVE_MOVE_H
#define PLACE_CORE_SOLVE_MOVE_H

#include "solve.h"

enum { MOVE_MOST = 2 }; /* arrays at a time */

struct move {
  unsigned array;
  uint8_t to; /* space */
};

/* Times of paths: what is added less what is taken away. Both are kept, since what they round to depends on them. */
struct move_paths {
  double plus[SOLVE_MAX_PATHS], minus[SOLVE_MAX_PATHS];
};

/* The factors and sums of the spaces' classes. */
struct move_classes {
  double scale[SOLVE_MAX_SPACES], path_scale[SOLVE_MAX_PATHS];
  double added;
};

/* A shared cache when so many arrays more or less use it. */
struct move_share {
  bool made;
  const double *row;                /* of its class (solve_share_ns) */
  double sum[SOLVE_MAX_SPACES][2];  /* what the arrays in a space pay */
};

struct move_sums {
  const struct solve_problem *problem;
  uint8_t space[SOLVE_MAX_ARRAYS];
  int class[SOLVE_MAX_SPACES];      /* -1: overfull; meaningless where the space has none */
  uint64_t bytes[SOLVE_MAX_SPACES];
  uint64_t least[SOLVE_MAX_SPACES], most[SOLVE_MAX_SPACES]; /* bytes that belong to the class; all where the space has none */
  unsigned users[SOLVE_MAX_SHARES];
  struct move_share share[SOLVE_MAX_SHARES][2 * MOVE_MOST + 1];
  double path[SOLVE_MAX_SPACES][SOLVE_MAX_PATHS]; /* of the arrays in a space, not scaled; base_ns is space 0's */
  /* With the plan's own classes: */
  bool fits; /* within all capacities; else there are none */
  struct move_classes classes;
  double scaled[SOLVE_MAX_PATHS]; /* sum over spaces, without shared caches */
};

/* Begins with a plan, whatever it costs. Costs are not negative, but for those of shared caches. */
void move_from(struct move_sums *sums, const struct solve_problem *problem, const uint8_t *space);

/* A lower bound on solve_cost of the plan after the moves, of different arrays: the cost but for a part in 10^9 of what is
 * added up. INFINITY: it breaks a capacity. */
double move_least(struct move_sums *sums, const struct move *moves, unsigned count);

#endif
