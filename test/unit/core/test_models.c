/* The cost models on stored launches: every term, as text, against golden/NAME.MODEL.txt; relations that each model states,
 * checked by hand; exact search in the models' own problems.
 * The golden files are what `test_models --write` writes: read the difference before keeping it. */
#include "launches.h"

#include <math.h>

#include "evaluate.h"
#include "hits.h"
#include "score.h"
#include "session.h"

static struct place_machine *machine;

static void conv1d_64(struct scene *s) { scene_conv1d(s, 64); }
static void conv1d_256(struct scene *s) { scene_conv1d(s, 256); }
static void look_up(struct scene *s) { scene_lut(s, 8192, false); }
static void box_4(struct scene *s) { scene_box(s, 4); }
static void triad(struct scene *s) { scene_triad(s, 4 * MEBI); }
static void sparse(struct scene *s) { scene_spmv(s, false); }

static const struct {
  const char *name;
  void (*open)(struct scene *);
  enum place_space space[4]; /* of the plan that is explained */
} stored[] = {
  {"conv1d_64_constant", conv1d_64, {PLACE_GLOBAL, PLACE_CONSTANT}},
  {"conv1d_256_constant", conv1d_256, {PLACE_GLOBAL, PLACE_CONSTANT}},
  {"conv1d_256_shared", conv1d_256, {PLACE_GLOBAL, PLACE_SHARED}},
  {"look_up_shared", look_up, {PLACE_GLOBAL, PLACE_SHARED}},
  {"look_up_global", look_up, {PLACE_GLOBAL, PLACE_GLOBAL}},
  {"box_4_constant", box_4, {PLACE_GLOBAL, PLACE_CONSTANT}},
  {"triad_readonly", triad, {PLACE_READONLY, PLACE_READONLY}},
  {"spmv_mixed", sparse, {PLACE_GLOBAL, PLACE_GLOBAL, PLACE_GLOBAL, PLACE_READONLY}},
};
enum { STORED = sizeof stored / sizeof *stored, TEXT_BYTES = 1 << 16 };

static void explain(size_t i, enum place_model model, char *out) {
  struct scene s;
  struct place_diag diag = {""};
  stored[i].open(&s);
  struct place_question question = scene_question(&s, machine, model);
  question.profile.words = NULL;
  size_t n = place_plan_explain(&question, stored[i].space, out, TEXT_BYTES, &diag);
  if (!n || n >= TEXT_BYTES) fail_msg("%s: %s", stored[i].name, diag.text);
  scene_close(&s);
}

static void golden_path(size_t i, enum place_model model, char *out, size_t size) {
  snprintf(out, size, GOLDEN "/%s.%s.txt", stored[i].name, place_model_name(model));
}

static void golden_terms(void **state) {
  (void)state;
  char *text = malloc(TEXT_BYTES), path[512];
  for (size_t i = 0; i < STORED; i++)
    for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
      size_t length;
      explain(i, (enum place_model)m, text);
      golden_path(i, (enum place_model)m, path, sizeof path);
      char *wanted = read_text(path, &length);
      if (strcmp(text, wanted)) fail_msg("%s:\n%s\nbut now:\n%s", path, wanted, text);
      free(wanted);
    }
  free(text);
}

static int write_golden(void) {
  char *text = malloc(TEXT_BYTES), path[512];
  machine = h200();
  for (size_t i = 0; i < STORED; i++)
    for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
      explain(i, (enum place_model)m, text);
      golden_path(i, (enum place_model)m, path, sizeof path);
      FILE *file = fopen(path, "w");
      if (!file || fputs(text, file) < 0 || fclose(file)) return 1;
    }
  free(text);
  msl_free(machine);
  return 0;
}

/* ---- names ---- */

static void names(void **state) {
  (void)state;
  enum place_model model;
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
    const char *name = place_model_name((enum place_model)m);
    assert_int_equal(place_model_parse(name, strlen(name), &model), 0);
    assert_int_equal(model, m);
  }
  assert_int_equal(place_model_parse("plac", 4, &model), -1);
  assert_int_equal(place_model_parse("placed", 6, &model), -1);
  assert_int_equal(place_model_parse("", 0, &model), -1);
  assert_string_equal(place_model_name((enum place_model)99), "?");
}

static struct session *open_session(struct scene *s, enum place_model model) {
  struct place_diag diag = {""};
  const struct place_question question = scene_question(s, machine, model);
  struct session *session = session_open(&question, &diag);
  if (!session) fail_msg("%s", diag.text);
  return session;
}

/* ---- porple: the published sums, written out once more ---- */

static void porple_by_hand(void **state) {
  (void)state;
  struct scene s;
  scene_conv1d(&s, 64);
  struct session *session = open_session(&s, PLACE_MODEL_PORPLE);
  const struct place_memory *cl1 = msl_memory_by_name(machine, "cL1");
  uint8_t constant[SOLVE_MAX_ARRAYS] = {PLACE_GLOBAL, PLACE_CONSTANT}, global[SOLVE_MAX_ARRAYS] = {0};
  double clk = 1e9 / machine->clock_hz.value, path[SOLVE_MAX_PATHS];
  /* taps in constant memory: one address a warp access, 256 bytes lie in cL1, alpha 1 */
  double n = session->traits.access[1].executions / machine->sm_count;
  solve_cost_paths(&session->problem, constant, path, NULL);
  double t = path[cl1->path], wanted = n * msl_read_latency_clk(machine, cl1) * clk;
  assert_true(fabs(t - wanted) < 1e-6 * wanted);
  /* in global memory the taps share L1 with signal and output: 64 bytes of 256 K / 3 hit but for first touches */
  const struct place_memory *l1 = msl_memory_by_name(machine, "L1"), *l2 = msl_memory_by_name(machine, "L2");
  const struct place_memory *memory = msl_memory_by_name(machine, "globalMem");
  double with[SOLVE_MAX_PATHS];
  solve_cost_paths(&session->problem, global, with, NULL);
  double accesses = session->traits.access[1].executions, m1 = hits_missed(&session->in, l1, 1, accesses, 3);
  double m2 = hits_missed(&session->in, l2, 1, accesses, 3);
  double taps = n * 0.2 * clk * ((1 - m1) * msl_read_latency_clk(machine, l1) + (m1 - m2) * msl_read_latency_clk(machine, l2) +
                                 m2 * msl_read_latency_clk(machine, memory));
  double others = path[l1->path]; /* signal and output with two users instead of three: no portion holds them */
  assert_true(fabs(with[l1->path] - others - taps) < 1e-3 * taps);
  assert_true(session->model->cost(&session->in, &session->problem, constant, NULL) == fmax(path[cl1->path], path[l1->path]));
  session_close(session);
  scene_close(&s);
}

/* ---- rules ---- */

static enum place_space wanted_by_rules(struct scene *s, unsigned placeable) {
  struct session *session = open_session(s, PLACE_MODEL_RULES);
  struct solve_result best;
  assert_int_equal(session_solve(session, PLACE_SOLVER_AUTO, &best, NULL), 0);
  if (fabs(best.cost_ns - 1) > 1e-9) fail_msg("the ruled plan costs %g", best.cost_ns);
  enum place_space space = (enum place_space)best.space[placeable];
  session_close(session);
  scene_close(s);
  return space;
}

static void rules(void **state) {
  (void)state;
  struct scene s;
  scene_conv1d(&s, 256);
  assert_int_equal(wanted_by_rules(&s, 1), PLACE_CONSTANT); /* uniform and small */
  scene_conv1d(&s, 256);
  assert_int_equal(wanted_by_rules(&s, 0), PLACE_GLOBAL); /* coalesced, too large to stage */
  scene_lut(&s, 8192, true);
  assert_int_equal(wanted_by_rules(&s, 1), PLACE_GLOBAL); /* not known statically */
  scene_triad(&s, MEBI);
  assert_int_equal(wanted_by_rules(&s, 0), PLACE_GLOBAL); /* coalesced, no reuse */
  scene_triad(&s, MEBI);
  s.table.regions[0].accesses[0].offset = place_expr_parse(&s.table.exprs, "65536*tid", 9, NULL);
  s.table.regions[0].accesses[1].offset = s.table.regions[0].accesses[2].offset = s.table.regions[0].accesses[0].offset;
  assert_int_equal(wanted_by_rules(&s, 0), PLACE_READONLY); /* not coalesced */
}

/* ---- huang ---- */

static struct huang_terms terms_of(struct scene *s, const uint8_t *space) {
  struct huang_terms t;
  struct session *session = open_session(s, PLACE_MODEL_HUANG);
  assert_true(huang_terms(&session->in, space, &t));
  session_close(session);
  return t;
}

static void huang_terms_by_hand(void **state) {
  (void)state;
  struct scene s;
  uint8_t global[SOLVE_MAX_ARRAYS] = {0}, constant[SOLVE_MAX_ARRAYS] = {0, PLACE_CONSTANT};
  uint8_t shared[SOLVE_MAX_ARRAYS] = {0, PLACE_SHARED};
  scene_lut(&s, 8192, false);
  struct huang_terms g = terms_of(&s, global), c = terms_of(&s, constant), t = terms_of(&s, shared);
  struct session *session = open_session(&s, PLACE_MODEL_HUANG);
  double n = session->walk.access[1].executions;
  /* addressing: 2 instructions in global memory, 1 in the others */
  assert_true(fabs(g.addressing - c.addressing - n) < 1e-6 * n && fabs(g.addressing - t.addressing - n) < 1e-6 * n);
  /* replays: distinct addresses beyond the first (3), bank conflicts (4), lines beyond the first (1) */
  assert_true(fabs(c.replay[2] - n * (session->traits.access[1].distinct - 1)) < 1e-6 * n);
  assert_true(fabs(t.replay[3] - n * (session->traits.access[1].transactions[PLACE_SHARED][0] - 1)) < 1e-6 * n);
  assert_true(fabs(g.replay[0] - t.replay[0] - n * (session->traits.access[1].transactions[PLACE_GLOBAL][0] - 1)) < 1e-6 * n);
  assert_true(t.replay[2] == 0 && g.replay[2] == 0 && g.replay[3] == 0);
  /* equations 1 and 12: with no overlap, and with all of T_mem overlapped */
  double none[HUANG_FEATURES] = {0}, all[HUANG_FEATURES] = {0, 0, 0, 0, 0, 0, 1};
  assert_true(huang_time(&g, none) == g.comp_ns + g.mem_ns && fabs(huang_time(&g, all) - g.comp_ns) < 1e-9 * g.comp_ns);
  /* row buffers: every request hits, misses or conflicts; a queue delays, and utilisation stays below 1 */
  assert_true(fabs(g.dram.hit_ratio + g.dram.miss_ratio + g.dram.conflict_ratio - 1) < 1e-9);
  assert_true(g.dram.utilisation > 0 && g.dram.utilisation < 1 && g.dram.latency_ns > g.dram.service_ns);
  session_close(session);
  scene_close(&s);
}

/* A regression recovers coefficients that made its data. */
static void huang_regression(void **state) {
  (void)state;
  enum { ROWS = 400 };
  static const double truth[HUANG_FEATURES] = {0.2, -0.1, 0.3, 0.05, 0.1, -0.2, 0.4};
  static struct huang_terms terms[ROWS];
  static struct huang_row rows[ROWS];
  double found[HUANG_FEATURES];
  for (int i = 0; i < ROWS; i++) {
    terms[i] = (struct huang_terms){.comp_ns = 1000 + (double)random_below(1000), .mem_ns = 1000 + (double)random_below(1000)};
    for (int k = 0; k < 6; k++) terms[i].feature[k] = (double)random_below(1000) / 1000;
    terms[i].feature[6] = 1;
    rows[i] = (struct huang_row){&terms[i], huang_time(&terms[i], truth)};
  }
  huang_fit(rows, ROWS, found);
  for (int k = 0; k < HUANG_FEATURES; k++) assert_true(fabs(found[k] - truth[k]) < 0.1);
  double error = 0;
  for (int i = 0; i < ROWS; i++) error += fabs(huang_time(&terms[i], found) / rows[i].measured_ns - 1) / ROWS;
  assert_true(error < 0.03);
}

/* ---- search in the models' problems: all real instances ---- */

static void real_instances(void **state) {
  (void)state;
  static const struct { const char *table; unsigned region; } all[] = {
    {"conv1d", 0}, {"lut", 0}, {"spmv", 0}, {"triad", 0}, {"box", 0}, {"cdf", 0}, {"cdf", 1}, {"pass_conv1d", 0},
    {"pass_lookup", 0},
    {"pass_spmv", 0}, {"pass_triad", 0}, {"pass_box", 0}, {"pass_particlefilter", 0}, {"pass_particlefilter", 1}};
  static const uint64_t sizes[] = {256, 1024, 8192, 30000, 64 << 20};
  unsigned instances = 0, exact = 0;
  double sum = 0, most = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (unsigned size = 0; size < 2 * 5; size++)
      for (unsigned m = 0; m <= PLACE_MODEL_PORPLE; m++) {
        struct scene s;
        struct solve_result brute, ilp, greedy;
        scene_open(&s, all[i].table, all[i].region, 1 << 22);
        for (int k = 0; k < 10; k++) scene_arg(&s, k, 1000);
        for (size_t a = 0; a < s.region->array_count; a++)
          scene_array(&s, (int)a, sizes[(size + a * (size / 5)) % 5]);
        struct session *session = open_session(&s, (enum place_model)m);
        assert_int_equal(solve_brute(&session->problem, &brute, NULL), 0);
        assert_int_equal(solve_exact(&session->problem, &ilp, NULL), 0);
        assert_int_equal(solve_greedy(&session->problem, &greedy, NULL), 0);
        assert_true(fabs(ilp.cost_ns - brute.cost_ns) <= 1e-9 * brute.cost_ns);
        double loss = brute.cost_ns > 0 ? greedy.cost_ns / brute.cost_ns - 1 : 0;
        instances++, exact += loss < 1e-9, sum += loss, most = fmax(most, loss);
        session_close(session);
        scene_close(&s);
      }
  printf("greedy on %u real instances: optimal in %u, mean loss %.3f%%, worst %.2f%%\n", instances, exact,
         100 * sum / instances, 100 * most);
  assert_true(sum / instances < 0.02);
}

/* Equal portions: the more arrays use a cache, the more each misses, and a plan's cost sees it. */
static void shared_caches(void **state) {
  (void)state;
  struct scene s;
  scene_spmv(&s, true);
  scene_array(&s, 3, 10 << 20); /* x: fits L2 with four other arrays, not with five */
  struct session *session = open_session(&s, PLACE_MODEL_PLACE);
  const struct place_memory *l2 = msl_memory_by_name(machine, "L2");
  double before = 0;
  for (unsigned users = 1; users <= 8; users++) {
    double missed = hits_missed(&session->in, l2, 3, session->traits.access[4].executions, users);
    assert_true(missed >= before && missed <= 1);
    before = missed;
  }
  assert_true(session->problem.shares >= 1);
  session_close(session);
  scene_close(&s);
}

/* ---- scores ---- */

static void scores(void **state) {
  (void)state;
  const double up[] = {1, 2, 3, 4}, down[] = {9, 7, 5, 3}, ties[] = {1, 1, 2, 2}, flat[] = {5, 5, 5, 5};
  assert_true(score_spearman(up, up, 4) == 1 && score_spearman(up, down, 4) == -1);
  assert_true(fabs(score_spearman(up, ties, 4) - 4 / sqrt(5 * 4)) < 1e-12); /* ranks 1.5 1.5 3.5 3.5 */
  assert_true(isnan(score_spearman(up, flat, 4)) && isnan(score_spearman(up, up, 1)));
  assert_true(score_regret(up, down, 4) == 2);                  /* 9 where 3 was possible */
  assert_true(score_regret(down, down, 4) == 0);
  assert_true(fabs(score_regret(flat, up, 4) - 1.5) < 1e-12); /* any of them: 2.5 in the mean */
  assert_true(isnan(score_regret(up, up, 0)));
  double near[] = {1.03, 1, 1.02, 1.019, 5, 1.021}; /* within 2% of 1; then within 2% of 1.021 */
  score_tie(near, 6, 0.02);
  const double tied[] = {1.021, 1, 1, 1, 5, 1.021};
  assert_memory_equal(near, tied, sizeof tied);
  score_tie(near, 0, 0.02);
}

static int open_machine(void **state) {
  (void)state;
  machine = h200();
  return 0;
}

static int close_machine(void **state) {
  (void)state;
  msl_free(machine);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "--write")) return write_golden();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(names),        cmocka_unit_test(golden_terms),        cmocka_unit_test(porple_by_hand),
    cmocka_unit_test(rules),        cmocka_unit_test(huang_terms_by_hand), cmocka_unit_test(huang_regression),
    cmocka_unit_test(real_instances), cmocka_unit_test(shared_caches),     cmocka_unit_test(scores)};
  return cmocka_run_group_tests(tests, open_machine, close_machine);
}
