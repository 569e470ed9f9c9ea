/* Stored launches and the harness over them: reading, printing, refusals; one kernel held out. */
#include "launches.h"

#include <math.h>

#include "place/case.h"

#include "evaluate.h"
#include "score.h"
#include "stored_case.h"

static struct place_machine *machine;

static const char *const names[] = {"conv1d-64", "conv1d-256", "mri-q", "box-1", "box-4", "particles-8192",
                                    "particles-1024", "particles-bisect", "spmv-random", "stencil2d", "transpose", "mm"};
enum { CASES = sizeof names / sizeof *names };

static char *text_of(size_t i, size_t *length) {
  char path[512];
  snprintf(path, sizeof path, CASES_FOLDER "/%s.case", names[i]);
  return read_text(path, length);
}

static void open_nth(size_t i, struct place_case *c) { open_case(CASES_FOLDER, names[i], c); }

/* Printing a case and reading that gives the same case; the same models' costs, too. */
static void round_trip(void **state) {
  (void)state;
  for (size_t i = 0; i < CASES; i++) {
    struct place_case a, b;
    struct place_diag diag = {""};
    open_nth(i, &a);
    size_t table_bytes = place_table_print(&a.table, NULL, 0) + 1;
    char *table = malloc(table_bytes);
    place_table_print(&a.table, table, table_bytes);
    size_t bytes = place_case_print(&a, "test", table, NULL, 0) + 1;
    char *text = malloc(bytes);
    assert_int_equal(place_case_print(&a, "test", table, text, bytes), bytes - 1);
    if (place_case_read(text, bytes - 1, &b, &diag)) fail_msg("%s", diag.text);
    assert_string_equal(a.region->entry, b.region->entry);
    assert_int_equal(a.launch.trip_count, b.launch.trip_count);
    assert_memory_equal(a.launch.extent, b.launch.extent, a.region->array_count * sizeof *a.launch.extent);
    assert_memory_equal(a.launch.allowed, b.launch.allowed, a.region->array_count * sizeof *a.launch.allowed);
    assert_memory_equal(a.launch.arg, b.launch.arg, a.launch.args * sizeof *a.launch.arg);
    assert_memory_equal(a.launch.arg_known, b.launch.arg_known, a.launch.args * sizeof *a.launch.arg_known);
    assert_int_equal(!a.profile, !b.profile);
    if (a.profile) assert_memory_equal(a.profile, b.profile, PLACE_PROFILE_WORDS * sizeof *a.profile);
    assert_int_equal(a.plan_count, b.plan_count);
    for (size_t k = 0; k < a.plan_count; k++) {
      assert_memory_equal(a.plans[k].space, b.plans[k].space, sizeof a.plans[k].space);
      assert_true(a.plans[k].kernel_ns == b.plans[k].kernel_ns && a.plans[k].samples == b.plans[k].samples);
      assert_int_equal(a.plans[k].version, b.plans[k].version);
    }
    free(text), free(table);
    place_case_free(&a), place_case_free(&b);
  }
}

/* A line put behind the first. */
static void refuses(const char *line, const char *why) {
  size_t length;
  struct place_case c;
  struct place_diag diag = {""};
  char *text = text_of(0, &length), *all = malloc(length + strlen(line) + 1), *second = strchr(text, '\n') + 1;
  sprintf(all, "%.*s%s%s", (int)(second - text), text, line, second);
  assert_int_equal(place_case_read(all, strlen(all), &c, &diag), -1);
  if (!strstr(diag.text, why)) fail_msg("'%s' lacks '%s'", diag.text, why);
  assert_null(c.region);
  free(all), free(text);
}

static void refusals(void **state) {
  (void)state;
  struct place_case c;
  struct place_diag diag = {""};
  refuses("region nowhere\n", "no region nowhere");
  refuses("bogus 1\n", "line 2: 'bogus 1' is no line of a case");
  refuses("extent nothing 0 4\n", "no array is named nothing");
  refuses("allowed taps global,lunar\n", "no space is named lunar");
  refuses("arg 99999 1\n", "argument 99999");
  refuses("log 999999999 1\n", "beyond the profile buffer");
  refuses("log 0 1*99999999999\n", "beyond the profile buffer");
  refuses("log 0 one\n", "a log line is words");
  refuses("log 0 1+*3\n", "a log line is words");
  refuses("log 0 1+2\n", "a log line is words");
  refuses("log 0 1*2x\n", "a log line is words");
  refuses("plan gx- 1 5\n", "a plan is LETTERS");
  refuses("plan gg 1 5\n", "a plan is LETTERS");
  refuses("plan ggg 1 5\n", "a plan is LETTERS");
  refuses("plan gg-_ 1 5\n", "a plan is LETTERS");
  refuses("plan gg-_special 1 5\n", "a plan is LETTERS");
  refuses("plan gg-_gg 1 5\n", "a plan is LETTERS");
  refuses("plan gg-_natural 1 5\n", "a plan is LETTERS");
  refuses("plan gc-_base 1 5\n", "a plan is LETTERS");     /* the base has nothing but global memory, */
  refuses("plan gc-_original 1 5\n", "a plan is LETTERS"); /* nor has the original kernel */
  refuses("plan cg-_512t128 1 5\n", "a plan is LETTERS");  /* no block version has these spaces */
  refuses("plan gg- 1 0\n", "a plan is LETTERS");
  refuses("plan gg- 1 nan\n", "a plan is LETTERS");
  assert_int_equal(place_case_read("", 0, &c, &diag), -1);
  assert_int_equal(place_case_read("place-case 1\n", 13, &c, &diag), -1);
  assert_non_null(strstr(diag.text, "no region table"));
  assert_int_equal(place_case_read("place-case 2\nplace-table 2\n", 27, &c, &diag), -1);
  size_t length;
  char *text = text_of(0, &length), *table = strstr(text, "place-table 2");
  table[strlen("place-table ")] = '1'; /* stored by an earlier version */
  assert_int_equal(place_case_read(text, length, &c, &diag), -1);
  assert_non_null(strstr(diag.text, "ABI version 1, this runtime reads version 2"));
  table[strlen("place-table ")] = '2';
  for (size_t cut = 0; cut < length; cut += 1 + cut / 8) /* cut anywhere: refused, nothing leaks */
    if (place_case_read(text, cut, &c, &diag) == 0) fail_msg("cut at %zu of %zu: accepted", cut, length);
  free(text);
}

/* Every version that can realise a plan has a name of its own; without one it is what would be launched. */
static void names_of_plans(void **state) {
  (void)state;
  static const struct { const char *name, *canonical, *entry; } all[] = {
    {"gg-_original", "gg-_original", NULL},     {"gg-_base", "gg-_base", "base"},
    {"gg-", "gg-", "gg"},                       {"gc-", "gc-", "gc"},
    {"gc-_agnostic", "gc-_agnostic", "agnostic"}, {"cc-", "cc-_agnostic", "agnostic"},
    {"gg-_agnostic", "gg-_agnostic", "agnostic"}, {"gc-_512t128", "gc-_512t128", "gc_512t128"},
    {"gc-_512t128k32a", "gc-_512t128k32a", "gc_512t128k32a"}, {"gg-_512t128k32pa", "gg-_512t128k32pa", "gg_512t128k32pa"}};
  struct place_case c;
  open_nth(0, &c);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    uint8_t space[PLACE_MAX_PLACEABLE];
    char name[64];
    int version;
    assert_int_equal(place_case_plan_parse(c.region, all[i].name, space, &version), 0);
    assert_int_equal(version < 0, !all[i].entry);
    if (version >= 0) assert_string_equal(strstr(c.region->versions[version].entry, "_place_") + 7, all[i].entry);
    place_case_plan_name(c.region, space, version, name, sizeof name);
    assert_string_equal(name, all[i].canonical);
  }
  place_case_free(&c);
}

/* Words of a profile come back whatever their runs are, also across 2^32. */
static void runs(void **state) {
  (void)state;
  struct place_case a, b;
  struct place_diag diag = {""};
  size_t length;
  open_nth(0, &a);
  char *table = text_of(0, &length), *text = malloc(1 << 22);
  for (int round = 0; round < 20; round++) {
    a.profile = a.profile ? a.profile : malloc(PLACE_PROFILE_WORDS * sizeof *a.profile);
    for (size_t i = 0, n; i < PLACE_PROFILE_WORDS; i += n) {
      uint32_t value = (uint32_t)random_u64() >> random_below(32), step = (uint32_t)random_below(3) - 1;
      step *= (uint32_t)random_below(3) * 1000;
      n = 1 + random_below(round < 10 ? 3 : 200);
      if (n > PLACE_PROFILE_WORDS - i) n = PLACE_PROFILE_WORDS - i;
      for (size_t k = 0; k < n; k++) a.profile[i + k] = random_below(4) ? value + (uint32_t)k * step : 0;
    }
    size_t bytes = place_case_print(&a, NULL, strstr(table, "place-table "), text, 1 << 22);
    assert_true(bytes < 1 << 22);
    if (place_case_read(text, bytes, &b, &diag)) fail_msg("%s", diag.text);
    assert_memory_equal(a.profile, b.profile, PLACE_PROFILE_WORDS * sizeof *a.profile);
    place_case_free(&b);
  }
  free(text), free(table);
  place_case_free(&a);
}

static void fit(const struct place_case *cases, const char *kernel, double *coefficients) {
  struct evaluate_rows rows;
  assert_int_equal(evaluate_rows_new(cases, CASES, machine, &rows, NULL), 0);
  assert_int_equal(evaluate_fit(cases, CASES, &rows, kernel, coefficients, NULL), 0);
  evaluate_rows_free(&rows);
}

/* What the held-out kernel measured changes nothing in the coefficients that predict it, and something in others'. */
static void held_out(void **state) {
  (void)state;
  static struct place_case cases[CASES];
  char kernel[512];
  double before[HUANG_FEATURES], after[HUANG_FEATURES], all[HUANG_FEATURES], changed[HUANG_FEATURES];
  for (size_t i = 0; i < CASES; i++) open_nth(i, &cases[i]);
  evaluate_kernel(&cases[1], kernel, sizeof kernel); /* conv1d-256: conv1d-64 is the same kernel */
  assert_string_equal(kernel, "conv1d.c:6 convolve");
  fit(cases, kernel, before);
  fit(cases, NULL, all);
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < cases[i].plan_count; k++) cases[i].plans[k].kernel_ns *= 7;
  fit(cases, kernel, after);
  fit(cases, NULL, changed);
  assert_memory_equal(before, after, sizeof before);
  assert_memory_not_equal(all, changed, sizeof all);
  for (size_t i = 0; i < CASES; i++) place_case_free(&cases[i]);
}

/* One plan for each choice of spaces: the special one, the straight one for global memory, the agnostic one only where there is
 * no special one. */
static void one_plan_for_spaces(void **state) {
  (void)state;
  struct place_case c;
  open_nth(1, &c);
  size_t all = c.plan_count;
  evaluate_keep_spaces(&c);
  assert_true(c.plan_count == 7 && all == 17);
  for (size_t i = 0; i < c.plan_count; i++) {
    char name[64];
    place_case_plan_name(c.region, c.plans[i].space, c.plans[i].version, name, sizeof name);
    assert_true(!strchr(name, '_') || !strcmp(name, "rr-_agnostic"));
    if (!strcmp(name, "gg-")) assert_true(c.plans[i].kernel_ns == 1478469);
  }
  place_case_free(&c);
}

/* The harness's numbers are those of the plans' costs. */
static void evaluation(void **state) {
  (void)state;
  enum { PLANS = 7 };
  struct place_case c;
  struct evaluation e;
  double predicted[PLACE_MODEL_COUNT * PLANS];
  open_nth(1, &c);
  evaluate_keep_spaces(&c);
  assert_int_equal(c.plan_count, PLANS);
  assert_int_equal(evaluate_case(&c, machine, huang_trained, &e, predicted, NULL), 0);
  uint8_t spaces[PLANS][PLACE_MAX_PLACEABLE];
  double cost[PLANS], measured[PLANS];
  for (int i = 0; i < PLANS; i++) memcpy(spaces[i], c.plans[i].space, sizeof spaces[i]), measured[i] = c.plans[i].kernel_ns;
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
    struct place_question question = place_case_question(&c, machine, (enum place_model)m);
    question.profile.words = NULL;
    assert_int_equal(place_plan_costs(&question, (const uint8_t(*)[PLACE_MAX_PLACEABLE])spaces, PLANS, cost, NULL), 0);
    assert_memory_equal(cost, predicted + PLANS * m, sizeof cost);
    assert_true(e.spearman[m] == score_spearman(cost, measured, PLANS));
    assert_true(e.regret[m] == score_regret(cost, measured, PLANS));
  }
  /* constant, shared, global, then read-only by the agnostic version: in that order, but for what is alike */
  assert_true(e.spearman[PLACE_MODEL_PLACE] > 0.95 && e.spearman_tied[PLACE_MODEL_PLACE] > 0.95);
  assert_true(e.regret[PLACE_MODEL_PLACE] < 0.01);
  assert_true(isnan(e.error[PLACE_MODEL_RULES]) && e.error[PLACE_MODEL_PLACE] < 0.25);
  place_case_free(&c);
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(refusals), cmocka_unit_test(names_of_plans),
                                     cmocka_unit_test(runs), cmocka_unit_test(held_out), cmocka_unit_test(one_plan_for_spaces),
                                     cmocka_unit_test(evaluation)};
  return cmocka_run_group_tests(tests, open_machine, close_machine);
}
