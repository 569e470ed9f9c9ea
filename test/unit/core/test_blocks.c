/* Block versions: their shapes, what they reach, and the order of the estimates against what was measured (the cases in blocks). */
#include "support.h"

#include <math.h>

#include "block.h"
#include "place/case.h"
#include "score.h"

static struct place_machine *machine;

/* ---- shapes ---- */

static int parse(const char *name, unsigned threads, struct block_shape *shape) {
  char entry[64];
  snprintf(entry, sizeof entry, "kernel_l6_place_gg_%s", name);
  struct place_version version = {.entry = entry, .kind = PLACE_BLOCK, .threads = threads};
  return block_shape_parse(&version, shape);
}

static void shapes(void **state) {
  (void)state;
  struct block_shape s;
  assert_int_equal(parse("64x128t256k16", 256, &s), 0);
  assert_true(s.dims == 2 && s.strip == 16 && !s.turned);
  assert_true(s.threads[0] == 8 && s.threads[1] == 32 && s.each[0] == 8 && s.each[1] == 4);
  assert_true(s.adjacent[0] && !s.adjacent[1]);
  assert_int_equal(parse("64x32t256c", 256, &s), 0);
  assert_true(s.turned && !s.adjacent[0] && s.each[0] == 8 && s.each[1] == 1 && !s.strip);
  assert_int_equal(parse("4x8x32t256", 256, &s), 0);
  assert_true(s.dims == 3 && s.threads[0] == 1 && s.each[0] == 4 && s.threads[1] == 8 && s.each[1] == 1);
  assert_int_equal(parse("512t128k32a", 128, &s), 0);
  assert_true(s.dims == 1 && s.threads[0] == 128 && s.each[0] == 4 && s.adjacent[0] && s.strip == 32);
  static const char *const wrong[] = {"", "64", "64x64", "0x64t256", "64x64t0", "64x64t256k", "64x64t256z", "60x64t256",
                                      "4x4x4x64t256", "64x64t128", "99999999x32t256", "64x-1t256", "512t128ka"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_int_equal(parse(wrong[i], 256, &s), -1);
}

/* Against counting: every combination of steps, marked in a table. */
static void distinct(void **state) {
  (void)state;
  static const struct block_term sets[][3] = {
    {{4, 512}, {4, 32}, {0, 9}}, {{4096, 32}, {4, 32}, {0, 1}}, {{-400, 5}, {4, 100}, {0, 1}}, {{4, 34}, {400, 10}, {400, 3}}};
  static const double wanted[] = {512 + 31, 32 * 32, 500, 34 * 12};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    struct block_term terms[3];
    int64_t pitch;
    memcpy(terms, sets[i], sizeof terms);
    assert_true(block_distinct(terms, 3, &pitch) == wanted[i]);
    assert_int_equal(pitch, 4);
    bool seen[1 << 16] = {false};
    double count = 0;
    for (int a = 0; a < sets[i][0].steps; a++)
      for (int b = 0; b < sets[i][1].steps; b++)
        for (int c = 0; c < sets[i][2].steps; c++) {
          int64_t at = (a * sets[i][0].stride + b * sets[i][1].stride + c * sets[i][2].stride) / 4 + (1 << 14);
          count += !seen[at];
          seen[at] = true;
        }
    assert_true(count == wanted[i]);
  }
}

/* ---- stored launches ---- */

static void open_case(struct place_case *c, const char *name) {
  char path[512];
  size_t length;
  struct place_diag diag = {""};
  snprintf(path, sizeof path, BLOCKS "/%s.case", name);
  char *text = read_text(path, &length);
  if (place_case_read(text, length, c, &diag)) fail_msg("%s: %s", name, diag.text);
  free(text);
}

/* Estimates of the case's block plans, and what they took, both over everything in global memory; returns how many. */
static unsigned estimates(const struct place_case *c, double *predicted, double *measured) {
  struct place_plan plans[64];
  struct place_diag diag = {""};
  double ns[64], base_ns = 0, base = 0;
  unsigned n = 0;
  assert_true(c->region->version_count <= 64);
  int count = place_plan_rank(&c->table, c->region, &c->launch, NULL, machine, NULL, plans, 64, NULL, ns, &diag);
  if (count < 1) fail_msg("%s", diag.text);
  for (int i = 0; i < count; i++)
    if (plans[i].version == -1) base_ns = plans[i].cost_ns;
  for (size_t i = 0; i < c->plan_count; i++)
    if (c->plans[i].version < 0) base = c->plans[i].kernel_ns;
  assert_true(base_ns > 0 && base > 0);
  for (size_t v = 0; v < c->region->version_count; v++)
    assert_true(c->region->versions[v].kind == PLACE_BLOCK ? ns[v] > 0 && isfinite(ns[v]) : isnan(ns[v]));
  for (size_t i = 0; i < c->plan_count; i++) {
    if (c->plans[i].version < 0) continue;
    predicted[n] = ns[c->plans[i].version] / base_ns;
    measured[n++] = c->plans[i].kernel_ns / base;
  }
  return n;
}

static void print(const struct place_case *c, const double *predicted, const double *measured) {
  char name[256];
  unsigned n = 0;
  for (size_t i = 0; i < c->plan_count; i++) {
    if (c->plans[i].version < 0) continue;
    place_case_plan_name(c->region, c->plans[i].space, c->plans[i].version, name, sizeof name);
    printf("    %-24s of base: predicted %.3f, measured %.3f\n", name, predicted[n], measured[n]);
    n++;
  }
}

static void against_measured(void **state) {
  (void)state;
  static const char *const names[] = {"mm", "transpose", "box1", "box4", "star1", "star4", "box3d", "star3d", "conv1d64", "conv1d256",
    "nbody", "kmeans", "pairwise"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct place_case c;
    double predicted[64], measured[64];
    open_case(&c, names[i]);
    unsigned n = estimates(&c, predicted, measured);
    double rho = score_spearman(predicted, measured, n), regret = score_regret(predicted, measured, n);
    printf("%-10s %u block versions: rho %5.2f, regret %5.1f%%\n", names[i], n, rho, 100 * regret);
    print(&c, predicted, measured);
    place_case_free(&c);
  }
}

static int open_machine(void **state) {
  (void)state;
  static struct msl_diagnostics why;
  machine = msl_read_file(MACHINES "/h200.msl", &why);
  return machine ? 0 : -1;
}

static int close_machine(void **state) {
  (void)state;
  msl_free(machine);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(distinct), cmocka_unit_test(against_measured)};
  return cmocka_run_group_tests(tests, open_machine, close_machine);
}
