/* The launch path on a fake device whose kernels are done here: o[i] = sum of w, with w where the words say. For
 * test_dispatch.c, test_trials.c and test_threads.c. */
#ifndef PLACE_TEST_LAUNCH_SCENE_H
#define PLACE_TEST_LAUNCH_SCENE_H

#include "fake.h"

#include <stdio.h>

#include "class.h"
#include "decision.h"
#include "dispatch.h"
#include "force.h"
#include "machine_file.h"
#include "report.h"
#include "scene_regions.h"

enum { N = 4096, TAPS = 64 };
static float a[N], w[TAPS], o[N];                /* the program's */
static float device_a[N], device_w[TAPS], device_o[N];
static unsigned char bank[PLACE_CONST_MOST_BYTES];
/* entries of as many slots as module.timer.bytes says: not_begin, end and two more of the teams that keep to a slot */
static uint64_t timer[PLACE_TIMER_BYTES / sizeof(uint64_t)];

static struct runtime rt;
static struct rt_device device;
static struct place_table table;
static struct rt_region region;
static struct rt_module module;
static struct rt_version versions[16];
static char ids[16], shadow_bank[PLACE_CONST_MOST_BYTES], shadow_timer[sizeof timer];

#ifndef SCENE_BODY /* a test may bring a table of its own, and name its versions */
#define SCENE_BODY \
  SCENE_PLACEABLE("128 open - - open-threads") \
  "version kernel_gg role=plan loop=straight space=g,g,- threads=128 needs=threads:128\n" \
  "version kernel_gc role=plan loop=straight space=g,c,- threads=128 needs=threads:128,aligned:16\n" \
  "version kernel_gs role=plan loop=straight space=g,s,- threads=128 needs=threads:128,aligned:16\n" \
  "version kernel_any role=plan loop=original space=*,*,- needs=aligned:16\n"
enum { GG, GC, GS, ANY, VERSIONS };
#endif
static const char body[] = SCENE_BODY;

/* ---- the kernels ---- */

static double kernel_ns[VERSIONS];
static double original_ns, beside_ns; /* of the original kernel; of any launch, beside its kernel */
static unsigned ran[VERSIONS + 1]; /* the last: the original */
static int fail_next;
static void (*during)(void);       /* what happens while a kernel runs */
static struct rt_request last;

static inline const float *taps(const uint64_t *words) {
  const uint64_t *mine = words + PLACE_CONTROL_WORDS + PLACE_WORDS_PER_ARRAY;
  unsigned space = mine[PLACE_WORD_SELECT] & 0xff;
  if (space == PLACE_CONSTANT) return (const float *)(bank + mine[PLACE_WORD_BIAS]);
  return device_w;
}

static inline int launcher(void *context, const struct rt_request *request) {
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
      /* used once; the team that begins first keeps to another slot than the one that ends last */
      uint64_t slots = module.timer.bytes / (PLACE_TIMER_ENTRIES * PLACE_TIMER_SLOT_BYTES), words = PLACE_TIMER_SLOT_BYTES / sizeof *timer;
      uint64_t *first = timer + (entry - 1) * slots * words, *one = first + entry % slots * words, *other = first + (entry + 5) % slots * words;
      assert_int_equal(one[0], 0);
      one[0] = ~(uint64_t)1000000;
      other[0] = ~(uint64_t)1000001;
      other[1] = 1000000 + (uint64_t)kernel_ns[version];
    }
    __atomic_add_fetch(&fake.clock_ns, (uint64_t)kernel_ns[version], __ATOMIC_RELAXED);
  }
  __atomic_add_fetch(&fake.clock_ns, (uint64_t)(beside_ns + (version < VERSIONS ? 0 : original_ns)), __ATOMIC_RELAXED);
  device_o[0] = 0;
  for (int i = 0; i < TAPS; i++) device_o[0] += from[i];
  if (during) during();
  return 0;
}

static inline float expected(void) {
  float sum = 0;
  for (int i = 0; i < TAPS; i++) sum += device_w[i];
  return sum;
}

/* ---- the launch ---- */

static void *pointers[3];
static int64_t sizes[3], types[3];

static inline struct rt_call call_of(void *pa, void *pw, void *po, int64_t size) {
  void *p[3] = {pa, pw, po};
  for (int i = 0; i < 3; i++) {
    pointers[i] = p[i];
    sizes[i] = size ? (i == 1 ? (int64_t)sizeof w : (int64_t)sizeof a) : 0;
    types[i] = MAP_TARGET_PARAM | (size ? MAP_TO | MAP_FROM : 0);
  }
  return (struct rt_call){.host_ptr = &region, .maps = {3, pointers, pointers, sizes, types, NULL}, .trip_count = N - TAPS};
}

/* As libomptarget's entry points do. */
static inline void launch(const struct rt_call *call) {
  struct rt_call said = *call;
  said.routine = dispatch_is_routine(&device, &region);
  assert_int_equal(dispatch_launch(&rt, &device, &region, &said, launcher, NULL), 0);
  assert_true(device_o[0] == expected());
}

static inline void launch_mapped(unsigned times) {
  struct rt_call call = call_of(a, w, o, 0);
  while (times--) launch(&call);
}

static inline struct rt_class *only_class(void) {
  struct rt_device_region *s = region.device[0];
  assert_int_equal(s->class_count, 1);
  return s->classes[0];
}

/* ---- set-up ---- */

static inline void map_all(void) {
  void *base[3] = {a, w, o}, *to[3] = {device_a, device_w, device_o};
  int64_t size[3] = {sizeof a, sizeof w, sizeof o}, type[3] = {MAP_TO, MAP_TO, MAP_FROM};
  struct rt_maps maps = {3, base, base, size, type, NULL};
  for (int i = 0; i < 3; i++) fake_map(base[i], to[i], (size_t)size[i]);
  ext_begin(&device.ext, &maps, NULL, false);
}

/* The array that GC has in constant memory is written on the device, by something that place does not see into. */
static inline void change_taps(void) {
  device_w[0] += 1;
  dispatch_unknown_begin(&device, /*nowait=*/false);
  dispatch_unknown_end(&device);
}

/* One version takes 60 us for the original's 100, and finding that out is paid for. */
static inline void map_with_faster(unsigned version) {
  map_all();
  rt.config.patience_ns = 1;
  original_ns = 100000, beside_ns = 5000;
  kernel_ns[version] = 60000;
}

static inline int set_up(void **state) {
  char text[4096];
  struct place_diag diag = {""};
  (void)state;
  memset(&fake, 0, sizeof fake);
  memset(timer, 0, sizeof timer);
  memset(ran, 0, sizeof ran);
  for (int i = 0; i < TAPS; i++) w[i] = device_w[i] = (float)i;
  during = NULL;
  original_ns = beside_ns = 0;
  int length = snprintf(text, sizeof text, "%send %016llx\n", body, (unsigned long long)place_fnv1a(body, sizeof body - 1));
  if (place_table_read(text, (size_t)length, &table, &diag)) fail_msg("%s", diag.text);
  rt = (struct runtime){.ops = fake_ops, .active = true, .config = {.trials = 3, .threshold = 0.01}};
  rt.machine = machine_file_load(NULL, &(struct device_facts){"NVIDIA H200", 90, 0}, 90, rt.machine_note, sizeof rt.machine_note);
  assert_non_null(rt.machine);
  device = (struct rt_device){.number = 0, .budget = budget_with(BUDGET_PROGRAM_NS)};
  pthread_mutex_init(&device.lock, NULL);
  ext_init(&device.ext, 0, &rt.ops);
  module = (struct rt_module){.constant = {shadow_bank, sizeof bank}, .timer = {shadow_timer, sizeof timer}};
  fake_map(shadow_bank, bank, sizeof bank);
  fake_map(shadow_timer, timer, sizeof timer);
  for (int v = 0; v < VERSIONS; v++) versions[v] = (struct rt_version){.host_ptr = &ids[v]};
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

static inline int tear_down(void **state) {
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

/* As PLACE_FORCE does. */
static inline void force(const char *text) {
  struct place_diag diag = {""};
  rt.force = force_parse(text, &diag);
  assert_non_null(rt.force);
}

#endif
