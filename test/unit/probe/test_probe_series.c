/* Knees, steps, lines, banks and curves: of made-up shapes whose answer is known, and of the H200's measurements. */
#include "support.h"

#include <math.h>

#include "../../../msl/probe/analyse.h"

static void put(struct probe_series *series, double x, double value) {
  series->points[series->count].x = x;
  series->points[series->count].spread = 0;
  series->points[series->count++].value = value;
}

static void collecting(void **state) {
  (void)state;
  struct probe_log log = {0};
  struct probe_series series;
  const double first[] = {9, 10, 30}, second[] = {11, 11, 11}, other[] = {5};
  assert_true(probe_log_add(&log, "q", 0, 8, first, 3) && probe_log_add(&log, "q", 1, 8, second, 3));
  assert_true(probe_log_add(&log, "q", 0, 4, other, 1) && probe_log_add(&log, "r", 0, 6, other, 1));
  probe_series_of(&log, "q", &series);
  assert_int_equal(series.count, 2);
  assert_true(series.points[0].x == 4 && series.points[0].value == 5 && series.points[0].spread == 0);
  assert_true(series.points[1].value == 10.5 && fabs(series.points[1].spread - 1 / 10.5) < 1e-12); /* medians 10 and 11 */
  assert_true(probe_at(&series, 7, 0.1).value == 10.5 && !probe_at(&series, 7, 0.1).unsure);
  assert_true(probe_at(&series, 7, 0.05).unsure);
  probe_series_of(&log, "none", &series);
  assert_int_equal(series.count, 0);
  assert_false(probe_at(&series, 0, 1).known || probe_knee(&series, 0.1).known || probe_step(&series, 2).known);
  probe_log_free(&log);
}

static void knees(void **state) {
  (void)state;
  for (unsigned knee = 3; knee < 29; knee++) { /* a cache of `knee` KiB, with noise, one outlier, and a gradual end */
    struct probe_series series = {0};
    for (unsigned kib = 1; kib <= 32; kib++) {
      double noise = 1 + 0.02 * ((kib * 7919) % 11 / 5.0 - 1), beyond = kib <= knee ? 0 : fmin(1, (kib - knee) / 4.0);
      put(&series, kib * 1024, (33 + 250 * beyond) * noise);
    }
    if (knee > 9)
      series.points[5].value *= 1.5; /* another kernel passed by */
    struct probe_value found = probe_knee(&series, 0.1);
    assert_true(found.known && found.value == knee * 1024.0);
    assert_int_equal(found.unsure, 1 > knee / 8.0);
  }
  struct probe_series flat = {0};
  for (unsigned i = 0; i < 20; i++)
    put(&flat, i, 100 + i % 3);
  assert_false(probe_knee(&flat, 0.1).known); /* larger than what was tried */
}

static void lines_and_banks(void **state) {
  (void)state;
  struct probe_series reach = {0}, two = {0};
  put(&reach, 64, 200), put(&reach, 128, 208), put(&reach, 256, 420);
  assert_true(probe_line_of(&reach).value == 128);
  reach.count = 2;
  assert_false(probe_line_of(&reach).known);
  for (unsigned bytes = 4; bytes <= 600; bytes += 4) /* 16 banks of 8 bytes */
    put(&two, bytes, bytes >= 128 && bytes % 128 < 8 ? 2 : 1);
  two.count = 140;
  struct probe_value banks, width;
  probe_banks_of(&two, &banks, &width);
  assert_true(banks.value == 16 && width.value == 8);
}

static void shared_memory(void **state) {
  (void)state;
  static const double sizes[] = {64, 96, 100, 164, 228}, reserves[] = {0, 1};
  for (unsigned i = 0; i < 10; i++) {
    double size = sizes[i % 5] * 1024, reserve = reserves[i / 5] * 1024;
    struct probe_series teams = {0};
    for (unsigned kib = 1; kib <= 47; kib++)
      put(&teams, kib * 1024, fmin(32, floor(size / (kib * 1024 + reserve))));
    struct probe_value bytes, reserved;
    probe_shared_of_sm(&teams, &bytes, &reserved);
    assert_true(bytes.known && fabs(bytes.value - size) <= 2048);
    assert_true(reserved.value == reserve);
  }
}

/* Paper 001, Algorithm 1, on what that paper saw of a K80: row hits 352 ns, misses 742, conflicts 1008. */
static void row_and_column_bits(void **state) {
  (void)state;
  struct probe_log log = {0};
  struct probe_findings f;
  for (unsigned bit = 3; bit <= 32; bit++) {
    double noise = 1 + 0.03 * ((bit * 7919) % 7 / 3.0 - 1);
    double ns = bit >= 8 && bit <= 11 ? 352 : bit >= 12 && bit <= 15 ? 1008 : 742;
    ns *= noise;
    assert_true(probe_log_add(&log, "mapping.second", 0, bit, &ns, 1));
  }
  probe_analyse(&log, &f);
  assert_int_equal(f.column_bits, 0xF00);
  assert_int_equal(f.row_bits, 0xF000);
  assert_int_equal(f.tried_bits, (UINT64_C(1) << 33) - 8);
  probe_log_free(&log);
}

static double at(const struct probe_series *series, const unsigned *chosen, unsigned count, unsigned i) {
  unsigned k = 0;
  while (k + 2 < count && chosen[k + 1] < i)
    k++;
  double x0 = series->points[chosen[k]].x, x1 = series->points[chosen[k + 1]].x;
  double y0 = series->points[chosen[k]].value, y1 = series->points[chosen[k + 1]].value;
  return y0 + (y1 - y0) * (series->points[i].x - x0) / (x1 - x0);
}

/* Whether some choice of `count` points keeps the error; brute force over subsets of ten points. */
static bool possible(const struct probe_series *series, unsigned count, double error) {
  for (unsigned mask = 0; mask < 1u << series->count; mask++) {
    unsigned chosen[PROBE_MOST_POINTS], n = 0;
    for (unsigned i = 0; i < series->count; i++)
      if (mask >> i & 1)
        chosen[n++] = i;
    if (n != count || n < 2 || chosen[0] != 0 || chosen[n - 1] != series->count - 1)
      continue;
    bool good = true;
    for (unsigned i = 0; i < series->count; i++)
      good &= fabs(at(series, chosen, n, i) - series->points[i].value) <= error * series->points[i].value;
    if (good)
      return true;
  }
  return false;
}

static void curves(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= 40; seed++) {
    struct probe_series series = {0};
    unsigned random = seed * 2654435761u, chosen[PROBE_MOST_POINTS];
    for (unsigned i = 0; i < 10; i++) {
      random = random * 1664525u + 1013904223u;
      put(&series, i * i + 1, 1 + (random >> 28) * 0.1 + (i > 5 ? 3 : 0));
    }
    unsigned count = probe_simplify(&series, 0.2, chosen);
    assert_true(count >= 2 && chosen[0] == 0 && chosen[count - 1] == 9);
    for (unsigned i = 0; i < 10; i++)
      assert_true(fabs(at(&series, chosen, count, i) - series.points[i].value) <= 0.2000001 * series.points[i].value);
    assert_false(count > 2 && possible(&series, count - 1, 0.2)); /* no fewer would do */
  }
}

/* What was read off the H200: each with what is published of the chip beside it (docs/h200.md). */
static void h200(void **state) {
  (void)state;
  struct probe_log log = {0};
  struct probe_findings f;
  read_stored(&log, 0);
  probe_analyse(&log, &f);
  assert_string_equal(f.name, "NVIDIA H200");
  assert_int_equal(f.arch, 90);
  assert_int_equal(f.sms, 132);
  assert_true(f.warp.value == 32 && f.teams_per_sm.value == 32 && f.threads_per_sm.value == 2048);
  assert_true(f.shared_per_sm_bytes.value == 228 * 1024 && f.shared_reserved_bytes.value == 1024);
  assert_true(f.clock_mhz.value == 1980);
  assert_true(f.l1_line.value == 128 && f.l1_sector.value == 32 && f.memory_sector.value == 64);
  assert_true(f.constant_l1_bytes.value == 2048 && f.constant_l1_line.value == 64 && f.constant_l15_line.value == 256);
  assert_false(f.constant_l15_bytes.known);
  assert_true(f.banks.value == 32 && f.bank_bytes.value == 4);
  assert_true(f.l1_clk.value > 30 && f.l1_clk.value < 38 && f.shared_clk.value > 20 && f.shared_clk.value < 32);
  assert_true(f.constant_l15_clk.value > 95 && f.constant_l15_clk.value < 115);
  assert_true(f.l2_near_clk.value > 220 && f.l2_near_clk.value < 280 && f.l2_far_clk.value > f.l2_near_clk.value);
  assert_true(f.memory_clk.value > 600 && f.memory_clk.value < 860);
  assert_true(f.l1_bytes.value > 200e3 && f.l1_bytes.value < 256 * 1024);
  assert_true(f.l2_usable_bytes.value > 40e6 && f.l2_usable_bytes.value < 60 << 20);
  assert_int_equal(f.row_bits | f.column_bits, 0);
  probe_log_free(&log);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(collecting),      cmocka_unit_test(knees),
                                     cmocka_unit_test(lines_and_banks), cmocka_unit_test(shared_memory),
                                     cmocka_unit_test(curves),          cmocka_unit_test(row_and_column_bits),
                                     cmocka_unit_test(h200)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
