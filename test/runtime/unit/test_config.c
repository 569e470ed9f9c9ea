/* Settings: defaults, values, malformed values, and that the documentation is the table. */
#include "fake.h"
#include "../../unit/documented.h"

#include <stdio.h>
#include <unistd.h>

#include "config.h"
#include "file_name.h"
#include "forest_file.h"

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
  const char *const text[] = {"yes", "on", "TRUE", "2", "stderr", "text"}, *const none[] = {"off", "no", "False"};
  for (size_t i = 0; i < 6; i++) assert_int_equal(read_one("PLACE_REPORT", text[i]).report, REPORT_TEXT);
  for (size_t i = 0; i < 3; i++) assert_int_equal(read_one("PLACE_REPORT", none[i]).report, REPORT_NONE);
  assert_int_equal(read_one("PLACE_REPORT", "./yes").report, REPORT_JSON);
  assert_null(read_one("PLACE_STORE", "on").store);
  assert_string_equal(read_one("PLACE_STORE", "no").store, "off");
  assert_string_equal(read_one("PLACE_STORE", "./no").store, "./no");
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
  assert_int_equal(read_one("PLACE_SLICES", "always").slices, SLICES_ALWAYS);
  assert_int_equal(read_one("PLACE_SLICES", "off").slices, SLICES_OFF);
  assert_int_equal(read_one("PLACE_SLICES", "on").slices, SLICES_OF_LONG);
}

static void malformed(void **state) {
  (void)state;
  const char *const bad[][2] = {{"PLACE", "maybe"}, {"PLACE_TRIALS", "-1"}, {"PLACE_TRIALS", "9"}, {"PLACE_TRIALS", "3x"},
                                {"PLACE_THRESHOLD", "nan"}, {"PLACE_THRESHOLD", "100"}, {"PLACE_THRESHOLD", "x"},
                                {"PLACE_PATIENCE", "long"}, {"PLACE_PATIENCE", "-1"}, {"PLACE_SOLVER", "magic"}, {"PLACE_MODEL", "oracle"}, {"PLACE_MODEL", "Place"},
                                 {"PLACE_VERBOSE", "loud"}, {"PLACE_REPORT", "jsn"}, {"PLACE_REPORT", "3"}, {"PLACE_REPORT", "a%d.json"}, {"PLACE_CASE", "cases%"}, {"PLACE_STORE", "here"}, {"PLACE_SHAPE", "square"}, {"PLACE_SLICES", "thick"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct config c = read_one(bad[i][0], bad[i][1]), d = read_one(NULL, NULL);
    assert_int_equal(c.message_count, 1);
    char begin[100];
    snprintf(begin, sizeof begin, "%s=%s is ignored: %s takes ", bad[i][0], bad[i][1], bad[i][0]);
    assert_memory_equal(c.messages[0], begin, strlen(begin));
    assert_null(strchr(c.messages[0], '`'));
    assert_true(c.report == d.report && c.store == d.store);
    assert_true(c.off == d.off && c.trials == d.trials && c.threshold == d.threshold && c.solver == d.solver &&
                c.model == d.model);
    free(c.messages[0]);
  }
}

/* PLACE_FOREST with a file of that text (NULL: there is none) for that model. */
static struct config read_forest(const char *text, enum place_model model) {
  struct config c = read_one("PLACE_FOREST", "forest.test");
  FILE *file = text ? fopen("forest.test", "w") : NULL;
  assert_true(!text || (file && fputs(text, file) >= 0 && fclose(file) == 0));
  c.model = model;
  forest_file_load(&c);
  unlink("forest.test");
  return c;
}

static void forests(void **state) {
  (void)state;
  const char *good = "place-forest 1\nspaces global shared\ntrees 1\ntree 1\nleaf 0 -1\n";
  char text[200];
  snprintf(text, sizeof text, "%send %016llx\n", good, (unsigned long long)place_fnv1a(good, strlen(good)));
  struct config c = read_forest(text, PLACE_MODEL_LEARNED);
  assert_true(c.forest && c.forest_sum && c.model == PLACE_MODEL_LEARNED && !c.message_count);
  place_forest_free(c.forest);
  c = read_forest(text, PLACE_MODEL_HUANG);
  assert_true(!c.forest && c.model == PLACE_MODEL_HUANG && c.message_count == 1);
  assert_string_equal(c.messages[0], "PLACE_FOREST has no effect without PLACE_MODEL=learned");
  free(c.messages[0]);
  strstr(text, "-1")[1] = '2';
  c = read_forest(text, PLACE_MODEL_LEARNED);
  assert_true(!c.forest && !c.forest_sum && c.model == PLACE_MODEL_PLACE && c.message_count == 1);
  const char *begin = "PLACE_FOREST=forest.test cannot be used: line 6: the text was changed, or damaged";
  const char *end = "place-train --out FILE writes it anew, or unset PLACE_FOREST; until then model place decides";
  assert_memory_equal(c.messages[0], begin, strlen(begin));
  assert_non_null(strstr(c.messages[0], end));
  free(c.messages[0]);
  c = read_forest(NULL, PLACE_MODEL_LEARNED);
  assert_true(!c.forest && c.model == PLACE_MODEL_PLACE && c.message_count == 1);
  assert_non_null(strstr(c.messages[0], "it cannot be opened: No such file or directory; name another file, or unset PLACE_FOREST"));
  free(c.messages[0]);
}

static void names_of_files(void **state) {
  (void)state;
  char out[64], own[64];
  snprintf(own, sizeof own, "a-%ld-4.json", (long)getpid());
  name = "PMIX_RANK", value = "4";
  assert_string_equal(file_name_expand("a-%p-%r.json", get, out, sizeof out), own);
  assert_string_equal(file_name_expand("100%%%%", get, out, sizeof out), "100%%");
  value = "../4";
  assert_string_equal(file_name_expand("%r", get, out, sizeof out), "0");
  assert_null(file_name_expand("a long name that does not fit into this", get, out, 20));
  assert_true(file_name_is_valid("%p%r%%") && file_name_is_valid(""));
  assert_false(file_name_is_valid("a%") || file_name_is_valid("a%d") || file_name_is_valid("%%%"));
}

/* Each unknown name once, with the one that may be meant; names of place's tools, and others' names, without a word. */
static void unknown_names(void **state) {
  (void)state;
  char *environment[] = {"PLACE_REPROT=1", "PATH=/bin", "PLACE_REPORT=1", "PLACE_MSL=x", "PLACE=on", "PLACEHOLDER=1", "PLACE_LLVM_BIN=/x",
                         "PLACE_BUILD=/y", "PLACE_BUILDS=/y", "PLACE_", NULL};
  struct config c = read_one(NULL, NULL);
  config_check_names(&c, environment);
  assert_int_equal(c.message_count, 4);
  assert_string_equal(c.messages[0], "PLACE_REPROT has no effect: there is no such variable; did you mean PLACE_REPORT?");
  assert_memory_equal(c.messages[1], "PLACE_MSL has no effect", 23);
  assert_memory_equal(c.messages[2], "PLACE_BUILDS has no effect", 26);
  assert_memory_equal(c.messages[3], "PLACE_ has no effect", 20);
  for (unsigned i = 0; i < c.message_count; i++) free(c.messages[i]);
  c = read_one("PLACE", "off");
  config_check_names(&c, environment);
  config_check_names(&c, NULL);
  assert_int_equal(c.message_count, 0);
}

static void documented(void **state) {
  (void)state;
  expect_documented(DOCUMENT, config_document);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(defaults), cmocka_unit_test(values), cmocka_unit_test(malformed),
                                     cmocka_unit_test(unknown_names), cmocka_unit_test(documented), cmocka_unit_test(forests), cmocka_unit_test(names_of_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
