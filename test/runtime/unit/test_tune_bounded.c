/* Trials that a budget pays for, on invented clocks: what spares launches that lose. */
#include "invented_trial.h"

/* A bounded trial of long launches: no warm-up, two rounds, and what is slower at once is out; the leader is known after one launch. */
static void long_launches(void **state) {
  (void)state;
  const double base[] = {390e6, 450e6, 240e6};
  unsigned launches = 0;
  tune_start(&tune, 2);
  tune_set_bounded(&tune);
  assert_int_equal(tune_leader(&tune, 1), -1);
  assert_int_equal(tune_next(&tune, SAME, 0.01), TUNE_ORIGINAL); /* only the next launch tells that a period is one */
  for (; !tune.done; launches++) {
    int arm = tune_next(&tune, SAME, 0.01);
    if (launches == 2) assert_true(tune.arm[1].out && tune_leader(&tune, 1) == -1); /* the next launch is the first of arm 2 */
    if (launches == 3) assert_int_equal(tune_leader(&tune, 1), 2);
    record(arm, base[arm], 500);
  }
  assert_true(tune.winner == 2 && launches == 5);
  tune_start(&tune, 2);
  for (launches = 0; !tune.done; launches++) {
    int arm = tune_next(&tune, SAME, 0.01);
    record(arm, base[arm], 500);
  }
  assert_true(tune.winner == 2 && launches > 9); /* as any other without bounds */
}

/* A bounded trial of launches that come again. disturbed: the launch that takes five times as long, from 1; of: launches of each arm. */
static void run_bounded(int plans, const double *base, unsigned disturbed, unsigned *of) {
  memset(of, 0, (size_t)(plans + 1) * sizeof *of);
  tune_start(&tune, plans);
  tune_set_bounded(&tune);
  for (unsigned launches = 0; !tune.done && launches < 200;) {
    int arm = tune_next(&tune, SAME, 0.01);
    if (arm == TUNE_ORIGINAL) continue;
    of[arm]++;
    record(arm, ++launches == disturbed ? 5 * base[arm] : base[arm], 500);
  }
}

/* Of two rounds one is disturbed: what the plan takes is below all that the original takes by so much that how far those vary says nothing. */
static void disturbed_round_of_two(void **state) {
  (void)state;
  static const struct {
    double plan_ns;
    int winner;
  } cases[] = {{474e3, 1}, {580e3, -1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double base[] = {585e3, cases[i].plan_ns};
    unsigned launches = 0;
    tune_start(&tune, 1);
    tune_set_bounded(&tune);
    while (!tune.done) {
      int arm = tune_next(&tune, SAME, 0.01);
      if (arm != TUNE_ORIGINAL) record(arm, launches++ ? base[arm] : 1249e3, 500);
    }
    assert_true(tune.hasty && (launches == 4) == (tune.winner == 1));
    assert_int_equal(tune.winner, cases[i].winner);
  }
}

/* Once all plans that are left are far faster than the baseline, it is launched no more, nor is what one of them is far ahead of. */
static void clear_of_the_baseline(void **state) {
  (void)state;
  const double base[] = {59000, 20000, 15000, 16000, 14900}, ahead[] = {20400, 16650};
  unsigned of[5];
  run_bounded(4, base, 0, of);
  assert_true(tune.rested && tune.winner == 4 && tune.gain > 0.74 && tune.gain < 0.76);
  assert_true(of[0] == 2 && of[1] == 2 && of[2] > TUNE_MIN_ROUNDS && of[4] > TUNE_MIN_ROUNDS);
  run_bounded(1, base, 0, of);
  assert_true(tune.winner == 1 && of[0] == 2 && of[1] == 1 + TUNE_MIN_ROUNDS);
  run_bounded(1, ahead, 0, of); /* by more than a timer makes of the original */
  assert_true(tune.winner == 1 && of[0] == 2 && of[1] == 1 + TUNE_MIN_ROUNDS);
}

/* A bounded trial may have to wait after its first round: what was far ahead in that leads, and may be settled on. */
static void leads_at_once(void **state) {
  (void)state;
  const double base[] = {17000, 11600, 7900, 13900};
  unsigned launches = 0;
  tune_start(&tune, 3);
  tune_set_bounded(&tune);
  while (launches < 4) {
    int arm = tune_next(&tune, SAME, 0.01);
    if (arm == TUNE_ORIGINAL) continue;
    record(arm, base[arm], 500);
    if (++launches < 3) assert_int_equal(tune_leader(&tune, 1), -1); /* 11.6 us are not by far less than 17 */
  }
  assert_int_equal(tune_leader(&tune, 1), 2);
  assert_int_equal(tune_leader(&tune, 0.6), -1); /* the original is faster than its base */
  tune_settle(&tune, 2);
  assert_true(tune.winner == 2 && tune.gain > 0.53 && tune.gain < 0.54);
  assert_true(tune_original_ns(&tune) == 17000);
}

/* Where periods are long, nothing is cold in the first one: less is far enough ahead then. */
static void leads_at_once_in_long_periods(void **state) {
  (void)state;
  const double base[] = {1612e3, 1518e3, 1389e3};
  for (int is_long = 0; is_long < 2; is_long++) {
    unsigned of[3] = {0};
    tune_start(&tune, 2);
    tune_set_bounded(&tune);
    while (!of[0] || !of[2]) {
      int arm = tune_next(&tune, SAME, 0.01);
      if (arm == TUNE_ORIGINAL) continue;
      record(arm, is_long ? base[arm] : base[arm] / 10, 500);
      of[arm]++;
      assert_int_not_equal(tune_leader(&tune, 1), 1); /* 6% ahead is not enough */
    }
    assert_int_equal(tune_leader(&tune, 1), is_long ? 2 : -1);
    assert_int_equal(tune_leader(&tune, 0.9), -1); /* the original is faster than its base */
  }
}

/* Not with copies, which the next launch may have to make again: that is told by a launch that finds them made. */
static void leads_with_copies(void **state) {
  (void)state;
  const double kernel_ns[] = {17000, 7900}, made_ns = 12000; /* what making the copies takes */
  for (int kept = 0; kept < 2; kept++) {
    unsigned of[2] = {0};
    tune_start(&tune, 1);
    tune_set_bounded(&tune);
    while (of[0] < 2 || of[1] < 2) {
      int arm = tune_next(&tune, SAME, 0.01);
      if (arm == TUNE_ORIGINAL) continue;
      bool makes = arm && (!of[arm] || !kept);
      tune_record(&tune, arm, &(struct tune_took){kernel_ns[arm], 500 + (makes ? made_ns : 0), kernel_ns[arm], arm > 0}, 0.01);
      of[arm]++;
      if (of[1] == 1) assert_int_equal(tune_leader(&tune, 1), -1);
    }
    assert_int_equal(tune_leader(&tune, 1), kept ? 1 : -1);
  }
}

/* Within a budget two rounds are enough for what loses, and it is told by how much; what is as fast as the original goes on. */
static void losers_are_dropped(void **state) {
  (void)state;
  const double base[] = {119400, 126700}, both[] = {119400, 126700, 119900};
  unsigned of[3];
  run_bounded(1, base, 0, of);
  assert_true(of[0] == 1 + TUNE_FEW_ROUNDS && of[1] == 1 + TUNE_FEW_ROUNDS);
  assert_true(tune.winner == -1 && tune.best == 1 && !tune.reason && tune.gain < -0.05);
  run_bounded(2, both, 0, of);
  assert_true(of[1] == 1 + TUNE_FEW_ROUNDS && of[2] >= 1 + TUNE_MIN_ROUNDS && tune.winner == -1 && tune.best == 2);
}

/* What a timer may cost the baseline keeps it in the trial, whatever else has the GPU for a moment. */
static void not_clear_of_the_baseline(void **state) {
  (void)state;
  const double near[] = {59000, 51000, 50000}, equal[] = {59000, 57000, 56000};
  unsigned of[3];
  run_bounded(2, near, 0, of);
  assert_true(!tune.rested && tune.winner == 2 && of[0] > TUNE_MIN_ROUNDS);
  for (unsigned disturbed = 1; disturbed < 7; disturbed++) {
    run_bounded(2, equal, disturbed, of);
    if (tune.rested || of[0] <= TUNE_MIN_ROUNDS) fail_msg("launch %u", disturbed);
  }
  tune_start(&tune, 1); /* launches that never come again are not held against those of other rounds */
  tune_set_bounded(&tune);
  for (unsigned n = 0; !tune.done && n < 400; n++) {
    int arm = tune_next(&tune, n, 0.01);
    if (arm != TUNE_ORIGINAL) record(arm, arm ? 1000 : 9000, 500);
  }
  assert_true(tune.unlike && !tune.rested && tune.winner == 1);
}

/* After how many launches that do not come again none is expected to, where so many of other sizes did not. */
static unsigned waits(unsigned strangers) {
  unsigned n = 0;
  tune_start(&tune, 1);
  tune_set_bounded(&tune);
  tune_set_strangers(&tune, strangers);
  while (n < 400 && tune_next(&tune, n, 0.01) == TUNE_ORIGINAL) n++;
  assert_true(tune.unlike && tune.period_launches == 1);
  return n;
}

static void strangers_tell_of_more(void **state) {
  (void)state;
  assert_int_equal(waits(0), TUNE_MAX_PERIOD);
  assert_int_equal(waits(20), TUNE_MAX_PERIOD - 20);
  assert_int_equal(waits(28), 4);
  assert_int_equal(waits(1000), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(long_launches), cmocka_unit_test(disturbed_round_of_two),
                                     cmocka_unit_test(clear_of_the_baseline),
                                     cmocka_unit_test(leads_at_once), cmocka_unit_test(leads_at_once_in_long_periods),
                                     cmocka_unit_test(leads_with_copies), cmocka_unit_test(losers_are_dropped),
                                     cmocka_unit_test(not_clear_of_the_baseline), cmocka_unit_test(strangers_tell_of_more)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
