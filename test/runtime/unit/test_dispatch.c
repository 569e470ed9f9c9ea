#define _GNU_SOURCE
/* Launches: legality, copies, fallbacks, what is stored, threads. */
#include "launch_scene.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "place/case.h"

static char *slurp(const char *folder, const char *name, char *path, size_t size) {
  static char text[1 << 16];
  snprintf(path, size, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s was not written", path);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  return text;
}

/* PLACE_CASE: what was looked at can be read back, and every plan in the list can be forced. */
static void stores_cases(void **state) {
  (void)state;
  char folder[] = "place-case-XXXXXX", path[256];
  struct place_case c;
  struct place_diag diag = {""};
  unsigned plans = 0;
  map_all();
  assert_non_null(mkdtemp(folder));
  rt.config.case_folder = folder;
  launch_mapped(2);
  char *text = slurp(folder, "main-14-4032.case", path, sizeof path);
  if (place_case_read(text, strlen(text), &c, &diag)) fail_msg("%s", diag.text);
  assert_string_equal(c.region->entry, "kernel");
  assert_int_equal(c.launch.trip_count, N - TAPS);
  assert_int_equal(c.launch.extent[1].bytes, sizeof w);
  assert_null(c.profile);
  place_case_free(&c);
  unlink(path);
  for (char *line = slurp(folder, "main-14-4032.force", path, sizeof path), *next; *line; line = next, plans++) {
    next = strchr(line, '\n');
    *next++ = 0;
    struct force *one = force_parse(line, &diag);
    struct force_choice choice;
    if (!one || force_apply(one, table.regions, &choice, &diag)) fail_msg("%s: %s", line, diag.text);
    assert_true(choice.any && choice.version == FORCE_ANY);
    force_free(one);
  }
  assert_int_equal(plans, 16); /* four spaces each, the agnostic version has them all */
  unlink(path);
  assert_int_equal(rmdir(folder), 0);
}

static void forced_from_the_first_launch(void **state) {
  (void)state;
  map_all();
  force("main:w=constant");
  launch_mapped(5);
  assert_int_equal(ran[GC], 5);
  assert_true(only_class()->samples == 5);
}

static void timer_entries_are_reused_after_clearing(void **state) {
  (void)state;
  map_all();
  force("*:version=base");
  launch_mapped(3 * PLACE_TIMER_ENTRIES);
  assert_int_equal(ran[GG], 3 * PLACE_TIMER_ENTRIES);
  assert_true(only_class()->samples == 3 * PLACE_TIMER_ENTRIES);
}

/* What programs of older plugins have: the entries lie closer together. */
static void a_small_timer_is_read_by_its_size(void **state) {
  (void)state;
  module.timer.bytes /= 8;
  map_all();
  force("*:version=base");
  launch_mapped(3 * PLACE_TIMER_ENTRIES);
  assert_true(only_class()->samples == 3 * PLACE_TIMER_ENTRIES);
  for (size_t i = module.timer.bytes / sizeof *timer; i < sizeof timer / sizeof *timer; i++) assert_int_equal(timer[i], 0);
}

static void changes_reach_the_constant_copy(void **state) {
  (void)state;
  map_all();
  force("main:w=constant");
  launch_mapped(2);
  struct ext_object *object = ext_find(&device.ext, (uintptr_t)w);
  device_w[3] = 1000; /* target update */
  ext_change(&device.ext, object);
  launch_mapped(2);
  device_w[4] = 2000; /* omp_target_memcpy */
  ext_device_written(&device.ext, (uintptr_t)device_w + 16, 4, false);
  launch_mapped(2);
  assert_int_equal(ran[GC], 6);
  device_w[5] = 3000; /* a kernel of which nothing is known */
  struct rt_call call = call_of(a, w, o, 0);
  dispatch_unknown_begin(&device, false);
  launch(&call); /* at the same time: not now */
  assert_int_equal(ran[GC], 6);
  dispatch_unknown_end(&device);
  launch_mapped(1);
  assert_int_equal(ran[GC], 7);
  ext_escaped(&device.ext, (uintptr_t)w, "given out");
  device_w[6] = 4000; /* unseen */
  launch_mapped(2);
  assert_int_equal(ran[GC], 7);
}

static void mapped_by_the_launch_itself(void **state) {
  (void)state;
  force("main:w=constant");
  struct rt_call call = call_of(a, w, o, 1);
  launch(&call);
  launch(&call);
  assert_int_equal(fake.uploads, 1);
  w[7] = device_w[7] = 77;
  launch(&call);
  assert_int_equal(fake.uploads, 2);
  types[1] = MAP_TARGET_PARAM | MAP_FROM; /* without content */
  launch(&call);
  assert_int_equal(ran[GC], 3);
}

static void overlap_and_unknown_extents(void **state) {
  (void)state;
  map_all();
  static float unmapped[4];
  force("main:w=constant");
  struct rt_call call = call_of(a, o, o, 0); /* w is o */
  launch(&call);
  call = call_of(a, w, unmapped, 0);
  launch(&call);
  static float elsewhere[4];
  call = call_of(a, elsewhere, o, 0);
  launch(&call);
  assert_int_equal(ran[GC], 0);
  assert_int_equal(ran[VERSIONS], 3);
}

/* A nowait launch returns when its kernel has ended if it holds a copy in constant memory that another launch might replace. */
static void nowait_holds_its_copies(void **state) {
  (void)state;
  map_all();
  force("main:w=constant");
  struct rt_call call = call_of(a, w, o, 0);
  call.nowait = true;
  launch(&call);
  assert_int_equal(ran[GC], 1);
  assert_true(last.wait);
  rt.force = (force_free(rt.force), NULL);
}

static void remapped_elsewhere(void **state) {
  (void)state;
  static float other[TAPS];
  map_all();
  force("main:w=constant");
  launch_mapped(1);
  fake_unmap(w); /* unseen: the cached decision must not survive the next visible change */
  fake_map(w, other, sizeof w);
  ext_doubt(&device.ext);
  launch_mapped(1); /* the object is in doubt: original */
  assert_int_equal(ran[GC], 1);
}

static void failed_version_falls_back_for_good(void **state) {
  (void)state;
  map_all();
  force("main:w=constant");
  fail_next = 1;
  launch_mapped(3);
  assert_int_equal(ran[GC], 0);
  assert_int_equal(ran[VERSIONS], 3);
  assert_non_null(region.device[0]->dropped);
}

static void failed_copy_means_original(void **state) {
  (void)state;
  map_all();
  force("main:w=constant");
  rt.force = rt.force;
  module.timer = (struct rt_symbol){NULL, 0};
  fake.fail = 1;
  launch_mapped(1);
  assert_int_equal(ran[VERSIONS], 1);
  launch_mapped(1);
  assert_int_equal(ran[GC], 1);
}

static void shared_windows(void **state) {
  (void)state;
  map_all();
  force("main:w=shared");
  struct rt_call call = call_of(a, w, o, 0);
  call.dynamic_shared_bytes = 100;
  launch(&call);
  assert_int_equal(ran[GS], 1);
  const uint64_t *mine = last.words + PLACE_CONTROL_WORDS + PLACE_WORDS_PER_ARRAY;
  assert_int_equal(mine[PLACE_WORD_SELECT] & 0xff, PLACE_SHARED);
  assert_int_equal(last.words[PLACE_CONTROL_SHARED], 112);
  uint64_t slot = mine[PLACE_WORD_BIAS] + mine[PLACE_WORD_LO];
  assert_true(slot >= 112 && slot + (mine[PLACE_WORD_SELECT] >> 8) <= last.dynamic_shared_bytes);
  assert_true(last.dynamic_shared_bytes < 112 + 512);
}

/* What a launch costs beyond the launch itself, once its plan is settled. Not judged tightly: sanitizers and busy machines
 * run this too. The figure that counts comes from benchmarks/. */
static int empty_launcher(void *context, const struct rt_request *request) {
  (void)context, (void)request;
  return 0;
}

static uint64_t real_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void cheap(void **state) {
  enum { ROUNDS = 100000 };
  (void)state;
  map_all();
  kernel_ns[GC] = 50000;
  uint64_t begun = real_now();
  launch_mapped(1);
  double first = (double)(real_now() - begun);
  launch_mapped(59);
  assert_true(only_class()->chosen > 0);
  rt.ops.now_ns = real_now;
  struct rt_call call = call_of(a, w, o, 0);
  uint64_t from = real_now();
  for (int i = 0; i < ROUNDS; i++) dispatch_launch(&rt, &device, &region, &call, empty_launcher, NULL);
  double settled = (double)(real_now() - from) / ROUNDS;
  from = real_now();
  for (int i = 0; i < ROUNDS / 10; i++) {
    ext_doubt(&device.ext);
    dispatch_launch(&rt, &device, &region, &call, empty_launcher, NULL);
  }
  double remade = (double)(real_now() - from) / (ROUNDS / 10);
  print_message("dispatch: %.0f ns the first time, %.0f ns with the decision reused, %.0f ns with it made anew\n", first, settled,
                remade);
  assert_true(settled < 200000 && remade < 2000000);
}

/* Everything at once, from several threads: the sanitizers watch, and every result is right. */
static pthread_mutex_t kernel_lock = PTHREAD_MUTEX_INITIALIZER;
static int locked_launcher(void *context, const struct rt_request *request) {
  (void)context;
  pthread_mutex_lock(&kernel_lock);
  int rc = launcher(NULL, request);
  assert_true(device_o[0] == expected());
  pthread_mutex_unlock(&kernel_lock);
  return rc;
}

static void *thread_main(void *unused) {
  void *p[3] = {a, w, o};
  int64_t s[3] = {0}, t[3] = {MAP_TARGET_PARAM, MAP_TARGET_PARAM, MAP_TARGET_PARAM};
  struct rt_call call = {.host_ptr = &region, .maps = {3, p, p, s, t, NULL}, .trip_count = N - TAPS};
  for (int i = 0; i < 300; i++) {
    dispatch_launch(&rt, &device, &region, &call, locked_launcher, NULL);
    if (i % 50 == 49) {
      pthread_mutex_lock(&device.lock);
      ext_change_all(&device.ext);
      ext_doubt(&device.ext);
      pthread_mutex_unlock(&device.lock);
    }
  }
  return unused;
}

static void several_threads(void **state) {
  (void)state;
  pthread_t thread[4];
  map_all();
  kernel_ns[GC] = 50000;
  for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, thread_main, NULL);
  for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  assert_int_equal(only_class()->launches, 1200);
  assert_int_equal(device.ext.writers, 0);
  assert_false(device.measuring);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
    TEST(stores_cases), TEST(forced_from_the_first_launch), TEST(timer_entries_are_reused_after_clearing),
      TEST(a_small_timer_is_read_by_its_size),
    TEST(changes_reach_the_constant_copy), TEST(mapped_by_the_launch_itself), TEST(overlap_and_unknown_extents), TEST(nowait_holds_its_copies),
    TEST(remapped_elsewhere), TEST(failed_version_falls_back_for_good), TEST(failed_copy_means_original),
    TEST(shared_windows), TEST(several_threads), TEST(cheap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
