/* The placement problem as numbers, and its solvers. Knows nothing of what the spaces are. Internal.
 *
 * Each array takes one space. Putting array a into space s costs cost_ns[a][s][p] on each transfer path p and takes
 * bytes[a][s] of the space. The total of the bytes in a space falls into one of the space's classes (the first whose
 * max_bytes is not below it; beyond the last: infeasible), and a class
 *   - multiplies the costs of all arrays in space s' by scale[s'] (caches outgrown, uneven shares of work),
 *   - multiplies all costs on path p by path_scale[p] (occupancy lost to staged copies), and
 *   - adds fixed_ns + ns_per_byte * bytes (making the copies).
 * A cache that arrays share (struct solve_share) gives each an equal portion (paper 000, 3.1.1): how many arrays are in
 * the spaces that use it decides what each of them costs there beyond cost_ns.
 * Paths work in parallel:  T = max over p of T(p) + overlap_loss * (sum of the other T(p)) + what the classes add, where
 * T(p) is base_ns[p] plus the scaled costs on p, times path scales, and base_ns counts as the cost of an array in space 0.
 * overlap_loss is 0 for perfect overlap (paper 000) and 1 for none.
 *
 * Numbers beyond `paths` and `spaces` are read, but count for nothing.
 *
 * solve_brute and solve_exact are exact, solve_greedy is Procedure 1 of paper 000 followed by local search. */
#ifndef PLACE_CORE_SOLVE_H
#define PLACE_CORE_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "place/diag.h"
#include "place/space.h"

enum {
  SOLVE_MAX_ARRAYS = 64,
  SOLVE_MAX_SPACES = 8,
  SOLVE_MAX_PATHS = 8,
  SOLVE_MAX_CLASSES = 24,
  SOLVE_MAX_SHARES = 4
};

struct solve_class {
  uint64_t max_bytes;
  double scale[SOLVE_MAX_SPACES], path_scale[SOLVE_MAX_PATHS];
  double fixed_ns, ns_per_byte;
};

struct solve_space {
  unsigned class_count; /* 0: no limit, no effect */
  struct solve_class classes[SOLVE_MAX_CLASSES];
};

/* What sharing a cache costs, on two paths at most. Class k holds for up to most[k] users; the last class for any number. */
struct solve_share {
  place_space_set spaces; /* whose arrays use the cache */
  unsigned fixed;         /* users that are no arrays of the problem */
  unsigned class_count;   /* 0: no effect */
  uint8_t path[SOLVE_MAX_SPACES][2];
  unsigned most[SOLVE_MAX_ARRAYS + 1];
  double *ns; /* [class_count][arrays + 1][spaces][2], solve_share_ns; the last row's space 0: what the fixed users cost */
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
  struct solve_share share[SOLVE_MAX_SHARES];
  unsigned shares;
};

struct solve_result {
  uint8_t space[SOLVE_MAX_ARRAYS];
  double cost_ns;
  bool unproven; /* solve_exact: a part of the problem was searched in vain, and GLPK was not there, or failed */
};

/* T of a plan, INFINITY if it breaks a capacity; its paths' times in path_ns (scaled; NULL: not wanted) and what the
 * classes add in *added_ns. */
double solve_cost(const struct solve_problem *problem, const uint8_t *space);
double solve_cost_paths(const struct solve_problem *problem, const uint8_t *space, double *path_ns, double *added_ns);

/* Class of a number of bytes in a space with classes; -1: too many. Class of a number of users of a shared cache. */
int solve_class_of(const struct solve_space *space, uint64_t bytes);
unsigned solve_share_class(const struct solve_share *share, unsigned users);

/* The costs of an array (or of the fixed users: array = problem->arrays) in a space at a class of a shared cache: two
 * numbers, for path[space][0] and path[space][1]. */
static inline double *solve_share_ns(const struct solve_problem *problem, const struct solve_share *share, unsigned class,
                                     unsigned array, unsigned space) {
  return share->ns + ((class * (problem->arrays + 1) + array) * problem->spaces + space) * 2;
}

/* Releases the tables of the shares. */
void solve_problem_free(struct solve_problem *problem);

/* Number of plans that `allowed` leaves; UINT64_MAX: 2^63 or more. */
uint64_t solve_plan_count(const struct solve_problem *problem);

/* Each returns 0, or -1 and a diagnostic. */
int solve_brute(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag);
int solve_greedy(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag);
int solve_exact(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag);

/* solve_exact with other bounds. */
struct solve_effort {
  unsigned nodes;        /* of a level, that are searched before GLPK is asked; 0: GLPK solves every level */
  unsigned nodes_of_all; /* of all levels that the search gave up */
  bool glpk;             /* whether it is asked */
};
enum { SOLVE_NODES = 1 << 16 };
int solve_exact_with(const struct solve_problem *problem, const struct solve_effort *effort, struct solve_result *result,
                     struct place_diag *diag);

/* Whether GLPK can be used; opens its library. */
bool solve_has_glpk(void);

/* The best plan of a problem whose arrays do not touch each other (one path, no shared caches, classes that cost nothing): each array
 * in its cheapest space. False: it is no such problem, or these spaces do not have room for all; then nothing is solved. */
bool solve_separate(const struct solve_problem *problem, struct solve_result *result);

/* Procedure 1 alone, as published, without the local search. */
int solve_procedure1(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag);

#endif
