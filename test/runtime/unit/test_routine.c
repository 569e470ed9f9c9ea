/* Launches of a region that has settled on the original, of one size and of several. */
#include "launch_scene.h"

static void map_where_the_original_wins(void) {
  map_all();
  original_ns = 20000;
  for (int v = 0; v < VERSIONS; v++) kernel_ns[v] = 50000;
}

static unsigned clock_reads;
static uint64_t counted_now(void) { return clock_reads++, fake_now(); }

static unsigned written, read_alone;
static void look_at_writers(void) {
  const struct ext_object *of_o = ext_find(&device.ext, (uintptr_t)o), *of_a = ext_find(&device.ext, (uintptr_t)a);
  written += of_o->writers == 1 && of_o->users == 1;
  read_alone += of_a->writers == 0;
}

/* Where the original is settled on, and soon over, few launches read a clock; what is new is found out with the next one. What they write is known
 * to be written as long as they run, and to have changed then. */
static void routine_launches(void **state) {
  enum { LAUNCHES = 1000 };
  (void)state;
  map_where_the_original_wins();
  launch_mapped(200);
  assert_int_equal(only_class()->phase, CLASS_SETTLED);
  assert_int_equal(only_class()->chosen, -1);
  rt.ops.now_ns = counted_now;
  unsigned before = ran[VERSIONS], routine = 0;
  const struct rt_device_region *s = region.device[0];
  uint64_t counted = s->launches, of_class = only_class()->launches, as_compiled = s->original_launches;
  during = look_at_writers;
  for (int i = 0; i < LAUNCHES; i++) {
    const struct ext_object *of_o = ext_find(&device.ext, (uintptr_t)o);
    uint64_t version = ext_version(&device.ext, of_o);
    routine += dispatch_is_routine(&device, &region);
    launch_mapped(1);
    assert_true(ext_version(&device.ext, of_o) > version && of_o->writers == 0 && of_o->users == 0);
  }
  assert_true(written == LAUNCHES && read_alone == LAUNCHES);
  assert_int_equal(s->launches - counted, LAUNCHES);
  assert_int_equal(only_class()->launches - of_class, LAUNCHES);
  assert_int_equal(s->original_launches - as_compiled, ran[VERSIONS] - before);
  assert_true(ran[VERSIONS] - before > LAUNCHES * 9 / 10 && ran[VERSIONS] - before < LAUNCHES); /* now and then it is tried again */
  assert_true(routine > LAUNCHES * 3 / 4 && clock_reads < 8 * (LAUNCHES - routine));
  while (!dispatch_is_routine(&device, &region)) launch_mapped(1);
  struct rt_call call = call_of(a, w, o, 0);
  call.trip_count = 64; /* of another size: no longer routine afterwards */
  launch(&call);
  assert_false(dispatch_is_routine(&device, &region));
  assert_int_equal(region.device[0]->class_count, 2);
  assert_int_equal(device.ext.writers, 0);
}

/* A launch whose map clauses copy to the device changes what it reads, also where all of it is known otherwise. */
static void routine_launches_copy(void **state) {
  enum { LAUNCHES = 400 };
  (void)state;
  map_where_the_original_wins();
  struct rt_call call = call_of(a, w, o, 0);
  sizes[1] = sizeof w, types[1] |= MAP_TO | MAP_ALWAYS;
  for (int i = 0; i < LAUNCHES; i++) {
    const struct ext_object *of_w = ext_find(&device.ext, (uintptr_t)w);
    uint64_t version = ext_version(&device.ext, of_w);
    launch(&call);
    assert_true(ext_version(&device.ext, of_w) > version);
  }
  assert_int_equal(only_class()->phase, CLASS_SETTLED);
}

/* Sizes that come in turn have clocks of their own. */
static void routine_sizes(void **state) {
  enum { LAUNCHES = 2000, FEWEST = LAUNCHES / 2 / 40 };
  (void)state;
  map_where_the_original_wins();
  struct rt_call call = call_of(a, w, o, 0);
  unsigned read[2] = {0, 0}, routine = 0;
  rt.ops.now_ns = counted_now;
  for (int i = 0; i < 2 * LAUNCHES; i++) {
    call.trip_count = i % 2 ? 64 : N - TAPS;
    unsigned before = clock_reads;
    routine += i >= LAUNCHES && dispatch_is_routine(&device, &region);
    launch(&call);
    read[i % 2] += i >= LAUNCHES && clock_reads != before;
  }
  assert_true(routine > LAUNCHES / 2);
  assert_true(read[0] >= FEWEST && read[1] >= FEWEST);
}

/* Of two sizes in turn one is better off with the original, the other one with a version: each has it in the end. */
static void sizes_in_turn(void **state) {
  enum { PAIRS = 400, LAST = 100 };
  (void)state;
  map_all();
  original_ns = 20000;
  unsigned of_version = 0;
  struct rt_call call = call_of(a, w, o, 0);
  for (int i = 0; i < 2 * PAIRS; i++) {
    bool small = i % 2;
    call.trip_count = small ? 64 : N - TAPS;
    for (int v = 0; v < VERSIONS; v++) kernel_ns[v] = v == GC && small ? 10000 : 50000;
    unsigned before = ran[VERSIONS];
    launch(&call);
    of_version += small && i >= 2 * (PAIRS - LAST) && ran[VERSIONS] == before;
  }
  assert_int_equal(region.device[0]->class_count, 2);
  assert_true(of_version > LAST * 9 / 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void) {
  const struct CMUnitTest tests[] = {TEST(routine_launches), TEST(routine_launches_copy), TEST(routine_sizes), TEST(sizes_in_turn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
