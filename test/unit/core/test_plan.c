/* Plans: windows, versions, team counts, refusals, the ranking's promises, and the time that it takes. */
#define _POSIX_C_SOURCE 200809L
#include "launches.h"

#include <math.h>
#include <time.h>

static struct place_machine *machine;

static int make(struct scene *s, const enum place_space *spaces, struct place_plan *plan, struct place_diag *diag) {
  const struct place_question question = scene_question(s, machine, PLACE_MODEL_PLACE);
  return place_plan_make(&question, spaces, PLACE_VERSION_ANY, plan, diag);
}

/* The same of another region with the scene's table and launch. */
static int make_of(struct scene *s, const struct place_region *region, const enum place_space *spaces, struct place_plan *plan,
                   struct place_diag *diag) {
  struct place_question question = scene_question(s, machine, PLACE_MODEL_PLACE);
  question.region = region;
  return place_plan_make(&question, spaces, PLACE_VERSION_ANY, plan, diag);
}

static int rank(struct scene *s, enum place_solver solver, struct place_plan *plans, int capacity,
                struct place_array_summary *summary) {
  const struct place_question question = scene_question(s, machine, PLACE_MODEL_PLACE);
  struct place_ranking ranking = {.plans = plans, .capacity = capacity, .summary = summary};
  return place_plan_rank(&question, solver, &ranking, NULL);
}

static void make_windows(void **state) {
  (void)state;
  struct scene s;
  struct place_plan plan;
  struct place_diag diag = {""};
  scene_conv1d(&s, 100);
  scene_array(&s, 1, 4096); /* 1,024 elements mapped, 100 used */
  assert_int_equal(make(&s, (enum place_space[]){PLACE_GLOBAL, PLACE_SHARED}, &plan, &diag), 0);
  assert_int_equal(plan.array[1].window_lo, 0);
  assert_int_equal(plan.array[1].window_bytes, 400);
  assert_int_equal(plan.shared_bytes, 400);
  assert_int_equal(plan.array[0].window_bytes, 0);
  assert_int_equal(plan.placeable_count, 2);
  assert_string_equal(s.region->versions[plan.version].entry, "conv_v1");
  assert_true(plan.cost_ns == 0); /* made, not predicted */
  s.extent[1] = (struct place_extent){40, 200, true}; /* a section in the middle */
  assert_int_equal(make(&s, (enum place_space[]){PLACE_GLOBAL, PLACE_CONSTANT}, &plan, &diag), 0);
  assert_int_equal(plan.array[1].window_lo, 40);
  assert_int_equal(plan.array[1].window_bytes, 200);
  assert_int_equal(plan.shared_bytes, 0);
  scene_close(&s);
}

static void make_versions(void **state) {
  (void)state;
  struct scene s;
  struct place_plan plan;
  struct place_diag diag = {""};
  scene_conv1d(&s, 64);
  assert_int_equal(make(&s, (enum place_space[]){PLACE_GLOBAL, PLACE_GLOBAL}, &plan, &diag), 0);
  assert_int_equal(plan.version, -1);
  assert_int_equal(make(&s, (enum place_space[]){PLACE_GLOBAL, PLACE_READONLY}, &plan, &diag), 0);
  assert_string_equal(s.region->versions[plan.version].entry, "conv_v2");
  assert_int_equal(make(&s, (enum place_space[]){PLACE_READONLY, PLACE_SHARED}, &plan, &diag), 0);
  assert_string_equal(s.region->versions[plan.version].entry, "conv_any");
  struct place_region copy = *s.region;
  copy.version_count = 4; /* without the agnostic one */
  assert_int_equal(make_of(&s, &copy, (enum place_space[]){PLACE_READONLY, PLACE_SHARED}, &plan, &diag), -1);
  assert_string_equal(diag.text, "no version has a (64 MiB) in readonly memory and w (256 B) in shared memory; "
                                 "-fplugin-arg-place-effort=3 makes more");
  scene_close(&s);
}

static void refuses(struct scene *s, enum place_space a, enum place_space w, const char *message) {
  struct place_plan plan;
  struct place_diag diag = {""};
  assert_int_equal(make(s, (enum place_space[]){a, w}, &plan, &diag), -1);
  if (!strstr(diag.text, message)) fail_msg("'%s' lacks '%s'", diag.text, message);
}

static void make_refusals(void **state) {
  (void)state;
  struct scene s;
  scene_conv1d(&s, 64);
  refuses(&s, PLACE_SHARED, PLACE_GLOBAL, "a cannot be in shared memory: does not fit (64 MiB > 48 KiB)");
  refuses(&s, PLACE_CONSTANT, PLACE_GLOBAL, "a cannot be in constant memory: does not fit (64 MiB > 48 KiB)");
  refuses(&s, PLACE_GLOBAL, (enum place_space)9, "array w: there is no space 9");
  s.allowed[1] = PLACE_SPACE_BIT(PLACE_GLOBAL);
  refuses(&s, PLACE_GLOBAL, PLACE_READONLY, "w cannot be in readonly memory: not legal at this launch");
  s.allowed[1] = 0xf;
  s.extent[1].known = false;
  refuses(&s, PLACE_GLOBAL, PLACE_SHARED, "w cannot be in shared memory: extent unknown");
  scene_array(&s, 1, 0);
  refuses(&s, PLACE_GLOBAL, PLACE_CONSTANT, "outside of the mapped section");
  scene_array(&s, 0, 30 << 10), scene_array(&s, 1, 30 << 10);
  scene_arg(&s, 1, 7680); /* 30 KiB of taps */
  refuses(&s, PLACE_SHARED, PLACE_SHARED, "do not fit into constant or shared memory together");
  refuses(&s, PLACE_CONSTANT, PLACE_CONSTANT, "do not fit into constant or shared memory together");
  s.launch.constant_bytes = 16 << 10; /* of this program's bank */
  refuses(&s, PLACE_GLOBAL, PLACE_CONSTANT, "w cannot be in constant memory: does not fit (30 KiB > 16 KiB)");
  s.launch.constant_bytes = 0;
  refuses(&s, PLACE_CONSTANT, PLACE_CONSTANT, "do not fit into constant or shared memory together");
  s.launch.dynamic_shared_bytes = 20 << 10;
  refuses(&s, PLACE_GLOBAL, PLACE_SHARED, "does not fit (30 KiB > 28 KiB)");
  scene_close(&s);
}

static void teams(void **state) {
  (void)state;
  struct scene s;
  struct place_plan plan;
  const enum place_space staged[] = {PLACE_GLOBAL, PLACE_SHARED};
  scene_lut(&s, 8192, false);
  assert_int_equal(make(&s, staged, &plan, NULL), 0);
  assert_int_equal(plan.teams, 132 * 6);
  scene_array(&s, 1, 16384); /* 13 teams would fit an SM, but registers may not allow them */
  assert_int_equal(make(&s, staged, &plan, NULL), 0);
  assert_int_equal(plan.teams, 132 * 48);
  s.launch.trip_count = 1 << 20; /* too little work for so many copies */
  assert_int_equal(make(&s, staged, &plan, NULL), 0);
  assert_int_equal(plan.teams, 3200);
  s.launch.trip_count = 1000; /* no more teams than there is work for */
  assert_int_equal(make(&s, staged, &plan, NULL), 0);
  assert_int_equal(plan.teams, 8);
  s.launch.teams = 100; /* asked for by the program */
  assert_int_equal(make(&s, staged, &plan, NULL), 0);
  assert_int_equal(plan.teams, 0);
  s.launch.teams = 0;
  struct place_region copy = *s.region;
  copy.reduction = true;
  assert_int_equal(make_of(&s, &copy, staged, &plan, NULL), 0);
  assert_int_equal(plan.teams, 0);
  scene_close(&s);
}

static void ranking_promises(void **state) {
  (void)state;
  struct scene s;
  struct place_plan plans[8];
  scene_conv1d(&s, 64);
  for (int capacity = 0; capacity <= 8; capacity++) {
    int n = rank(&s, PLACE_SOLVER_AUTO, plans, capacity, NULL), global = 0;
    assert_true(n <= capacity && (capacity == 0 || n >= 1));
    for (int i = 0; i < n; i++) global += plans[i].version == -1;
    assert_int_equal(global, capacity > 0);
    if (capacity > 1) assert_int_equal(plans[0].array[1].space, PLACE_CONSTANT);
  }
  for (int i = 0; i < MAX_ARRAYS; i++) s.allowed[i] = PLACE_SPACE_BIT(PLACE_GLOBAL);
  assert_int_equal(rank(&s, PLACE_SOLVER_AUTO, plans, 8, NULL), 1);
  scene_close(&s);
}

static void solvers_agree(void **state) {
  (void)state;
  static const enum place_solver solvers[] = {PLACE_SOLVER_AUTO,  PLACE_SOLVER_EXACT, PLACE_SOLVER_GLPK,
                                              PLACE_SOLVER_GREEDY, PLACE_SOLVER_BRUTE, PLACE_SOLVER_ILP};
  for (int i = 0; i < 6; i++) {
    struct scene s;
    struct place_plan plans[8];
    scene_conv1d(&s, 64);
    assert_true(rank(&s, solvers[i], plans, 8, NULL) > 1);
    assert_int_equal(plans[0].array[1].space, PLACE_CONSTANT);
    scene_close(&s);
    scene_lut(&s, 8192, true);
    assert_true(rank(&s, solvers[i], plans, 8, NULL) > 1);
    assert_int_equal(plans[0].array[1].space, PLACE_SHARED);
    scene_close(&s);
  }
}

static void unsupported(void **state) {
  (void)state;
  struct scene s;
  struct place_plan plan;
  struct place_array_summary summary[1];
  scene_open(&s, "cdf", 2, 0);
  assert_int_equal(rank(&s, PLACE_SOLVER_AUTO, &plan, 1, summary), 1);
  assert_int_equal(plan.version, -1);
  assert_int_equal(plan.placeable_count, 0);
  assert_int_equal(summary[0].candidates, PLACE_SPACE_BIT(PLACE_GLOBAL));
  scene_close(&s);
}

/* Whatever a launch claims: no crash, no undefined behaviour, plans within capacity. */
static void odd_launches(void **state) {
  (void)state;
  static const char *const names[] = {"conv1d", "lut", "spmv", "triad", "box", "cdf", "pass_conv1d", "pass_lookup", "pass_spmv",
                                      "pass_triad", "pass_box", "pass_particlefilter"};
  for (int i = 0; i < 1500; i++) {
    struct scene s;
    struct place_plan plans[8];
    struct place_array_summary summary[MAX_ARRAYS];
    scene_open(&s, names[i % 12], 0, random_below(3) ? random_below(1 << 20) : random_u64());
    for (int k = 0; k < 10; k++)
      if (random_below(8)) scene_arg(&s, k, random_below(3) ? random_below(10000) : random_u64() >> random_below(64));
    for (int k = 0; k < 8; k++) {
      s.extent[k] = (struct place_extent){(int64_t)random_below(100) * 4 - 100, random_u64() >> random_below(64), random_below(8) > 0};
      s.allowed[k] = 1 | (unsigned)random_below(16);
    }
    s.launch.threads = random_below(3) ? 128 : (uint32_t)random_below(1025);
    s.launch.teams = random_below(3) ? 0 : (uint32_t)random_u64();
    s.launch.dynamic_shared_bytes = random_below(2) ? 0 : (uint32_t)random_u64() >> random_below(32);
    int n = rank(&s, PLACE_SOLVER_AUTO, plans, 8, summary);
    assert_true(n >= 1);
    for (int k = 0; k < n; k++) assert_true(plans[k].shared_bytes <= 49152 && isfinite(plans[k].cost_ns));
    scene_close(&s);
  }
}

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Median of a ranking's time; printed, and bounded loosely, for a busy machine under a sanitizer. */
static void time_one(const char *name, struct scene *s) {
  enum { RUNS = 41 };
  double us[RUNS];
  struct place_plan plans[8];
  for (int i = 0; i < RUNS; i++) {
    double begin = now_us(), t;
    rank(s, PLACE_SOLVER_AUTO, plans, 8, NULL);
    t = now_us() - begin;
    int k = i;
    for (; k > 0 && us[k - 1] > t; k--) us[k] = us[k - 1];
    us[k] = t;
  }
  printf("ranking %-24s %8.1f us (median of %d)\n", name, us[RUNS / 2], RUNS);
  assert_true(us[RUNS / 2] < 50000);
  scene_close(s);
}

/* What a launch of a new size pays: windows, version and teams of a known plan. */
static void make_time(void **state) {
  (void)state;
  enum { RUNS = 2000 };
  struct scene s;
  struct place_plan plan;
  static const struct { const char *name; enum place_space space[4]; } made[] = {
    {"conv1d", {PLACE_GLOBAL, PLACE_SHARED}},
    {"box, radius 4", {PLACE_GLOBAL, PLACE_SHARED}},
    {"spmv", {0, 0, 0, PLACE_READONLY}}};
  for (int i = 0; i < 3; i++) {
    if (i == 0) scene_conv1d(&s, 64);
    else if (i == 1) scene_box(&s, 4);
    else scene_spmv(&s, true);
    double begin = now_us();
    for (int run = 0; run < RUNS; run++) assert_int_equal(make(&s, made[i].space, &plan, NULL), 0);
    double us = (now_us() - begin) / RUNS;
    printf("making a plan %-18s %8.2f us (mean of %d)\n", made[i].name, us, RUNS);
    assert_true(us < 1000); /* loosely: a busy machine, a sanitizer */
    scene_close(&s);
  }
}

static void rank_time(void **state) {
  (void)state;
  struct scene s;
  scene_conv1d(&s, 64), time_one("conv1d", &s);
  scene_lut(&s, 8192, true), time_one("look-up, profiled", &s);
  scene_lut(&s, 8192, false), time_one("look-up, not profiled", &s);
  scene_triad(&s, MEBI), time_one("triad", &s);
  scene_box(&s, 4), time_one("box, radius 4", &s);
  scene_spmv(&s, true), time_one("spmv, profiled", &s);
}

static int open_machine(void **state) {
  (void)state;
  machine = h200();
  return 0;
}

static int close_machine(void **state) {
  (void)state;
  msl_free(machine);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(make_windows),  cmocka_unit_test(make_versions),
                                     cmocka_unit_test(make_refusals), cmocka_unit_test(teams),
                                     cmocka_unit_test(ranking_promises), cmocka_unit_test(solvers_agree),
                                     cmocka_unit_test(unsupported),   cmocka_unit_test(odd_launches),
                                     cmocka_unit_test(rank_time),     cmocka_unit_test(make_time)};
  return cmocka_run_group_tests(tests, open_machine, close_machine);
}
