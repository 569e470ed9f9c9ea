/* Launches before anything was measured (presume.h). */
#include "scene_regions.h"

#define SCENE_BODY \
  SCENE_PLAIN("128 open - - open-threads") \
  "version kernel_base role=base loop=original space=-,-,-\n" \
  "version kernel_alone role=plan loop=isolated space=-,-,-\n" \
  "version kernel_natural role=plan loop=natural space=-,-,- threads=256 each=1 short=24 needs=open-threads,trips-most:100000\n" \
  "version kernel_wide role=plan loop=natural space=-,-,- threads=256 each=1 short=24 needs=open-threads,trips-most:2000\n" \
  "version kernel_warp role=plan loop=natural space=-,-,- kernel=kernel_natural threads=32 each=1 short=24 needs=open-threads,trips-most:1000\n"
enum { BASE, ALONE, NATURAL, WIDE, WARP, VERSIONS };
#include "launch_scene.h"

static const double patience_ns = 2e6;

static int set_up_bounded(void **state) {
  int rc = set_up(state);
  rt.config.patience_ns = patience_ns;
  original_ns = 100000;
  return rc;
}

static void is_untimed(void) { assert_int_equal(last.words[PLACE_CONTROL_TIMER], 0); }

/* From the first launch on, untimed, in the teams that the version asks for. */
static void the_first_launch(void **state) {
  (void)state;
  map_all();
  during = is_untimed;
  launch_mapped(1);
  assert_int_equal(ran[NATURAL], 1);
  assert_int_equal(last.thread_limit, 256);
  assert_int_equal(last.teams, (N - TAPS + 255) / 256);
  struct rt_class *c = only_class();
  assert_true(c->phase == CLASS_NEW && c->presumed_launches == 1 && c->placed_launches == 1);
  assert_int_equal(region.device[0]->original_launches, 0);
  assert_non_null(strstr(report_left_alone(&rt, &region, region.device[0], c), "hardly ever slower"));
}

/* Of several, the one with the smallest teams; of those with equal ones, the first. */
static void few_iterations(void **state) {
  (void)state;
  map_all();
  struct rt_call call = call_of(a, w, o, 0);
  call.trip_count = 900;
  launch(&call);
  assert_true(ran[WARP] == 1 && last.thread_limit == 32);
  call.trip_count = 1500;
  launch(&call);
  assert_true(ran[NATURAL] == 1 && ran[WIDE] == 0);
  call.trip_count = 200000; /* more than either is for */
  launch(&call);
  assert_int_equal(ran[VERSIONS], 1);
}

/* What moves few bytes is only where the program itself has an iteration for each thread. */
static void few_bytes(void **state) {
  (void)state;
  map_all();
  for (int v = NATURAL; v <= WARP; v++) table.regions[0].versions[v].brief = 8;
  struct rt_call call = call_of(a, w, o, 0);
  launch(&call);
  call.teams = (N - TAPS + 127) / 128 - 1;
  launch(&call);
  assert_true(ran[VERSIONS] == 2 && ran[NATURAL] == 0);
  call.teams++;
  launch(&call);
  assert_true(ran[VERSIONS] == 2 && ran[NATURAL] == 1);
}

/* A grid-stride loop takes as many teams as the GPU holds, and any number of bytes. */
static void reductions(void **state) {
  (void)state;
  map_all();
  for (int v = NATURAL; v <= WARP; v++) {
    struct place_version *version = &table.regions[0].versions[v];
    version->brief = v == NATURAL ? 8 : 0, version->each = 0, version->fill = 2048;
  }
  launch_mapped(1);
  assert_true(ran[NATURAL] == 1 && last.teams > 0);
}

/* What the program leaves to one team may have loops in its body. */
static void one_team(void **state) {
  (void)state;
  map_all();
  struct place_need needs[] = {{PLACE_NEED_ONE_TEAM, 0}};
  for (int v = NATURAL; v <= WARP; v++) {
    struct place_version *version = &table.regions[0].versions[v];
    version->brief = 0, version->each = 0, version->fill = v == WARP ? 0 : 2048;
    if (v != NATURAL) continue;
    free(version->needs);
    version->needs = memcpy(malloc(sizeof needs), needs, sizeof needs), version->need_count = 1;
  }
  struct rt_call call = call_of(a, w, o, 0);
  call.teams = 2;
  launch(&call);
  assert_true(ran[NATURAL] == 0 && ran[VERSIONS] == 1);
  call.teams = 1;
  launch(&call);
  assert_true(ran[NATURAL] == 1 && last.teams > 1);
}

static void is_not_waited_for(void **state) {
  (void)state;
  map_all();
  struct rt_call call = call_of(a, w, o, 0);
  call.nowait = true;
  launch(&call);
  assert_true(ran[NATURAL] == 1 && !last.wait);
}

static void what_forbids_it(void **state) {
  (void)state;
  static const struct { double patience_ns; unsigned trials; bool open_threads, machine, keeps_shape; } all[] = {
    {0, 3, true, true, false},           {patience_ns, 0, true, true, false}, {patience_ns, 3, false, true, false},
    {patience_ns, 3, true, false, false}, {patience_ns, 3, true, true, true},  {patience_ns, 3, true, true, false}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    set_up_bounded(NULL);
    map_all();
    const struct place_machine *machine = rt.machine;
    rt.config.patience_ns = all[i].patience_ns;
    rt.config.trials = all[i].trials;
    rt.config.keeps_shape = all[i].keeps_shape;
    table.regions[0].open_threads = all[i].open_threads;
    if (!all[i].machine) rt.machine = NULL;
    struct rt_call call = call_of(a, w, o, 0);
    call.thread_limit = 64;
    launch(&call);
    bool last_one = i + 1 == sizeof all / sizeof *all;
    assert_true(ran[NATURAL] == last_one && ran[VERSIONS] == !last_one);
    rt.machine = machine;
    tear_down(NULL);
  }
  set_up_bounded(NULL); /* for tear_down */
}

/* The trial is as ever: what it finds is launched from then on. */
static void a_trial_decides(void **state) {
  (void)state;
  map_all();
  kernel_ns[NATURAL] = 70000;
  kernel_ns[ALONE] = 30000;
  launch_mapped(200);
  struct rt_class *c = only_class();
  assert_int_equal(c->phase, CLASS_SETTLED);
  assert_int_equal(c->plan[c->chosen].version, ALONE);
}

/* What a trial has found to be slower is not launched at another size either. */
static void a_loss_counts_everywhere(void **state) {
  (void)state;
  map_all();
  kernel_ns[NATURAL] = kernel_ns[WARP] = 130000;
  kernel_ns[ALONE] = 120000;
  launch_mapped(300);
  struct rt_class *c = only_class();
  assert_true(c->phase == CLASS_SETTLED && c->chosen < 0 && c->presumed_launches > 0);
  unsigned natural = ran[NATURAL], original = ran[VERSIONS];
  struct rt_call call = call_of(a, w, o, 0);
  call.trip_count = N / 8;
  launch(&call);
  assert_true(ran[NATURAL] == natural && ran[WARP] == 0 && ran[VERSIONS] == original + 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(the_first_launch, set_up_bounded, tear_down),
    cmocka_unit_test_setup_teardown(few_iterations, set_up_bounded, tear_down),
    cmocka_unit_test_setup_teardown(few_bytes, set_up_bounded, tear_down),
    cmocka_unit_test_setup_teardown(reductions, set_up_bounded, tear_down),
    cmocka_unit_test_setup_teardown(one_team, set_up_bounded, tear_down),
    cmocka_unit_test_setup_teardown(is_not_waited_for, set_up_bounded, tear_down),
    cmocka_unit_test_teardown(what_forbids_it, tear_down),
    cmocka_unit_test_setup_teardown(a_trial_decides, set_up_bounded, tear_down),
    cmocka_unit_test_setup_teardown(a_loss_counts_everywhere, set_up_bounded, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
