/* Launches of several threads, of `nowait` regions above all: one is measured at a time, beside others. */
#include "launch_scene.h"

/* As the helper thread of a `nowait` region does. */
static void launch_nowait(unsigned times) {
  struct rt_call call = call_of(a, w, o, 0);
  call.nowait = true;
  while (times--) launch(&call);
}

/* What is measured is waited for; what is settled on overlaps again as the program asked for. */
static void nowait_launches_are_tried_one_by_one(void **state) {
  (void)state;
  map_all();
  kernel_ns[GS] = 60000;
  launch_nowait(1);
  assert_false(last.wait);
  launch_nowait(1); /* is looked at */
  launch_nowait(1);
  assert_true(last.wait && last.words[PLACE_CONTROL_TIMER]);
  launch_nowait(60);
  struct rt_class *c = only_class();
  assert_int_equal(c->plan[c->chosen].version, GS);
  assert_int_equal(last.host_ptr == &ids[GS], 1);
  assert_false(last.wait);
  assert_int_equal(last.words[PLACE_CONTROL_TIMER], 0);
}

static unsigned beside_measured; /* launches of other threads while one is measured */
static void launch_beside(bool measured) {
  static bool inside;
  if (inside || !measured) return;
  inside = true;
  launch_nowait(1);
  beside_measured++;
  inside = false;
}

/* While one is measured that has a timer; and while any is. */
static void another_thread_launches(void) { launch_beside(last.words && last.words[PLACE_CONTROL_TIMER]); }
static void another_thread_launches_beside(void) { launch_beside(device.measuring); }

/* What is launched while another thread's launch is measured need not be the original: what a check measures again has won before. */
static void checked_beside_others(void **state) {
  (void)state;
  map_all();
  kernel_ns[GC] = 60000;
  kernel_ns[GS] = 80000;
  launch_mapped(60);
  unsigned originals = ran[VERSIONS], chosen = ran[GC];
  beside_measured = 0;
  during = another_thread_launches;
  launch_mapped(CLASS_FIRST_CHECK + 40);
  assert_int_equal(ran[VERSIONS], originals);
  assert_true(beside_measured >= 3 * TUNE_MIN_ROUNDS);
  assert_true(ran[GC] - chosen > CLASS_FIRST_CHECK + beside_measured);
  assert_int_equal(only_class()->plan[only_class()->chosen].version, GC);
}

static unsigned threads_left;
static void waits_for_others(void) {
  fake.clock_ns += 1000000000;
  if (!threads_left) return;
  threads_left--;
  launch_nowait(1);
}

/* Four threads' launches wait for the first one's, whose code is loaded: the budget is of the program's time, not of four times that. */
static void four_threads_wait(void **state) {
  (void)state;
  map_all();
  rt.started_ns = fake.clock_ns + 1;
  during = waits_for_others;
  threads_left = 3;
  launch_nowait(1);
  assert_int_equal(only_class()->launches, 4);
  const double elapsed_ns = (double)(fake.clock_ns - rt.started_ns);
  assert_true(elapsed_ns < 4.1e9 && region.device[0]->budget.ran_ns > 3.9e9);
  assert_true(region.device[0]->budget.ran_ns <= elapsed_ns && only_class()->ran_ns <= elapsed_ns && device.budget.ran_ns <= elapsed_ns);
}

/* Pairs of the base and of what was chosen come to an end, too. */
static void watched_beside_others(void **state) {
  (void)state;
  map_with_faster(GC);
  launch_mapped(2000);
  assert_int_equal(only_class()->plan[only_class()->chosen].version, GC);
  unsigned pairs = only_class()->watch.pairs;
  during = another_thread_launches;
  launch_mapped(4000);
  assert_true(only_class()->watch.pairs > pairs);
  assert_int_equal(only_class()->plan[only_class()->chosen].version, GC);
  kernel_ns[GC] = 130000;
  launch_mapped(2000);
  assert_int_equal(only_class()->chosen, -1);
}

/* Sizes that come again in turn: periods have two launches. */
static void launch_in_turn(unsigned times) {
  static unsigned turn;
  struct rt_call call = call_of(a, w, o, 0);
  while (times--) {
    call.trip_count = N - TAPS - turn++ % 2;
    launch(&call);
  }
}

static void settle_in_turn(void) {
  map_with_faster(GC);
  launch_in_turn(3000);
  assert_int_equal(only_class()->plan[only_class()->chosen].version, GC);
  assert_int_equal(only_class()->watch.period_launches, 2);
  only_class()->next_check = 1 << 16;
  during = another_thread_launches_beside;
}

/* A pair that another thread's launch broke is not begun again by the launch that was being measured: the base would never stop. */
static void broken_pairs_stop(void **state) {
  (void)state;
  settle_in_turn();
  unsigned base = ran[GG], original = ran[VERSIONS];
  launch_in_turn(2000);
  assert_true(ran[GG] - base + ran[VERSIONS] - original < 100);
  assert_int_equal(only_class()->plan[only_class()->chosen].version, GC);
}

/* They come to an end all the same, by single launches. */
static void slower_beside_others(void **state) {
  (void)state;
  settle_in_turn();
  kernel_ns[GC] = 160000;
  launch_in_turn(4000);
  assert_int_equal(only_class()->chosen, -1);
}

/* Nor does a sample of the original, under way again and again, keep a trial from its end. */
static void broken_samples_stop(void **state) {
  (void)state;
  map_with_faster(GC);
  launch_in_turn(1);
  const struct rt_class *c = only_class();
  for (unsigned i = 0; i < 3000 && !(c->tune.period_launches == 2 && !c->tune.period.launches && c->bias.samples == 1); i++) launch_in_turn(1);
  assert_true(c->phase == CLASS_TRIAL && c->bias.samples == 1);
  during = another_thread_launches_beside;
  unsigned original = ran[VERSIONS];
  launch_in_turn(2000);
  assert_int_equal(c->phase, CLASS_SETTLED);
  assert_true(ran[VERSIONS] - original < 200);
}

static bool gives_up;
static void another_thread_gives_up(void) {
  const struct watch *w = &only_class()->watch;
  bool last_of_lost_pair = w->period_done[0] + w->period_done[1] == 1 && w->lost;
  if (!device.measuring || !last_of_lost_pair || gives_up) return;
  gives_up = true;
  only_class()->planned_launches = 127, only_class()->planning_ns = 1e12; /* as if each launch had needed a plan of its own */
  launch_mapped(1);
}

/* What was chosen is given up, for what its plans cost, while a comparison of it is under way that it loses. */
static void given_up_beside_a_comparison(void **state) {
  (void)state;
  map_with_faster(GC);
  launch_mapped(2000);
  kernel_ns[GC] = 200000;
  gives_up = false;
  during = another_thread_gives_up;
  launch_mapped(3000);
  assert_true(gives_up);
  assert_int_equal(only_class()->chosen, -1);
  assert_null(strstr(only_class()->reason, "comparisons")); /* of which there is no plan any more */
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
    TEST(nowait_launches_are_tried_one_by_one), TEST(checked_beside_others), TEST(watched_beside_others), TEST(four_threads_wait),
    TEST(broken_pairs_stop), TEST(slower_beside_others), TEST(broken_samples_stop), TEST(given_up_beside_a_comparison),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
