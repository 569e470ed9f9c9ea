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

/* The spaces of the taps in the plans that are tried, a letter each. */
static void tries(const struct place_plan *plans, int count, const struct config *with, const char *letters) {
  struct place_plan room[TUNE_MAX_ARMS] = {{.version = 0}};
  struct rt_class c = {.chosen = -1, .summary = summary, .plan = room};
  char got[TUNE_MAX_ARMS + 1] = "";
  layout.versions = versions, layout.version_count = VERSIONS;
  class_consider(&c, &region, plans, count, NULL, 99, -1, with);
  layout.versions = NULL, layout.version_count = 0;
  for (int i = 1; i < c.plan_count; i++) got[i - 1] = "grcs"[c.plan[i].array[TAPS].space];
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

static struct rt_version launchable[VERSIONS];
static struct place_plan all_global;

/* A region of BLOCKS block versions, numbered from 1, whose estimates are given in ms. */
static struct rt_class consider_blocks(const double *ms, const struct place_plan *plans, int count, const struct config *with,
                                       const struct rt_class *sibling) {
  static char names[1 + BLOCKS][32];
  static bool tiled[ARRAYS] = {true, false};
  static struct place_plan room[TUNE_MAX_ARMS]; /* of the class that is returned */
  double ns[VERSIONS];
  for (int v = 0; v < VERSIONS; v++) ns[v] = NAN;
  struct rt_class c = {.chosen = -1, .summary = summary, .sibling = sibling, .plan = room};
  for (int v = 1; v <= BLOCKS; v++) {
    snprintf(names[v], sizeof names[v], "k_place_gg_%dx32t256", 8 * v);
    versions[v] = (struct place_version){.entry = names[v], .kind = PLACE_BLOCK, .space = global, .threads = 256, .tiled = tiled,
                                         .teams = PLACE_EXPR_NONE};
    launchable[v].host_ptr = &names[v];
    ns[v] = ms[v - 1] * 1e6;
  }
  versions[0] = (struct place_version){.entry = names[0], .kind = PLACE_BASE, .space = global, .teams = PLACE_EXPR_NONE};
  layout.versions = versions, layout.version_count = VERSIONS, region.versions = launchable;
  class_consider(&c, &region, plans, count, ns, 0, -1, with);
  layout.versions = NULL, layout.version_count = 0, region.versions = NULL;
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
  const double known[BLOCKS] = {0.9, 0.3, 0.5, 0.4, 0.31, 0.7}, half_known[BLOCKS] = {NAN, 0.5, NAN, 0.4, NAN, NAN};
  const double far[BLOCKS] = {0.1, 0.51, 1.6, 0.49, 1.2, 0.2}, unknown[BLOCKS] = {NAN, NAN, NAN, NAN, NAN, NAN};
  struct rt_class c = consider_blocks(known, &all_global, 1, &config, NULL);
  check_arms(&c, "2543");
  assert_true(c.phase == CLASS_TRIAL && c.plan[1].cost_ns == 0.3e6 && c.tune.arms == 5);
  c = consider_blocks(half_known, &all_global, 1, &config, NULL);
  check_arms(&c, "4213");
  c = consider_blocks(far, &all_global, 1, &config, NULL);
  check_arms(&c, "164");
  c = consider_blocks(unknown, &all_global, 1, &config, NULL);
  check_arms(&c, "1234");
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
  const double unknown[BLOCKS] = {NAN, NAN, NAN, NAN, NAN, NAN};
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
  assert_string_equal(c.reason, "best plan constant(w) predicted 6.0% faster, not enough to be trusted unmeasured");
}

/* The version with everything in global memory is used where it is predicted to gain, and can be launched. */
static void straight_without_trials(void **state) {
  (void)state;
  const struct config none = {.trials = 0, .threshold = 0.01};
  double ns[VERSIONS];
  for (int v = 0; v < VERSIONS; v++) ns[v] = NAN;
  ns[1] = 0.25e6;
  for (int v = 0; v < VERSIONS; v++) versions[v] = (struct place_version){.kind = PLACE_AGNOSTIC, .space = global};
  versions[1] = (struct place_version){.entry = (char[]){"k_place_gg"}, .kind = PLACE_SPECIAL, .space = global};
  layout.versions = versions, layout.version_count = VERSIONS;
  for (int straight = -1; straight <= 1; straight += 2) {
    struct place_plan room[TUNE_MAX_ARMS] = {{.version = 0}};
    struct rt_class c = {.chosen = -1, .summary = summary, .plan = room};
    class_consider(&c, &region, &all_global, 1, ns, 0, straight, &none);
    assert_int_equal(c.chosen, straight);
    if (straight == 1) assert_true(c.plan[1].version == 1 && c.trusted && c.predicted_base_ns == 4 * c.predicted_ns);
  }
  layout.versions = NULL, layout.version_count = 0;
  for (int v = 0; v < VERSIONS; v++) versions[v] = (struct place_version){.kind = PLACE_SPECIAL, .space = elsewhere};
}

static void descriptions(void **state) {
  (void)state;
  char text[160];
  const double ms[BLOCKS] = {0.9, 0.3, 0.5, 0.4, 0.31, 0.7};
  struct rt_class c = consider_blocks(ms, &all_global, 1, &config, NULL);
  layout.versions = versions, layout.version_count = VERSIONS;
  class_describe(&layout, &c.plan[1], text, sizeof text);
  assert_string_equal(text, "blocks(16x32t256) tiles of a");
  c.plan[1].array[TAPS].space = PLACE_CONSTANT;
  class_describe(&layout, &c.plan[1], text, sizeof text);
  assert_string_equal(text, "constant(w) blocks(16x32t256) tiles of a");
  for (size_t size = 1; size < 40; size++) { /* cut, never overrun */
    char small[40];
    memset(small, '#', sizeof small);
    class_describe(&layout, &c.plan[1], small, size);
    assert_true(strlen(small) < size && (size == sizeof small || small[size] == '#'));
  }
  layout.versions = NULL, layout.version_count = 0;
}

int main(void) {
  for (int v = 0; v < VERSIONS; v++) versions[v] = (struct place_version){.kind = PLACE_SPECIAL, .space = elsewhere};
  all_global = plan(PLACE_GLOBAL, PLACE_GLOBAL, 1, 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_known_is_tried), cmocka_unit_test(what_is_hopeless_is_not),
                                     cmocka_unit_test(spaces_before_variants), cmocka_unit_test(small_arrays_are_left),
                                     cmocka_unit_test(best_blocks_are_tried), cmocka_unit_test(fewer_blocks_at_another_size),
                                     cmocka_unit_test(without_trials), cmocka_unit_test(straight_without_trials),
                                     cmocka_unit_test(descriptions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
