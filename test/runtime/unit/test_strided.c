/* A region that reduces over teams: a version that says so is launched with as many teams as fill the GPU, others with what the
 * program asks for. */
#include "scene_regions.h"

#define SCENE_BODY \
  SCENE_PLAIN("128 open reduction - open-threads") \
  "version kernel_base role=base loop=original space=-,-,-\n" \
  "version kernel_strided role=plan loop=strided space=-,-,- threads=512 fill=2048 needs=open-threads\n" \
  "version kernel_small role=plan loop=strided space=-,-,- fill=2048\n" \
  "version kernel_even role=plan loop=strided space=-,-,- threads=512 fill=2048 even=1 needs=open-threads\n" \
  "version kernel_natural role=plan loop=natural space=-,-,- threads=256 each=1\n"
enum { BASE, STRIDED, SMALL, EVEN, NATURAL, VERSIONS };
#include "launch_scene.h"

static int32_t teams_with(const char *version, uint64_t trips, unsigned registers) {
  set_up(NULL);
  versions[STRIDED].registers = registers;
  map_all();
  force(version);
  struct rt_call call = call_of(a, w, o, 0);
  call.trip_count = trips;
  call.teams = 2000; /* a wish for the original */
  launch(&call);
  assert_int_equal(ran[VERSIONS], 0);
  tear_down(NULL);
  return last.teams;
}

static int32_t teams_of(const char *version, uint64_t trips) { return teams_with(version, trips, 0); }

static void fills_the_gpu(void **state) {
  (void)state;
  assert_int_equal(teams_of("*:version=strided", 1 << 26), 132 * 2048 / 512);
  assert_int_equal(last.thread_limit, 512);
}

/* Four teams of 512 threads with 32 registers each, three with 40, two with 46 or 56. */
static void no_more_than_registers_let_it_hold(void **state) {
  (void)state;
  assert_int_equal(teams_with("*:version=strided", 1 << 26, 32), 132 * 4);
  assert_int_equal(teams_with("*:version=strided", 1 << 26, 40), 132 * 3);
  assert_int_equal(teams_with("*:version=strided", 1 << 26, 46), 132 * 2);
  assert_int_equal(teams_with("*:version=strided", 1 << 26, 56), 132 * 2);
  assert_int_equal(teams_with("*:version=strided", 513, 56), 2);
}

/* No team without an iteration, and no more than the device runtime has slots for. */
static void neither_too_many_teams_nor_none(void **state) {
  (void)state;
  assert_int_equal(teams_of("*:version=strided", 513), 2);
  assert_int_equal(teams_of("*:version=strided", 512), 1);
  assert_int_equal(teams_of("*:version=strided", 100000), 196);
  assert_int_equal(teams_of("*:version=strided2", 1 << 26), 1024); /* teams of 128 */
}

/* All multiprocessors have as many teams, and each team iterations for a warp. */
static void long_iterations_evenly(void **state) {
  (void)state;
  assert_int_equal(teams_of("*:version=strided3", 100000), 2 * 132);
  assert_int_equal(teams_of("*:version=strided3", 20000), 132);
  assert_int_equal(teams_of("*:version=strided3", 513), 17);
  assert_int_equal(teams_of("*:version=strided3", 1), 1);
}

/* Another number of teams would change its sums. */
static void others_keep_their_teams(void **state) {
  (void)state;
  assert_int_equal(teams_of("*:version=natural", 1 << 26), 2000);
}

static void is_found(void **state) {
  (void)state;
  map_all();
  kernel_ns[STRIDED] = 50000;
  launch_mapped(60);
  struct rt_class *c = only_class();
  assert_true(c->phase == CLASS_SETTLED && c->chosen > 0);
  assert_int_equal(c->plan[c->chosen].version, STRIDED);
  assert_int_equal(last.teams, 8); /* of 4,032 iterations */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fills_the_gpu), cmocka_unit_test(no_more_than_registers_let_it_hold),
                                     cmocka_unit_test(neither_too_many_teams_nor_none), cmocka_unit_test(long_iterations_evenly),
                                     cmocka_unit_test(others_keep_their_teams),
                                     cmocka_unit_test_setup_teardown(is_found, set_up, tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
