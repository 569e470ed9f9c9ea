/* A region without an array that can be placed, from launch to launch: versions that differ in their loops alone are tried,
 * launched as their records say, and left out where a launch lacks what they need. */
#include "scene_regions.h"

#define SCENE_BODY \
  SCENE_PLAIN("128 open - - open-threads") \
  "version kernel_base role=base loop=original space=-,-,-\n" \
  "version kernel_straight role=plan loop=straight space=-,-,- threads=128 needs=threads:128\n" \
  "version kernel_natural role=plan loop=natural space=-,-,- threads=256 teams=16 needs=all-teams,open-threads,trips-least:1\n" \
  "version kernel_alone role=plan loop=isolated space=-,-,-\n"
enum { BASE, STRAIGHT, NATURAL, ALONE, VERSIONS };
#include "launch_scene.h"

static void finds_the_faster_loop(void **state) {
  (void)state;
  map_all();
  kernel_ns[NATURAL] = 50000;
  launch_mapped(60);
  struct rt_class *c = only_class();
  assert_int_equal(c->phase, CLASS_SETTLED);
  if (c->chosen < 0) fail_msg("%s", c->reason);
  assert_int_equal(c->plan[c->chosen].version, NATURAL);
  assert_true(ran[BASE] > 1 && ran[STRAIGHT] > 1 && ran[ALONE] > 1 && ran[NATURAL] > 30);
  assert_int_equal(last.thread_limit, 256); /* its own, not the region's */
  assert_int_equal(last.teams, 16);
  assert_int_equal(last.word_count, PLACE_CONTROL_WORDS);
  char text[80];
  class_describe(region.region, &c->plan[c->chosen], text, sizeof text);
  assert_string_equal(text, "one iteration per thread");
}

static void keeps_the_original(void **state) {
  (void)state;
  map_all();
  launch_mapped(60);
  struct rt_class *c = only_class();
  assert_true(c->phase == CLASS_SETTLED && c->chosen == -1 && ran[VERSIONS] > 20);
}

/* Where the program says how many threads and teams there are, what needs them open is neither tried nor launched. */
static void what_is_needed(void **state) {
  (void)state;
  map_all();
  table.regions[0].open_threads = false;
  kernel_ns[NATURAL] = kernel_ns[STRAIGHT] = 10000;
  kernel_ns[ALONE] = 60000;
  struct rt_call call = call_of(a, w, o, 0);
  call.teams = 8, call.thread_limit = 64;
  for (int i = 0; i < 60; i++) launch(&call);
  assert_true(ran[NATURAL] == 0 && ran[STRAIGHT] == 0 && ran[ALONE] > 30);
  assert_int_equal(last.teams, 8);
  assert_int_equal(last.thread_limit, 0);
}

/* What else it writes does not matter to a version that leaves arrays where they are. */
static void writes_what_is_not_known(void **state) {
  (void)state;
  static float unmapped[4];
  map_all();
  kernel_ns[ALONE] = 60000;
  struct rt_call call = call_of(a, unmapped, o, 0);
  for (int i = 0; i < 60; i++) launch(&call);
  assert_true(ran[ALONE] > 30);
}

static void forced(void **state) {
  (void)state;
  static const struct { const char *text; int version; } all[] = {
    {"*:version=natural", NATURAL}, {"*:version=isolated", ALONE}, {"*:version=straight", STRAIGHT}, {"*:version=base", BASE}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    set_up(NULL);
    map_all();
    force(all[i].text);
    launch_mapped(3);
    assert_int_equal(ran[all[i].version], 3);
    tear_down(NULL);
  }
  set_up(NULL);
  map_all();
  force("*:version=natural");
  struct rt_call call = call_of(a, w, o, 0);
  call.teams = 8; /* a wish for the original */
  launch(&call);
  assert_int_equal(ran[NATURAL], 1);
  assert_int_equal(last.teams, 16);
  table.regions[0].open_threads = false;
  call.thread_limit = 64;
  launch(&call);
  assert_int_equal(ran[VERSIONS], 1);
  tear_down(NULL);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {TEST(finds_the_faster_loop), TEST(keeps_the_original), TEST(what_is_needed),
                                     TEST(writes_what_is_not_known), cmocka_unit_test(forced)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
