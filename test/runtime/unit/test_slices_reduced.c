/* A reduction in slices: intervals of its iterations, each carried out once, however many the kernel finds there are. */
#include "scene_regions.h"

#define SCENE_BODY \
  SCENE_PLAIN("128 open reduction - open-threads") \
  "version kernel_base role=base loop=original space=-,-,- slice=128\n" \
  "version kernel_strided role=plan loop=strided space=-,-,- threads=256 fill=2048 slice=1 needs=open-threads\n" \
  "version kernel_whole role=plan loop=strided space=-,-,- threads=512 fill=2048 needs=open-threads\n"
enum { BASE, STRIDED, WHOLE, VERSIONS };
#include "launch_scene.h"
#include "slices_shape.h"

enum { TEAM = 128, MOST_SLICES = 64 };

static struct {
  double ns[VERSIONS]; /* of an iteration */
  uint64_t known;      /* iterations that the kernel finds there are */
  struct interval {
    uint64_t from, to; /* within what there is */
  } part[MOST_SLICES];
  unsigned slices[VERSIONS], count, originals;
  int64_t most_teams;
} kernel;

static uint64_t least(uint64_t x, uint64_t y) { return x < y ? x : y; }

/* What teams of the base have, each of its chunk and of those that lie as many teams further: they do not lie side by side unless it is the
 * last slice. */
static struct interval of_base(const uint64_t *words, uint64_t teams) {
  uint64_t first = words[PLACE_SLICE_FIRST] * TEAM, step = words[PLACE_SLICE_TEAMS] * TEAM, chunk = teams * TEAM;
  assert_true(step <= INT32_MAX && first + step + TEAM <= INT32_MAX);
  assert_true(step == chunk || first + step >= kernel.known);
  return (struct interval){first, step == chunk ? UINT64_MAX : first + chunk};
}

static struct interval of_strided(const uint64_t *words, uint64_t teams) {
  uint64_t first = words[PLACE_SLICE_FIRST], end = words[PLACE_SLICE_TEAMS];
  assert_true(teams && (!end || end > first));
  kernel.most_teams = (int64_t)teams > kernel.most_teams ? (int64_t)teams : kernel.most_teams;
  return (struct interval){first, end ? end : UINT64_MAX};
}

static int in_slices(void *context, const struct rt_request *request) {
  int version = VERSIONS;
  (void)context;
  for (int v = 0; v < VERSIONS; v++)
    if (request->host_ptr == &ids[v]) version = v;
  if (version == VERSIONS) return kernel.originals++, 0;
  assert_int_not_equal(version, WHOLE);
  const uint64_t *words = request->words + request->word_count - PLACE_SLICE_WORDS;
  struct interval had = version == BASE ? of_base(words, (uint64_t)request->teams) : of_strided(words, (uint64_t)request->teams);
  had.from = least(had.from, kernel.known), had.to = least(had.to, kernel.known);
  uint64_t entry = request->words[PLACE_CONTROL_TIMER];
  uint64_t *slot = entry ? timer + (entry - 1) * PLACE_TIMER_SLOTS * (PLACE_TIMER_SLOT_BYTES / sizeof *timer) : NULL;
  double ns = 1 + (double)(had.to - had.from) * kernel.ns[version];
  if (slot) slot[0] = ~(uint64_t)1000000, slot[1] = 1000000 + (uint64_t)ns;
  fake.clock_ns += (uint64_t)ns;
  kernel.slices[version]++;
  assert_true(kernel.count < MOST_SLICES);
  kernel.part[kernel.count++] = had;
  return 0;
}

static void hold(void *context, bool begin) { (void)context, (void)begin; }

/* Slices follow each other from the first iteration to the last. */
static void launch_long(uint64_t told, uint64_t known) {
  kernel.known = known, kernel.count = 0;
  struct rt_call call = call_of(a, w, o, 0);
  call.trip_count = told;
  call.hold = hold;
  assert_int_equal(dispatch_launch(&rt, &device, &region, &call, in_slices, NULL), 0);
  uint64_t at = 0;
  for (unsigned i = 0; i < kernel.count; i++) {
    assert_int_equal(kernel.part[i].from, at);
    at = kernel.part[i].to;
  }
  if (kernel.count) assert_int_equal(at, known);
}

static int begin(void **state) {
  static bool matters[3] = {true, true, true};
  set_up(state);
  memset(&kernel, 0, sizeof kernel);
  map_all();
  region.matters = matters;
  rt.config.patience_ns = 2e6;
  kernel.ns[BASE] = 1, kernel.ns[STRIDED] = 0.5;
  return 0;
}

static const uint64_t long_trips = ((uint64_t)1 << 26) + 77;

static void the_strided_loop_has_the_rest(void **state) {
  (void)state;
  launch_long(long_trips, long_trips);
  struct rt_class *c = only_class();
  assert_int_equal(kernel.originals, 0);
  assert_true(kernel.slices[BASE] && kernel.slices[STRIDED] > 1);
  assert_true(c->phase == CLASS_SETTLED && c->plan[c->chosen].version == STRIDED);
  assert_true(kernel.most_teams > 0 && kernel.most_teams <= 1024); /* as many as the reduction has slots for */
}

static void the_base_has_the_rest(void **state) {
  (void)state;
  kernel.ns[STRIDED] = 2;
  launch_long(long_trips, long_trips);
  assert_true(only_class()->phase == CLASS_NEW);
}

/* In memory there may be another number than the host's. */
static void other_lengths(void **state) {
  (void)state;
  rt.config.slices = SLICES_ALWAYS;
  for (int faster = 0; faster < 2; faster++) {
    kernel.ns[STRIDED] = faster ? 0.5 : 2;
    launch_long(5000, 7003);
    launch_long(7000, 5001);
    launch_long(6000, 0);
    launch_long(3001, 3001);
  }
  assert_true(kernel.slices[BASE] && kernel.slices[STRIDED]);
}

static void too_long_ones_stay_whole(void **state) {
  (void)state;
  launch_long(((uint64_t)1 << 30) + 1, ((uint64_t)1 << 30) + 1);
  assert_int_equal(kernel.originals, 1);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, tear_down)
  const struct CMUnitTest tests[] = {TEST(the_strided_loop_has_the_rest), TEST(the_base_has_the_rest), TEST(other_lengths), TEST(too_long_ones_stay_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
