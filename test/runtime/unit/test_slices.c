/* A long launch in slices: each iteration is carried out once whatever is tried, and what is fastest carries out the rest. */
#include "scene_regions.h"

#define SCENE_BODY \
  SCENE_PLAIN("128 open - - open-threads blocks") \
  "version kernel_base role=base loop=original space=-,-,- slice=128\n" \
  "version kernel_natural role=plan loop=natural space=-,-,- threads=256 each=1 slice=256 needs=open-threads\n" \
  "version kernel_block role=plan loop=block space=-,-,- block=512 team=128 adjacent=0 threads=128 slice=512 origin=8 " \
  "extents=arg3 needs=open-teams,open-threads\n" \
  "version kernel_whole role=plan loop=straight space=-,-,- threads=128 needs=threads:128\n"
enum { BASE, NATURAL, BLOCK, WHOLE, VERSIONS };
#include "launch_scene.h"
#include "slices_shape.h"

enum { TEAM_OF_BASE = 128 };
static const uint64_t long_trips = ((uint64_t)1 << 26) + 77, of_team[VERSIONS] = {TEAM_OF_BASE, 256, 512, 128};

static struct {
  double ns[VERSIONS]; /* of an iteration */
  double large_ns;     /* of an iteration of the block version's in slices of more than `large`; 0: the same */
  uint64_t large;
  bool declines;       /* the block version does nothing */
  bool fails[VERSIONS]; /* to be launched */
  uint64_t trips, done;
  unsigned slices[VERSIONS], originals, whole, holds, moved;
  bool held;
} kernel;

/* Slices follow each other, and end where the space does. */
static uint64_t carry_out(int version, const struct rt_request *request) {
  const uint64_t *words = request->words + request->word_count - PLACE_SLICE_WORDS;
  uint64_t teams = (kernel.trips + of_team[version] - 1) / of_team[version];
  uint64_t first = (uint32_t)words[PLACE_SLICE_FIRST], later = (words[PLACE_SLICE_FIRST] >> PLACE_SLICE_ORIGIN_SHIFT) * PLACE_SLICE_ROWS;
  assert_int_equal(words[PLACE_SLICE_TEAMS], teams);
  assert_int_equal(first * of_team[version] + later, kernel.done);
  assert_true(later < of_team[version] && (version == BLOCK || !later));
  assert_true(request->teams > 0 && first + (uint64_t)request->teams <= teams);
  kernel.moved += later > 0;
  uint64_t to = (first + (uint64_t)request->teams) * of_team[version] + later, from = kernel.done;
  kernel.done = to < kernel.trips ? to : kernel.trips;
  return kernel.done - from;
}

static int in_slices(void *context, const struct rt_request *request) {
  int version = VERSIONS;
  (void)context;
  for (int v = 0; v < VERSIONS; v++)
    if (request->host_ptr == &ids[v]) version = v;
  if (version == VERSIONS) return kernel.originals++, kernel.done = kernel.trips, 0;
  if (!kernel.held) return kernel.whole++, kernel.done = kernel.trips, 0;
  assert_true(request->wait && version != WHOLE);
  static uint64_t unread[PLACE_TIMER_SLOT_BYTES / sizeof *timer];
  uint64_t entry = request->words[PLACE_CONTROL_TIMER];
  uint64_t *slot = entry ? timer + (entry - 1) * PLACE_TIMER_SLOTS * (PLACE_TIMER_SLOT_BYTES / sizeof *timer) : unread;
  kernel.slices[version]++;
  if (kernel.fails[version]) return -1;
  if (version == BLOCK && kernel.declines) return slot[PLACE_TIMER_DECLINED / sizeof *timer] = 1, 0;
  uint64_t iterations = carry_out(version, request);
  bool large = version == BLOCK && kernel.large_ns > 0 && iterations > kernel.large;
  double ns = (double)iterations * (large ? kernel.large_ns : kernel.ns[version]);
  slot[0] = ~(uint64_t)1000000;
  slot[1] = 1000000 + (uint64_t)ns;
  fake.clock_ns += (uint64_t)ns;
  return 0;
}

static void hold(void *context, bool begin) {
  (void)context;
  assert_true(kernel.held != begin);
  kernel.held = begin;
  kernel.holds += begin;
}

static void launch_long(uint64_t trips) {
  static uint64_t extent;
  extent = kernel.trips = trips;
  kernel.done = 0;
  struct rt_call call = call_of(a, w, o, 0);
  void *base[4] = {a, w, o, (void *)(uintptr_t)extent};
  int64_t size[4] = {0, 0, 0, 8}, type[4] = {MAP_TARGET_PARAM, MAP_TARGET_PARAM, MAP_TARGET_PARAM, MAP_TARGET_PARAM | MAP_LITERAL};
  call.maps = (struct rt_maps){4, base, base, size, type, NULL};
  call.trip_count = trips;
  call.hold = hold;
  assert_int_equal(dispatch_launch(&rt, &device, &region, &call, in_slices, NULL), 0);
  assert_int_equal(kernel.done, trips);
  assert_false(kernel.held);
}

static int begin(void **state) {
  static bool matters[4] = {true, true, true, true};
  set_up(state);
  memset(&kernel, 0, sizeof kernel);
  map_all();
  region.matters = matters;
  region.argument_count = 4;
  rt.config.patience_ns = 2e6;
  kernel.ns[BASE] = kernel.ns[NATURAL] = kernel.ns[BLOCK] = 1;
  return 0;
}

/* ---- the tests ---- */

static void the_fastest_has_the_rest(void **state) {
  (void)state;
  kernel.ns[NATURAL] = 0.8, kernel.ns[BLOCK] = 0.25;
  launch_long(long_trips);
  assert_int_equal(kernel.originals, 0);
  assert_int_equal(kernel.holds, 1);
  struct rt_class *c = only_class();
  assert_true(c->phase == CLASS_SETTLED && c->chosen > 0);
  assert_int_equal(c->plan[c->chosen].version, BLOCK);
  assert_true(kernel.slices[BLOCK] == 3 && c->slices == 2); /* tried, an eighth, and the rest */
  /* a launch of 67 ms as compiled and 17 ms at best: what finding out cost beside that is little */
  assert_true(fake.clock_ns < 22000000);
  assert_true(c->saved_ns > 0.9 * c->gain_ns && c->saved_ns < c->gain_ns);
  assert_true(c->tune.bounded); /* and so is what is tried again later */
  unsigned slices = c->slices;
  launch_long(long_trips); /* whole, by what was settled on */
  assert_int_equal(kernel.whole, 1);
  assert_int_equal(c->slices, slices);
}

/* The block version is predicted to be the fastest, and goes first. Where much has been gained by then, that the others are slower is believed. */
static void nothing_is_hoped_of_the_slow(void **state) {
  (void)state;
  kernel.ns[NATURAL] = 0.3, kernel.ns[BLOCK] = 0.4;
  launch_long(long_trips);
  struct rt_class *c = only_class();
  assert_true(c->phase == CLASS_SETTLED && c->plan[c->chosen].version == BLOCK);
  assert_int_equal(kernel.slices[NATURAL], 0);
  assert_int_equal(c->slices, 2);
}

static void a_short_one_is_the_bases(void **state) {
  (void)state;
  kernel.ns[BASE] = 0.01;
  launch_long(long_trips);
  assert_int_equal(kernel.slices[BASE], 2);
  assert_int_equal(kernel.slices[NATURAL] + kernel.slices[BLOCK], 0);
  assert_true(only_class()->phase == CLASS_NEW);
}

static void few_iterations_are_not_split(void **state) {
  (void)state;
  launch_long(1000000);
  assert_int_equal(kernel.originals, 1);
  assert_int_equal(kernel.holds, 0);
}

static void without_a_gain_nothing_is_settled(void **state) {
  (void)state;
  launch_long(long_trips);
  assert_int_equal(region.device[0]->fruitless, 0);
  assert_true(only_class()->phase == CLASS_NEW);
  assert_int_equal(kernel.originals, 0);
}

/* Less than a tenth is not believed of short slices, but of longer ones. */
static void a_small_gain_is_found(void **state) {
  (void)state;
  kernel.ns[NATURAL] = 0.95;
  launch_long(long_trips);
  struct rt_class *c = only_class();
  assert_true(c->phase == CLASS_SETTLED && c->plan[c->chosen].version == NATURAL);
  assert_true(c->tune.gain > 0.049 && c->tune.gain < 0.051);
  assert_true(fake.clock_ns < 65000000);
}

/* And what seemed to be the fastest is found not to be. */
static void longer_slices_decide(void **state) {
  (void)state;
  kernel.ns[NATURAL] = 0.9, kernel.ns[BLOCK] = 0.85, kernel.large_ns = 0.95, kernel.large = 1000000;
  launch_long(long_trips);
  struct rt_class *c = only_class();
  assert_true(c->phase == CLASS_SETTLED && c->plan[c->chosen].version == NATURAL);
  assert_true(fake.clock_ns < 61500000);
}

/* What the longer slice of one takes more than the base would have is charged, as that of a first slice is. */
static void longer_slices_are_charged(void **state) {
  (void)state;
  kernel.ns[NATURAL] = 0.95, kernel.ns[BLOCK] = 0.9, kernel.large_ns = 2, kernel.large = 1500000;
  launch_long(long_trips);
  struct rt_class *c = only_class();
  assert_true(c->phase == CLASS_SETTLED && c->plan[c->chosen].version == NATURAL);
  assert_true(region.device[0]->budget.spent_ns > 1500000); /* an iteration of it takes 1 ns more than one of the base */
}

/* Where a row of blocks is long, the base does not have all of it. */
static void the_fast_fill_up_what_the_slow_began(void **state) {
  (void)state;
  kernel.ns[BASE] = 10, kernel.ns[NATURAL] = 1, kernel.ns[BLOCK] = 0.5;
  launch_long(long_trips);
  assert_int_equal(kernel.slices[BASE], 1);
  assert_true(kernel.slices[BLOCK] > 0);
}

/* What gains on slices may lose in the whole: it is found out on an eighth. */
static void what_was_found_proves_itself(void **state) {
  (void)state;
  kernel.ns[BLOCK] = 0.25, kernel.large_ns = 3, kernel.large = 2000000;
  launch_long(long_trips);
  assert_true(only_class()->phase == CLASS_NEW);
  assert_true(fake.clock_ns < 90000000); /* all by the block version: 201 ms */
}

static void what_is_declined_is_done_by_another(void **state) {
  (void)state;
  kernel.declines = true, kernel.ns[NATURAL] = 0.7;
  launch_long(long_trips);
  assert_int_equal(kernel.slices[BLOCK], 1);
  struct rt_class *c = only_class();
  assert_true(c->phase == CLASS_SETTLED && c->plan[c->chosen].version == NATURAL);
}

/* As outside of slices: the original has it, or, where a part is done, the base has what is left. */
static void what_cannot_be_launched_is_done_by_another(void **state) {
  (void)state;
  kernel.fails[BLOCK] = true, kernel.ns[BLOCK] = 0.25, kernel.ns[NATURAL] = 2;
  launch_long(long_trips);
  assert_int_equal(kernel.slices[BLOCK], 1);
  assert_int_equal(kernel.originals, 0);
  assert_non_null(region.device[0]->dropped);
  launch_long(long_trips);
  assert_int_equal(kernel.originals, 1);
}

static void a_base_that_cannot_be_launched(void **state) {
  (void)state;
  kernel.fails[BASE] = true;
  launch_long(long_trips);
  assert_int_equal(kernel.slices[BASE], 1);
  assert_int_equal(kernel.originals, 1);
  assert_non_null(region.device[0]->dropped);
}

static void all_that_may_be_is_split_for_tests(void **state) {
  (void)state;
  rt.config.slices = SLICES_ALWAYS;
  for (uint64_t trips = 1; trips < 5000; trips += 1 + trips / 7) launch_long(trips);
  assert_true(kernel.slices[NATURAL] && kernel.slices[BLOCK]);
}

/* Where the slice before a block version's ends, its blocks begin. */
static void blocks_begin_where_others_end(void **state) {
  (void)state;
  rt.config.slices = SLICES_ALWAYS;
  kernel.ns[NATURAL] = 2;
  launch_long(5000);
  assert_true(kernel.moved);
}

static void off_is_off(void **state) {
  (void)state;
  rt.config.slices = SLICES_OFF;
  launch_long(long_trips);
  assert_int_equal(kernel.originals, 1);
}

/* ---- shapes ---- */

static void grains(void **state) {
  (void)state;
  assert_int_equal(slices_common_grain(128, 256), 256);
  assert_int_equal(slices_common_grain(96, 64), 192);
  assert_int_equal(slices_common_grain((uint64_t)1 << 40, ((uint64_t)1 << 40) - 1), 0);
}

/* 20 rows of 50 iterations in blocks of 16 rows, two to a row of blocks. */
static void parts(void **state) {
  (void)state;
  const struct slices_shape shape = {.trips = 1000, .grain = 800, .begin = 400, .of_grain = 2, .teams = 4};
  struct slices_teams part;
  assert_true(slices_part(&shape, 0, 800, &part));
  assert_true(part.first == 0 && part.count == 2 && part.of == 4 && part.origin == 0);
  assert_true(slices_part(&shape, 800, 1000, &part));
  assert_true(part.first == 2 && part.count == 2 && part.origin == 0);
  assert_true(slices_part(&shape, 400, 1000, &part));
  assert_true(part.first == 0 && part.count == 2 && part.origin == 1);
  assert_false(slices_part(&shape, 400, 800, &part));
  assert_false(slices_part(&shape, 200, 1000, &part));
  assert_false(slices_part(&shape, 800, 800, &part));
  assert_false(slices_part(&shape, 800, 1600, &part));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, tear_down)
  const struct CMUnitTest tests[] = {TEST(the_fastest_has_the_rest), TEST(nothing_is_hoped_of_the_slow), TEST(a_short_one_is_the_bases), TEST(few_iterations_are_not_split),
                                     TEST(without_a_gain_nothing_is_settled), TEST(a_small_gain_is_found), TEST(longer_slices_decide),
                                     TEST(longer_slices_are_charged),
                                     TEST(the_fast_fill_up_what_the_slow_began),
                                     TEST(what_was_found_proves_itself),
                                     TEST(what_is_declined_is_done_by_another),
                                     TEST(what_cannot_be_launched_is_done_by_another), TEST(a_base_that_cannot_be_launched),
                                     TEST(all_that_may_be_is_split_for_tests), TEST(blocks_begin_where_others_end), TEST(off_is_off),
                                     cmocka_unit_test(grains), cmocka_unit_test(parts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
