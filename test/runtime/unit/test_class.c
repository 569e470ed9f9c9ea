/* Which plans of a ranking a trial measures. */
#include "fake.h"

#include <math.h>
#include <stdio.h>

#include "class.h"

enum { SIGNAL, TAPS, ARRAYS };
static struct place_array arrays[ARRAYS] = {{.name = (char[]){"a"}, .placeable = 0}, {.name = (char[]){"w"}, .placeable = 1}};
static struct place_region layout = {.arrays = arrays, .array_count = ARRAYS, .placeable_count = ARRAYS};
static struct rt_region region = {.region = &layout};
static struct place_array_summary summary[ARRAYS] = {{.accesses_per_warp = 64}, {.accesses_per_warp = 64}};
static const struct config config = {.trials = 3, .threshold = 0.01};

/* Versions: BLOCKS block versions behind the base, where a test wants them; then special ones, one for each plan made. */
enum { BLOCKS = 6, VERSIONS = 64 };
static struct place_version versions[VERSIONS];
static int8_t global[ARRAYS], elsewhere[ARRAYS] = {PLACE_SHARED};

static struct place_plan plan(enum place_space a, enum place_space w, double ms, double least_ms) {
  static int version = BLOCKS;
  assert_true(version + 1 < VERSIONS);
  return (struct place_plan){.array = {{a, 0, 0}, {w, 0, 0}}, .placeable_count = ARRAYS, .cost_ns = ms * 1e6,
                             .least_ns = least_ms * 1e6, .version = a || w ? ++version : -1};
}

static const struct place_ranking *ranked(const struct place_plan *plans, int count, struct place_estimate *estimate) {
  static struct place_plan copy[16];
  static struct place_ranking ranking;
  assert_true(count <= 16);
  memcpy(copy, plans, (size_t)count * sizeof *plans);
  ranking = (struct place_ranking){.plans = copy, .capacity = 16, .count = count, .estimate = estimate};
  return &ranking;
}

/* The spaces of the taps in the plans that are tried, a letter each. */
static void tries(const struct place_plan *plans, int count, const struct config *with, const char *letters) {
  struct place_plan room[TUNE_MAX_ARMS] = {{.version = 0}};
  struct rt_class c = {.chosen = -1, .summary = summary, .plan = room};
  char got[TUNE_MAX_ARMS + 1] = "";
  layout.versions = versions, layout.version_count = VERSIONS;
  class_consider(&c, &region, ranked(plans, count, NULL), 99, NULL, with);
  layout.versions = NULL, layout.version_count = 0;
  for (int i = 1; i < c.plan_count; i++) got[i - 1] = place_space_letter(c.plan[i].array[TAPS].space);
  assert_string_equal(got, letters);
  assert_true(c.plan_count <= 1 || c.plan[0].version == 99);
}

/* What the model once said of 256 taps: constant memory 3.9 times as slow as global, where it is the fastest; it does not
 * know what 8-byte loads cost there, and says so by its least. */
static void what_is_not_known_is_tried(void **state) {
  (void)state;
  const struct place_plan plans[] = {plan(PLACE_GLOBAL, PLACE_SHARED, 1.29, 1.29), plan(PLACE_GLOBAL, PLACE_GLOBAL, 1.38, 1.38),
                                     plan(PLACE_GLOBAL, PLACE_CONSTANT, 5.4, 0.9)};
  tries(plans, 3, &config, "sc");
}

static void what_is_hopeless_is_not(void **state) {
  (void)state;
  const struct place_plan plans[] = {plan(PLACE_GLOBAL, PLACE_SHARED, 0.19, 0.19), plan(PLACE_GLOBAL, PLACE_GLOBAL, 0.35, 0.35),
                                     plan(PLACE_GLOBAL, PLACE_CONSTANT, 33, 33)};
  tries(plans, 3, &config, "s");
  const struct place_plan even_if[] = {plans[0], plans[1], plan(PLACE_GLOBAL, PLACE_CONSTANT, 33, 0.1)};
  tries(even_if, 3, &config, "s");
}

/* Each space of each array that decides (a in shared, w in constant memory) comes before a second plan of the same spaces. */
static void spaces_before_variants(void **state) {
  (void)state;
  const struct place_plan plans[] = {
    plan(PLACE_READONLY, PLACE_SHARED, 0.80, 0.80), plan(PLACE_GLOBAL, PLACE_SHARED, 0.81, 0.81),
    plan(PLACE_SHARED, PLACE_SHARED, 0.82, 0.82),   plan(PLACE_GLOBAL, PLACE_CONSTANT, 0.95, 0.95),
    plan(PLACE_GLOBAL, PLACE_GLOBAL, 1.0, 1.0)};
  tries(plans, 5, &config, "ssc");
  const struct config one = {.trials = 1, .threshold = 0.01}, none = {.trials = 0, .threshold = 0.01};
  tries(plans, 5, &one, "s");
  tries(plans, 5, &none, "s");
}

/* An array that is hardly read decides nothing: no launch is spent on it. */
static void small_arrays_are_left(void **state) {
  (void)state;
  summary[TAPS].accesses_per_warp = 1;
  const struct place_plan plans[] = {plan(PLACE_SHARED, PLACE_GLOBAL, 0.8, 0.8), plan(PLACE_GLOBAL, PLACE_GLOBAL, 1, 1),
                                     plan(PLACE_SHARED, PLACE_CONSTANT, 3, 0.7)};
  tries(plans, 3, &config, "g");
  summary[TAPS].accesses_per_warp = 64;
}

/* ---- block versions ---- */

static struct place_plan all_global;

static struct place_estimate known(double ns) { return (struct place_estimate){PLACE_ESTIMATE_KNOWN, ns, NULL}; }

/* A region of BLOCKS block versions, numbered from 1, whose estimates are given in ms; 0: none; below: impossible. */
static struct rt_class consider_blocks(const double *ms, const struct place_plan *plans, int count, const struct config *with,
                                       const struct rt_class *sibling) {
  static bool tiled[ARRAYS] = {true, false};
  static struct place_plan room[TUNE_MAX_ARMS]; /* of the class that is returned */
  struct place_estimate estimate[VERSIONS] = {{PLACE_ESTIMATE_NONE, 0, NULL}};
  struct rt_class c = {.chosen = -1, .summary = summary, .sibling = sibling, .plan = room};
  for (int v = 1; v <= BLOCKS; v++) {
    unsigned each = (unsigned)v;
    versions[v] = (struct place_version){.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_BLOCK, .space = global, .threads = 256,
                                         .block = {2, {8, 32}, {each, 1}, {true, false}, 0, false, false}, .tiled = tiled,
                                         .teams = PLACE_EXPR_NONE};
    if (ms[v - 1] > 0) estimate[v] = known(ms[v - 1] * 1e6);
    if (ms[v - 1] < 0) estimate[v].state = PLACE_ESTIMATE_IMPOSSIBLE;
  }
  versions[0] = (struct place_version){.role = PLACE_ROLE_BASE, .space = global, .teams = PLACE_EXPR_NONE};
  layout.versions = versions, layout.version_count = VERSIONS;
  class_consider(&c, &region, ranked(plans, count, estimate), 0, NULL, with);
  layout.versions = NULL, layout.version_count = 0;
  return c;
}

static void check_arms(const struct rt_class *c, const char *numbers) {
  char got[TUNE_MAX_ARMS + 1] = "";
  for (int i = 1; i < c->plan_count; i++) got[i - 1] = (char)('0' + c->plan[i].version);
  assert_string_equal(got, numbers);
}

/* Four at most, best first; those without an estimate come last, what is hopeless never. */
static void best_blocks_are_tried(void **state) {
  (void)state;
  const double known[BLOCKS] = {0.9, 0.3, 0.5, 0.4, 0.31, 0.7}, half_known[BLOCKS] = {0, 0.5, 0, 0.4, 0, 0};
  const double far[BLOCKS] = {0.1, 0.51, 1.6, 0.49, 1.2, 0.2}, unknown[BLOCKS] = {0};
  struct rt_class c = consider_blocks(known, &all_global, 1, &config, NULL);
  check_arms(&c, "2543");
  assert_true(c.phase == CLASS_TRIAL && c.plan[1].cost_ns == 0.3e6 && c.tune.arms == 5);
  c = consider_blocks(half_known, &all_global, 1, &config, NULL);
  check_arms(&c, "4213");
  c = consider_blocks(far, &all_global, 1, &config, NULL);
  check_arms(&c, "164");
  c = consider_blocks(unknown, &all_global, 1, &config, NULL);
  check_arms(&c, "1234");
  const double impossible[BLOCKS] = {-1, 0.5, -1, 0, 0.5, -1}; /* of equal ones, the table's order */
  c = consider_blocks(impossible, &all_global, 1, &config, NULL);
  check_arms(&c, "254");
}

/* At another size: what was settled on there, and the best estimate. */
static void fewer_blocks_at_another_size(void **state) {
  (void)state;
  const double ms[BLOCKS] = {0.9, 0.3, 0.5, 0.4, 0.31, 0.7};
  struct rt_class settled = {.phase = CLASS_SETTLED, .chosen = 1, .plan_count = 2,
                             .plan = (struct place_plan[2]){[1] = {.version = 6}}};
  struct rt_class c = consider_blocks(ms, &all_global, 1, &config, &settled);
  check_arms(&c, "625");
}

/* Unmeasured, a block is used if it promises a fifth more than what else there is, a copy if it promises a tenth; nothing
 * that cannot be launched. */
static void without_trials(void **state) {
  (void)state;
  const struct config none = {.trials = 0, .threshold = 0.01};
  const double good[BLOCKS] = {0.9, 0.3, 0.5, 0.2, 0.31, 0.7}, fair[BLOCKS] = {0.9, 0.82, 0.85, 0.9, 0.9, 0.9};
  const double unknown[BLOCKS] = {0};
  const struct place_plan both[] = {plan(PLACE_GLOBAL, PLACE_CONSTANT, 0.24, 0.24), all_global};
  const struct place_plan small[] = {plan(PLACE_GLOBAL, PLACE_CONSTANT, 0.94, 0.94), all_global};
  struct rt_class c = consider_blocks(good, &all_global, 1, &none, NULL);
  check_arms(&c, "4");
  assert_true(c.phase == CLASS_SETTLED && c.chosen == 1 && c.trusted && c.predicted_ns == 0.2e6);
  c = consider_blocks(fair, &all_global, 1, &none, NULL);
  assert_true(c.phase == CLASS_SETTLED && c.chosen == -1 && *c.reason);
  c = consider_blocks(unknown, &all_global, 1, &none, NULL);
  assert_true(c.chosen == -1);
  c = consider_blocks(good, both, 2, &none, NULL); /* 0.2 is more than 0.8 of 0.24 */
  assert_true(c.chosen == 1 && c.plan[1].array[TAPS].space == PLACE_CONSTANT && c.predicted_ns == 0.24e6);
  c = consider_blocks(unknown, small, 2, &none, NULL);
  assert_true(c.chosen == -1);
  assert_string_equal(c.reason, "w in constant memory is predicted to take 6.0% less time, too little to be trusted unmeasured (PLACE_TRIALS=0)");
}

/* The version with everything in global memory is used where it is predicted to gain, and can be launched. */
static void straight_without_trials(void **state) {
  (void)state;
  const struct config none = {.trials = 0, .threshold = 0.01};
  struct place_estimate estimate[VERSIONS] = {{PLACE_ESTIMATE_NONE, 0, NULL}};
  bool usable[VERSIONS] = {false};
  estimate[1] = known(0.25e6);
  for (int v = 0; v < VERSIONS; v++) versions[v] = (struct place_version){.role = PLACE_ROLE_PROFILE, .space = global};
  versions[1] = (struct place_version){.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_STRAIGHT, .space = global};
  layout.versions = versions, layout.version_count = VERSIONS;
  for (int straight = 0; straight <= 1; straight++) {
    struct place_plan room[TUNE_MAX_ARMS] = {{.version = 0}};
    struct rt_class c = {.chosen = -1, .summary = summary, .plan = room};
    usable[1] = straight;
    class_consider(&c, &region, ranked(&all_global, 1, estimate), 0, usable, &none);
    assert_int_equal(c.chosen, straight ? 1 : -1);
    if (straight) assert_true(c.plan[1].version == 1 && c.trusted && c.predicted_base_ns == 4 * c.predicted_ns);
  }
  layout.versions = NULL, layout.version_count = 0;
  for (int v = 0; v < VERSIONS; v++) versions[v] = (struct place_version){.role = PLACE_ROLE_PLAN, .space = elsewhere};
}

/* Versions that leave all arrays where they are, in loops of whatever form: each is an arm, whether or not a model knows it, and
 * also where the region has no array that can be placed. What cannot be launched is none. */
static void plain_versions_are_arms(void **state) {
  (void)state;
  static struct place_version plain[] = {
    {.role = PLACE_ROLE_BASE, .space = global},
    {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_STRAIGHT, .space = global},
    {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_NATURAL, .space = global, .threads = 256},
    {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_ISOLATED, .space = global}};
  static const struct place_version warps = {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_NATURAL, .space = global, .threads = 32, .each = 1};
  enum { COUNT = sizeof plain / sizeof *plain };
  static const struct { unsigned placeable; bool usable[COUNT]; const char *arms; } all[] = {
    {ARRAYS, {true, true, true, true}, "123"}, {0, {true, true, true, true}, "123"}, {0, {true, false, true, false}, "2"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct place_region one = {.arrays = arrays, .array_count = all[i].placeable, .placeable_count = all[i].placeable,
                               .versions = plain, .version_count = COUNT};
    struct rt_region of = {.region = &one};
    struct place_plan room[TUNE_MAX_ARMS] = {{.version = 0}}, only = {.placeable_count = all[i].placeable, .version = -1, .cost_ns = 1e6};
    struct rt_class c = {.chosen = -1, .summary = summary, .plan = room};
    class_consider(&c, &of, ranked(&only, 1, NULL), 0, all[i].usable, &config);
    check_arms(&c, all[i].arms);
    assert_true(c.phase == CLASS_TRIAL && c.plan[0].version == 0);
  }
  struct place_region one = {.versions = plain, .version_count = COUNT};
  static const char *const texts[COUNT] = {"", "loops without guards and barriers", "one iteration per thread", "the kernel optimised on its own"};
  for (int v = 0; v < COUNT; v++) {
    char text[80];
    class_describe(&one, &(struct place_plan){.version = v}, text, sizeof text);
    assert_string_equal(text, texts[v]);
  }
  char text[80];
  plain[3] = warps; /* another than the one before it */
  class_describe(&one, &(struct place_plan){.version = 3}, text, sizeof text);
  assert_string_equal(text, "one iteration per thread, in teams of a warp");
}

/* Versions that differ from the first by routes: three are tried, those of which the model predicts more than of that not at all; without
 * trials the one that promises a tenth, if a model tells them apart. */
static void routes_are_arms(void **state) {
  (void)state;
  static uint8_t cg[] = {PLACE_ROUTE_CG, PLACE_ROUTE_CG}, lu[] = {PLACE_ROUTE_LU, PLACE_ROUTE_DEFAULT}, cs[] = {PLACE_ROUTE_DEFAULT, PLACE_ROUTE_CS},
                 both[] = {PLACE_ROUTE_CG, PLACE_ROUTE_CS};
  static struct place_version all[] = {
    {.role = PLACE_ROLE_BASE, .space = global, .teams = PLACE_EXPR_NONE},
    {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_NATURAL, .space = global, .teams = PLACE_EXPR_NONE},
    {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_NATURAL, .space = global, .teams = PLACE_EXPR_NONE, .route = cg},
    {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_NATURAL, .space = global, .teams = PLACE_EXPR_NONE, .route = lu},
    {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_NATURAL, .space = global, .teams = PLACE_EXPR_NONE, .route = cs},
    {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_NATURAL, .space = global, .teams = PLACE_EXPR_NONE, .route = both}};
  enum { COUNT = sizeof all / sizeof *all };
  static const struct { double ms[COUNT]; const char *arms; int unmeasured; } cases[] = {
    {{0}, "1234", -1},                        /* as the compiler has them */
    {{0, 0.9, 0.9, 0.9, 0.9, 0.9}, "1234", 1}, /* no model tells them apart */
    {{0, 0.9, 1.2, 0.8, 0.7, 1}, "143", 4},   /* that one promises a fifth more */
    {{0, 0.9, 0.95, 0.91, 0.85, 1}, "14", 1}}; /* too little to be trusted unmeasured */
  struct place_region one = {.arrays = arrays, .array_count = ARRAYS, .placeable_count = ARRAYS, .versions = all, .version_count = COUNT};
  struct rt_region of = {.region = &one};
  const struct config none = {.trials = 0, .threshold = 0.01};
  char text[80];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct place_estimate estimate[COUNT] = {{PLACE_ESTIMATE_NONE, 0, NULL}};
    struct place_plan room[TUNE_MAX_ARMS] = {{.version = 0}};
    for (int v = 1; v < COUNT; v++)
      if (cases[i].ms[v] > 0) estimate[v] = known(cases[i].ms[v] * 1e6);
    struct rt_class c = {.chosen = -1, .summary = summary, .plan = room};
    class_consider(&c, &of, ranked(&all_global, 1, estimate), 0, NULL, &config);
    check_arms(&c, cases[i].arms);
    c = (struct rt_class){.chosen = -1, .summary = summary, .plan = room};
    class_consider(&c, &of, ranked(&all_global, 1, estimate), 0, NULL, &none);
    assert_int_equal(c.chosen > 0 ? c.plan[1].version : -1, cases[i].unmeasured);
  }
  class_describe(&one, &(struct place_plan){.placeable_count = ARRAYS, .version = 2}, text, sizeof text);
  assert_string_equal(text, "a and w by cg loads");
  class_describe(&one, &(struct place_plan){.array = {{PLACE_CONSTANT, 0, 0}}, .placeable_count = ARRAYS, .version = 4}, text, sizeof text);
  assert_string_equal(text, "a in constant memory, w by cs loads");
}

static void descriptions(void **state) {
  (void)state;
  char text[160];
  const double ms[BLOCKS] = {0.9, 0.3, 0.5, 0.4, 0.31, 0.7};
  struct rt_class c = consider_blocks(ms, &all_global, 1, &config, NULL);
  layout.versions = versions, layout.version_count = VERSIONS;
  class_describe(&layout, &c.plan[1], text, sizeof text);
  assert_string_equal(text, "blocks of 16x32 iterations (256 threads, neighbours to a thread), tiles of a in shared memory");
  c.plan[1].array[TAPS].space = PLACE_CONSTANT;
  class_describe(&layout, &c.plan[1], text, sizeof text);
  assert_string_equal(text, "w in constant memory; blocks of 16x32 iterations (256 threads, neighbours to a thread), tiles of a in shared memory");
  for (size_t size = 1; size < 40; size++) { /* cut, never overrun */
    char small[40];
    memset(small, '#', sizeof small);
    class_describe(&layout, &c.plan[1], small, size);
    assert_true(strlen(small) < size && (size == sizeof small || small[size] == '#'));
  }
  layout.versions = NULL, layout.version_count = 0;
}

int main(void) {
  for (int v = 0; v < VERSIONS; v++) versions[v] = (struct place_version){.role = PLACE_ROLE_PLAN, .space = elsewhere};
  all_global = plan(PLACE_GLOBAL, PLACE_GLOBAL, 1, 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_known_is_tried), cmocka_unit_test(what_is_hopeless_is_not),
                                     cmocka_unit_test(spaces_before_variants), cmocka_unit_test(small_arrays_are_left),
                                     cmocka_unit_test(best_blocks_are_tried), cmocka_unit_test(fewer_blocks_at_another_size),
                                     cmocka_unit_test(without_trials), cmocka_unit_test(straight_without_trials), cmocka_unit_test(plain_versions_are_arms),
                                     cmocka_unit_test(routes_are_arms),
                                     cmocka_unit_test(descriptions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
