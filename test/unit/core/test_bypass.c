/* Paper 002's metrics: the simulated L1 against its definition, and the graphs of launches whose traffic is known by hand. */
#include "launches.h"

#include <stdlib.h>

#include "bypass.h"
#include "lru.h"
#include "session.h"

static struct place_machine *machine, *fermi; /* H200: sectors of 32 bytes; M2075: lines of 128 */

/* ---- the cache ---- */

enum { TOUCHES = 3000, LINES = 40, BLOCKS = 4 };

/* Whether fewer than `capacity` other lines were touched since the line was, and the block since the line came in. */
static bool is_hit(const unsigned (*trace)[2], int n, int capacity) {
  bool seen[LINES] = {false}, block = false;
  int others = 0;
  for (int t = n - 1; t >= 0; t--) {
    if (trace[t][0] == trace[n][0]) {
      if (others >= capacity) break;
      block |= trace[t][1] == trace[n][1];
      if (block) return true;
      memset(seen, 0, sizeof seen); /* how long ago the use before this one was */
      others = 0;
    } else if (!seen[trace[t][0]]) seen[trace[t][0]] = true, others++;
  }
  return false;
}

static void least_recently_used(void **state) {
  (void)state;
  static unsigned trace[TOUCHES][2];
  uint32_t random = 1;
  for (int capacity = 1; capacity < LINES; capacity += 6) {
    struct lru *cache = lru_new((size_t)capacity);
    int hits = 0;
    lru_touch(cache, 7, 1);
    lru_empty(cache);
    for (int n = 0; n < TOUCHES; n++) {
      random = random * 1664525 + 1013904223;
      trace[n][0] = (random >> 8) % 3 ? (random >> 16) % 8 : (random >> 16) % LINES;
      trace[n][1] = (random >> 28) % BLOCKS;
      bool hit = lru_touch(cache, trace[n][0] * UINT64_C(977), trace[n][1]);
      assert_int_equal(hit, is_hit(trace, n, capacity));
      hits += hit;
    }
    assert_true(hits > 0 && hits < TOUCHES);
    lru_free(cache);
  }
}

/* ---- graphs ---- */

static void find(struct scene *s, const struct place_machine *on, enum bypass_group group, struct bypass *b) {
  struct place_diag diag = {""};
  const struct place_question question = scene_question(s, on, PLACE_MODEL_PLACE);
  struct session *session = session_open(&question, &diag);
  if (!session || bypass_find(&session->in, group, b, &diag)) fail_msg("%s", diag.text);
  session_close(session);
}

/* a and b are read once, 4 * n bytes of each: nothing is reused, and L1 neither saves nor costs anything. */
static void streams(void **state) {
  (void)state;
  struct scene s;
  struct bypass b;
  for (int m = 0; m < 2; m++) {
    scene_triad(&s, 4 * MEBI);
    find(&s, m ? fermi : machine, BYPASS_ARRAYS, &b);
    assert_int_equal(b.graph.loads, 2);
    for (unsigned i = 0; i < 2; i++) {
      assert_true(b.load[i].off == b.load[i].on && b.graph.node[i] == 0 && b.graph.edge[i][1 - i] == 0);
      assert_true(b.load[i].off >= 16e6 && b.load[i].off < 17e6); /* the walk's launch has 1.001 warps for each 32 iterations */
    }
    bool all[TRAFFIC_MAX_LOADS] = {true, true};
    assert_true(bypass_traffic(&b, all) == b.load[0].off + b.load[1].off);
    scene_close(&s);
  }
}

/* Random elements of 512 KB: where a miss brings in a line of 128 bytes, four sectors for one that is used, they bypass L1, which is
 * the paper's first case; where it brings in a sector, L1 takes off what it holds, and nothing is lost by trying. */
static void scattered(void **state) {
  (void)state;
  struct scene s;
  struct bypass b;
  bool cached[TRAFFIC_MAX_LOADS];
  for (int m = 0; m < 2; m++) {
    scene_lut(&s, 1 << 17, false);
    find(&s, m ? fermi : machine, BYPASS_ARRAYS, &b);
    assert_int_equal(b.graph.loads, 2);
    assert_string_equal(s.region->arrays[b.load[1].array].name, "w");
    if (m) assert_true(b.load[1].on > 3 * b.load[1].off && b.graph.node[1] < 0);
    else assert_true(b.load[1].on <= b.load[1].off && b.graph.node[1] >= 0);
    assert_true(traffic_solve(&b.graph, cached) && !(m && cached[1]));
    scene_close(&s);
  }
}

/* Taps that all threads read, and rows with them: both are cached, and on their own almost all accesses hit. */
static void reused(void **state) {
  (void)state;
  struct scene s;
  struct bypass b;
  bool cached[TRAFFIC_MAX_LOADS];
  scene_conv1d(&s, 64);
  find(&s, machine, BYPASS_ARRAYS, &b);
  assert_int_equal(b.graph.loads, 2);
  for (unsigned i = 0; i < 2; i++) assert_true(b.load[i].on < 0.1 * b.load[i].off && b.graph.node[i] > 0 && b.graph.edge[i][1 - i] == 0);
  assert_true(traffic_solve(&b.graph, cached) && cached[0] && cached[1]);
  scene_close(&s);
}

/* Loads of one array that read what the others have read: as loads they gain by each other, as one group that is its own reuse. */
static void loads_and_arrays(void **state) {
  (void)state;
  struct scene s;
  struct bypass loads, arrays;
  double nodes = 0, edges = 0;
  scene_spmv(&s, false);
  find(&s, machine, BYPASS_LOADS, &loads);
  find(&s, machine, BYPASS_ARRAYS, &arrays);
  assert_int_equal(arrays.graph.loads, 4);
  assert_int_equal(loads.graph.loads, 5); /* rp[i] and rp[i + 1] */
  for (unsigned i = 0; i < 5; i++) {
    if (loads.load[i].array != arrays.load[0].array) continue;
    nodes += loads.graph.node[i];
    for (unsigned k = 0; k < i; k++)
      if (loads.load[k].array == arrays.load[0].array) edges += loads.graph.edge[i][k];
  }
  assert_true(edges > 0 && nodes + edges == arrays.graph.node[0]);
  scene_close(&s);
}

/* A machine whose global memory has no L1 before it: nothing to choose. */
static void no_cache(void **state) {
  (void)state;
  static struct msl_diagnostics why;
  struct place_machine *tesla = msl_read_file(MACHINES "/c1060.msl", &why);
  struct scene s;
  struct bypass b;
  assert_non_null(tesla);
  scene_triad(&s, MEBI);
  find(&s, tesla, BYPASS_ARRAYS, &b);
  assert_int_equal(b.graph.loads, 0);
  scene_close(&s);
  msl_free(tesla);
}

/* ---- as text ---- */

static const char rows_of_spmv[] =
  "node rp T_off=9.6768e+06 T_on=5.376e+06 W=4.3008e+06\n"
  "node ci T_off=2.75251e+08 T_on=2.75251e+08 W=0\n"
  "node val T_off=2.75251e+08 T_on=2.74893e+08 W=358400\n"
  "node x T_off=2.75251e+08 T_on=2.75251e+08 W=0\n"
  "cache-all: T=4.6592e+06, past L1:\n"
  "bypass-all: T=0, past L1: rp ci val x\n"
  "heuristic: T=4.6592e+06, past L1: ci x\n"
  "exact: T=4.6592e+06, past L1:\n";

static void as_text(void **state) {
  (void)state;
  struct scene s;
  struct place_diag diag = {""};
  char text[4096];
  scene_spmv(&s, false);
  struct place_question question = scene_question(&s, machine, PLACE_MODEL_BYPASS);
  question.profile.words = NULL;
  size_t n = place_plan_routes(&question, PLACE_ROUTE_ARRAYS, text, sizeof text, &diag);
  assert_int_equal(n, strlen(text));
  assert_string_equal(text, rows_of_spmv);
  assert_true(place_plan_routes(&question, PLACE_ROUTE_LOADS, text, sizeof text, &diag) > 0);
  assert_non_null(strstr(text, "edge rp#0:31 rp#1:31 W="));
  assert_null(strstr(text, "#pragma"));
  scene_close(&s);
}

static int open_machines(void **state) {
  (void)state;
  static struct msl_diagnostics why;
  machine = h200();
  fermi = msl_read_file(MACHINES "/m2075.msl", &why);
  return machine && fermi ? 0 : -1;
}

static int close_machines(void **state) {
  (void)state;
  msl_free(machine);
  msl_free(fermi);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(least_recently_used), cmocka_unit_test(streams), cmocka_unit_test(scattered),
                                     cmocka_unit_test(reused), cmocka_unit_test(loads_and_arrays), cmocka_unit_test(no_cache),
                                     cmocka_unit_test(as_text)};
  return cmocka_run_group_tests(tests, open_machines, close_machines);
}
