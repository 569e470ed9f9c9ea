/* Loops in two levels: versions with teams of another size are launched with as many as take all iterations of the outer loop. */
#include "scene_regions.h"

#define SCENE_BODY \
  SCENE_PLAIN("128 open - - open-threads") \
  "version kernel_base role=base loop=original space=-,-,-\n" \
  "version kernel_large role=plan loop=rows space=-,-,- threads=512 rows=1 needs=open-threads\n" \
  "version kernel_warp role=plan loop=rows space=-,-,- threads=128 rows=4 needs=open-threads\n"
enum { BASE, LARGE, WARP, VERSIONS };
#include "launch_scene.h"

static int32_t teams_of(const char *version, uint64_t trips, int32_t asked) {
  set_up(NULL);
  map_all();
  force(version);
  struct rt_call call = call_of(a, w, o, 0);
  call.trip_count = trips;
  call.teams = asked; /* a wish for the original */
  launch(&call);
  assert_int_equal(ran[VERSIONS], 0);
  tear_down(NULL);
  return last.teams;
}

static void one_for_each_iteration(void **state) {
  (void)state;
  assert_int_equal(teams_of("*:version=rows1", 5000, 2000), 5000);
  assert_int_equal(last.thread_limit, 512);
}

static void one_for_each_four(void **state) {
  (void)state;
  assert_int_equal(teams_of("*:version=rows2", 5000, 0), 1250);
  assert_int_equal(last.thread_limit, 128);
  assert_int_equal(teams_of("*:version=rows2", 5001, 0), 1251);
  assert_int_equal(teams_of("*:version=rows2", 1, 0), 1);
}

/* How many there are is not known: libomptarget's number, which is right, too. */
static void unknown_iterations(void **state) {
  (void)state;
  assert_int_equal(teams_of("*:version=rows1", 0, 0), 0);
}

static void is_found_and_named(void **state) {
  (void)state;
  char what[80];
  map_all();
  original_ns = 100000, kernel_ns[WARP] = 50000;
  launch_mapped(60);
  struct rt_class *c = only_class();
  assert_true(c->phase == CLASS_SETTLED && c->chosen > 0);
  assert_int_equal(c->plan[c->chosen].version, WARP);
  class_describe(region.region, &c->plan[c->chosen], what, sizeof what);
  assert_string_equal(what, "teams of one warp");
  for (int p = 0; p < c->plan_count; p++)
    if (c->plan[p].version == LARGE) class_describe(region.region, &c->plan[p], what, sizeof what);
  assert_string_equal(what, "teams of 512 threads");
}

/* A hundred million teams take 50 ms to begin at the least. */
static void too_many_rows_are_not_tried(void **state) {
  (void)state;
  map_all();
  original_ns = 100000, kernel_ns[LARGE] = kernel_ns[WARP] = 50000000;
  for (int i = 0; i < 60; i++) {
    struct rt_call call = call_of(a, w, o, 0);
    call.trip_count = 100000000;
    launch(&call);
  }
  assert_int_equal(ran[VERSIONS], 60);
  assert_int_equal(ran[LARGE] + ran[WARP], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_for_each_iteration), cmocka_unit_test(one_for_each_four),
                                     cmocka_unit_test(unknown_iterations),
                                     cmocka_unit_test_setup_teardown(too_many_rows_are_not_tried, set_up, tear_down),
                                     cmocka_unit_test_setup_teardown(is_found_and_named, set_up, tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
