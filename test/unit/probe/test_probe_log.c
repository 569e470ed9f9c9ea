/* The text of a log: what is written reads back, what is damaged is refused with its line. */
#include "support.h"

#include <unistd.h>

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void round_trip(void **state) {
  (void)state;
  char path[] = "/tmp/probe-log-XXXXXX", error[PROBE_ERROR_BYTES];
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
  struct probe_log stored = {0}, again = {0};
  read_stored(&stored, 1);
  assert_true(stored.point_count > 1000 && stored.rounds == 3);
  assert_true(probe_log_write(&stored, path, error));
  assert_true(probe_log_read(&again, path, error));
  assert_int_equal(stored.point_count, again.point_count);
  assert_int_equal(stored.fact_count, again.fact_count);
  assert_memory_equal(stored.points, again.points, stored.point_count * sizeof *stored.points);
  assert_string_equal(probe_log_find(&again, "device-name"), "NVIDIA H200");
  assert_null(probe_log_find(&again, "no such fact"));
  probe_log_free(&stored);
  probe_log_free(&again);
  unlink(path);
}

/* A second log's rounds come after the first one's; its facts only where there was none. */
static void merging(void **state) {
  (void)state;
  struct probe_log one = {0}, both = {0};
  read_stored(&one, 1);
  read_stored(&both, 0);
  assert_int_equal(both.rounds, 2 * one.rounds);
  assert_int_equal(both.point_count, 2 * one.point_count);
  assert_int_equal(both.points[one.point_count].round, one.rounds);
  assert_int_equal(both.fact_count, one.fact_count);
  probe_log_free(&one);
  probe_log_free(&both);
}

static void damaged(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int line;
  } cases[] = {{"", 1},
               {"not a log\n", 1},
               {"place-probe log 1\npoint a 0 1 :\n", 2},
               {"place-probe log 1\npoint a 0 1 : x\n", 2},
               {"place-probe log 1\nfact a b\npoint a 0 : 1\n", 3},
               {"place-probe log 1\npoint a 0 1 : 1 2 x\n", 2},
               {"place-probe log 1\npoint a 99999 1 : 1\n", 2},
               {"place-probe log 1\n# fine\n\nwhat\n", 4},
               {"place-probe log 1\npoint a 0 1 : 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", 2}};
  char path[] = "/tmp/probe-log-XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct probe_log log = {0};
    char error[PROBE_ERROR_BYTES] = "", expected[PROBE_ERROR_BYTES];
    write_text(path, cases[i].text);
    snprintf(expected, sizeof expected, "%s:%d: not a line of a place-probe log", path, cases[i].line);
    assert_false(probe_log_read(&log, path, error));
    assert_string_equal(error, expected);
    probe_log_free(&log);
  }
  unlink(path);
  struct probe_log log = {0};
  char error[PROBE_ERROR_BYTES] = "";
  assert_false(probe_log_read(&log, "/no/such/log", error));
  assert_string_equal(error, "/no/such/log: No such file or directory");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(merging), cmocka_unit_test(damaged)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
