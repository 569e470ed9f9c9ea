/* What versions need of a launch, need by need: met, not met and why, or not known. */
#include "fake.h"

#include <stdio.h>

#include "needs.h"
#include "versions.h"

enum { SIGNAL, TAPS, OUT, ARRAYS };
static struct place_array arrays[ARRAYS] = {
  [SIGNAL] = {.name = (char[]){"a"}, .read = true, .placeable = 0, .candidates = 15},
  [TAPS] = {.name = (char[]){"w"}, .read = true, .placeable = 1, .candidates = 15},
  [OUT] = {.name = (char[]){"o"}, .written = true, .placeable = -1, .candidates = 1}};
static int8_t spaces[ARRAYS];
static struct place_need need;
static struct place_version version;
static struct place_region layout;
static struct place_table table;
static struct rt_version launchable;
static struct rt_region region;

static uint64_t argument;
static bool argument_known;
static struct view_array in[ARRAYS];
static struct place_extent extent[ARRAYS];
static struct view view;

/* A launch that meets everything: 128 threads, 1,000 iterations, arrays apart and aligned. */
static int set_up(void **state) {
  (void)state;
  memset(spaces, 0, sizeof spaces);
  spaces[OUT] = -1;
  version = (struct place_version){.role = PLACE_ROLE_PLAN, .space = spaces, .teams = PLACE_EXPR_NONE, .needs = &need, .need_count = 1};
  layout = (struct place_region){.arrays = arrays, .array_count = ARRAYS, .placeable_count = 2, .versions = &version,
                                 .version_count = 1, .teams = PLACE_TEAMS_OPEN};
  launchable = (struct rt_version){.host_ptr = &version};
  memset((void *)&region, 0, sizeof region);
  region.table = &table, region.region = &layout, region.versions = &launchable;
  argument = 1000, argument_known = true;
  for (int a = 0; a < ARRAYS; a++) {
    in[a] = (struct view_array){.kind = VIEW_OBJECT, .device = 0x1000u * (unsigned)(a + 1)};
    extent[a] = (struct place_extent){0, 256, true};
  }
  view = (struct view){.array = in, .extent = extent, .arg = &argument, .arg_known = &argument_known};
  view.launch = (struct place_launch){.arg = &argument, .arg_known = &argument_known, .args = 1, .extent = extent, .trip_count = 1000,
                                      .threads = 128};
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  place_expr_pool_free(&table.exprs);
  return 0;
}

static place_expr expr(const char *text) {
  struct place_diag diag = {""};
  place_expr e = place_expr_parse(&table.exprs, text, strlen(text), &diag);
  if (e < 0) fail_msg("%s: %s", text, diag.text);
  return e;
}

/* why: NULL where the need is met. */
static void check_with(enum place_need_kind kind, unsigned value, const struct place_plan *plan, const char *why) {
  struct place_diag diag = {""};
  bool usable = why;
  need = (struct place_need){kind, value};
  int rc = needs_check(&region, 0, &view, plan, &diag);
  if (rc != (why ? -1 : 0) || strcmp(diag.text, why ? why : "")) fail_msg("%s: %d '%s'", place_need_name(kind), rc, diag.text);
  assert_int_equal(needs_check(&region, 0, &view, plan, NULL), rc);
  needs_usable(&region, &view, &usable);
  if (!plan) assert_int_equal(usable, !why);
}

static void check(enum place_need_kind kind, unsigned value, const char *why) { check_with(kind, value, NULL, why); }

static void threads(void **state) {
  (void)state;
  static const struct { unsigned launched; enum place_need_kind kind; unsigned value; const char *why; } all[] = {
    {128, PLACE_NEED_THREADS, 128, NULL},
    {64, PLACE_NEED_THREADS, 128, "launched with 64 threads a team, made for 128"},
    {256, PLACE_NEED_THREADS, 128, "launched with 256 threads a team, made for 128"},
    {1, PLACE_NEED_THREADS_LEAST, 1, NULL},
    {0, PLACE_NEED_THREADS_LEAST, 1, "launched with 0 threads a team, made for at least 1"},
    {31, PLACE_NEED_THREADS_LEAST, 32, "launched with 31 threads a team, made for at least 32"},
    {33, PLACE_NEED_THREADS_LEAST, 32, NULL},
    {128, PLACE_NEED_THREADS_MOST, 128, NULL},
    {1024, PLACE_NEED_THREADS_MOST, 128, "launched with 1024 threads a team, made for at most 128"}};
  layout.open_threads = true;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    view.launch.threads = all[i].launched;
    check(all[i].kind, all[i].value, all[i].why);
  }
  layout.open_threads = false;
  check(PLACE_NEED_OPEN_THREADS, 0, NULL);
  view.thread_limit = true;
  check(PLACE_NEED_OPEN_THREADS, 0, "the program or its environment limits the threads of a team, and may look at their number");
  layout.open_threads = true; /* a wish for the original */
  check(PLACE_NEED_OPEN_THREADS, 0, NULL);
}

/* A region that looks at its number of threads, which libomptarget chooses by the loop's length where the program does not ask. */
static void seen_threads(void **state) {
  (void)state;
  static const char why[] = "libomptarget may launch fewer threads a team for a short loop, and the region may look at their number";
  static const struct { uint32_t teams, most; uint64_t trips; bool limit; const char *why; } all[] = {
    {0, 0, 1000, false, why}, {8, 0, 1000, false, NULL}, {0, 0, 1000, true, NULL}, {0, 256, 1000, true, why}, {0, 0, 0, false, NULL}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    view.launch.teams = all[i].teams, view.most_threads = all[i].most;
    view.launch.trip_count = all[i].trips, view.thread_limit = all[i].limit;
    check(PLACE_NEED_THREADS, 128, all[i].why);
    check(PLACE_NEED_THREADS_LEAST, 128, NULL);
    layout.open_threads = true;
    check(PLACE_NEED_THREADS, 128, NULL);
    layout.open_threads = false;
  }
}

/* A region that looks at its number of threads, of which registers may leave room for fewer than the program allows. */
static void registers(void **state) {
  (void)state;
  static const struct { unsigned registers, threads; bool fits; } all[] = {
    {0, 1024, true}, {64, 1024, true}, {65, 1024, false}, {96, 640, true}, {96, 641, false}, {122, 512, true}, {122, 640, false}, {255, 256, true}, {255, 257, false}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char why[160];
    snprintf(why, sizeof why, "%u threads a team do not fit beside each other with %u registers each, and the region may look at their number",
             all[i].threads, all[i].registers);
    launchable.registers = all[i].registers;
    view.launch.threads = all[i].threads;
    check(PLACE_NEED_THREADS_LEAST, 1, all[i].fits ? NULL : why);
    layout.open_threads = true;
    check(PLACE_NEED_THREADS_LEAST, 1, NULL);
    layout.open_threads = false;
    version.threads = all[i].threads; /* its own, for which it was compiled */
    check(PLACE_NEED_THREADS_LEAST, 1, NULL);
    version.threads = 0;
  }
  launchable.registers = 0;
}

/* PLACE_SHAPE=keep: what a version needs, or how many teams it is launched with, says that its shape may be another. */
static void kept_shape(void **state) {
  (void)state;
  static const char why[] = "it has another shape than the program asks for (PLACE_SHAPE=keep)";
  view.keeps_shape = true;
  check(PLACE_NEED_THREADS_LEAST, 1, NULL);
  check(PLACE_NEED_OPEN_THREADS, 0, why);
  check(PLACE_NEED_OPEN_TEAMS, 0, why);
  version.each = 1;
  check(PLACE_NEED_THREADS_LEAST, 1, why);
  version.each = 0;
  view.keeps_shape = false;
  check(PLACE_NEED_OPEN_TEAMS, 0, NULL);
}

/* OMP_TEAMS_THREAD_LIMIT: no launch gets more threads, whatever its version is made for. */
static void limited_threads(void **state) {
  (void)state;
  layout.open_threads = true;
  version.threads = 128;
  check(PLACE_NEED_OPEN_THREADS, 0, NULL);
  view.most_threads = 128;
  check(PLACE_NEED_OPEN_THREADS, 0, NULL);
  view.most_threads = 64;
  check(PLACE_NEED_OPEN_THREADS, 0, "made for 128 threads a team, and the environment allows 64 (OMP_TEAMS_THREAD_LIMIT)");
  version.threads = 0; /* as the original */
  check(PLACE_NEED_OPEN_THREADS, 0, NULL);
}

/* `parallel for` in several teams: each does all of it. */
static void one_team(void **state) {
  (void)state;
  static const char why[] = "each of its teams carries out all iterations";
  check(PLACE_NEED_ONE_TEAM, 0, why); /* it leaves their number open */
  view.launch.teams = 2;
  check(PLACE_NEED_ONE_TEAM, 0, why);
  view.launch.teams = 1;
  check(PLACE_NEED_ONE_TEAM, 0, NULL);
  view.launch.teams = 0;
}

/* num_teams(1): the iterations of `distribute` follow each other, and the program may count on it. */
static void several_teams(void **state) {
  (void)state;
  check(PLACE_NEED_SEVERAL_TEAMS, 0, NULL);
  view.launch.teams = 2;
  check(PLACE_NEED_SEVERAL_TEAMS, 0, NULL);
  view.launch.teams = 1;
  check(PLACE_NEED_SEVERAL_TEAMS, 0, "the program asks for one team, whose iterations follow each other");
  view.launch.teams = 0;
}

static void teams(void **state) {
  (void)state;
  check(PLACE_NEED_OPEN_TEAMS, 0, NULL);
  check(PLACE_NEED_ALL_TEAMS, 0, "how many teams it takes is not known at this launch"); /* it does not say */
  version.teams = expr("udiv64(arg0 + 127, 128)");
  check(PLACE_NEED_ALL_TEAMS, 0, NULL);
  assert_int_equal(needs_teams(&region, 0, &view.launch), 8);
  version.teams = PLACE_EXPR_NONE, version.each = 1, version.threads = 96; /* of 1,000 iterations */
  assert_int_equal(needs_teams(&region, 0, &view.launch), 11);
  version.each = 0, version.threads = 0, version.teams = expr("udiv64(arg0 + 127, 128)");
  static const uint64_t unfit[] = {0, UINT64_C(1) << 60};
  for (size_t i = 0; i < 2; i++) {
    argument = unfit[i];
    assert_int_equal(needs_teams(&region, 0, &view.launch), 0);
    check(PLACE_NEED_ALL_TEAMS, 0, "how many teams it takes is not known at this launch");
  }
  argument = 1000, argument_known = false;
  check(PLACE_NEED_ALL_TEAMS, 0, "how many teams it takes is not known at this launch");
  argument_known = true;
  layout.teams = PLACE_TEAMS_OBSERVED;
  check(PLACE_NEED_ALL_TEAMS, 0, "its number of teams is not the runtime's choice");
  layout.teams = PLACE_TEAMS_OPEN, layout.reduction = true;
  check(PLACE_NEED_ALL_TEAMS, 0, "its number of teams is not the runtime's choice");
  layout.reduction = false, view.teams_limited = true;
  check(PLACE_NEED_ALL_TEAMS, 0, "the environment limits the number of teams");
  view.teams_limited = false, view.launch.teams = 4; /* a wish for the original */
  check(PLACE_NEED_ALL_TEAMS, 0, NULL);
  check(PLACE_NEED_OPEN_TEAMS, 0, NULL);
  layout.teams = PLACE_TEAMS_OBSERVED;
  check(PLACE_NEED_OPEN_TEAMS, 0, "the program asks for a number of teams, and may look at it");
}

static void iterations(void **state) {
  (void)state;
  check(PLACE_NEED_TRIPS_LEAST, 1000, NULL);
  check(PLACE_NEED_TRIPS_LEAST, 1001, "it has 1000 iterations, made for at least 1001");
  check(PLACE_NEED_TRIPS_MOST, 1000, NULL);
  check(PLACE_NEED_TRIPS_MOST, 999, "it has 1000 iterations, made for at most 999");
  view.launch.trip_count = 0;
  check(PLACE_NEED_TRIPS_LEAST, 1, "how many iterations it has is not known");
  check(PLACE_NEED_TRIPS_MOST, 1, "how many iterations it has is not known");
}

static void extents(void **state) {
  (void)state;
  static const char unknown[] = "the extents of its loops are not known at this launch, or beyond 32 bits";
  static const struct { const char *extent[2]; bool met; } all[] = {
    {{"arg0", "16"}, true}, {{"arg0", "arg1"}, false}, {{"0", "16"}, false}, {{"arg0*4294967296", "1"}, false}};
  check(PLACE_NEED_EXTENTS, 0, unknown); /* it has none */
  version.extent_count = 2;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    for (int d = 0; d < 2; d++) version.extent[d] = expr(all[i].extent[d]);
    check(PLACE_NEED_EXTENTS, 0, all[i].met ? NULL : unknown);
  }
}

/* Loops that read ahead of where they may end: 256 bytes of each array are mapped. */
static void reads_mapped(void **state) {
  (void)state;
  static const char why[] = "w is not known to be mapped as far as loads ahead of a loop's end may go";
  static const struct { const char *bytes; int64_t lo; bool met; } all[] = {
    {"256", 0, true},  {"257", 0, false},           {"240", -16, true},        {"241", -16, false}, {"8", 8, false}, {"0", 0, true},
    {"arg0", 0, false}, {"arg0 - 744", 0, true},     {"arg0 - 1001", 0, false}, {"arg1", 0, false},  {"8*arg0", 0, false},
    {"9223372036854775807", -8, false}};
  place_expr ahead[ARRAYS] = {PLACE_EXPR_NONE, PLACE_EXPR_NONE, PLACE_EXPR_NONE};
  check(PLACE_NEED_READS_MAPPED, 0, NULL); /* of nothing */
  version.ahead = ahead;
  check(PLACE_NEED_READS_MAPPED, 0, NULL);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    ahead[TAPS] = expr(all[i].bytes), extent[TAPS].lo = all[i].lo;
    check(PLACE_NEED_READS_MAPPED, 0, all[i].met ? NULL : why);
  }
  ahead[TAPS] = expr("8"), extent[TAPS] = (struct place_extent){0, 256, false};
  check(PLACE_NEED_READS_MAPPED, 0, why);
  extent[TAPS].known = true, extent[SIGNAL].known = false; /* another one */
  check(PLACE_NEED_READS_MAPPED, 0, NULL);
}

static void memory(void **state) {
  (void)state;
  static const char taps[] = "w, which it reads, may be written at this launch";
  check(PLACE_NEED_READS_UNWRITTEN, 0, NULL);
  check(PLACE_NEED_WRITES_APART, 0, NULL);
  in[TAPS].why_global = "overlaps an array that the region writes";
  check(PLACE_NEED_READS_UNWRITTEN, 0, taps);
  in[TAPS].why_global = NULL, extent[TAPS].known = false;
  check(PLACE_NEED_READS_UNWRITTEN, 0, taps);
  extent[TAPS].known = true, arrays[TAPS].placeable = -1; /* its address may have got away */
  check(PLACE_NEED_READS_UNWRITTEN, 0, taps);
  arrays[TAPS].placeable = 1, arrays[TAPS].hint = PLACE_GLOBAL; /* a wish, no danger */
  check(PLACE_NEED_READS_UNWRITTEN, 0, NULL);
  arrays[OUT].read = true; /* in place */
  check(PLACE_NEED_READS_UNWRITTEN, 0, "o, which it reads, may be written at this launch");
  arrays[OUT].read = false, view.refused = "it writes an array of unknown extent";
  check(PLACE_NEED_READS_UNWRITTEN, 0, "a, which it reads, may be written at this launch");
  view.refused = NULL, in[OUT].why_global = "overlaps an array that the region writes";
  check(PLACE_NEED_WRITES_APART, 0, "o, which it writes, may be the memory of another array");
}

static void apart(void **state) {
  (void)state;
  static const char taps[] = "w may be the memory of another array";
  check(PLACE_NEED_APART, 0, NULL);
  arrays[OUT].read = true; /* in place */
  check(PLACE_NEED_APART, 0, NULL);
  in[TAPS].why_global = "overlaps an array that the region writes";
  check(PLACE_NEED_APART, 0, taps);
  arrays[TAPS].read = false; /* passed, and not touched */
  check(PLACE_NEED_APART, 0, NULL);
  arrays[TAPS].read = true, in[TAPS].why_global = NULL, extent[TAPS].known = false;
  check(PLACE_NEED_APART, 0, taps);
  extent[TAPS].known = true, arrays[OUT].read = false, arrays[OUT].atomic = true, extent[OUT].known = false;
  check(PLACE_NEED_APART, 0, "o may be the memory of another array");
  extent[OUT].known = true, view.refused = "it writes an array of unknown extent";
  check(PLACE_NEED_APART, 0, "it writes an array of unknown extent");
}

static void alignment(void **state) {
  (void)state;
  struct place_plan shared = {.array = {{PLACE_GLOBAL, 0, 0}, {PLACE_SHARED, 0, 256}}}, constant = {.array = {{PLACE_CONSTANT, 0, 256}}};
  static const struct { uintptr_t device; int64_t lo; bool met; } all[] = {
    {0x1000, 0, true}, {0x1008, 0, false}, {0x1008, 8, true}, {0x1000, 8, false}, {0, 0, true}, {0, 16, true}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    in[TAPS].device = all[i].device, extent[TAPS].lo = all[i].lo;
    check_with(PLACE_NEED_ALIGNED, 16, &shared, all[i].met ? NULL : "w is not aligned to 16 bytes");
    check_with(PLACE_NEED_ALIGNED, 16, &constant, NULL); /* another one is copied */
    check(PLACE_NEED_ALIGNED, 16, NULL);                 /* none is */
    spaces[TAPS] = PLACE_CONSTANT;
    check(PLACE_NEED_ALIGNED, 16, all[i].met ? NULL : "w is not aligned to 16 bytes");
    spaces[TAPS] = -1; /* left open, and nothing is asked of it yet */
    check(PLACE_NEED_ALIGNED, 16, NULL);
    spaces[TAPS] = PLACE_GLOBAL;
    check(PLACE_NEED_READS_ALIGNED, 16, all[i].met ? NULL : "w is not known to be aligned to 16 bytes");
  }
  in[TAPS].device = 0x1000, extent[TAPS].lo = 0;
  in[OUT].device = 0x1004; /* written */
  check(PLACE_NEED_READS_ALIGNED, 16, NULL);
  in[TAPS].kind = VIEW_UNKNOWN;
  check(PLACE_NEED_READS_ALIGNED, 16, "w is not known to be aligned to 16 bytes");
  in[TAPS].kind = VIEW_OBJECT, extent[TAPS].known = false;
  check(PLACE_NEED_READS_ALIGNED, 16, "w is not known to be aligned to 16 bytes");
  extent[TAPS].known = true;
}

static void several_and_unknown(void **state) {
  (void)state;
  struct place_need two[] = {{PLACE_NEED_THREADS, 128}, {PLACE_NEED_OPEN_TEAMS, 0}};
  struct place_diag diag = {""};
  version.needs = two, version.need_count = 2;
  layout.open_threads = true;
  assert_int_equal(needs_check(&region, 0, &view, NULL, &diag), 0);
  view.launch.teams = 2, layout.teams = PLACE_TEAMS_OBSERVED;
  assert_int_equal(needs_check(&region, 0, &view, NULL, &diag), -1);
  assert_string_equal(diag.text, "the program asks for a number of teams, and may look at it");
  version.needs = &need, version.need_count = 1;
  check(PLACE_NEED_COUNT, 0, "it needs what this runtime does not know");
  version.need_count = 0;
  assert_int_equal(needs_check(&region, 0, &view, NULL, &diag), 0);
  launchable.host_ptr = NULL; /* not in the images */
  bool usable = true;
  needs_usable(&region, &view, &usable);
  assert_false(usable);
}

/* Every need of the list is judged by something: none falls through to "not known" where the launch meets all. */
static void all_needs_are_judged(void **state) {
  (void)state;
  version.teams = expr("8");
  version.extent_count = 1, version.extent[0] = expr("arg0");
  layout.open_threads = true;
  for (int k = 0; k < PLACE_NEED_COUNT; k++) {
    view.launch.teams = k == PLACE_NEED_ONE_TEAM;
    unsigned value = k == PLACE_NEED_TRIPS_MOST || k == PLACE_NEED_TRIPS_LEAST ? 1000 : k == PLACE_NEED_ALIGNED || k == PLACE_NEED_READS_ALIGNED ? 16 : 128;
    check((enum place_need_kind)k, value, NULL);
  }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {TEST(threads), TEST(seen_threads), TEST(registers), TEST(kept_shape), TEST(limited_threads), TEST(one_team), TEST(several_teams),
                                     TEST(teams), TEST(iterations), TEST(extents), TEST(reads_mapped), TEST(memory), TEST(apart), TEST(alignment),
                                     TEST(several_and_unknown), TEST(all_needs_are_judged)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
