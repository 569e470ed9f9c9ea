/* Medians, quantiles, spread, and when enough was measured. */
#include "support.h"

#include <math.h>

#include "../../../msl/probe/stats.h"

static void medians(void **state) {
  (void)state;
  const double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
  assert_true(probe_median(odd, 3) == 3);
  assert_true(probe_median(even, 4) == 2.5);
  assert_true(probe_median(one, 1) == 7);
  assert_true(isnan(probe_median(one, 0)));
  assert_true(odd[0] == 5 && odd[1] == 1); /* untouched */
}

static void quantiles(void **state) {
  (void)state;
  double values[101];
  for (int i = 0; i <= 100; i++)
    values[i] = (i * 37) % 101;
  assert_true(probe_quantile(values, 101, 0) == 0);
  assert_true(probe_quantile(values, 101, 1) == 100);
  assert_true(probe_quantile(values, 101, 0.1) == 10);
  assert_true(probe_quantile(values, 101, 0.5) == probe_median(values, 101));
}

static void spreads(void **state) {
  (void)state;
  const double values[] = {10, 11, 9.5}, same[] = {0, 0}, around_zero[] = {-1, 0, 1};
  assert_true(fabs(probe_spread(values, 3) - 0.15) < 1e-12);
  assert_true(probe_spread(values, 1) == 0);
  assert_true(probe_spread(same, 2) == 0);
  assert_true(isinf(probe_spread(around_zero, 3)));
}

static void enough(void **state) {
  (void)state;
  const double steady[] = {10, 10.05, 10.02}, settling[] = {20, 12, 10, 10.05, 10.02};
  const double wild[] = {1, 2, 1, 2, 1, 2, 1, 2, 1};
  assert_false(probe_enough(steady, 2));
  assert_true(probe_enough(steady, 3));
  assert_false(probe_enough(settling, 3));
  assert_false(probe_enough(settling, 4));
  assert_true(probe_enough(settling, 5));
  for (unsigned count = 0; count < PROBE_MOST_SAMPLES; count++)
    assert_false(probe_enough(wild, count));
  assert_true(probe_enough(wild, PROBE_MOST_SAMPLES)); /* it never will be stable */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(medians), cmocka_unit_test(quantiles), cmocka_unit_test(spreads),
                                     cmocka_unit_test(enough)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
