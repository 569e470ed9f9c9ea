/* Stored launches and the harness over them: reading, printing, refusals; one kernel held out. */
#include "launches.h"

#include <math.h>

#include "place/case.h"

#include "evaluate.h"

static struct place_machine *machine;

static const char *const names[] = {"conv1d-64", "conv1d-256", "lookup", "box-1", "box-4", "particlefilter-8192",
                                    "particlefilter-1024", "particlefilter-bisect", "spmv", "triad", "transpose", "mm"};
enum { CASES = sizeof names / sizeof *names };

static char *text_of(size_t i, size_t *length) {
  char path[512];
  snprintf(path, sizeof path, CASES_FOLDER "/%s.case", names[i]);
  return read_text(path, length);
}

static void open_case(size_t i, struct place_case *c) {
  size_t length;
  struct place_diag diag = {""};
  char *text = text_of(i, &length);
  if (place_case_read(text, length, c, &diag)) fail_msg("%s: %s", names[i], diag.text);
  free(text);
}

/* Printing a case and reading that gives the same case; the same models' costs, too. */
static void round_trip(void **state) {
  (void)state;
  for (size_t i = 0; i < CASES; i++) {
    struct place_case a, b;
    struct place_diag diag = {""};
    open_case(i, &a);
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
  refuses("plan gx- 1 5\n", "a plan is LETTERS");
  refuses("plan gg 1 5\n", "a plan is LETTERS");
  refuses("plan ggg 1 5\n", "a plan is LETTERS");
  refuses("plan gg- 1 0\n", "a plan is LETTERS");
  refuses("plan gg- 1 nan\n", "a plan is LETTERS");
  assert_int_equal(place_case_read("", 0, &c, &diag), -1);
  assert_int_equal(place_case_read("place-case 1\n", 13, &c, &diag), -1);
  assert_non_null(strstr(diag.text, "no region table"));
  assert_int_equal(place_case_read("place-case 2\nplace-table 1\n", 27, &c, &diag), -1);
  size_t length;
  char *text = text_of(0, &length);
  for (size_t cut = 0; cut < length; cut += 1 + cut / 8) /* cut anywhere: refused, nothing leaks */
    if (place_case_read(text, cut, &c, &diag) == 0) fail_msg("cut at %zu of %zu: accepted", cut, length);
  free(text);
}

/* What the held-out kernel measured changes nothing in the coefficients that predict it, and something in others'. */
static void held_out(void **state) {
  (void)state;
  static struct place_case cases[CASES];
  char kernel[512];
  double before[HUANG_FEATURES], after[HUANG_FEATURES], all[HUANG_FEATURES], changed[HUANG_FEATURES];
  for (size_t i = 0; i < CASES; i++) open_case(i, &cases[i]);
  evaluate_kernel(&cases[1], kernel, sizeof kernel); /* conv1d-256: conv1d-64 is the same kernel */
  assert_string_equal(kernel, "conv1d.c:9 convolve");
  assert_int_equal(evaluate_fit(cases, CASES, kernel, machine, before, NULL), 0);
  assert_int_equal(evaluate_fit(cases, CASES, NULL, machine, all, NULL), 0);
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < cases[i].plan_count; k++) cases[i].plans[k].kernel_ns *= 7;
  assert_int_equal(evaluate_fit(cases, CASES, kernel, machine, after, NULL), 0);
  assert_int_equal(evaluate_fit(cases, CASES, NULL, machine, changed, NULL), 0);
  assert_memory_equal(before, after, sizeof before);
  assert_memory_not_equal(all, changed, sizeof all);
  for (size_t i = 0; i < CASES; i++) place_case_free(&cases[i]);
}

/* The harness's numbers are those of the plans' costs. */
static void evaluation(void **state) {
  (void)state;
  struct place_case c;
  struct evaluation e;
  double predicted[PLACE_MODEL_COUNT * 16];
  open_case(1, &c);
  assert_int_equal(c.plan_count, 4);
  assert_int_equal(evaluate_case(&c, machine, huang_trained, &e, predicted, NULL), 0);
  uint8_t spaces[4][PLACE_MAX_PLACEABLE];
  double cost[4];
  for (int i = 0; i < 4; i++) memcpy(spaces[i], c.plans[i].space, sizeof spaces[i]);
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
    assert_int_equal(place_plan_costs(&c.table, c.region, &c.launch, NULL, machine, (enum place_model)m,
                                      (const uint8_t(*)[PLACE_MAX_PLACEABLE])spaces, 4, cost, NULL), 0);
    assert_memory_equal(cost, predicted + 4 * m, sizeof cost);
  }
  assert_true(e.spearman[PLACE_MODEL_PLACE] == 1 && e.regret[PLACE_MODEL_PLACE] == 0); /* constant, shared, global, read-only */
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(refusals), cmocka_unit_test(held_out),
                                     cmocka_unit_test(evaluation)};
  return cmocka_run_group_tests(tests, open_machine, close_machine);
}
