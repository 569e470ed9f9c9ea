/* Which name may have been meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "place/nearest.h"

static const char *const names[] = {"PLACE_REPORT", "PLACE_TRIALS", "PLACE_STORE", "PLACE", "w", "input", NULL};

static void found(void **state) {
  (void)state;
  const char *const pairs[][2] = {{"PLACE_REPROT", "PLACE_REPORT"}, {"PLACE_REPORTS", "PLACE_REPORT"}, {"place_trials", "PLACE_TRIALS"},
                                  {"PLACE_TRIAL", "PLACE_TRIALS"},  {"PLACESTORE", "PLACE_STORE"},     {"v", "w"},
                                  {"inptu", "input"},               {"w", "w"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    assert_string_equal(place_nearest_of(pairs[i][0], names), pairs[i][1]);
}

static void none(void **state) {
  (void)state;
  const char *const words[] = {"PLACE_NONSENSE_AT_ALL", "weights", "output_of_all"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) assert_null(place_nearest_of(words[i], names));
}

/* Letters beyond what is compared, and nothing at all. */
static void extremes(void **state) {
  (void)state;
  char longest[5000];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  const char *const many[] = {longest, "", NULL}, *const empty[] = {NULL};
  assert_ptr_equal(place_nearest_of(longest, many), longest);
  assert_null(place_nearest_of(longest, empty));
  assert_string_equal(place_nearest_of("", many), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(found), cmocka_unit_test(none), cmocka_unit_test(extremes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
