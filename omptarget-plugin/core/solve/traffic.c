/* The traffic reduction graph: T, the heuristic, and the exact search. */
#include "traffic.h"

#include <math.h>
#include <string.h>

double traffic_reduction(const struct traffic_graph *graph, const bool *cached) {
  double sum = 0;
  for (unsigned i = 0; i < graph->loads; i++) {
    if (!cached[i]) continue;
    sum += graph->node[i];
    for (unsigned k = 0; k < i; k++)
      if (cached[k]) sum += graph->edge[i][k];
  }
  return sum;
}

/* ---- Algorithm 1 ---- */

enum state { REMAINS, CACHED, BYPASSED };

/* T_other (line 6). */
static double with_others(const struct traffic_graph *graph, const enum state *state, unsigned load) {
  double sum = 0;
  for (unsigned k = 0; k < graph->loads; k++)
    if (k != load && state[k] != BYPASSED) sum += graph->edge[load][k];
  return sum;
}

void traffic_heuristic(const struct traffic_graph *graph, bool *cached) {
  enum state state[TRAFFIC_MAX_LOADS] = {REMAINS};
  for (unsigned round = 0; round < graph->loads; round++) {
    unsigned least = graph->loads;
    double least_sum = INFINITY;
    for (unsigned i = 0; i < graph->loads; i++) {
      double sum = state[i] == REMAINS ? with_others(graph, state, i) : INFINITY;
      if (state[i] == REMAINS && sum <= least_sum) least = i, least_sum = sum;
    }
    state[least] = least_sum + graph->node[least] > 0 ? CACHED : BYPASSED;
  }
  for (unsigned i = 0; i < graph->loads; i++) cached[i] = state[i] == CACHED;
}

/* ---- the exact search ---- */

struct search {
  const struct traffic_graph *graph;
  enum state state[TRAFFIC_MAX_LOADS];
  double weight[TRAFFIC_MAX_LOADS]; /* of a load with those that are cached */
  double best;
  bool *cached; /* of the best */
  unsigned long left;
};

/* What the undecided loads' edges to a load can add at most, and at least. */
static void reach(const struct search *s, unsigned load, double *most, double *least) {
  *most = *least = 0;
  for (unsigned k = 0; k < s->graph->loads; k++) {
    if (k == load || s->state[k] != REMAINS) continue;
    *(s->graph->edge[load][k] > 0 ? most : least) += s->graph->edge[load][k];
  }
}

static void decide(struct search *s, unsigned load, enum state state, double *sum) {
  s->state[load] = state;
  if (state == BYPASSED) return;
  *sum += s->weight[load];
  for (unsigned k = 0; k < s->graph->loads; k++)
    if (k != load) s->weight[k] += s->graph->edge[load][k];
}

/* Decides what needs no choice; returns the load to choose by, the one that may matter most, or `loads`; the bound in *bound. */
static unsigned settle(struct search *s, double *sum, double *bound) {
  const unsigned n = s->graph->loads;
  unsigned next = n;
  for (bool again = true; again;) {
    double widest = -1;
    again = false;
    next = n;
    *bound = *sum;
    for (unsigned i = 0; i < n && !again; i++) {
      double most, least, alone = s->weight[i];
      if (s->state[i] != REMAINS) continue;
      reach(s, i, &most, &least);
      again = alone + least >= 0 || alone + most <= 0;
      if (again) decide(s, i, alone + least >= 0 ? CACHED : BYPASSED, sum);
      else *bound += fmax(0, alone + most / 2);
      if (!again && most - least > widest) next = i, widest = most - least;
    }
  }
  return next;
}

static void take_best(struct search *s, double sum) {
  if (sum <= s->best) return;
  s->best = sum;
  for (unsigned i = 0; i < s->graph->loads; i++) s->cached[i] = s->state[i] == CACHED;
}

/* false: given up. */
static bool visit(const struct search *before, struct search *root, unsigned load, enum state state, double sum) {
  struct search s = *before;
  double bound;
  if (!root->left) return false;
  root->left--;
  if (load < s.graph->loads) decide(&s, load, state, &sum);
  unsigned next = settle(&s, &sum, &bound);
  if (next == s.graph->loads) {
    s.best = root->best;
    take_best(&s, sum);
    root->best = s.best;
    return true;
  }
  if (bound <= root->best) return true;
  enum state first = s.weight[next] >= 0 ? CACHED : BYPASSED;
  return visit(&s, root, next, first, sum) && visit(&s, root, next, first == CACHED ? BYPASSED : CACHED, sum);
}

/* What takes nothing off and costs nothing goes the usual way, through L1. */
static void cache_what_is_even(const struct traffic_graph *graph, bool *cached) {
  for (unsigned i = 0; i < graph->loads; i++) {
    double weight = graph->node[i];
    for (unsigned k = 0; k < graph->loads; k++)
      if (k != i && cached[k]) weight += graph->edge[i][k];
    cached[i] |= weight >= 0;
  }
}

bool traffic_exact(const struct traffic_graph *graph, unsigned long nodes, bool *cached) {
  struct search root = {.graph = graph, .cached = cached, .left = nodes};
  memcpy(root.weight, graph->node, sizeof root.weight);
  traffic_heuristic(graph, cached);
  root.best = traffic_reduction(graph, cached);
  if (root.best < 0) memset(cached, 0, graph->loads * sizeof *cached), root.best = 0; /* bypassing all is 0 */
  bool ended = visit(&root, &root, graph->loads, REMAINS, 0);
  cache_what_is_even(graph, cached);
  return ended;
}

bool traffic_solve(const struct traffic_graph *graph, bool *cached) {
  bool other[TRAFFIC_MAX_LOADS];
  if (traffic_exact(graph, TRAFFIC_NODES, cached)) return true;
  if (traffic_ilp(graph, other)) return false;
  if (traffic_reduction(graph, other) > traffic_reduction(graph, cached)) memcpy(cached, other, sizeof other);
  return true;
}
