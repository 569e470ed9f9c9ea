/* Which loads go through L1 and which past it: paper 002's traffic reduction graph, and its solvers. Internal.
 *
 * Definition 1: nodes are loads (or groups of loads that go the same way), W(v) = T_off(v) - T_on(v), what caching v alone takes off the
 * traffic from L2; W(e(v, u)) = gain * block size, what caching both takes off beyond that: positive where they reuse each other's
 * data, negative where they drive it out. Problem 1: the set S of cached loads for which
 *   T(S) = sum over v in S of W(v) + sum over pairs in S of W(e)
 * is greatest; all others bypass L1. The problem is NP-hard (Theorem 5.1).
 *
 * Units: any, the same of nodes and edges (bytes). Owner: the caller. Thread-safety: pure functions, but that GLPK's hook for errors is
 * a process's. Errors: said at each. */
#ifndef PLACE_CORE_TRAFFIC_H
#define PLACE_CORE_TRAFFIC_H

#include <stdbool.h>

#include "place/diag.h"

enum { TRAFFIC_MAX_LOADS = 48 };

struct traffic_graph {
  unsigned loads;
  double node[TRAFFIC_MAX_LOADS];
  double edge[TRAFFIC_MAX_LOADS][TRAFFIC_MAX_LOADS]; /* symmetric; the diagonal counts for nothing */
};

/* T(S). */
double traffic_reduction(const struct traffic_graph *graph, const bool *cached);

/* Algorithm 1, with what it prints: of the loads not yet decided the one whose edges to all others that are cached or undecided sum up to the
 * least (of equal sums the last, as its `<=` has it) is cached if that and its own weight is above 0. Its time is n^3. */
void traffic_heuristic(const struct traffic_graph *graph, bool *cached);

/* A greatest T(S), by depth-first search: a load whose weight is not negative whatever becomes of the others is cached, one that cannot be
 * positive bypasses; bound: of each undecided load its weight with half of its positive edges among the undecided, where that is positive.
 * Of sets as good, one to which no load can be added.
 * At most `nodes` of the search are visited. Returns whether the search ended: `cached` is a greatest then, else the best that was met, at
 * least as good as the heuristic's. */
bool traffic_exact(const struct traffic_graph *graph, unsigned long nodes, bool *cached);

/* 5.2's integer linear program by GLPK: N_v and M_vu in {0, 1}, M <= N_v, M <= N_u, M >= N_v + N_u - 1. 0; -1 where GLPK is not
 * installed, or fails. */
int traffic_ilp(const struct traffic_graph *graph, bool *cached);

/* The search, then, where that is given up, the program; false: neither ended, and `cached` is the best that is known. */
enum { TRAFFIC_NODES = 1 << 20 };
bool traffic_solve(const struct traffic_graph *graph, bool *cached);

#endif
