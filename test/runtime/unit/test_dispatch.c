#define _GNU_SOURCE
/* The launch path on a fake device whose kernels are done here: o[i] = sum of w, with w where the words say. */
#include "fake.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "place/case.h"

#include "class.h"
#include "decision.h"
#include "dispatch.h"
#include "machine_file.h"
#include "report.h"

enum { N = 4096, TAPS = 64 };
static float a[N], w[TAPS], o[N];                /* the program's */
static float device_a[N], device_w[TAPS], device_o[N];
static unsigned char bank[PLACE_CONST_BYTES];
static uint64_t timer[2 * PLACE_TIMER_ENTRIES];

static struct runtime rt;
static struct rt_device device;
static struct place_table table;
static struct rt_region region;
static struct rt_module module;
static struct rt_version versions[8];
static char ids[8], shadow_bank[PLACE_CONST_BYTES], shadow_timer[sizeof timer];

static const char body[] =
  "place-table 1\n"
  "region kernel\n"
  "at 14 main conv.c\n"
  "kind spmd\n"
  "launch 128 open - -\n"
  "loop 0 -1 64\n"
  "array 0 0 a 4 r 0 global,readonly,constant,shared - -\n"
  "array 1 1 w 4 r 1 global,readonly,constant,shared - -\n"
  "array 2 2 o 4 w -1 global - written\n"
  "access 0 0 read 4 0 0 0 -1 -1 4*(128*team + tid) + 4*L0\n"
  "access 1 1 read 4 0 0 0 -1 -1 4*L0\n"
  "access 2 2 write 4 -1 0 0 -1 -1 4*(128*team + tid)\n"
  "version kernel_gg special gg-\n"
  "version kernel_gc special gc-\n"
  "version kernel_gs special gs-\n"
  "version kernel_any agnostic **-\n";
enum { GG, GC, GS, ANY, VERSIONS };

/* ---- the kernels ---- */

static double kernel_ns[VERSIONS];
static unsigned ran[VERSIONS + 1]; /* the last: the original */
static int fail_next;
static void (*during)(void);       /* what happens while a kernel runs */
static struct rt_request last;

static const float *taps(const uint64_t *words) {
  const uint64_t *mine = words + PLACE_CONTROL_WORDS + PLACE_WORDS_PER_ARRAY;
  unsigned space = mine[PLACE_WORD_SELECT] & 0xff;
  if (space == PLACE_CONSTANT) return (const float *)(bank + mine[PLACE_WORD_BIAS]);
  return device_w;
}

static int launcher(void *context, const struct rt_request *request) {
  int version = VERSIONS;
  const float *from = device_w;
  (void)context;
  for (int v = 0; v < VERSIONS; v++)
    if (request->host_ptr == &ids[v]) version = v;
  last = *request;
  if (fail_next && version < VERSIONS) return fail_next--, -1;
  ran[version]++;
  if (version < VERSIONS) {
    uint64_t entry = request->words[PLACE_CONTROL_TIMER];
    from = taps(request->words);
    if (entry) {
      assert_true(entry <= PLACE_TIMER_ENTRIES);
      assert_int_equal(timer[2 * entry - 2], 0); /* used once */
      timer[2 * entry - 2] = ~(uint64_t)1000000;
      timer[2 * entry - 1] = 1000000 + (uint64_t)kernel_ns[version];
    }
    __atomic_add_fetch(&fake.clock_ns, (uint64_t)kernel_ns[version], __ATOMIC_RELAXED);
  }
  device_o[0] = 0;
  for (int i = 0; i < TAPS; i++) device_o[0] += from[i];
  if (during) during();
  return 0;
}

static float expected(void) {
  float sum = 0;
  for (int i = 0; i < TAPS; i++) sum += device_w[i];
  return sum;
}

/* ---- the launch ---- */

static void *pointers[3];
static int64_t sizes[3], types[3];

static struct rt_call call_of(void *pa, void *pw, void *po, int64_t size) {
  void *p[3] = {pa, pw, po};
  for (int i = 0; i < 3; i++) {
    pointers[i] = p[i];
    sizes[i] = size ? (i == 1 ? (int64_t)sizeof w : (int64_t)sizeof a) : 0;
    types[i] = MAP_TARGET_PARAM | (size ? MAP_TO | MAP_FROM : 0);
  }
  return (struct rt_call){.host_ptr = &region, .maps = {3, pointers, pointers, sizes, types, NULL}, .trip_count = N - TAPS};
}

static void launch(const struct rt_call *call) {
  assert_int_equal(dispatch_launch(&rt, &device, &region, call, launcher, NULL), 0);
  assert_true(device_o[0] == expected());
}

static void launch_mapped(unsigned times) {
  struct rt_call call = call_of(a, w, o, 0);
  while (times--) launch(&call);
}

static struct rt_class *only_class(void) {
  struct rt_device_region *s = region.device[0];
  assert_int_equal(s->class_count, 1);
  return s->classes[0];
}

/* ---- set-up ---- */

static void map_all(void) {
  void *base[3] = {a, w, o}, *to[3] = {device_a, device_w, device_o};
  int64_t size[3] = {sizeof a, sizeof w, sizeof o}, type[3] = {MAP_TO, MAP_TO, MAP_FROM};
  struct rt_maps maps = {3, base, base, size, type, NULL};
  for (int i = 0; i < 3; i++) fake_map(base[i], to[i], (size_t)size[i]);
  ext_begin(&device.ext, &maps, NULL, false);
}

static int set_up(void **state) {
  char text[4096];
  struct place_diag diag = {""};
  (void)state;
  memset(&fake, 0, sizeof fake);
  memset(timer, 0, sizeof timer);
  memset(ran, 0, sizeof ran);
  for (int i = 0; i < TAPS; i++) w[i] = device_w[i] = (float)i;
  during = NULL;
  int length = snprintf(text, sizeof text, "%send %016llx\n", body, (unsigned long long)place_fnv1a(body, sizeof body - 1));
  if (place_table_read(text, (size_t)length, &table, &diag)) fail_msg("%s", diag.text);
  rt = (struct runtime){.ops = fake_ops, .active = true, .config = {.trials = 3, .threshold = 0.01}};
  rt.machine = machine_file_load(NULL, 90, rt.machine_note, sizeof rt.machine_note);
  assert_non_null(rt.machine);
  device = (struct rt_device){.number = 0};
  pthread_mutex_init(&device.lock, NULL);
  ext_init(&device.ext, 0, &rt.ops);
  module = (struct rt_module){.constant = {shadow_bank, sizeof bank}, .timer = {shadow_timer, sizeof timer}};
  fake_map(shadow_bank, bank, sizeof bank);
  fake_map(shadow_timer, timer, sizeof timer);
  for (int v = 0; v < VERSIONS; v++) versions[v] = (struct rt_version){&ids[v], 0};
  static bool matters[3] = {true, true, true};
  memset((void *)&region, 0, sizeof region);
  region.table = &table;
  region.region = table.regions;
  region.module = &module;
  region.host_ptr = &region;
  region.versions = versions;
  region.matters = matters;
  region.argument_count = 3;
  for (int v = 0; v < VERSIONS; v++) kernel_ns[v] = 100000;
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  struct rt_device_region *s = region.device[0];
  for (unsigned i = 0; s && i < RT_DECISIONS; i++)
    if (s->cache[i]) decision_free(s->cache[i]), free(s->cache[i]);
  for (unsigned i = 0; s && i < s->class_count; i++) class_free(s->classes[i]);
  free(s);
  if (device.modules) const_free(&device.modules->bank);
  free(device.modules);
  ext_free(&device.ext);
  place_table_free(&table);
  msl_free((struct place_machine *)rt.machine);
  force_free(rt.force);
  return 0;
}

/* ---- tests ---- */

static void finds_and_keeps_the_faster_plan(void **state) {
  (void)state;
  map_all();
  kernel_ns[GC] = 60000;
  kernel_ns[ANY] = 150000;
  launch_mapped(60);
  struct rt_class *c = only_class();
  assert_int_equal(c->phase, CLASS_SETTLED);
  assert_true(c->chosen > 0);
  assert_int_equal(c->plan[c->chosen].version, GC);
  assert_true(ran[GC] > 30);
  assert_true(ran[VERSIONS] <= 2); /* the first launch */
  unsigned before = fake.uploads + fake.downloads;
  launch_mapped(10);
  assert_int_equal(before, fake.uploads + fake.downloads); /* nothing is copied any more */
  assert_int_equal(last.words[PLACE_CONTROL_TIMER], 0);
}

static void keeps_the_original_when_nothing_is_gained(void **state) {
  (void)state;
  map_all();
  kernel_ns[GC] = kernel_ns[GS] = kernel_ns[ANY] = 99900;
  launch_mapped(60);
  struct rt_class *c = only_class();
  assert_int_equal(c->phase, CLASS_SETTLED);
  assert_int_equal(c->chosen, -1);
  assert_true(ran[VERSIONS] > 20);
}

static void trusts_the_model_without_trials(void **state) {
  (void)state;
  map_all();
  rt.config.trials = 0;
  launch_mapped(3);
  assert_true(only_class()->chosen == 1 && only_class()->trusted);
  assert_int_equal(ran[VERSIONS], 2); /* the region's first, and the one that is looked at */
}

/* Nothing is profiled, searched or read back for a region that is launched once. */
static void launched_once(void **state) {
  (void)state;
  map_all();
  unsigned before = fake.uploads + fake.downloads;
  launch_mapped(1);
  assert_int_equal(only_class()->phase, CLASS_NEW);
  assert_true(only_class()->solve_ns == 0 && only_class()->profile_ns == 0);
  assert_string_equal(report_left_alone(&rt, &region, region.device[0], only_class()), "launched once");
  assert_int_equal(ran[VERSIONS], 1);
  assert_int_equal(before, fake.uploads + fake.downloads);
}

static void takes_a_while(void) { fake.clock_ns += 300000; }

/* Nothing is spent on a region before its launches have taken as long as PLACE_PATIENCE says. */
static void patience(void **state) {
  (void)state;
  map_all();
  rt.config.patience_ns = 1e6;
  during = takes_a_while;
  launch_mapped(3);
  assert_string_equal(report_left_alone(&rt, &region, region.device[0], only_class()),
                      "its launches have not taken as long as PLACE_PATIENCE says");
  launch_mapped(1);
  assert_int_equal(only_class()->phase, CLASS_NEW);
  assert_int_equal(ran[VERSIONS], 4);
  launch_mapped(1);
  assert_int_equal(only_class()->phase, CLASS_TRIAL);
}

/* A launch as a level of a search: the level is a scalar that decides nothing but how much work there is. */
static void launch_level(unsigned level, double scale) {
  struct rt_call call = call_of(a, w, o, 0);
  void *base[4] = {pointers[0], pointers[1], pointers[2], (void *)(uintptr_t)level};
  int64_t size[4] = {0, 0, 0, 4}, type[4] = {types[0], types[1], types[2], MAP_TARGET_PARAM | MAP_LITERAL};
  call.maps = (struct rt_maps){4, base, base, size, type, NULL};
  kernel_ns[GG] = 100000 * scale, kernel_ns[GC] = 92000 * scale, kernel_ns[GS] = kernel_ns[ANY] = 105000 * scale;
  launch(&call);
}

static void levels_are_told_apart(void **state) {
  (void)state;
  const double scale[] = {0.1, 1, 7, 3, 0.2};
  map_all();
  for (unsigned i = 0; i < 200; i++) launch_level(i % 5, scale[i % 5]);
  struct rt_class *c = only_class();
  assert_int_equal(c->tune.lap_launches, 5);
  assert_true(c->chosen > 0);
  assert_int_equal(c->plan[c->chosen].version, GC);
  assert_true(c->tune.gain > 0.07 && c->tune.gain < 0.09);
}

/* Many launches that come again, as the stages of a transform do: each is looked into once. */
static void many_decisions_are_kept(void **state) {
  (void)state;
  map_all();
  struct rt_call call = call_of(a, w, o, 0);
  for (int pass = 0; pass < 3; pass++)
    for (unsigned i = 0; i < 40; i++) {
      call.trip_count = N - TAPS - i;
      launch(&call);
    }
  const struct rt_device_region *s = region.device[0];
  assert_int_equal(s->fast + s->slow, 120);
  assert_true(s->slow >= 40 && s->slow <= 52); /* addresses differ from run to run, and so does who crowds whom out */
}

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

static struct rt_class *newest_class(void) {
  struct rt_device_region *s = region.device[0];
  return s->classes[s->class_count - 1];
}

/* The best plan flips when the region grows: from constant to shared memory. What is launched after ten launches of the new
 * size is the new best, and the next growth, which flips it back, is followed as fast. */
static void a_flip_is_followed(void **state) {
  (void)state;
  map_all();
  kernel_ns[GC] = 60000;
  kernel_ns[GS] = 80000;
  struct rt_call call = call_of(a, w, o, 0);
  call.trip_count = 1 << 20;
  for (int i = 0; i < 60; i++) launch(&call);
  assert_int_equal(only_class()->plan[only_class()->chosen].version, GC);
  for (int growth = 1; growth <= 4; growth++) {
    int best = growth % 2 ? GS : GC, other = growth % 2 ? GC : GS;
    call.trip_count *= 2;
    kernel_ns[GG] = 200000 * growth, kernel_ns[best] = 100000 * growth, kernel_ns[other] = 320000 * growth;
    for (int i = 0; i < 10; i++) launch(&call);
    struct rt_class *c = newest_class();
    if (c->phase != CLASS_SETTLED || c->chosen < 0)
      fail_msg("growth %d: phase %d, %d plans, %u rounds: %s", growth, (int)c->phase, c->plan_count, c->tune.arm[0].count,
               c->reason);
    assert_int_equal(c->plan[c->chosen].version, best);
    unsigned before = ran[best];
    for (int i = 0; i < 20; i++) launch(&call);
    assert_int_equal(ran[best], before + 20);
  }
}

/* What was best is checked again, and given up when it is no more; the checks become rare and cost few launches. */
static void drift_is_noticed(void **state) {
  (void)state;
  map_all();
  kernel_ns[GC] = 60000;
  kernel_ns[GS] = 80000;
  launch_mapped(60);
  struct rt_class *c = only_class();
  assert_int_equal(c->plan[c->chosen].version, GC);
  kernel_ns[GC] = 150000; /* say, another process has the constant cache */
  launch_mapped(CLASS_FIRST_CHECK + 40);
  assert_int_equal(c->phase, CLASS_SETTLED);
  assert_int_equal(c->plan[c->chosen].version, GS);
  unsigned not_best = ran[GG] + ran[GC];
  launch_mapped(4 * CLASS_FIRST_CHECK);
  assert_true(ran[GG] + ran[GC] - not_best <= 2 * TUNE_MAX_ROUNDS); /* one check in these, of three plans */
  kernel_ns[GS] = kernel_ns[GC] = 150000; /* nothing helps any more */
  launch_mapped(8 * CLASS_FIRST_CHECK);
  assert_int_equal(c->chosen, -1);
}

static void force(const char *text) {
  struct place_diag diag = {""};
  rt.force = force_parse(text, &diag);
  assert_non_null(rt.force);
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
  call = call_of(a, w, o, 0);
  call.nowait = true;
  launch(&call);
  assert_int_equal(ran[GC], 0);
  assert_int_equal(ran[VERSIONS], 4);
}

static void remapped_elsewhere(void **state) {
  (void)state;
  static float other[TAPS];
  map_all();
  force("main:w=constant");
  launch_mapped(1);
  fake_unmap(w); /* unseen: the cached decision must not survive the next visible change */
  fake_map(w, other, sizeof w);
  device.ext.epoch++;
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
    device.ext.epoch++;
    dispatch_launch(&rt, &device, &region, &call, empty_launcher, NULL);
  }
  double remade = (double)(real_now() - from) / (ROUNDS / 10);
  print_message("dispatch: %.0f ns the first time, %.0f ns with the decision reused, %.0f ns with it made anew\n", first, settled,
                remade);
  assert_true(settled < 200000 && remade < 2000000);
}

/* Launches that the model must look at anew each time: given up when that costs more than it gains, not because the first ones
 * of many that come again had to be planned. */
static void ever_new_launches(void **state) {
  (void)state;
  map_all();
  kernel_ns[GC] = 99000 - 8000;
  launch_mapped(60);
  struct rt_class *c = only_class();
  assert_true(c->chosen > 0);
  c->planning_ns = 100000;
  launch_mapped(256);
  assert_true(c->chosen > 0);
  assert_true(c->planning_ns < 100000);
  c->planning_ns = 1e9;
  launch_mapped(128);
  assert_int_equal(c->chosen, -1);
  launch_mapped(1);
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
      device.ext.epoch++;
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
    TEST(finds_and_keeps_the_faster_plan), TEST(keeps_the_original_when_nothing_is_gained),
    TEST(trusts_the_model_without_trials), TEST(launched_once), TEST(patience), TEST(levels_are_told_apart),
    TEST(many_decisions_are_kept), TEST(stores_cases), TEST(a_flip_is_followed),
    TEST(drift_is_noticed),
    TEST(forced_from_the_first_launch),
    TEST(timer_entries_are_reused_after_clearing), TEST(changes_reach_the_constant_copy),
    TEST(mapped_by_the_launch_itself), TEST(overlap_and_unknown_extents), TEST(remapped_elsewhere),
    TEST(failed_version_falls_back_for_good), TEST(failed_copy_means_original), TEST(shared_windows),
    TEST(several_threads), TEST(cheap), TEST(ever_new_launches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
