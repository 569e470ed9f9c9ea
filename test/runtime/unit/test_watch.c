/* What was chosen is compared with the base now and then, and given up when it loses. */
#include "fake.h"

#include "watch.h"

static struct watch w;

static bool start(unsigned period, double noise, double gain_ns) {
  return watch_start(&w, &(struct watch_trial){.period_launches = period, .noise = noise, .gain_ns = gain_ns, .measure_ns = 20000});
}

/* Launches until what was chosen is given up, at most so many; before and from `change` on the chosen takes these. Counts the base's
 * launches. */
static unsigned base_launches;
static unsigned run(unsigned most, unsigned change, double before_ns, double after_ns, double wall_more) {
  base_launches = 0;
  for (unsigned i = 0; i < most; i++) {
    double chosen = i < change ? before_ns : after_ns;
    if (!watch_is_due(&w)) {
      watch_pass(&w, wall_more > 0 ? chosen + wall_more : 0);
      continue;
    }
    enum watch_side side = watch_next(&w);
    base_launches += side == WATCH_BASE;
    if (watch_record(&w, side, side == WATCH_BASE ? 100000 : chosen)) return i + 1;
  }
  return most;
}

static void what_happens(void **state) {
  (void)state;
  static const struct {
    const char *what;
    double before_ns, after_ns, wall_more; /* 0: no clocks */
    unsigned change, least, most;          /* launches until it is given up; 20,000: never */
  } cases[] = {
    {"gains", 70000, 70000, 8000, 0, 20000, 20000},
    {"gains little", 99000, 99000, 0, 0, 20000, 20000},
    {"loses from the start", 130000, 130000, 8000, 0, 2, 20},
    {"loses a little", 101000, 101000, 0, 0, 4, 40},
    {"loses by far later", 70000, 160000, 8000, 5000, 5000, 5010},
    {"loses by far later, no clocks", 70000, 160000, 0, 5000, 5000, 5400},
    {"loses a little later", 98000, 103000, 8000, 5000, 5000, 5400},
    {"far ahead, loses by far later", 5000, 160000, 8000, 5000, 5000, 5010},
    {"far ahead, loses a little later", 5000, 103000, 8000, 5000, 5000, 5010},
    {"far ahead, loses by far later, no clocks", 5000, 160000, 0, 5000, 5000, 5600},
    {"far ahead, slower, but still far ahead", 5000, 40000, 8000, 5000, 20000, 20000},
    {"slower, but still gains", 60000, 90000, 8000, 5000, 20000, 20000},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_true(start(1, 0, 30000));
    unsigned n = run(20000, cases[i].change, cases[i].before_ns, cases[i].after_ns, cases[i].wall_more);
    if (n < cases[i].least || n > cases[i].most) fail_msg("%s: after %u launches", cases[i].what, n);
    if (n == 20000 && base_launches > 20000 / 100) fail_msg("%s: %u launches of the base", cases[i].what, base_launches);
  }
}

/* What was far ahead in its trial is compared when that has paid for it, the first time too; what it loses even so is found out. */
static void clear_of_the_base(void **state) {
  (void)state;
  const struct watch_trial trial = {.period_launches = 1, .gain_ns = 80000, .measure_ns = 20000, .clear = true};
  assert_true(watch_start(&w, &trial));
  run(WATCH_EARNED, 0, 20000, 20000, 8000);
  assert_int_equal(base_launches, 0);
  run(200, 0, 20000, 20000, 8000);
  assert_in_range(base_launches, 1, 200 / (WATCH_PART * 100000 / 20000));
  watch_start(&w, &trial);
  assert_in_range(run(20000, 0, 130000, 130000, 8000), WATCH_EARNED, 40);
}

/* Pairs begin with the one or the other in turn: sizes that shrink are no gain, and no loss. */
static void shrinking_sizes(void **state) {
  (void)state;
  start(1, 0, 30000);
  double size = 1, sum = 0;
  for (unsigned i = 0; i < 600; i++, size *= 0.99) {
    if (!watch_is_due(&w)) {
      watch_pass(&w, 0);
      continue;
    }
    assert_false(watch_record(&w, watch_next(&w), (watch_next(&w) == WATCH_BASE ? 100000 : 95000) * size));
  }
  for (unsigned i = 0; i < WATCH_WINDOW; i++) sum += w.ratio[i];
  assert_true(w.pairs >= WATCH_WINDOW && sum < 0);
}

/* A pair that was broken begins anew; periods are compared, not their launches. */
static void periods(void **state) {
  (void)state;
  start(3, 0, 30000);
  for (int i = 0; i < 3; i++) watch_pass(&w, 0);
  assert_true(watch_is_due(&w));
  for (int i = 0; i < 3; i++) assert_int_equal(watch_next(&w), WATCH_BASE), watch_record(&w, WATCH_BASE, 100 * (i + 1));
  assert_int_equal(watch_next(&w), WATCH_CHOSEN);
  watch_break(&w);
  assert_false(watch_is_due(&w));
  watch_doubt(&w);
  for (int i = 0; i < 3; i++) watch_record(&w, watch_next(&w), 100 * (i + 1));
  for (int i = 0; i < 3; i++) watch_record(&w, watch_next(&w), 90 * (i + 1));
  assert_true(w.pairs == 1 && w.lost == 0);
  watch_doubt(&w);
  watch_record(&w, watch_next(&w), 0); /* the timer could not be read */
  assert_true(w.pairs == 1 && !watch_is_due(&w));
}

/* Watching costs a part of what is gained; where it cannot, there is nothing to choose. */
static void gains_that_pay(void **state) {
  (void)state;
  static const struct {
    unsigned period;
    double gain_ns;
    bool worth;
  } cases[] = {{1, 30000, true}, {1, 313, true}, {1, 312, false}, {7, 313, false}, {7, 30000, true}, {0, 400, true}, {1, 0, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (start(cases[i].period, 0, cases[i].gain_ns) != cases[i].worth) fail_msg("case %zu", i);
  start(1, 0, 400);
  run(8000, 0, 99600, 99600, 0);
  assert_true(base_launches <= 1 + 8000 / 800);
}

static void noise(void **state) {
  (void)state;
  start(1, 0.5, 30000); /* launches that differ by half: two lost pairs are no proof */
  for (int i = 0; i < 3; i++) {
    watch_doubt(&w);
    w.doubted = false;
    bool lost = false;
    for (int k = 0; k < 2; k++) lost |= watch_record(&w, watch_next(&w), watch_next(&w) == WATCH_BASE ? 100 : 150);
    assert_false(lost);
  }
}

/* A pair; whether what was chosen is given up. */
static bool pair(double base_ns, double chosen_ns) {
  bool given_up = false;
  for (int k = 0; k < 2; k++) {
    enum watch_side side = watch_next(&w);
    given_up |= watch_record(&w, side, side == WATCH_BASE ? base_ns : chosen_ns);
  }
  return given_up;
}

/* Another program has the GPU for a moment: one pair that is lost for it ends what won one or two before, but not what won again and again, or was
 * clear of the base in its trial. */
static void lose_once(const struct watch_trial *trial, unsigned won, bool goes_on) {
  bool proven = trial->clear || won >= WATCH_PROVEN;
  watch_start(&w, trial);
  for (unsigned i = 0; i < won; i++) assert_false(pair(3400000, 2200000));
  watch_doubt(&w);
  assert_int_equal(pair(3400000, 3900000), !proven);
  if (!proven) return;
  assert_true(watch_is_due(&w));
  assert_int_equal(pair(3400000, goes_on ? 3900000 : 2200000), goes_on);
}

static void disturbed_pair(void **state) {
  (void)state;
  for (unsigned won = 0; won < 2 * WATCH_PROVEN; won++)
    for (unsigned n = 0; n < 4; n++)
      lose_once(&(struct watch_trial){.period_launches = 1, .gain_ns = 30000, .measure_ns = 20000, .clear = n / 2}, won, n % 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_happens), cmocka_unit_test(clear_of_the_base), cmocka_unit_test(shrinking_sizes), cmocka_unit_test(periods),
                                     cmocka_unit_test(gains_that_pay), cmocka_unit_test(noise), cmocka_unit_test(disturbed_pair)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
