/* Which plans of a ranking a trial measures. */
#include "fake.h"

#include "class.h"

enum { SIGNAL, TAPS, ARRAYS };
static struct place_array arrays[ARRAYS] = {{.name = (char[]){"a"}, .placeable = 0}, {.name = (char[]){"w"}, .placeable = 1}};
static struct place_region layout = {.arrays = arrays, .array_count = ARRAYS, .placeable_count = ARRAYS};
static struct rt_region region = {.region = &layout};
static struct place_array_summary summary[ARRAYS] = {{.accesses_per_warp = 64}, {.accesses_per_warp = 64}};
static const struct config config = {.trials = 3, .threshold = 0.01};

static struct place_plan plan(enum place_space a, enum place_space w, double ms, double least_ms) {
  static int version;
  return (struct place_plan){.array = {{a, 0, 0}, {w, 0, 0}}, .placeable_count = ARRAYS, .cost_ns = ms * 1e6,
                             .least_ns = least_ms * 1e6, .version = a || w ? ++version : -1};
}

/* The spaces of the taps in the plans that are tried, a letter each. */
static void tries(const struct place_plan *plans, int count, const struct config *with, const char *letters) {
  struct rt_class c = {.chosen = -1, .summary = summary};
  char got[TUNE_MAX_ARMS + 1] = "";
  class_consider(&c, &region, plans, count, 99, -1, with);
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_known_is_tried), cmocka_unit_test(what_is_hopeless_is_not),
                                     cmocka_unit_test(spaces_before_variants), cmocka_unit_test(small_arrays_are_left)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
