/* What is launched unmeasured: the rules on invented estimates, what is predicted of control flow, and the choice on all stored
 * launches against what was measured there. */
#include "stored_case.h"
#include "support.h"

#include <dirent.h>
#include <math.h>

#include "evaluate.h"
#include "session.h"
#include "straight.h"

static struct place_machine *machine;

/* ---- the rules ---- */

enum { BASE, STRAIGHT, SHARED, CONSTANT, ANY, SMALL, LARGE, VERSIONS };
static int8_t in_global[] = {0}, in_shared[] = {PLACE_SHARED}, in_constant[] = {PLACE_CONSTANT}, in_any[] = {-1};
static struct place_array array = {.name = (char[]){"a"}, .placeable = 0};
static struct place_version versions[VERSIONS] = {
  [BASE] = {.role = PLACE_ROLE_BASE, .space = in_global},
  [STRAIGHT] = {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_STRAIGHT, .space = in_global},
  [SHARED] = {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_STRAIGHT, .space = in_shared},
  [CONSTANT] = {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_STRAIGHT, .space = in_constant},
  [ANY] = {.role = PLACE_ROLE_PLAN, .space = in_any},
  [SMALL] = {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_BLOCK, .space = in_global, .block = {.dims = 1}},
  [LARGE] = {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_BLOCK, .space = in_constant, .block = {.dims = 1}}};
static struct place_region region = {
  .arrays = &array, .array_count = 1, .placeable_count = 1, .versions = versions, .version_count = VERSIONS};

/* Estimates over global memory's (of `any`: read-only memory by the agnostic version); 0: there is none; below: impossible. */
struct estimates { double straight, shared, constant, any, small, large; };

static struct place_plan plan_of(enum place_space space, int version, double cost) {
  return (struct place_plan){.array = {{space, 0, 0}}, .placeable_count = 1, .version = version, .cost_ns = 1000 * cost,
                             .least_ns = 1000 * cost};
}

static struct place_estimate known(double ns) { return (struct place_estimate){PLACE_ESTIMATE_KNOWN, ns, NULL}; }

/* The version chosen; -1: the original. */
static int choose(struct estimates e, const bool *usable, struct place_plan *chosen) {
  const struct choose_trust trust = {.straight = 0.02, .special = 0.1, .agnostic = 2, .block = 0.2};
  struct place_estimate estimate[VERSIONS] = {{PLACE_ESTIMATE_NONE, 0, NULL}};
  struct place_plan plans[4];
  int n = 0;
  if (e.straight > 0) estimate[STRAIGHT] = known(1000 * e.straight);
  if (e.small > 0) estimate[SMALL] = known(1000 * e.small);
  if (e.large > 0) estimate[LARGE] = known(1000 * e.large);
  if (e.large < 0) estimate[LARGE].state = PLACE_ESTIMATE_IMPOSSIBLE;
  if (e.shared > 0) plans[n++] = plan_of(PLACE_SHARED, SHARED, e.shared);
  plans[n++] = plan_of(PLACE_GLOBAL, -1, 1);
  if (e.constant > 0) plans[n++] = plan_of(PLACE_CONSTANT, CONSTANT, e.constant);
  if (e.any > 0) plans[n++] = plan_of(PLACE_READONLY, ANY, e.any);
  return choose_plan(&region, &(struct place_ranking){.plans = plans, .count = n, .estimate = estimate}, usable, &trust, chosen) ? chosen->version : -1;
}

static void each_kind_must_promise_its_own(void **state) {
  (void)state;
  struct place_plan p;
  assert_int_equal(choose((struct estimates){0}, NULL, &p), -1);
  assert_int_equal(choose((struct estimates){.straight = 0.99}, NULL, &p), -1);
  assert_int_equal(choose((struct estimates){.straight = 0.97}, NULL, &p), STRAIGHT);
  assert_int_equal(choose((struct estimates){.shared = 0.92}, NULL, &p), -1);
  assert_int_equal(choose((struct estimates){.shared = 0.89}, NULL, &p), SHARED);
  assert_int_equal(choose((struct estimates){.shared = 0.89, .constant = 0.88}, NULL, &p), CONSTANT);
  assert_int_equal(choose((struct estimates){.any = 0.5}, NULL, &p), -1);
  assert_int_equal(choose((struct estimates){.any = 0.44}, NULL, &p), ANY);
  assert_int_equal(choose((struct estimates){.small = 0.81}, NULL, &p), -1);
  assert_int_equal(choose((struct estimates){.small = 0.79, .large = 0.78}, NULL, &p), LARGE);
  assert_true(p.array[0].space == PLACE_CONSTANT && p.cost_ns == 780);
  assert_int_equal(choose((struct estimates){.large = -1}, NULL, &p), -1);
}

/* Everything but the original and the agnostic version has the straight version's control flow: its estimate counts for all. */
static void control_flow_counts_for_all(void **state) {
  (void)state;
  struct place_plan p;
  assert_int_equal(choose((struct estimates){.straight = 0.25, .shared = 0.95}, NULL, &p), STRAIGHT);
  assert_int_equal(choose((struct estimates){.straight = 0.25, .shared = 0.85}, NULL, &p), SHARED);
  assert_int_equal(choose((struct estimates){.straight = 0.25, .any = 0.3}, NULL, &p), STRAIGHT);
  assert_int_equal(choose((struct estimates){.straight = 0.25, .small = 0.85}, NULL, &p), STRAIGHT);
  assert_int_equal(choose((struct estimates){.straight = 2, .shared = 0.6}, NULL, &p), -1);
  assert_int_equal(choose((struct estimates){.straight = 2, .shared = 0.4}, NULL, &p), SHARED);
}

static void what_cannot_be_launched_is_not_chosen(void **state) {
  (void)state;
  struct place_plan p;
  const bool none[VERSIONS] = {false}, one[VERSIONS] = {[SMALL] = true};
  assert_int_equal(choose((struct estimates){.straight = 0.25, .small = 0.1, .large = 0.1}, none, &p), -1);
  assert_int_equal(choose((struct estimates){.straight = 0.25, .small = 0.3, .large = 0.1}, one, &p), SMALL);
}

static void models_differ_in_what_they_promise(void **state) {
  (void)state;
  struct choose_trust place = choose_trust_of(PLACE_MODEL_PLACE, 0.01), huang = choose_trust_of(PLACE_MODEL_HUANG, 0.01);
  assert_true(place.special > huang.special && huang.special == 0.01 && huang.agnostic == 1 && place.block == huang.block);
  place = choose_trust_of(PLACE_MODEL_PLACE, 0.3);
  assert_true(place.straight == 0.3 && place.special == 0.3 && place.block == 0.3);
}

/* ---- stored launches ---- */

static double ratio_of(const char *name, uint64_t trips, unsigned teams) {
  struct place_case c;
  open_case(CASES_FOLDER, name, &c);
  if (trips) c.launch.trip_count = trips;
  c.launch.teams = teams;
  struct session *s = session_open(&(struct place_question){&c.table, c.region, &c.launch, {c.profile}, machine, PLACE_MODEL_PLACE, NULL}, NULL);
  assert_non_null(s);
  double ratio = straight_ratio(&s->in, session_cost(s, (uint8_t[SOLVE_MAX_ARRAYS]){0}, NULL));
  session_close(s);
  place_case_free(&c);
  return ratio;
}

/* 128 iterations a chunk: 32 threads walk one in four rounds, 64 in two. */
static void rounds(void **state) {
  (void)state;
  assert_true(ratio_of("nbody", 0, 0) == 0.25);
  assert_true(ratio_of("nbody", 102399, 0) == 0.25 && ratio_of("nbody", 102401, 0) == 0.5);
  assert_true(ratio_of("nbody", 204799, 0) == 0.5 && ratio_of("nbody", 204801, 0) == 1);
  assert_true(ratio_of("nbody", 64, 0) == 0.5 && ratio_of("nbody", 32, 0) == 1 && ratio_of("nbody", 1, 0) == 1);
  assert_true(ratio_of("nbody", 0, 512) == 1);          /* the program asks for teams: nothing is known of them */
  assert_true(ratio_of("sort-move_keys", 0, 0) == 2);   /* scatters 75 MB */
  assert_true(ratio_of("sort-count_digits", 0, 0) == 0.5); /* 8 MB */
}

static void barriers(void **state) {
  (void)state;
  double heat = ratio_of("heat", 0, 0);
  assert_true(heat > 0.93 && heat < 0.94);
  assert_true(ratio_of("micro-stream", 0, 0) == 1); /* entering takes longer than the kernel */
  assert_true(ratio_of("mm", 0, 0) == 1);           /* has a loop of its own */
  assert_true(ratio_of("reduction", 0, 0) == 1);
}

/* ---- barriers, one kernel held out at a time ---- */

static const char *const without_loops[] = {
  "backprop-adjust", "box3d", "box3d-odd", "fft", "heat", "hourglass-force-90", "micro-stream", "sort-sort",
  "spmv-vector-add_lanes", "srad-diffuse", "srad-prepare", "srad-update", "star3d", "stencil2d", "transpose", "transpose-double"};
enum { WITHOUT_LOOPS = sizeof without_loops / sizeof *without_loops };

struct straight_sample {
  char kernel[512];
  double per_base, measured, predicted; /* 1 / estimated ns; the straight version's time over the original's */
};

static void sample_straight(const char *name, struct straight_sample *out) {
  struct place_case c;
  struct place_ranking ranking;
  double original = 0, straight = 0;
  open_case(CASES_FOLDER, name, &c);
  evaluate_kernel(&c, out->kernel, sizeof out->kernel);
  assert_int_equal(evaluate_rank(&c, machine, PLACE_MODEL_PLACE, &ranking, NULL), 0);
  int version = 0;
  while (!place_version_is_plain(c.region, &c.region->versions[version])) version++;
  for (int i = 0; i < ranking.count; i++)
    if (ranking.plans[i].version == -1) out->per_base = 1 / ranking.plans[i].cost_ns;
  for (size_t i = 0; i < c.plan_count; i++) {
    if (c.plans[i].version == -1) original = c.plans[i].kernel_ns;
    if (c.plans[i].version == version) straight = c.plans[i].kernel_ns;
  }
  out->measured = straight / original;
  assert_int_equal(ranking.estimate[version].state, PLACE_ESTIMATE_KNOWN);
  out->predicted = ranking.estimate[version].ns * out->per_base;
  evaluate_ranking_free(&ranking);
  place_case_free(&c);
}

/* measured = *at_once + *entering_ns * per_base, least squares over the other kernels. */
static void fit_line(const struct straight_sample *all, const char *held_out, double *at_once, double *entering_ns) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 0; i < WITHOUT_LOOPS; i++) {
    const struct straight_sample *s = &all[i];
    if (!strcmp(s->kernel, held_out)) continue;
    n++, x += s->per_base, y += s->measured, xx += s->per_base * s->per_base, xy += s->per_base * s->measured;
  }
  *entering_ns = (n * xy - x * y) / (n * xx - x * x);
  *at_once = (y - *entering_ns * x) / n;
}

/* A line fitted without the kernel decides as the constants compiled in do, which were chosen with it. */
static void barriers_held_out(void **state) {
  (void)state;
  static struct straight_sample all[WITHOUT_LOOPS];
  double at_once, entering_ns;
  for (int i = 0; i < WITHOUT_LOOPS; i++) sample_straight(without_loops[i], &all[i]);
  for (int i = 0; i < WITHOUT_LOOPS; i++) {
    fit_line(all, all[i].kernel, &at_once, &entering_ns);
    assert_true(at_once > 0.92 && at_once < 0.935 && entering_ns > 1200 && entering_ns < 1500);
    assert_int_equal(at_once + entering_ns * all[i].per_base <= 0.99, all[i].predicted <= 0.99);
  }
}

/* A table's index that is nothing the compiler knows moves somehow: iterations do not share what they read there, so blocks
 * gain nothing, and the table's copy is chosen. */
static void unknown_addresses_are_not_shared(void **state) {
  (void)state;
  struct place_case c;
  struct place_ranking ranking;
  struct evaluate_choice choice;
  struct choose_trust trust = choose_trust_of(PLACE_MODEL_PLACE, 0.01);
  double base = 0;
  unsigned blocks = 0;
  open_case(CASES_FOLDER, "micro-broadcast", &c);
  assert_int_equal(evaluate_rank(&c, machine, PLACE_MODEL_PLACE, &ranking, NULL), 0);
  for (int i = 0; i < ranking.count; i++)
    if (ranking.plans[i].version == -1) base = ranking.plans[i].cost_ns;
  for (size_t v = 0; v < c.region->version_count; v++) {
    if (!c.region->versions[v].block.dims) continue;
    assert_true(ranking.estimate[v].ns > 0.9 * base);
    blocks++;
  }
  evaluate_choose(&c, &ranking, &trust, &choice);
  assert_true(blocks == 1 && choice.any && choice.plan.array[0].space == PLACE_SHARED);
  evaluate_ranking_free(&ranking);
  place_case_free(&c);
}

/* Copies that do not fit this launch are no version's to promise. */
static void copies_must_fit(void **state) {
  (void)state;
  struct place_case c;
  struct place_ranking ranking;
  unsigned refused = 0;
  open_case(CASES_FOLDER, "nbody", &c); /* 256 KiB of masses */
  assert_int_equal(evaluate_rank(&c, machine, PLACE_MODEL_PLACE, &ranking, NULL), 0);
  for (size_t v = 0; v < c.region->version_count; v++) {
    const struct place_version *version = &c.region->versions[v];
    bool constant = false;
    for (size_t a = 0; a < c.region->array_count; a++) constant |= version->space[a] == PLACE_CONSTANT;
    bool impossible = ranking.estimate[v].state == PLACE_ESTIMATE_IMPOSSIBLE;
    assert_true(impossible == (version->block.dims && constant) && impossible == (ranking.estimate[v].why && strstr(ranking.estimate[v].why, "copies")));
    refused += impossible;
  }
  assert_true(refused > 0);
  evaluate_ranking_free(&ranking);
  place_case_free(&c);
}

/* ---- all of them ---- */

struct sums {
  double log_sum, slowest;
  unsigned count;
};

/* Nothing in a prediction is NaN or infinite; what is not predicted says why. */
static void check_numbers(const struct place_case *c, const struct place_ranking *ranking) {
  const struct place_region *r = c->region;
  for (int i = 0; i < ranking->count; i++)
    assert_true(isfinite(ranking->plans[i].cost_ns) && isfinite(ranking->plans[i].least_ns) && ranking->plans[i].cost_ns >= 0);
  for (size_t v = 0; v < r->version_count; v++) {
    const struct place_estimate *e = &ranking->estimate[v];
    bool judged = r->versions[v].block.dims || place_version_is_plain(r, &r->versions[v]);
    assert_true(e->state == PLACE_ESTIMATE_KNOWN ? isfinite(e->ns) && e->ns > 0 && judged : e->ns == 0 && (e->why || !judged));
    if (r->versions[v].block.pipelined && e->state != PLACE_ESTIMATE_IMPOSSIBLE && e->state != PLACE_ESTIMATE_KNOWN)
      fail_msg("%s: %s", r->versions[v].entry, e->why);
  }
}

static void predictions_are_numbers(void **state) {
  (void)state;
  static const char *const names[] = {"conv1d-64", "nbody-odd", "mm", "spmv-random", "transpose", "particles-1024", "md", "micro-chase"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct place_case c;
    open_case(CASES_FOLDER, names[i], &c);
    for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
      struct place_ranking ranking;
      struct place_diag diag = {""};
      if (evaluate_rank(&c, machine, (enum place_model)m, &ranking, &diag)) fail_msg("%s: %s", names[i], diag.text);
      check_numbers(&c, &ranking);
      evaluate_ranking_free(&ranking);
    }
    place_case_free(&c);
  }
}

/* A machine that makes a prediction of none is an error that names what could not be predicted, of plans and of versions. */
static void what_is_no_number_is_an_error(void **state) {
  (void)state;
  struct msl_curve *const curves[] = {&((struct place_memory *)msl_memory_by_name(machine, "L1"))->transactions,
                                      &((struct place_memory *)msl_memory_by_name(machine, "sharedMem"))->distinct};
  static const char *const messages[] = {"no plan is feasible", "the prediction of version"}; /* blocks alone look at the second */
  struct place_case c;
  open_case(CASES_FOLDER, "conv1d-64", &c);
  for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
    struct place_ranking ranking;
    struct place_diag diag = {""};
    struct msl_point points[2] = {{1, 1e308, false}, {32, 1e308, false}};
    struct msl_curve before = *curves[i];
    *curves[i] = (struct msl_curve){MSL_GIVEN, 2, points};
    int rc = evaluate_rank(&c, machine, PLACE_MODEL_PLACE, &ranking, &diag);
    *curves[i] = before;
    evaluate_ranking_free(&ranking);
    if (rc != -1 || !strstr(diag.text, messages[i])) fail_msg("%zu: %d plans, '%s'", i, ranking.count, diag.text);
  }
  place_case_free(&c);
}

static void add_case(struct sums *sums, const char *name) {
  struct place_case c;
  struct place_ranking ranking;
  struct evaluate_choice choice;
  struct choose_trust trust = choose_trust_of(PLACE_MODEL_PLACE, 0.01);
  open_case(CASES_FOLDER, name, &c);
  assert_int_equal(evaluate_rank(&c, machine, PLACE_MODEL_PLACE, &ranking, NULL), 0);
  check_numbers(&c, &ranking);
  evaluate_choose(&c, &ranking, &trust, &choice);
  if (!isfinite(choice.chosen_ns)) fail_msg("%s: what is chosen was not measured", name);
  sums->log_sum += log(choice.chosen_ns / choice.best_ns);
  sums->slowest = fmax(sums->slowest, choice.chosen_ns / choice.original_ns);
  sums->count++;
  evaluate_ranking_free(&ranking);
  place_case_free(&c);
}

/* What docs/models.md says: 3.5% above the best plan in the mean, and nothing 2% slower than the original. */
static void all_cases(void **state) {
  (void)state;
  struct sums sums = {.count = 0};
  DIR *folder = opendir(CASES_FOLDER);
  assert_non_null(folder);
  for (const struct dirent *entry; (entry = readdir(folder));) {
    char name[256];
    snprintf(name, sizeof name, "%s", entry->d_name);
    char *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".case")) continue;
    *dot = 0;
    add_case(&sums, name);
  }
  closedir(folder);
  printf("%u cases: chosen over best %.3f, slowest over the original %.3f\n", sums.count, exp(sums.log_sum / sums.count),
         sums.slowest);
  assert_true(sums.count >= 74 && exp(sums.log_sum / sums.count) < 1.037 && sums.slowest < 1.02);
}

/* A kernel's own measurements change nothing in what is trusted on it. */
static void held_out(void **state) {
  (void)state;
  static const char *const names[] = {"nbody", "nbody-odd", "kmeans-16", "box-1", "conv1d-64", "mri-q", "star-1", "md"};
  enum { COUNT = sizeof names / sizeof *names };
  static struct place_case cases[COUNT];
  static struct place_ranking rankings[COUNT];
  struct choose_trust trained[2][2];
  char kernel[512];
  for (int i = 0; i < COUNT; i++) {
    open_case(CASES_FOLDER, names[i], &cases[i]);
    assert_int_equal(evaluate_rank(&cases[i], machine, PLACE_MODEL_PLACE, &rankings[i], NULL), 0);
  }
  evaluate_kernel(&cases[2], kernel, sizeof kernel);
  for (int round = 0; round < 2; round++) {
    double *losses = evaluate_losses(cases, rankings, COUNT);
    trained[round][0] = evaluate_train(cases, losses, COUNT, kernel);
    trained[round][1] = evaluate_train(cases, losses, COUNT, NULL);
    free(losses);
    for (size_t k = 0; k < cases[2].plan_count; k++) /* now blocks are far better there, not worse */
      if (cases[2].plans[k].version >= 0 && cases[2].region->versions[cases[2].plans[k].version].block.dims)
        cases[2].plans[k].kernel_ns /= 100;
  }
  assert_memory_equal(&trained[0][0], &trained[1][0], sizeof trained[0][0]);
  assert_true(trained[0][1].block > 0.05 && trained[1][1].block < 0.05);
  for (int i = 0; i < COUNT; i++) evaluate_ranking_free(&rankings[i]), place_case_free(&cases[i]);
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
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_kind_must_promise_its_own), cmocka_unit_test(control_flow_counts_for_all),
    cmocka_unit_test(what_cannot_be_launched_is_not_chosen), cmocka_unit_test(models_differ_in_what_they_promise), cmocka_unit_test(rounds),
    cmocka_unit_test(barriers), cmocka_unit_test(barriers_held_out), cmocka_unit_test(unknown_addresses_are_not_shared),
    cmocka_unit_test(copies_must_fit), cmocka_unit_test(predictions_are_numbers), cmocka_unit_test(what_is_no_number_is_an_error),
    cmocka_unit_test(all_cases), cmocka_unit_test(held_out),
  };
  return cmocka_run_group_tests(tests, open_machine, close_machine);
}
