#define _GNU_SOURCE
/* The report on a region whose launches run iterations in blocks, in both forms. */
#include "fake.h"

#include <stdio.h>

#include "report.h"

static struct place_array arrays[] = {{.name = (char[]){"a"}, .read = true, .placeable = 0, .candidates = 15},
                                      {.name = (char[]){"b"}, .read = true, .placeable = 1, .candidates = 15},
                                      {.name = (char[]){"c"}, .written = true, .placeable = -1, .candidates = 1}};
static int8_t spaces[] = {PLACE_GLOBAL, PLACE_GLOBAL, -1};
static bool tiled[] = {true, true, false};
static struct place_version versions[] = {
  {.entry = (char[]){"mm_l9_place_base"}, .role = PLACE_ROLE_BASE, .space = spaces, .teams = PLACE_EXPR_NONE},
  {.entry = (char[]){"mm_l9_place_blocks"}, .role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_BLOCK, .space = spaces, .threads = 256,
   .block = {2, {8, 32}, {8, 2}, {true, false}, 16, false, false}, .tiled = tiled, .teams = PLACE_EXPR_NONE}};
static struct place_region layout = {.entry = (char[]){"mm_l9"}, .function = (char[]){"multiply"}, .file = (char[]){"mm.c"},
                                     .line = 9, .arrays = arrays, .array_count = 3, .versions = versions, .version_count = 2,
                                     .placeable_count = 2};
static const struct rt_region region = {.region = &layout};
static struct runtime rt;
static struct rt_class c;
static struct rt_class_array known[3];
static struct place_plan plans[TUNE_MAX_ARMS];
static struct rt_device_region state_of;

/* Settled on the block version: 3.68 ms before, 0.656 after. */
static int set_up(void **state) {
  (void)state;
  c = (struct rt_class){.phase = CLASS_SETTLED, .chosen = 1, .plan_count = 2, .launches = 40, .placed_launches = 38,
                        .predicted_base_ns = 4e6, .array = known, .plan = plans};
  c.plan[0] = (struct place_plan){.placeable_count = 2, .version = 0, .cost_ns = 4e6};
  c.plan[1] = (struct place_plan){.placeable_count = 2, .version = 1, .cost_ns = 0.5e6, .teams = 1024};
  c.tune = (struct tune){.arms = 2, .done = true, .winner = 1};
  c.tune.arm[0] = (struct tune_arm){.kernel_ns = {3.68e6}, .count = 1};
  c.tune.arm[1] = (struct tune_arm){.kernel_ns = {0.656e6}, .count = 1};
  state_of = (struct rt_device_region){.launches = 40, .class_count = 1, .classes = {&c}};
  return 0;
}

static char *written(bool json) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  if (json) report_json_region(&rt, &region, 0, &state_of, out);
  else report_text_region(&rt, &region, 0, &state_of, out);
  fclose(out);
  return text;
}

static void expect(bool json, const char *part, bool there) {
  char *text = written(json);
  if (!strstr(text, part) == there) fail_msg("%s%s in:\n%s", part, there ? " is not" : " is", text);
  free(text);
}

static void blocks_in_text(void **state) {
  (void)state;
  expect(false, "kernel 3.680 -> 0.656 ms   5.61x", true);
  expect(false, "\n  iterations in blocks of 64x64t256k16: 256 threads, 1024 teams; tiles in shared memory of a, b; "
                "predicted 0.500 ms, base 4.000 ms\n", true);
  c.plan[1].teams = 0; /* libomptarget chose */
  c.plan[1].cost_ns = 0;
  expect(false, "\n  iterations in blocks of 64x64t256k16: 256 threads; tiles in shared memory of a, b\n", true);
  versions[1].tiled = NULL;
  expect(false, "\n  iterations in blocks of 64x64t256k16: 256 threads\n", true);
  versions[1].tiled = tiled;
  c.chosen = -1; /* left alone after all */
  expect(false, "blocks", false);
  layout.no_blocks = (char[]){"threads part in the body"};
  expect(false, "\n  no blocks: threads part in the body\n", true);
  expect(true, "\"line\":9,\"no_blocks\":\"threads part in the body\"", true);
  layout.no_blocks = NULL;
  expect(true, "\"no_blocks\":null", true);
}

static void blocks_in_json(void **state) {
  (void)state;
  expect(true, "\"block\":{\"shape\":\"64x64t256k16\",\"threads\":256,\"teams\":1024,\"predicted_ns\":500000,"
               "\"tiled\":[\"a\",\"b\"]}", true);
  expect(true, "\"base_kernel_ns\":3680000,\"recalled\":false,\"original_of_base\":1,\"kernel_ns\":656000", true);
  expect(true, "\"plan\":\"blocks(64x64t256k16) tiles of a,b\"", true);
  c.plan[1].cost_ns = 0;
  expect(true, "\"predicted_ns\":null,\"tiled\"", true);
  c.plan[1].version = 0;
  expect(true, "\"block\":null", true);
}

/* What finding out cost, of what it may; and how often what was chosen was compared with the base. */
static void budget(void **state) {
  (void)state;
  expect(false, "finding out", false); /* nothing was spent */
  rt.config.patience_ns = 2e6;
  state_of.budget = budget_with(BUDGET_REGION_NS);
  budget_ran(&state_of.budget, 100e6);
  budget_charge(&state_of.budget, 2.5e6);
  budget_charge(&state_of.budget, -1e6);
  c.watch.pairs = 7, c.watch.lost = 1;
  c.waited_launches = 12;
  expect(false, "\n  finding out cost 1.50 ms of 4.00 ms that it may\n", true);
  expect(false, ", compared 7 times", true);
  expect(true, "\"budget\":{\"ran_ns\":100000000,\"spent_ns\":1500000,\"most_spent_ns\":2500000,\"allowed_ns\":4000000}", true);
  expect(true, "\"waited_launches\":12,\"comparisons\":7,\"comparisons_lost\":1", true);
  rt.config.patience_ns = 0;
  expect(false, "\n  finding out cost 1.50 ms\n", true);
  expect(true, "\"allowed_ns\":null", true);
  c.phase = CLASS_TRIAL;
  expect(false, "left alone: the rest of its trial would have cost more than its budget", true);
  c.phase = CLASS_NEW;
  expect(false, "left alone: looking at it would have cost more than its budget", true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(blocks_in_text, set_up),
                                     cmocka_unit_test_setup(blocks_in_json, set_up), cmocka_unit_test_setup(budget, set_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
