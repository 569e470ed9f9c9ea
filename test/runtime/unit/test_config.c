/* Settings: defaults, values, malformed values, and that the documentation is the table. */
#include "fake.h"

#include <stdio.h>

#include "config.h"

static const char *name, *value;
static const char *get(const char *asked) { return name && !strcmp(asked, name) ? value : NULL; }

static struct config read_one(const char *n, const char *v) {
  struct config c;
  name = n;
  value = v;
  config_read(&c, get);
  return c;
}

static void defaults(void **state) {
  (void)state;
  struct config c = read_one(NULL, NULL);
  assert_false(c.off);
  assert_int_equal(c.report, REPORT_NONE);
  assert_int_equal(c.trials, 3);
  assert_true(c.threshold == 0.01);
  assert_int_equal(c.model, PLACE_MODEL_PLACE);
  assert_null(c.case_folder);
  assert_int_equal(c.message_count, 0);
}

static void values(void **state) {
  (void)state;
  assert_true(read_one("PLACE", "off").off);
  assert_false(read_one("PLACE", "on").off);
  assert_int_equal(read_one("PLACE_REPORT", "1").report, REPORT_TEXT);
  assert_int_equal(read_one("PLACE_REPORT", "0").report, REPORT_NONE);
  struct config c = read_one("PLACE_REPORT", "out.json");
  assert_int_equal(c.report, REPORT_JSON);
  assert_string_equal(c.report_file, "out.json");
  assert_int_equal(read_one("PLACE_TRIALS", "0").trials, 0);
  assert_true(read_one("PLACE_THRESHOLD", "2.5%").threshold == 0.025);
  assert_true(read_one("PLACE_PATIENCE", "0.5").patience_ns == 500000);
  assert_int_equal(read_one("PLACE_SOLVER", "greedy").solver, PLACE_SOLVER_GREEDY);
  for (int m = 0; m < PLACE_MODEL_COUNT; m++)
    assert_int_equal(read_one("PLACE_MODEL", place_model_name((enum place_model)m)).model, m);
  assert_string_equal(read_one("PLACE_CASE", "cases").case_folder, "cases");
  assert_true(read_one("PLACE_VERBOSE", "1").verbose);
  assert_true(read_one("PLACE_SHAPE", "keep").keeps_shape);
  assert_false(read_one("PLACE_SHAPE", "free").keeps_shape);
}

static void malformed(void **state) {
  (void)state;
  const char *const bad[][2] = {{"PLACE", "maybe"}, {"PLACE_TRIALS", "-1"}, {"PLACE_TRIALS", "9"}, {"PLACE_TRIALS", "3x"},
                                {"PLACE_THRESHOLD", "nan"}, {"PLACE_THRESHOLD", "100"}, {"PLACE_THRESHOLD", "x"},
                                {"PLACE_PATIENCE", "long"}, {"PLACE_PATIENCE", "-1"}, {"PLACE_SOLVER", "magic"}, {"PLACE_MODEL", "oracle"}, {"PLACE_MODEL", "Place"},
                                 {"PLACE_VERBOSE", "yes"}, {"PLACE_SHAPE", "square"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct config c = read_one(bad[i][0], bad[i][1]), d = read_one(NULL, NULL);
    assert_int_equal(c.message_count, 1);
    assert_non_null(strstr(c.messages[0], bad[i][0]));
    assert_true(c.off == d.off && c.trials == d.trials && c.threshold == d.threshold && c.solver == d.solver &&
                c.model == d.model);
    free(c.messages[0]);
  }
}

static void documented(void **state) {
  (void)state;
  size_t length = config_document(NULL, 0);
  char *table = malloc(length + 1), *file = calloc(1, 65536);
  FILE *in = fopen(DOCUMENT, "r");
  assert_non_null(in);
  config_document(table, length + 1);
  assert_true(fread(file, 1, 65535, in) > 0);
  fclose(in);
  if (!strstr(file, table)) print_message("%s", table); /* what to put there */
  assert_non_null(strstr(file, table));
  free(table);
  free(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(defaults), cmocka_unit_test(values), cmocka_unit_test(malformed),
                                     cmocka_unit_test(documented)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
