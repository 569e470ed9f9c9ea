/* The closed loop on invented clocks. */
#include "invented_trial.h"

/* Runs a trial; kernel time of arm a in its n-th launch: base[a] plus a repeating disturbance. Returns the launches. */
static unsigned run(int plans, const double *base, const double *noise, unsigned noise_count, double host_extra) {
  unsigned launches = 0;
  tune_start(&tune, plans);
  while (!tune.done && launches < 200) {
    int arm = tune_next(&tune, SAME, 0.01);
    double ns = base[arm] + (noise_count ? noise[launches % noise_count] : 0);
    launches++;
    record(arm, ns, 500 + (arm ? host_extra : 0));
  }
  return launches;
}

static void clear_winner(void **state) {
  (void)state;
  const double base[] = {100000, 70000, 120000, 95000};
  unsigned launches = run(3, base, NULL, 0, 0);
  assert_int_equal(tune.winner, 1);
  assert_int_equal(launches, 4 * (1 + TUNE_MIN_ROUNDS));
  assert_true(tune.gain > 0.29 && tune.gain < 0.31);
}

/* One arm shows in its first launch that others cannot win: they get no second one. The bound of tune.h holds. */
static void hopeless_arms_get_one_launch(void **state) {
  (void)state;
  const double base[] = {100000, 20000, 70000, 61000, 22000};
  unsigned launches = run(4, base, NULL, 0, 0);
  assert_int_equal(tune.winner, 1);
  assert_true(tune.arm[2].out && tune.arm[2].count == 0 && tune.arm[3].out && tune.arm[3].count == 0);
  assert_int_equal(launches, 5 + 3 * TUNE_MIN_ROUNDS);
  const double alike[] = {100000, 100001, 100002}, noise[] = {0, 9000, -9000, 400, 12000, -3000, 7000};
  assert_true(run(2, alike, noise, 7, 0) <= 3 * (1 + TUNE_MAX_ROUNDS));
}

static void nothing_gained(void **state) {
  (void)state;
  const double base[] = {100000, 99500, 100200};
  run(2, base, NULL, 0, 0);
  assert_int_equal(tune.winner, -1);
  assert_int_equal(tune.best, 1);
  assert_null(tune.reason); /* how little it gained says it */
}

static void noise_is_no_gain(void **state) {
  (void)state;
  const double base[] = {100000, 100000}, noise[] = {0, 9000, -9000, 400, 12000, -3000, 7000, 100, -8000, 2500, 5000};
  run(1, base, noise, 11, 0);
  assert_int_equal(tune.winner, -1);
  assert_true(tune.arm[0].count <= TUNE_MAX_ROUNDS);
}

static void gain_through_noise(void **state) {
  (void)state;
  const double base[] = {100000, 90000}, noise[] = {0, 3000, -2000, 400, 2000, -3000, 1000};
  run(1, base, noise, 7, 0);
  assert_int_equal(tune.winner, 1);
}

static void host_time_counts(void **state) {
  (void)state;
  const double base[] = {30000, 28000}; /* 2 us gained on the device, 8 us lost on the host */
  run(1, base, NULL, 0, 8000);
  assert_int_equal(tune.winner, -1);
  run(1, base, NULL, 0, 500);
  assert_int_equal(tune.winner, 1);
}

/* The arm with the fastest kernel copies before each launch: it puts no other out that costs less, and does not lead meanwhile. */
static void dear_copies_put_no_other_out(void **state) {
  (void)state;
  const double kernel[] = {3800, 1250, 1180}, host[] = {500, 600, 25500};
  for (int bounded = 0; bounded < 2; bounded++) {
    unsigned launches = 0;
    tune_start(&tune, 2);
    tune.bounded = bounded;
    while (!tune.done && launches < 200) {
      int arm = tune_next(&tune, SAME, 0.01);
      launches++;
      if (arm == TUNE_ORIGINAL) continue; /* not measured */
      record(arm, kernel[arm], host[arm]);
      if (tune.arm[2].count && tune.arm[0].count) assert_int_not_equal(tune_leader(&tune, 1), 2); /* known now */
    }
    assert_true(tune.done);
    assert_int_equal(tune.winner, 1);
    assert_true(tune.gain > 0.6 && tune.gain < 0.68);
  }
}

/* A host whose threads are in each other's way takes ten times as long for some launches, whichever arm they are of. */
static void a_busy_host_decides_nothing(void **state) {
  (void)state;
  const double kernel[] = {5800, 3300, 4500}, host[][3] = {{600, 5200, 700}, {8000, 4900, 650}, {7000, 5400, 6000}};
  unsigned launches = 0;
  tune_start(&tune, 2);
  tune_set_warm(&tune);
  for (; !tune.done && launches < 200; launches++) {
    int arm = tune_next(&tune, SAME, 0.01);
    record(arm, kernel[arm], host[launches / 3 % 3][arm]);
  }
  assert_int_equal(launches, 3 * TUNE_MIN_ROUNDS);
  assert_int_equal(tune.winner, 1);
}

static void hopeless_is_dropped_at_once(void **state) {
  (void)state;
  const double base[] = {100000, 9000000};
  assert_int_equal(run(1, base, NULL, 0, 0), 2);
  assert_int_equal(tune.winner, -1);
}

/* Another program has the GPU while all plans run for the first time: short first periods are no reason to give all up, twice are. */
static void disturbed_first_launches(void **state) {
  (void)state;
  for (unsigned disturbed = 1; disturbed <= 3; disturbed++) {
    unsigned launches = 0, of_plans = 0;
    tune_start(&tune, 2);
    for (; !tune.done && launches < 200; launches++) {
      int arm = tune_next(&tune, SAME, 0.01);
      record(arm, arm && of_plans++ < 2 * disturbed ? 260000 : arm == 1 ? 5000 : 8000, 500);
    }
    assert_int_equal(tune.winner, disturbed == 1 ? 1 : -1);
    if (disturbed > 1) assert_int_equal(launches, 6);
  }
}

/* The arm that begins anew has one round less than the baseline: the trial goes on until it has enough of them. */
static void begun_anew_has_all_rounds(void **state) {
  (void)state;
  tune_start(&tune, 1);
  for (unsigned launches = 0; !tune.done && launches < 200; launches++) {
    int arm = tune_next(&tune, SAME, 0.01);
    record(arm, launches == 1 ? 900000 : arm ? 100 : 200, 500);
  }
  assert_int_equal(tune.arm[1].count, TUNE_MIN_ROUNDS);
  assert_int_equal(tune.arm[0].count, TUNE_MIN_ROUNDS + 1);
}

static void first_launch_is_not_counted(void **state) {
  (void)state;
  tune_start(&tune, 1);
  for (int i = 0; i < 2; i++) record(tune_next(&tune, SAME, 0.01), 900000, 500);
  assert_int_equal(tune.arm[0].count + tune.arm[1].count, 0);
  while (!tune.done) {
    int arm = tune_next(&tune, SAME, 0.01);
    double ns = arm ? 50000 : 100000;
    record(arm, ns, 500);
  }
  assert_int_equal(tune.winner, 1);
}

static void unreadable_timer(void **state) {
  (void)state;
  tune_start(&tune, 2);
  record(0, 0, 1000);
  assert_true(tune.done);
  assert_int_equal(tune.winner, -1);
  assert_non_null(tune.reason);
}

static void dropped_arms(void **state) {
  (void)state;
  tune_start(&tune, 2);
  record(tune_next(&tune, SAME, 0.01), 1000, 500);
  tune_drop(&tune, 1, 0.01);
  assert_int_equal(tune_next(&tune, SAME, 0.01), 2);
  tune_drop(&tune, 2, 0.01);
  assert_true(tune.done);
  assert_int_equal(tune.winner, -1);
  tune_start(&tune, 2);
  tune_drop(&tune, 0, 0.01);
  assert_true(tune.done);
}

/* A region known from another size: no warm-up, and two rounds where the difference is beyond doubt, more where it is not.
 * Each arm's first launch takes so many times as long as its others. */
static unsigned run_hasty_after(double first, int plans, const double *base) {
  unsigned launches = 0;
  tune_start(&tune, plans);
  tune_set_hasty(&tune);
  for (; !tune.done && launches < 200; launches++) {
    int arm = tune_next(&tune, SAME, 0.01);
    record(arm, (int)launches <= plans ? first * base[arm] : base[arm], 500);
  }
  return launches;
}

static unsigned run_hasty(int plans, const double *base) { return run_hasty_after(1, plans, base); }

static void hasty_trials(void **state) {
  (void)state;
  const double clear[] = {100000, 70000, 130000}, close[] = {100000, 95000, 99000}, lost[] = {100000, 120000, 130000};
  assert_int_equal(run_hasty(2, clear), 3 * TUNE_FEW_ROUNDS);
  assert_int_equal(tune.winner, 1);
  assert_true(run_hasty(2, close) >= 3 * TUNE_MIN_ROUNDS);
  assert_int_equal(tune.winner, 1);
  assert_int_equal(run_hasty(2, lost), 3 * TUNE_FEW_ROUNDS);
  assert_int_equal(tune.winner, -1);
  /* First launches that are slow make the trial longer, not wrong. */
  assert_in_range(run_hasty_after(1.5, 2, clear), 3 * TUNE_MIN_ROUNDS, 3 * TUNE_MAX_ROUNDS);
  assert_int_equal(tune.winner, 1);
  run_hasty_after(1.5, 2, lost);
  assert_int_equal(tune.winner, -1);
}

/* Arms that nobody could tell apart do not keep a trial going. */
static void alike_arms_end_a_trial(void **state) {
  (void)state;
  const double alike[] = {100000, 70000, 70200, 70100}, same[] = {100000, 100100, 99900};
  assert_int_equal(run(3, alike, NULL, 0, 0), 4 * (1 + TUNE_MIN_ROUNDS));
  assert_int_equal(tune.winner, 1);
  assert_int_equal(run(2, same, NULL, 0, 0), 3 * (1 + TUNE_MIN_ROUNDS));
  assert_int_equal(tune.winner, -1);
  const double shared[] = {358000, 180000, 184000, 357000};
  assert_int_equal(run_hasty(3, shared), 4 * TUNE_FEW_ROUNDS);
  assert_int_equal(tune.winner, 1);
}

/* Launches that differ as the levels of a search do: the n-th of `period` takes (n + 1) squared times the arm's time. Returns the
 * launches. */
static unsigned run_levels(unsigned period, const double *base, int plans) {
  unsigned launches = 0;
  tune_start(&tune, plans);
  for (; !tune.done && launches < 2000; launches++) {
    unsigned level = launches % period;
    int arm = tune_next(&tune, period < 1000 ? level : launches, 0.01);
    if (tune.done) break;
    double ns = base[arm] * (level + 1) * (level + 1);
    record(arm, ns, 500);
  }
  return launches;
}

static void levels_make_a_period(void **state) {
  (void)state;
  const double base[] = {10000, 9000, 10500};
  unsigned launches = run_levels(8, base, 2);
  assert_int_equal(tune.period_launches, 8);
  assert_int_equal(tune.winner, 1);
  assert_true(tune.gain > 0.09 && tune.gain < 0.11);
  assert_int_equal(launches, 8 * 3 * (1 + TUNE_MIN_ROUNDS));
  assert_true(run_levels(20, base, 2) <= 20 * 3 * (1 + TUNE_MIN_ROUNDS));
  assert_int_equal(tune.winner, 1);
}

/* A hopeless arm is not carried through a whole period. */
static void hopeless_within_a_period(void **state) {
  (void)state;
  const double base[] = {10000, 9000, 1e6};
  run_levels(8, base, 2);
  assert_int_equal(tune.winner, 1);
  assert_true(tune.arm[2].out && tune.spent_ns < 4e7 && tune.arm[2].count == 0);
}

/* Scalars that are new at every launch tell no periods apart: after MAX_PERIOD launches every launch is one. */
static void nothing_comes_again(void **state) {
  (void)state;
  tune_start(&tune, 1);
  unsigned launches = 0;
  for (; !tune.done && launches < 200; launches++) {
    int arm = tune_next(&tune, launches, 0.01);
    double ns = arm ? 50000 : 100000;
    record(arm, ns, 500);
  }
  assert_int_equal(tune.winner, 1);
  assert_int_equal(launches, TUNE_MAX_PERIOD + 1 + 2 * TUNE_MIN_ROUNDS);
}

/* A launch in between that was not measured spoils its period; where that goes on, periods are given up. */
static void broken_periods(void **state) {
  (void)state;
  const double base[] = {10000, 9000};
  tune_start(&tune, 1);
  for (unsigned n = 0; n < 5; n++) record(tune_next(&tune, n % 4, 0.01), base[0], 500);
  assert_int_equal(tune.period_launches, 4);
  assert_int_equal(tune.period.launches, 1);
  tune_break_period(&tune);
  assert_int_equal(tune.period.launches, 0);
  assert_int_equal(tune.arm[1].count, 0);
  for (int i = 0; i < TUNE_MAX_BREAKS; i++) {
    record(tune_next(&tune, 0, 0.01), base[1], 500);
    tune_break_period(&tune);
  }
  assert_int_equal(tune.period_launches, 1);
}

/* Won by a little in all rounds but one, and lost by much in that: the median gains, but it does not stand out. */
static void one_bad_round(void **state) {
  (void)state;
  static const struct {
    double bad;
    int winner;
  } cases[] = {{112000, -1}, {100500, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tune_start(&tune, 1);
    while (!tune.done) {
      int arm = tune_next(&tune, SAME, 0.01);
      record(arm, !arm ? 100000 : tune.arm[1].count == 2 ? cases[i].bad : 98000, 500);
    }
    if (tune.winner != cases[i].winner) fail_msg("case %zu: %d after %u rounds", i, tune.winner, tune.arm[1].count);
  }
}

/* Launches that take less from one to the next, of arms that are all alike: a gain of none. Nor a loss where one gains. */
static void shrinking_launches(void **state) {
  (void)state;
  static const struct {
    double shrinks, gains;
    int winner;
  } cases[] = {{0.99, 1, -1}, {1.01, 1, -1}, {0.995, 1, -1}, {0.99, 0.8, 5}, {1.01, 0.8, 5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double ns = 1e6;
    tune_start(&tune, 6);
    while (!tune.done) {
      int arm = tune_next(&tune, SAME, 0.01);
      record(arm, arm == 5 ? ns * cases[i].gains : ns, 500);
      ns *= cases[i].shrinks;
    }
    if (tune.winner != cases[i].winner) fail_msg("case %zu: %d", i, tune.winner);
  }
}

/* What an arm saves, by its worst launch and the baseline's best; nothing is said before both were counted. */
static void savings(void **state) {
  (void)state;
  const double base[] = {600e3, 540e3, 700e3};
  tune_start(&tune, 2);
  for (unsigned launches = 0; launches < 8 && !tune.done; launches++) {
    int arm = tune_next(&tune, SAME, 0.01);
    if (launches < 4) assert_true(tune_saving_ns(&tune, 1, 1) < 0);
    record(arm, base[arm] + 1e3 * launches, 500);
  }
  assert_true(tune_saving_ns(&tune, 1, 1) > 0 && tune_saving_ns(&tune, 1, 1) < 60e3 + 8e3);
  assert_true(tune_saving_ns(&tune, 2, 1) < 0);
  assert_true(tune_saving_ns(&tune, 1, 0.8) < 0); /* the original is said to be faster than the baseline */
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(clear_winner),         cmocka_unit_test(hopeless_arms_get_one_launch), cmocka_unit_test(nothing_gained),
    cmocka_unit_test(noise_is_no_gain),     cmocka_unit_test(gain_through_noise),
    cmocka_unit_test(host_time_counts),     cmocka_unit_test(dear_copies_put_no_other_out), cmocka_unit_test(a_busy_host_decides_nothing),
    cmocka_unit_test(hopeless_is_dropped_at_once),
    cmocka_unit_test(disturbed_first_launches), cmocka_unit_test(begun_anew_has_all_rounds),
    cmocka_unit_test(first_launch_is_not_counted), cmocka_unit_test(unreadable_timer),
    cmocka_unit_test(dropped_arms),         cmocka_unit_test(hasty_trials),
    cmocka_unit_test(alike_arms_end_a_trial),
    cmocka_unit_test(levels_make_a_period),    cmocka_unit_test(hopeless_within_a_period),
    cmocka_unit_test(nothing_comes_again),  cmocka_unit_test(broken_periods),
    cmocka_unit_test(one_bad_round),        cmocka_unit_test(shrinking_launches),
    cmocka_unit_test(savings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
