#define _GNU_SOURCE
/* Pieces of the report: figures, names, JSON, one region. Whole reports: test/report. */
#include "fake.h"

#include <stdio.h>

#include "gain.h"
#include "json.h"
#include "place/text.h"
#include "report.h"
#include "words.h"

static struct place_array arrays[] = {{.name = (char[]){"a"}, .read = true, .placeable = 0, .candidates = 15},
                                      {.name = (char[]){"b"}, .read = true, .placeable = 1, .candidates = 15},
                                      {.name = (char[]){"c"}, .written = true, .placeable = -1, .candidates = 1}};
static int8_t spaces[] = {PLACE_GLOBAL, PLACE_GLOBAL, -1};
static bool tiled[] = {true, true, false};
static struct place_version versions[] = {
  {.entry = (char[]){"mm_l9_place_base"}, .role = PLACE_ROLE_BASE, .space = spaces, .teams = PLACE_EXPR_NONE},
  {.entry = (char[]){"mm_l9_place_blocks"}, .role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_BLOCK, .space = spaces, .threads = 256,
   .block = {2, {8, 32}, {8, 2}, {true, false}, 16, false, false, false}, .tiled = tiled, .teams = PLACE_EXPR_NONE}};
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
  rt.config.patience_ns = 0;
  return 0;
}

static char *written(bool json) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  if (json) report_json_region(&rt, &region, 0, &state_of, out);
  else report_text_row(&rt, &(struct row){&region, &state_of, &c, 0, 0}, out);
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
  expect(false, "decided by measurement: 3.68 ms -> 656 us a launch (5.61x faster); predicted 4.00 ms -> 500 us a launch", true);
  expect(false, "\n  now: blocks of 64x64 iterations (256 threads, 16 steps at a time, neighbours to a thread), tiles of a and b in shared "
                "memory; 1024 teams\n", true);
  expect(false, "global, shared tiles     500 us     656 us", true);
  c.plan[1].teams = 0; /* libomptarget chose */
  c.plan[1].cost_ns = 0;
  expect(false, " in shared memory\n", true);
  expect(false, "the model predicts nothing for this\n", true);
  versions[1].tiled = NULL;
  expect(false, "tiles", false);
  versions[1].tiled = tiled;
  c.chosen = -1; /* left alone after all */
  expect(false, "blocks", false);
  layout.no_blocks = (char[]){"iterations depend on each other"};
  expect(false, "\n  no blocks of iterations: iterations depend on each other\n", true);
  expect(true, "\"line\":9,\"no_blocks\":\"iterations depend on each other\"", true);
  layout.no_blocks = NULL;
  expect(true, "\"no_blocks\":null", true);
}

static void blocks_in_json(void **state) {
  (void)state;
  expect(true, "\"block\":{\"iterations\":[64,64],\"threads\":256,\"teams\":1024,\"steps\":16,\"predicted_ns\":500000}", true);
  expect(true, "\"base_kernel_ns\":3680000,\"looked_at\":false,\"recalled\":false,\"original_of_base\":1,\"kernel_ns\":656000", true);
  expect(true, "\"plan\":\"as compiled\",\"version\":\"mm_l9_place_base\",\"baseline\":true,\"chosen\":false", true);
  expect(true, "\"baseline\":false,\"chosen\":true", true);
  c.plan[1].cost_ns = 0;
  expect(true, "\"steps\":16,\"predicted_ns\":null", true);
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
  expect(false, "\n  finding out cost 1.50 ms (it may cost 6.00 ms); the choice was checked 7 times\n", true);
  expect(true, "\"budget\":{\"ran_ns\":100000000,\"gained_ns\":0,\"spent_ns\":1500000,\"most_spent_ns\":2500000,\"allowed_ns\":6000000}", true);
  expect(true, "\"waited_launches\":12,\"presumed_launches\":0,\"comparisons\":7,\"comparisons_lost\":1", true);
  rt.config.patience_ns = 0;
  expect(false, "\n  finding out cost 1.50 ms; the choice", true);
  expect(true, "\"allowed_ns\":null", true);
  c.phase = CLASS_TRIAL;
  expect(false, "as compiled: trying the rest would have cost more than it may", true);
  c.phase = CLASS_NEW;
  expect(false, "as compiled: looking at it would have cost more than it may", true);
}

/* Two that measure alike are told as a tie; ones that differ by more than times vary are not. */
static void ties(void **state) {
  (void)state;
  double apart = 0;
  c.plan[2] = c.plan[1];
  c.plan[2].array[0].space = PLACE_CONSTANT;
  c.tune.arms = c.plan_count = 3;
  c.tune.arm[2] = (struct tune_arm){.kernel_ns = {0.66e6}, .count = 1};
  assert_int_equal(report_tie(&c, &apart), 2);
  assert_true(apart > 0.006 && apart < 0.0062);
  expect(false, "nearly a tie: a in constant memory; blocks of 64x64", true);
  expect(false, "was 0.6% slower; another run may choose that\n", true);
  c.tune.arm[2].kernel_ns[0] = 0.67e6;
  assert_int_equal(report_tie(&c, &apart), -1);
  expect(false, "tie", false);
  expect(true, "\"nearly_as_fast\":null", true);
}

static void figures(void **state) {
  (void)state;
  char out[WORDS_FIGURE];
  static const struct {
    double ns;
    const char *text;
  } times[] = {{0, "-"},        {-3, "-"},          {12, "12 ns"},      {999.6, "1.00 us"}, {15569, "15.6 us"}, {999499, "999 us"},
               {999600, "1.00 ms"}, {58.7e6, "58.7 ms"}, {995e6, "995 ms"}, {1.24e9, "1.24 s"}, {7200e9, "7200 s"}};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) assert_string_equal(words_time(times[i].ns, out), times[i].text);
  assert_string_equal(place_bytes_text(512, out), "512 B");
  assert_string_equal(place_bytes_text(4 << 20, out), "4 MiB");
  assert_string_equal(place_bytes_text(1536, out), "1.5 KiB");
  assert_string_equal(words_ratio(2, 1, out), "2.00x faster");
  assert_string_equal(words_ratio(1, 1.5, out), "1.50x slower");
  assert_string_equal(words_ratio(1, 1.004, out), "no difference");
  assert_string_equal(words_share(0.18, out), "18%");
  assert_string_equal(words_share(0.00001, out), "less than 0.1%");
}

static void names(void **state) {
  (void)state;
  char out[512];
  static const struct {
    const char *symbol, *name;
  } all[] = {{"multiply", "multiply"},
             {"", "?"},
             {"_ZN3fem5applyIfEEvPKT_PS1_i", "fem::apply<float>"},
             {"_Z4plusRKSsS0_", "plus"},
             {"_ZNK6MatrixclEii", "Matrix::operator()"},
             {"_ZlsRSoRK6Matrix", "operator<<"},
             {"_ZN6MatrixcvbEv", "Matrix::operator bool"},
             {"_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()"},
             {"_ZN12_GLOBAL__N_14stepEv", "(anonymous namespace)::step"},
             {"_ZN6MatrixC1ERKS_", "Matrix::Matrix"},
             {"_Zbroken", "_Zbroken"},
             {"tab\there", "tab?here"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_string_equal(words_name(all[i].symbol, out, sizeof out), all[i].name);
  assert_string_equal(words_full_name("_Z4plusii", out, sizeof out), "plus(int, int)");
  assert_string_equal(words_plain("__omp_offloading_10302_2f3a__Z4plusii_l14: out of memory", out, sizeof out),
                      "plus (line 14): out of memory");
  assert_string_equal(words_plain("a call to __omp_offloading_a_b_f_l2 and __omp_offloading_a_b_my_g_l30_place_v2.", out, sizeof out),
                      "a call to f (line 2) and my_g (line 30)");
  assert_string_equal(words_plain("nothing", out, sizeof out), "nothing");
  assert_string_equal(words_file("a/b.c"), "b.c");
  assert_string_equal(words_file(NULL), "?");
  for (size_t size = 1; size < 12; size++) assert_int_equal(strlen(words_name("_ZN3fem5applyIfEEvPKT_PS1_i", out, size)), size - 1);
}

static void put(const char *value, const char *expected) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  struct json j = {out, true};
  json_text(&j, NULL, value);
  fclose(out);
  assert_string_equal(text, expected);
  free(text);
}

static void strings(void **state) {
  (void)state;
  put("plain", "\"plain\"");
  put("\"\\\n\x7f", "\"\\\"\\\\\\u000a\\u007f\"");
  put("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
  put("\xff|\xc3|\xe2\x82|\xc0\xaf|\xed\xa0\x80|\xf5\x80\x80\x80",
      "\"\\ufffd|\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd\\ufffd\"");
  put(NULL, "null");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(blocks_in_text, set_up), cmocka_unit_test_setup(blocks_in_json, set_up),
                                     cmocka_unit_test_setup(budget, set_up),         cmocka_unit_test_setup(ties, set_up),
                                     cmocka_unit_test(figures), cmocka_unit_test(names), cmocka_unit_test(strings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
