/* Threads and teams of a launch, and the ranges of its symbols: at no, one, few and very many iterations. */
#include "support.h"

#include "launch_shape.h"

struct shape { uint32_t threads, teams, warps, unasked_threads, unasked_teams; };

static void threads_and_teams(void **state) {
  (void)state;
  static const struct {
    uint32_t compiled, threads, teams;
    uint64_t trips;
    struct shape expected;
  } cases[] = {
    {0, 0, 0, 0, {128, 3200, 4, 128, 3200}}, /* nothing is known */
    {64, 0, 0, 0, {64, 3200, 2, 64, 3200}},
    {64, 256, 0, 0, {256, 3200, 8, 256, 3200}}, /* the launch is asked before the kernel */
    {128, 0, 0, 1, {128, 1, 4, 32, 1}},
    {128, 0, 0, 32, {128, 1, 4, 32, 1}},
    {128, 0, 0, 33, {128, 1, 4, 32, 2}},
    {128, 0, 0, 128, {128, 1, 4, 32, 4}},
    {128, 0, 0, 129, {128, 2, 4, 32, 5}},
    {128, 0, 0, 3200 * 32, {128, 800, 4, 32, 3200}},
    {128, 0, 0, 3200 * 32 + 1, {128, 801, 4, 64, 1601}}, /* 33 iterations a team: the next power of two */
    {128, 0, 0, 3200 * 64, {128, 1600, 4, 64, 3200}},
    {128, 0, 0, 3200 * 128 - 1, {128, 3200, 4, 128, 3200}},
    {128, 0, 0, 3200 * 128, {128, 3200, 4, 128, 3200}},
    {128, 0, 0, UINT64_MAX, {128, 3200, 4, 128, 3200}},
    {1024, 0, 0, 1, {1024, 1, 32, 32, 1}},
    {32, 0, 0, 1, {32, 1, 1, 32, 1}}, /* no smaller teams than these */
    {33, 0, 0, 1000000, {33, 3200, 2, 33, 3200}}, /* a part of a warp is one */
    {1, 1, 0, 7, {1, 7, 1, 1, 7}},
    {128, 0, 80, 10, {128, 80, 4, 128, 80}}, /* what the program asks for stays */
    {128, 0, UINT32_MAX, 10, {128, UINT32_MAX, 4, 128, UINT32_MAX}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct place_region region = {.threads = cases[i].compiled};
    const struct place_launch launch = {.threads = cases[i].threads, .teams = cases[i].teams, .trip_count = cases[i].trips};
    const struct shape *e = &cases[i].expected;
    uint32_t threads, teams;
    shape_unasked(&region, &launch, &threads, &teams);
    struct shape got = {shape_threads(&region, &launch), shape_default_teams(&region, &launch), shape_warps_per_team(&region, &launch),
                        threads, teams};
    if (memcmp(&got, e, sizeof got))
      fail_msg("case %zu: %u %u %u %u %u, not %u %u %u %u %u", i, got.threads, got.teams, got.warps, got.unasked_threads, got.unasked_teams,
               e->threads, e->teams, e->warps, e->unasked_threads, e->unasked_teams);
  }
}

static void check_range(struct place_range got, int64_t lo, int64_t hi) {
  assert_true(got.known);
  assert_int_equal(got.lo, lo);
  assert_int_equal(got.hi, hi);
}

/* Whatever libomptarget makes of a launch lies in its box. */
static void boxes(void **state) {
  (void)state;
  static const struct {
    uint32_t compiled, threads, teams;
    int64_t least_threads, most_threads, most_teams;
  } cases[] = {
    {0, 0, 0, 1, 1024, INT32_MAX}, {128, 0, 0, 128, 128, INT32_MAX}, {128, 256, 0, 256, 256, INT32_MAX},
    {128, 0, 1, 128, 128, 1},      {0, 1, 80, 1, 1, 80},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct place_table table = {.region_count = 0};
    const struct place_region region = {.threads = cases[i].compiled};
    const struct place_launch launch = {.threads = cases[i].threads, .teams = cases[i].teams};
    struct place_range loop[1];
    struct place_box box;
    shape_box(&table, &region, &launch, loop, &box);
    check_range(box.threads, cases[i].least_threads, cases[i].most_threads);
    check_range(box.tid, 0, cases[i].most_threads - 1);
    check_range(box.teams, 1, cases[i].most_teams);
    check_range(box.team, 0, cases[i].most_teams - 1);
    assert_int_equal(box.loops, 0);
  }
}

/* Numbers of a loop's iterations, from the text of how many it makes; what is not known may be any. */
static void loops(void **state) {
  (void)state;
  static const struct { const char *trips; int64_t hi; } cases[] = {
    {"0", 0}, {"1", 0}, {"2", 1}, {"arg0", 99}, {"arg1", INT64_MAX}, {"L0 + 5", 103}, {"arg0 - 200", INT64_MAX}, {"tid", 126}};
  enum { COUNT = sizeof cases / sizeof *cases };
  static const uint64_t arg[] = {100, 0};
  static const bool known[] = {true, false};
  struct place_table table = {.region_count = 0};
  struct place_loop all[1 + COUNT];
  struct place_range loop[1 + COUNT];
  struct place_diag diag = {""};
  struct place_box box;
  all[0] = (struct place_loop){.parent = -1, .trips = place_expr_parse(&table.exprs, "arg0", 4, &diag)};
  for (size_t i = 0; i < COUNT; i++)
    all[1 + i] = (struct place_loop){.parent = 0, .trips = place_expr_parse(&table.exprs, cases[i].trips, strlen(cases[i].trips), &diag)};
  const struct place_region region = {.threads = 128, .loops = all, .loop_count = 1 + COUNT};
  const struct place_launch launch = {.arg = arg, .arg_known = known, .args = 2};
  shape_box(&table, &region, &launch, loop, &box);
  assert_int_equal(box.loops, 1 + COUNT);
  check_range(loop[0], 0, 99);
  for (size_t i = 0; i < COUNT; i++) check_range(loop[1 + i], 0, cases[i].hi);
  place_expr_pool_free(&table.exprs);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_and_teams), cmocka_unit_test(boxes), cmocka_unit_test(loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
