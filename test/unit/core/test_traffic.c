/* Paper 002's traffic reduction graph: the exact search and the integer linear program against all subsets of 1,000 random graphs; what
 * share of the greatest reduction Algorithm 1 has; the paper's example. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve.h"
#include "traffic.h"

enum { GRAPHS = 1000, MOST = 12, PROGRAMS = 100 };

static uint64_t state_of_random = 1;

static double uniform(void) { /* in [0, 1), xorshift64* */
  state_of_random ^= state_of_random >> 12, state_of_random ^= state_of_random << 25, state_of_random ^= state_of_random >> 27;
  return (double)(state_of_random * UINT64_C(0x2545F4914F6CDD1D) >> 11) / 9007199254740992.0;
}

/* Of the kind that profiles give: nodes of both signs or none below 0, edges that conflict more often than not, some of them 0. */
static struct traffic_graph random_graph(unsigned loads, bool sectored) {
  struct traffic_graph g = {.loads = loads};
  double density = uniform(), conflict = uniform(), weight = 1 + 3 * uniform();
  for (unsigned i = 0; i < loads; i++) {
    g.node[i] = floor((uniform() - (sectored ? 0 : 0.5)) * 100 * weight);
    for (unsigned k = 0; k < i; k++)
      g.edge[i][k] = g.edge[k][i] = uniform() < density ? floor((uniform() - conflict) * 100) : 0;
  }
  return g;
}

static double greatest_of_all(const struct traffic_graph *g) {
  double best = 0;
  for (unsigned set = 0; set < 1u << g->loads; set++) {
    bool cached[TRAFFIC_MAX_LOADS];
    for (unsigned i = 0; i < g->loads; i++) cached[i] = set >> i & 1;
    best = fmax(best, traffic_reduction(g, cached));
  }
  return best;
}

static void against_all_subsets(void **state) {
  (void)state;
  double share = 0, worst = 1;
  unsigned counted = 0, reached = 0;
  for (unsigned n = 0; n < GRAPHS; n++) {
    const struct traffic_graph g = random_graph(1 + n % MOST, n & 1);
    bool cached[TRAFFIC_MAX_LOADS];
    double best = greatest_of_all(&g);
    assert_true(traffic_exact(&g, TRAFFIC_NODES, cached));
    assert_true(traffic_reduction(&g, cached) == best); /* whole numbers: no rounding */
    if (solve_has_glpk() && n < PROGRAMS) {
      assert_int_equal(traffic_ilp(&g, cached), 0);
      assert_true(traffic_reduction(&g, cached) == best);
    }
    traffic_heuristic(&g, cached);
    double found = traffic_reduction(&g, cached);
    assert_true(found <= best);
    if (!(best > 0)) continue;
    share += found / best;
    worst = fmin(worst, found / best);
    reached += found == best;
    counted++;
  }
  print_message("Algorithm 1: %.2f%% of the greatest reduction in the mean of %u graphs, all of it in %u, at worst %.1f%%\n",
                100 * share / counted, counted, reached, 100 * worst);
  assert_true(counted > GRAPHS / 2 && share / counted > 0.95 && reached < counted);
}

/* More loads than the subsets of which can be counted: the search against the program, and its bound on nodes. */
static void many_loads(void **state) {
  (void)state;
  for (unsigned n = 0; n < 20; n++) {
    const struct traffic_graph g = random_graph(20 + n % 5, n & 1);
    bool cached[TRAFFIC_MAX_LOADS], other[TRAFFIC_MAX_LOADS];
    assert_true(traffic_exact(&g, TRAFFIC_NODES, cached));
    traffic_heuristic(&g, other);
    assert_true(traffic_reduction(&g, cached) >= traffic_reduction(&g, other));
    if (n < 4 && traffic_ilp(&g, other) == 0) assert_true(traffic_reduction(&g, cached) == traffic_reduction(&g, other));
  }
  const struct traffic_graph g = random_graph(TRAFFIC_MAX_LOADS, false);
  bool cached[TRAFFIC_MAX_LOADS], other[TRAFFIC_MAX_LOADS];
  bool ended = traffic_exact(&g, 1, cached);
  traffic_heuristic(&g, other);
  assert_true(!ended && traffic_reduction(&g, cached) >= traffic_reduction(&g, other));
}

/* 5.3 and Figure 4, as far as the text has them: V3's edges are -5, -5 and -4, its node 1, so it is the first, and bypassed; V4 is the
 * next, and cached. The figure's other weights are not in the text: these agree with what it says. */
static void paper_example(void **state) {
  (void)state;
  struct traffic_graph g = {.loads = 4, .node = {6, 7, 1, 5}};
  const struct { unsigned a, b; double weight; } edges[] = {{0, 2, -5}, {1, 2, -5}, {3, 2, -4}, {0, 1, 4}, {0, 3, -1}, {1, 3, -2}};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    g.edge[edges[i].a][edges[i].b] = g.edge[edges[i].b][edges[i].a] = edges[i].weight;
  bool cached[TRAFFIC_MAX_LOADS];
  traffic_heuristic(&g, cached);
  assert_true(cached[0] && cached[1] && !cached[2] && cached[3]);
  assert_true(traffic_reduction(&g, cached) == 6 + 7 + 5 + 4 - 1 - 2);
  assert_true(traffic_exact(&g, TRAFFIC_NODES, cached) && !cached[2] && traffic_reduction(&g, cached) == 19);
  const bool all[] = {true, true, true, true};
  assert_true(traffic_reduction(&g, all) == 6);
}

/* Nothing to decide, and nothing worth caching. */
static void edges_of_the_problem(void **state) {
  (void)state;
  struct traffic_graph g = {.loads = 0};
  bool cached[TRAFFIC_MAX_LOADS] = {true, true};
  assert_true(traffic_solve(&g, cached));
  g = (struct traffic_graph){.loads = 2, .node = {-1, 3}, .edge = {{0, -5}, {-5, 0}}};
  assert_true(traffic_solve(&g, cached) && !cached[0] && cached[1]);
  g.node[1] = -2;
  assert_true(traffic_solve(&g, cached) && !cached[0] && !cached[1]);
  traffic_heuristic(&g, cached);
  assert_true(!cached[0] && !cached[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(against_all_subsets), cmocka_unit_test(many_loads), cmocka_unit_test(paper_example),
                                     cmocka_unit_test(edges_of_the_problem)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
