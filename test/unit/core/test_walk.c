/* The access walk: lanes against single values, addresses against the kernel's own arithmetic, profile, executions. */
#include "launches.h"

#include <math.h>

#include "bound.h"
#include "random_expr.h"
#include "find_traits.h"

static void lanes_are_values(void **state) {
  (void)state;
  static char text[1 << 16];
  struct place_expr_pool pool = {0};
  unsigned affine = 0;
  for (int i = 0; i < 100000; i++) {
    uint64_t loop[3], arg[3];
    bool known[3] = {true, true, true};
    pool.count = 0;
    random_text(text, 1 + (int)random_below(4));
    place_expr e = place_expr_parse(&pool, text, strlen(text), NULL);
    for (int k = 0; k < 3; k++) loop[k] = random_below(5) ? random_below(100) : random_u64(), arg[k] = random_u64() >> random_below(64);
    struct place_point at = {.tid = 32 * random_below(4), .team = random_below(4000), .threads = 128, .teams = 3200,
                             .loop = loop, .loops = 3, .arg = arg, .arg_known = known, .args = 3};
    struct lanes lanes;
    bool has = lanes_eval(&pool, e, &at, &lanes), all = true;
    uint64_t value[LANES], first = at.tid;
    for (unsigned l = 0; l < LANES; l++) {
      at.tid = first + l;
      all &= place_expr_eval(&pool, e, &at, &value[l]);
    }
    assert_true(has == all);
    for (unsigned l = 0; has && l < LANES; l++)
      if (lanes_at(&lanes, l) != value[l]) fail_msg("%s: lane %u", text, l);
    affine += has && lanes.affine;
  }
  printf("%u of 100000 stay affine in the lane\n", affine);
  place_expr_pool_free(&pool);
}

/* Bound expressions against lanes_eval, at points in the ranges that were stated, symbol by symbol. */
static void bound_values_are_lanes(void **state) {
  (void)state;
  enum { SEVERAL = 4, POINTS = 6 };
  static char text[1 << 16];
  struct place_expr_pool pool = {0};
  unsigned known = 0, affine = 0;
  for (int i = 0; i < 20000; i++) {
    uint64_t loop[3] = {0, 0, 0}, arg[3];
    bool arg_known[3] = {true, random_below(4) != 0, true};
    place_expr e[SEVERAL];
    int32_t part[SEVERAL];
    struct bound bound;
    pool.count = 0;
    for (int k = 0; k < 3; k++) arg[k] = random_u64() >> random_below(64);
    struct place_point at = {.tid = 127, .team = 3199, .threads = 128, .teams = 3200, .loop = loop,
                             .arg = arg, .arg_known = arg_known, .args = 3};
    assert_int_equal(bound_open(&bound, BOUND_WARP, &pool, &at, 3), 0);
    for (int k = 0; k < 3; k++) bound_next_loop(&bound, k == 2 ? UINT64_MAX : 99);
    for (int k = 0; k < SEVERAL; k++) {
      random_text(text, 1 + (int)random_below(4));
      e[k] = place_expr_parse(&pool, text, strlen(text), NULL);
      part[k] = bound_add(&bound, e[k]);
    }
    assert_int_equal(bound_ready(&bound), 0);
    for (int n = 0; n < POINTS; n++) {
      unsigned changed = (unsigned)random_below(4);
      if (changed == 3 || n == 0) bound_warp(&bound, at.tid = 32 * random_below(4), at.team = random_below(3200));
      else bound_loop(&bound, changed, loop[changed] = changed == 2 ? random_u64() : random_below(100));
      at.loops = (size_t)random_below(4);
      for (int k = 0; k < SEVERAL; k++) {
        struct lanes lanes;
        bool has = lanes_eval(&pool, e[k], &at, &lanes);
        const struct lanes *value = bound_eval(&bound, part[k], at.loops);
        assert_true(has == (value != NULL));
        for (unsigned l = 0; has && l < LANES; l++)
          if (lanes_at(&lanes, l) != lanes_at(value, l)) fail_msg("expression %d, lane %u", e[k], l);
        known += has;
        affine += has && value->affine;
      }
    }
    bound_close(&bound);
  }
  printf("%u values, %u of them affine in the lane\n", known, affine);
  assert_true(known > 20000);
  place_expr_pool_free(&pool);
}

/* One thread, and what is not known is 0. */
static void bound_threads(void **state) {
  (void)state;
  static const char text[] = "8*zext32(tid + 128*team) + 3*any + umin64(L0, any(arg0))";
  struct place_expr_pool pool = {0};
  struct bound bound;
  struct place_point at = {.tid = 127, .team = 9, .threads = 128, .teams = 10};
  place_expr e = place_expr_parse(&pool, text, sizeof text - 1, NULL);
  assert_int_equal(bound_open(&bound, BOUND_THREAD, &pool, &at, 1), 0);
  bound_next_loop(&bound, 1);
  int32_t part = bound_add(&bound, e);
  assert_int_equal(bound_ready(&bound), 0);
  bound_warp(&bound, 5, 2);
  bound_loop(&bound, 0, 1);
  const struct lanes *value = bound_eval(&bound, part, 1);
  assert_non_null(value);
  assert_true(lanes_at(value, 0) == 8 * (5 + 256));
  bound_close(&bound);
  place_expr_pool_free(&pool);
}

static struct walk walk_scene(const struct scene *s) {
  struct walk walk;
  struct place_diag diag = {""};
  const struct place_question question = scene_question(s, NULL, PLACE_MODEL_PLACE);
  if (walk_launch(&question, s->extent, &walk, &diag)) fail_msg("%s", diag.text);
  return walk;
}

static void conv1d_addresses(void **state) {
  (void)state;
  struct scene s;
  scene_conv1d(&s, 64);
  struct walk w = walk_scene(&s);
  unsigned seen[3] = {0}, j = 0;
  assert_int_equal(w.teams, 3200);
  assert_true(w.total_warps == 12800);
  for (size_t e = 0; e < w.count; e++) {
    const struct walk_event *event = &w.events[e];
    if (e == 0 || event->warp != w.events[e - 1].warp) memset(seen, 0, sizeof seen);
    j = seen[event->access]++;
    for (unsigned l = 0; l < 32; l++) {
      int64_t i = (int64_t)scene_thread(event->warp, l);
      int64_t expected = event->access == 0 ? 4 * (i + j % 64) : event->access == 1 ? 4 * (j % 64) : 4 * (i + 3200 * 128 * j);
      assert_int_equal(walk_offset(event, l), expected);
    }
    assert_int_equal(event->active, UINT32_MAX);
  }
  assert_true(fabs(w.access[0].executions - 41 * 64) < 64);
  assert_true(fabs(w.access[1].executions - 41 * 64) < 64);
  assert_true(fabs(w.access[2].executions - 41) < 1);
  assert_false(w.access[0].assumed || w.access[0].logged);
  assert_true(w.warps >= 2 && w.warps <= WALK_WARPS);
  walk_free(&w);
  scene_close(&s);
}

/* A launch that does not fill its last warp: lanes beyond the trip count take no part. */
static void short_launch(void **state) {
  (void)state;
  struct scene s;
  scene_triad(&s, 1000);
  struct walk w = walk_scene(&s);
  assert_int_equal(w.teams, 8); /* ceil(1000 / 128) */
  assert_true(w.warps >= 2 && w.warps <= 8);
  for (size_t e = 0; e < w.count; e++)
    for (unsigned l = 0; l < 32; l++)
      if (w.events[e].active >> l & 1) assert_true(walk_offset(&w.events[e], l) < 4 * 1024);
  walk_free(&w);
  scene_close(&s);
}

/* Lanes that have no iteration find a number of inner ones that has wrapped around; they make none. */
static void wrapped_trips(void **state) {
  (void)state;
  static const char body[] =
    "place-table 2\n"
    "region runs\n"
    "at 1 f runs.c\n"
    "kind spmd\n"
    "launch 128 open - -\n"
    "loop 0 -1 zext32((16 + (-1)*tid))\n"
    "array 0 0 a 4 r 0 global,readonly - -\n"
    "access 0 0 read 4 0 0 0 -1 -1 4*tid + 128*L0\n"
    "version runs_g role=plan loop=original space=g threads=128 needs=threads:128\n";
  char text[1024];
  struct scene s = {.launch = {.trip_count = 16, .threads = 128}};
  struct place_diag diag = {""};
  int length = snprintf(text, sizeof text, "%send %016llx\n", body, (unsigned long long)place_fnv1a(body, sizeof body - 1));
  if (place_table_read(text, (size_t)length, &s.table, &diag)) fail_msg("%s", diag.text);
  s.region = s.table.regions;
  s.launch.arg = s.arg, s.launch.arg_known = s.arg_known, s.launch.args = 16;
  s.launch.extent = s.extent, s.launch.allowed = s.allowed;
  s.allowed[0] = 0xf;
  scene_array(&s, 0, 1 << 20);
  struct walk w = walk_scene(&s);
  assert_true(w.access[0].executions > 0 && w.access[0].executions <= 16);
  walk_free(&w);
  scene_close(&s);
}

static void logged_addresses(void **state) {
  (void)state;
  struct scene s;
  scene_spmv(&s, true);
  struct walk w = walk_scene(&s);
  size_t logged = 0;
  for (size_t e = 0; e < w.count; e++) {
    const struct walk_event *event = &w.events[e];
    if (event->access != 2) continue;
    for (unsigned l = 0; l < 32; l++) { /* a row of 32 elements each */
      uint64_t row = scene_thread(event->warp, l);
      assert_true((uint64_t)walk_offset(event, l) >= 4 * 32 * row && (uint64_t)walk_offset(event, l) < 4 * 32 * (row + 1));
    }
    logged++;
  }
  assert_true(logged >= 2 * WALK_LEAST_EVENTS);
  assert_true(w.access[2].logged && w.access[4].logged && !w.access[0].logged && !w.access[4].assumed);
  assert_true(fabs(w.access[2].executions - 96) < 1e-9);
  assert_true(w.access[0].executions == 2.625); /* 2.56 rows a thread: 3 in five slots of eight, 2 in the others */
  walk_free(&w);
  scene_close(&s);
}

/* The loop's trip count is unknown, but a logged access in it tells how long it runs. */
static void witnessed_loop(void **state) {
  (void)state;
  struct scene s;
  scene_cdf_scan(&s, 1000, 3200 * 128);
  struct walk w = walk_scene(&s);
  assert_true(w.access[1].executions > 900 && w.access[1].executions <= 1000); /* the slowest of 32 random lanes */
  assert_true(w.access[0].executions == 1);
  walk_free(&w);
  scene_close(&s);
}

static void unprofiled(void **state) {
  (void)state;
  struct scene s;
  scene_spmv(&s, false);
  struct walk w = walk_scene(&s);
  assert_true(w.access[4].assumed);
  assert_true(w.access[2].executions == 2.625 * WALK_DEFAULT_TRIPS);
  for (size_t e = 0; e < w.count; e++)
    if (w.events[e].access == 4)
      for (unsigned l = 0; l < 32; l++) assert_true(walk_offset(&w.events[e], l) >= 0 && walk_offset(&w.events[e], l) < 4 << 20);
  walk_free(&w);
  scene_close(&s);
}

static void damaged_profile(void **state) {
  (void)state; /* whatever the buffer holds, the walk ends and stays in bounds */
  for (int i = 0; i < 30; i++) {
    struct scene s;
    scene_spmv(&s, true);
    for (size_t k = 0; k < PLACE_PROFILE_WORDS; k++)
      if (random_below(3) == 0) s.words[k] = (uint32_t)random_u64();
    struct walk w = walk_scene(&s);
    assert_true(w.count > 0);
    walk_free(&w);
    scene_close(&s);
  }
}

static void stability(void **state) {
  (void)state; /* Procedure 2, lines 25 to 33 */
  assert_true(walk_is_stable(100.4, 100, 50));
  assert_false(walk_is_stable(110, 100, 50));
  assert_true(walk_is_stable(150, 100, 50)); /* grows by the same amount */
  assert_false(walk_is_stable(160, 100, 50));
}

/* Many accesses share what is sampled; none is left without. */
static void shares(void **state) {
  (void)state;
  static const struct { uint32_t together; size_t accesses; uint32_t expected; } cases[] = {
    {4096, 0, 48}, {4096, 1, 48}, {4096, 85, 48}, {4096, 86, 47}, {4096, 287, 14}, {4096, 512, 8}, {4096, 60000, 8}, {0, 1, 8},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(walk_share(cases[i].together, cases[i].accesses, 8, 48), cases[i].expected);
}

static void patterns(void **state) {
  (void)state;
  struct scene s;
  struct place_machine *machine = h200();
  struct candidate c[MAX_ARRAYS];
  struct traits t;
  scene_spmv(&s, true);
  struct walk w = walk_scene(&s);
  const struct place_question question = scene_question(&s, machine, PLACE_MODEL_PLACE);
  assert_int_equal(candidates_find(&question, c, NULL), 0);
  assert_int_equal(traits_find(s.region, machine, &w, c, &t, NULL), 0);
  assert_string_equal(t.array[0].pattern, "stride 1");
  assert_string_equal(t.array[1].pattern, "irregular via rp");
  assert_string_equal(t.array[3].pattern, "irregular via ci");
  assert_true(t.array[3].irregular && !t.array[0].irregular);
  assert_true(t.access[0].transactions[PLACE_GLOBAL][0] == 1); /* one line of 128 bytes */
  assert_true(t.access[0].transactions[PLACE_GLOBAL][1] == 4); /* four sectors */
  assert_true(t.access[1].transactions[PLACE_GLOBAL][0] == 2); /* shifted by one element */
  assert_true(t.access[2].transactions[PLACE_GLOBAL][0] == 32);
  assert_true(t.access[0].banked == 0 && t.access[1].banked == 0); /* affine in the lane */
  assert_true(t.access[4].banked > 2 && t.access[4].banked < 6);   /* 32 random words in 32 banks */
  traits_free(&t);
  walk_free(&w);
  scene_close(&s);
  msl_free(machine);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_are_values), cmocka_unit_test(bound_values_are_lanes),
                                     cmocka_unit_test(bound_threads),    cmocka_unit_test(conv1d_addresses),
                                     cmocka_unit_test(short_launch),     cmocka_unit_test(wrapped_trips),
                                     cmocka_unit_test(logged_addresses),
                                     cmocka_unit_test(witnessed_loop),   cmocka_unit_test(unprofiled),
                                     cmocka_unit_test(damaged_profile),  cmocka_unit_test(stability), cmocka_unit_test(shares),
                                     cmocka_unit_test(patterns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
