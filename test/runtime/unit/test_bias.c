/* What the original takes beside the base, told by wall times. */
#include "fake.h"

#include <math.h>

#include "bias.h"

static struct bias b;

static uint64_t seed = 7;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 40) / (1 << 24);
}

/* Periods of the base, with the original's beside them where they are wanted. noise_ns: of a wall time, now and then 20 times as much.
 * Returns the launches of the original. */
static unsigned run(unsigned periods, unsigned period, double base_ns, double original_ns, double noise_ns) {
  unsigned originals = 0;
  for (unsigned i = 0; i < periods; i++) {
    unsigned base = 0;
    while (base < period || bias_is_open(&b, period)) {
      double beside = 8000 + noise_ns * (uniform() < 0.1 ? 20 : uniform());
      if (bias_wants_original(&b, period, !base)) originals++, bias_record_original(&b, period, original_ns + beside);
      else base++, bias_record_base(&b, period, base_ns + beside, base_ns);
      assert_true(base <= period);
    }
  }
  return originals;
}

static void what_is_told(void **state) {
  static const struct {
    double base_ns, original_ns, noise_ns, least, most;
  } cases[] = {
    {63e6, 54e6, 5000, 0.85, 0.865},  {54e6, 63e6, 5000, 1, 1}, {1.2e6, 1.0e6, 2000, 0.82, 0.85},
    {100e3, 90e3, 1000, 0.88, 0.92},  {1e6, 1e6, 3000, 1, 1},         {100e3, 100e3, 3000, 1, 1},
    {10e3, 9.9e3, 3000, 1, 1},        {5e3, 5e3, 2000, 1, 1}, /* too short to tell */
    {5e6, 4.5e6, 5e6, 1, 1}, /* copies whose times vary by more */
    {13e3, 9e3, 300, 0.6, 0.8},       {13e3, 1.3e3, 300, 1, 1}, /* what a timer may cost, and what it cannot */
    {1e6, 0.3e6, 3000, 0.28, 0.32},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned period = 1; period <= 5; period += 4) {
      b = (struct bias){.samples = 0};
      run(30, period, cases[i].base_ns, cases[i].original_ns, cases[i].noise_ns);
      double share = bias_original(&b);
      if (share < cases[i].least || share > cases[i].most) fail_msg("case %zu, periods of %u: %.4f", i, period, share);
    }
}

/* Wall times without noise: two samples are enough for what is large; one is for a guess; after a while fewer are taken. */
static void how_many_it_takes(void **state) {
  double share;
  (void)state;
  b = (struct bias){.samples = 0};
  assert_true(!bias_guess(&b, &share) && share == 1 && bias_original(&b) == 1);
  b.prior = 0.9;
  assert_true(bias_guess(&b, &share) && share == 0.9);
  run(1, 1, 63e6, 54e6, 0);
  assert_true(bias_original(&b) == 1 && bias_guess(&b, &share) && fabs(share - 54.0 / 63) < 1e-6);
  run(1, 1, 63e6, 54e6, 0);
  assert_true(fabs(bias_original(&b) - 54.0 / 63) < 1e-6);
  unsigned few = run(BIAS_EAGER - 2, 1, 63e6, 54e6, 0);
  assert_int_equal(few, BIAS_EAGER - 2);
  few = run(40, 1, 63e6, 54e6, 0);
  assert_true(few <= 40 / BIAS_EVERY && few >= 40 / BIAS_EVERY - 1);
}

/* Sizes that shrink from launch to launch: the original is as fast, whichever comes first. */
static void shrinking_sizes(void **state) {
  double ns = 10e6;
  (void)state;
  b = (struct bias){.samples = 0};
  for (unsigned i = 0; i < 60; i++, ns *= 0.98) {
    if (bias_wants_original(&b, 1, true)) bias_record_original(&b, 1, ns);
    else bias_record_base(&b, 1, ns, ns);
    if (bias_original(&b) != 1) fail_msg("launch %u: %.4f", i, bias_original(&b));
  }
  assert_true(b.samples >= BIAS_EAGER && bias_original(&b) == 1);
}

/* A period that was interrupted counts for nothing, and a timer that cannot be read neither. */
static void broken_periods(void **state) {
  (void)state;
  b = (struct bias){.samples = 0};
  bias_record_base(&b, 2, 1000, 900);
  bias_break(&b);
  bias_record_base(&b, 2, 1e6, 9e5);
  assert_false(bias_is_open(&b, 2));
  bias_record_base(&b, 2, 1e6, 0);
  assert_false(bias_is_open(&b, 2));
  for (int i = 0; i < 2; i++) bias_record_base(&b, 2, 1e6, 9e5);
  assert_true(bias_is_open(&b, 2) && b.samples == 0);
  for (int i = 0; i < 2; i++) bias_record_original(&b, 2, 9e5);
  assert_true(!bias_is_open(&b, 2) && b.samples == 1);
}

static void another_size(void **state) {
  struct bias other;
  (void)state;
  b = (struct bias){.samples = 0};
  run(9, 1, 63e6, 54e6, 5000);
  bias_inherit(&other, &b);
  assert_true(other.samples == 3 && fabs(bias_original(&other) - 54.0 / 63) < 0.01);
  assert_true(bias_wants_original(&other, 1, true)); /* and goes on */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_told), cmocka_unit_test(how_many_it_takes), cmocka_unit_test(shrinking_sizes),
                                     cmocka_unit_test(broken_periods), cmocka_unit_test(another_size)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
