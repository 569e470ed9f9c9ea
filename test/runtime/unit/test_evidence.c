/* What trials at a region's sizes say together (evidence.h). */
#include "fake.h"

#include "evidence.h"

enum { SIZES = 3, ARMS = 3 };
static struct rt_class class[SIZES];
static struct place_plan plan[SIZES][ARMS];
static struct rt_device_region state;

/* Of each size a trial of versions 5 and 6 against the base, with two periods each. */
static int set_up(void **unused) {
  (void)unused;
  memset(class, 0, sizeof class);
  memset(plan, 0, sizeof plan);
  memset(&state, 0, sizeof state);
  for (int s = 0; s < SIZES; s++) {
    state.classes[state.class_count++] = &class[s];
    class[s].plan = plan[s];
    class[s].plan_count = ARMS;
    class[s].chosen = -1;
    class[s].phase = CLASS_TRIAL;
    tune_start(&class[s].tune, ARMS - 1);
    for (int a = 0; a < ARMS; a++) plan[s][a].version = 4 + a;
  }
  return 0;
}

static void took(int s, int arm, double first_ns, double then_ns) {
  class[s].tune.arm[arm].first_ns = first_ns;
  class[s].tune.arm[arm].count = then_ns > 0;
  class[s].tune.arm[arm].kernel_ns[0] = then_ns;
}

static void all_took(int s, double base_ns, double five_ns, double six_ns) {
  took(s, 0, base_ns, base_ns);
  took(s, 1, five_ns, five_ns);
  took(s, 2, six_ns, six_ns);
}

static void several_periods_are_needed(void **unused) {
  (void)unused;
  assert_int_equal(evidence_version(&state, &class[2]), -1);
  all_took(0, 100, 70, 0);
  assert_int_equal(evidence_version(&state, &class[2]), -1); /* two */
  took(1, 0, 50, 0);
  took(1, 1, 35, 0);
  assert_int_equal(evidence_version(&state, &class[2]), 5); /* and one of another size */
}

static void the_one_that_is_ahead_everywhere(void **unused) {
  (void)unused;
  all_took(0, 100, 70, 60);
  all_took(1, 50, 35, 44);
  assert_int_equal(evidence_version(&state, &class[2]), 5);
  all_took(1, 50, 44, 35);
  assert_int_equal(evidence_version(&state, &class[2]), 6);
}

static void a_tenth_is_needed_and_no_loss(void **unused) {
  (void)unused;
  all_took(0, 100, 95, 70);
  all_took(1, 50, 47, 35);
  assert_int_equal(evidence_version(&state, &class[2]), 6);
  all_took(2, 20, 19, 19.5); /* neither here nor there */
  assert_int_equal(evidence_version(&state, &class[2]), 6);
  all_took(2, 20, 19, 21);
  assert_int_equal(evidence_version(&state, &class[2]), -1);
  class[2].tune.original = 0.8; /* nor is what is faster than a slow base only */
  all_took(2, 20, 19, 19.5);
  assert_int_equal(evidence_version(&state, &class[2]), -1);
}

static void what_was_given_up_counts(void **unused) {
  (void)unused;
  all_took(0, 100, 70, 0);
  all_took(1, 50, 35, 0);
  assert_int_equal(evidence_version(&state, &class[2]), 5);
  class[1].phase = CLASS_SETTLED;
  assert_int_equal(evidence_version(&state, &class[2]), -1);
  class[1].chosen = 1;
  assert_int_equal(evidence_version(&state, &class[2]), 5);
}

static void arrays_stay_where_they_are(void **unused) {
  (void)unused;
  for (int s = 0; s < SIZES; s++) {
    all_took(s, 100, 50, 0);
    plan[s][1].placeable_count = 1;
    plan[s][1].array[0].space = PLACE_SHARED;
  }
  assert_int_equal(evidence_version(&state, &class[2]), -1);
}

static void sizes_far_away_tell_of_losses_only(void **unused) {
  (void)unused;
  all_took(0, 100, 70, 0);
  all_took(1, 50, 35, 0);
  class[0].shape.trip_count = class[1].shape.trip_count = 1000;
  class[2].shape.trip_count = 500;
  assert_int_equal(evidence_version(&state, &class[2]), 5);
  class[2].shape.trip_count = 2000;
  assert_int_equal(evidence_version(&state, &class[2]), 5);
  class[2].shape.trip_count = 499;
  assert_int_equal(evidence_version(&state, &class[2]), -1);
  class[2].shape.trip_count = 0, class[2].shape.teams = 1000; /* teams, where iterations are not known */
  assert_int_equal(evidence_version(&state, &class[2]), 5);
  class[2].shape.trip_count = 9, all_took(2, 10, 12, 0);
  assert_int_equal(evidence_version(&state, &class[1]), -1);
}

static void strangers(void **unused) {
  (void)unused;
  assert_int_equal(evidence_strangers(&state, &class[2]), 0);
  for (int s = 0; s < SIZES; s++) class[s].tune.bounded = true;
  class[0].tune.period.launches = 20;
  class[1].tune.alike = 8, class[1].tune.period_launches = 1;
  class[2].tune.period.launches = 5; /* its own */
  assert_int_equal(evidence_strangers(&state, &class[2]), 28);
  class[1].tune.alike = 0; /* they came again */
  assert_int_equal(evidence_strangers(&state, &class[2]), 0);
  class[1].tune.unlike = true;
  assert_int_equal(evidence_strangers(&state, &class[2]), 20 + TUNE_MAX_PERIOD);
  all_took(0, 100, 70, 0);
  all_took(1, 50, 35, 0);
  assert_int_equal(evidence_strangers(&state, &class[2]), 0); /* a version is known: a trial may wait */
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(several_periods_are_needed, set_up), cmocka_unit_test_setup(the_one_that_is_ahead_everywhere, set_up),
    cmocka_unit_test_setup(a_tenth_is_needed_and_no_loss, set_up), cmocka_unit_test_setup(what_was_given_up_counts, set_up),
    cmocka_unit_test_setup(arrays_stay_where_they_are, set_up), cmocka_unit_test_setup(sizes_far_away_tell_of_losses_only, set_up),
    cmocka_unit_test_setup(strangers, set_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
