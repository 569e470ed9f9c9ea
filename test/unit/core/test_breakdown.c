/* Text that is added to bit by bit, and estimates as named values. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "breakdown.h"

/* As snprintf: what does not fit is counted, and what does ends with a zero byte. */
static void text_fits_or_is_counted(void **state) {
  (void)state;
  static const struct {
    size_t size;
    const char *out;
  } cases[] = {{0, NULL}, {1, ""}, {2, "a"}, {5, "a 12"}, {6, "a 12 "}, {9, "a 12 bcd"}, {40, "a 12 bcd"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char out[40];
    memset(out, 'x', sizeof out);
    struct place_text text = {out, cases[i].size, 0};
    place_text_add(&text, "a");
    place_text_add(&text, " %d ", 12);
    place_text_add(&text, "%s", "");
    place_text_add(&text, "%s", "bcd");
    assert_int_equal(text.length, 8);
    if (cases[i].out) assert_string_equal(out, cases[i].out);
    assert_int_equal(out[cases[i].size < 40 ? cases[i].size : 39], 'x'); /* nothing behind it is touched */
  }
}

static void terms_keep_their_values(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *unit, *name, *line;
  } cases[] = {
    {1.5, "ns", "T(L1)", "  T(L1) = 1.5 ns\n"},       {0, "", "row hits", "  row hits = 0\n"},
    {1.0 / 3, "", "ratio", "  ratio = 0.333333\n"},   {123456789, "ns", "T", "  T = 1.23457e+08 ns\n"},
    {-2, "per warp", "a, b", "  a, b = -2 per warp\n"}, {INFINITY, "ns", "T", "  T = inf ns\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct breakdown b = {NULL, 0, 0, false};
    char out[64];
    struct place_text text = {out, sizeof out, 0};
    assert_true(breakdown_add(&b, cases[i].value, cases[i].unit, "%s", cases[i].name) == cases[i].value);
    assert_int_equal(b.count, 1);
    assert_true(b.term[0].value == cases[i].value);
    assert_string_equal(b.term[0].name, cases[i].name);
    breakdown_print(&b, &text);
    assert_string_equal(out, cases[i].line);
    breakdown_free(&b);
    assert_null(b.term);
  }
}

static void many_terms_in_their_order(void **state) {
  (void)state;
  enum { MANY = 1000 };
  struct breakdown b = {NULL, 0, 0, false};
  for (int i = 0; i < MANY; i++) breakdown_add(&b, i, "", "access %d", i);
  assert_int_equal(b.count, MANY);
  assert_false(b.short_of_memory);
  for (int i = 0; i < MANY; i++) {
    char name[32];
    snprintf(name, sizeof name, "access %d", i);
    assert_string_equal(b.term[i].name, name);
    assert_true(b.term[i].value == i);
  }
  breakdown_free(&b);
}

static void no_breakdown_is_no_matter(void **state) {
  (void)state;
  assert_true(breakdown_add(NULL, 2.5, "ns", "T") == 2.5);
}

static void long_names_are_cut(void **state) {
  (void)state;
  struct breakdown b = {NULL, 0, 0, false};
  char name[300];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = 0;
  breakdown_add(&b, 1, "", "%s", name);
  assert_int_equal(strlen(b.term[0].name), sizeof b.term[0].name - 1);
  breakdown_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(text_fits_or_is_counted), cmocka_unit_test(terms_keep_their_values),
                                     cmocka_unit_test(many_terms_in_their_order), cmocka_unit_test(no_breakdown_is_no_matter),
                                     cmocka_unit_test(long_names_are_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
