/* Block versions: what they reach, and the order of the estimates against what was measured (blocks). */
#include "stored_case.h"
#include "support.h"

#include <math.h>

#include "block.h"
#include "place/case.h"
#include "score.h"

static struct place_machine *machine;

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

/* By model `place`, of 64 plans at most; without the case's profile. */
static int rank(const struct place_case *c, struct place_plan *plans, struct place_estimate *estimate, struct place_diag *diag) {
  struct place_question question = place_case_question(c, machine, PLACE_MODEL_PLACE);
  struct place_ranking ranking = {.plans = plans, .capacity = 64, .estimate = estimate};
  question.profile.words = NULL;
  return place_plan_rank(&question, PLACE_SOLVER_AUTO, &ranking, diag);
}

static bool is_block(const struct place_case *c, size_t plan) {
  int version = c->plans[plan].version;
  return version >= 0 && c->region->versions[version].block.dims;
}

/* Estimates of the case's block plans, and what they took, both over everything in global memory; returns how many. */
static unsigned estimates(const struct place_case *c, double *predicted, double *measured) {
  struct place_plan plans[64];
  struct place_diag diag = {""};
  struct place_estimate estimate[64];
  double base_ns = 0, base = 0;
  unsigned n = 0;
  assert_true(c->region->version_count <= 64);
  int count = rank(c, plans, estimate, &diag);
  if (count < 1) fail_msg("%s", diag.text);
  for (int i = 0; i < count; i++)
    if (plans[i].version == -1) base_ns = plans[i].cost_ns;
  for (size_t i = 0; i < c->plan_count; i++)
    if (!is_block(c, i)) base = c->plans[i].kernel_ns;
  assert_true(base_ns > 0 && base > 0);
  for (size_t v = 0; v < c->region->version_count; v++) { /* nbody's 256 KiB in constant memory do not fit */
    const struct place_version *version = &c->region->versions[v];
    bool estimated = version->block.dims || place_version_is_plain(c->region, version);
    assert_int_equal(estimate[v].state != PLACE_ESTIMATE_NONE, estimated);
  }
  for (size_t i = 0; i < c->plan_count; i++) {
    if (!is_block(c, i)) continue;
    const struct place_estimate *of = &estimate[c->plans[i].version];
    assert_int_equal(of->state, PLACE_ESTIMATE_KNOWN); /* it was launched */
    predicted[n] = of->ns / base_ns;
    measured[n++] = c->plans[i].kernel_ns / base;
  }
  return n;
}

static void print(const struct place_case *c, const double *predicted, const double *measured) {
  char name[256];
  unsigned n = 0;
  for (size_t i = 0; i < c->plan_count; i++) {
    if (!is_block(c, i)) continue;
    place_case_plan_name(c->region, c->plans[i].space, c->plans[i].version, name, sizeof name);
    printf("    %-24s of base: predicted %.3f, measured %.3f\n", name, predicted[n], measured[n]);
    n++;
  }
}

/* What the best of the `most` versions that are predicted best takes more than the best of all. */
static double regret_of(const double *predicted, const double *measured, unsigned n, unsigned most) {
  double best = INFINITY, found = INFINITY;
  for (unsigned i = 0; i < n; i++) {
    unsigned before = 0;
    for (unsigned k = 0; k < n; k++) before += predicted[k] < predicted[i] || (predicted[k] == predicted[i] && k < i);
    best = fmin(best, measured[i]);
    if (before < most) found = fmin(found, measured[i]);
  }
  return found / best - 1;
}

/* What holds today: the rank correlation at least, and regrets at most, of the version predicted best and of a trial of the
 * best four. Three are far from good, and why is known: box3d's eight rows a thread need registers, which the model does not
 * count (0.105 against 0.089 ms); 64 taps in constant memory lie within 4% of those in tiles, and are measured 23% faster;
 * kmeans, where neither version is faster than the base. */
static const struct {
  const char *name;
  double rho, regret, regret_of_four;
} bounds[] = {{"mm", 1, 0, 0},          {"transpose", 0.79, 0, 0},   {"box1", 0.79, 0.013, 0},    {"box4", 0.79, 0, 0},
              {"star1", 0.89, 0, 0},    {"star4", 0.79, 0.019, 0},   {"box3d", -0.43, 0.16, 0},
              {"star3d", 0.47, 0.016, 0}, {"conv1d64", 0.92, 0.31, 0}, {"conv1d256", 0.94, 0, 0},
              {"nbody", 0.86, 0, 0},    {"kmeans", -1, 0.22, 0},     {"pairwise", 1, 0, 0}};
enum { CASES = sizeof bounds / sizeof *bounds, ARMS = 4 };

/* Nothing that is predicted to take TRUSTED of the base's time takes longer than the base: what no trial checks (choose.c).
 * No estimate is off by more than MOST_OFF. */
static const double TRUSTED = 0.45, MOST_OFF = 3.5;

static void check_ratios(const char *name, const double *predicted, const double *measured, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    double off = predicted[i] / measured[i];
    if (off > MOST_OFF || off < 1 / MOST_OFF)
      fail_msg("%s: predicted %g of the base, measured %g", name, predicted[i], measured[i]);
    assert_true(predicted[i] > TRUSTED || measured[i] < 1);
  }
}

static void against_measured(void **state) {
  (void)state;
  double mean_rho = 0, mean_regret = 0;
  for (size_t i = 0; i < CASES; i++) {
    struct place_case c;
    double predicted[64], measured[64];
    open_case(BLOCKS, bounds[i].name, &c);
    unsigned n = estimates(&c, predicted, measured);
    double rho = score_spearman(predicted, measured, n), regret = regret_of(predicted, measured, n, 1);
    double of_four = regret_of(predicted, measured, n, ARMS);
    printf("%-10s %u block versions: rho %5.2f, regret %5.1f%%, of the best four %4.1f%%\n", bounds[i].name, n, rho,
           100 * regret, 100 * of_four);
    print(&c, predicted, measured);
    check_ratios(bounds[i].name, predicted, measured, n);
    bool holds = rho >= bounds[i].rho - 1e-9 && regret <= bounds[i].regret + 1e-9 && of_four <= bounds[i].regret_of_four + 1e-9;
    if (!holds) fail_msg("%s: worse than it was", bounds[i].name);
    mean_rho += rho / CASES;
    mean_regret += regret / CASES;
    place_case_free(&c);
  }
  printf("mean: rho %.2f, regret %.1f%%\n", mean_rho, 100 * mean_regret);
}

/* Too few iterations for a block: it runs its chunk loops, and is estimated as the base. Without a known size: nothing. */
static void sizes(void **state) {
  (void)state;
  struct place_case c;
  struct place_plan plans[64];
  struct place_estimate estimate[64];
  open_case(BLOCKS, "mm", &c);
  uint64_t *arg = (uint64_t *)c.launch.arg;
  arg[0] = arg[1] = 40, c.launch.trip_count = 1600; /* 64 x 64 does not fit, 32 x 32 does */
  assert_true(rank(&c, plans, estimate, NULL) > 0);
  for (size_t v = 0; v < c.region->version_count; v++) {
    if (!c.region->versions[v].block.dims) continue;
    bool small = place_block_extent(&c.region->versions[v].block, 0) == 32;
    double base = 0;
    for (int i = 0; i < 64 && !base; i++)
      if (plans[i].version == -1) base = plans[i].cost_ns;
    assert_true(small ? estimate[v].ns > 0 : estimate[v].ns == base);
  }
  ((bool *)c.launch.arg_known)[1] = false;
  assert_true(rank(&c, plans, estimate, NULL) > 0);
  for (size_t v = 0; v < c.region->version_count; v++) {
    if (!c.region->versions[v].block.dims) continue;
    assert_int_equal(estimate[v].state, PLACE_ESTIMATE_NONE);
    assert_string_equal(estimate[v].why, "its extents are not known at this launch");
  }
  place_case_free(&c);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(distinct), cmocka_unit_test(against_measured),
                                     cmocka_unit_test(sizes)};
  return cmocka_run_group_tests(tests, open_machine, close_machine);
}
