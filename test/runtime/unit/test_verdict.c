/* What a class settled on as text, and a class that takes it up. */
#include "fake.h"

#include <stdio.h>

#include "class.h"

/* ---- text ---- */

/* Read, and printed again: `again`, or the same where that is NULL. */
static const struct {
  const char *text, *again;
} good[] = {
  {"verdict keeps=version version=k_gc spaces=gc base=k_base base-ns=2000 version-ns=1500.5 noise=0.015625 period=1", NULL},
  {"verdict keeps=version version=k spaces=g base=b base-ns=2 version-ns=1 noise=0 period=0", NULL},
  {"verdict keeps=version version=k base=b base-ns=2 version-ns=1 noise=0 period=32", NULL}, /* nothing is placeable */
  {"verdict keeps=original base-ns=0 version-ns=0 noise=0 period=0 reason=no array that it reads can be placed", NULL},
  {"verdict keeps=original version=k_gc spaces=gc base=k_base base-ns=1000 version-ns=1100 noise=0 period=2 reason=a=b, c d", NULL},
  {"verdict period=3 base=b keeps=version version-ns=1 base-ns=1.5 version=k spaces=rs",
   "verdict keeps=version version=k spaces=rs base=b base-ns=1.5 version-ns=1 noise=0 period=3"},
  {"verdict keeps=version version=k base=b base-ns=2 version-ns=1 noise=0 lap=32", /* as it was called before */
   "verdict keeps=version version=k base=b base-ns=2 version-ns=1 noise=0 period=32"},
  {"verdict of=tomorrow keeps=original new=key reason=x", "verdict keeps=original base-ns=0 version-ns=0 noise=0 period=0 reason=x"},
  {"verdict keeps=original version=first version=second reason=x",
   "verdict keeps=original version=second base-ns=0 version-ns=0 noise=0 period=0 reason=x"},
};

static const struct {
  const char *text, *why;
} bad[] = {
  {"", "not a verdict: "},
  {"verdicts keeps=original reason=x", "not a verdict: verdicts keeps=original reason=x"},
  {"verdict", "not a verdict: verdict"},
  {"verdict keeps", "not a verdict: keeps"},
  {"verdict reason=x", "not a verdict: verdict reason=x"},
  {"verdict keeps=both reason=x", "not a verdict: keeps=both"},
  {"verdict keeps=original", "not a verdict: verdict keeps=original"}, /* without a reason */
  {"verdict keeps=version version=k base=b base-ns=2", "not a verdict: verdict keeps=version version=k base=b base-ns=2"},
  {"verdict keeps=version version=k base-ns=2 version-ns=1", "not a verdict: verdict keeps=version version=k base-ns=2 version-ns=1"},
  {"verdict keeps=version base=b base-ns=2 version-ns=1", "not a verdict: verdict keeps=version base=b base-ns=2 version-ns=1"},
  {"verdict keeps=original spaces=gx reason=x", "not a verdict: spaces=gx"},
  {"verdict keeps=original base-ns=-1 reason=x", "not a verdict: base-ns=-1"},
  {"verdict keeps=original base-ns=nan reason=x", "not a verdict: base-ns=nan"},
  {"verdict keeps=original version-ns=1e999 reason=x", "not a verdict: version-ns=1e999"},
  {"verdict keeps=original version-ns= reason=x", "not a verdict: version-ns="},
  {"verdict keeps=original noise=1x reason=x", "not a verdict: noise=1x"},
  {"verdict keeps=original period=1.5 reason=x", "not a verdict: period=1.5"},
  {"verdict keeps=original lap=1.5 reason=x", "not a verdict: lap=1.5"},
  {"verdict keeps=original period=99999999 reason=x", "not a verdict: period=99999999"},
  {"verdict keeps=original reason=x\nverdict keeps=original reason=y", "not a verdict: verdict keeps=original reason=x?verdict keeps=original reason=y"},
};

static void good_lines_come_back(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    struct verdict v;
    struct place_diag diag = {""};
    char again[400], cut[20];
    if (verdict_read(good[i].text, &v, &diag)) fail_msg("%s: %s", good[i].text, diag.text);
    size_t length = verdict_print(&v, again, sizeof again);
    assert_string_equal(again, good[i].again ? good[i].again : good[i].text);
    assert_int_equal(verdict_print(&v, cut, sizeof cut), length);
    assert_memory_equal(cut, again, sizeof cut - 1);
    verdict_free(&v);
  }
}

static void bad_lines_are_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct verdict v = {.period_launches = 7};
    struct place_diag diag = {""};
    if (!verdict_read(bad[i].text, &v, &diag)) fail_msg("taken: %s", bad[i].text);
    assert_string_equal(diag.text, bad[i].why);
    assert_null(v.version);
    assert_null(v.reason);
    assert_int_equal(v.period_launches, 0);
  }
}

static void more_letters_than_arrays_can_be_placed(void **state) {
  (void)state;
  char text[PLACE_MAX_PLACEABLE + 80] = "verdict keeps=original reason=x spaces=";
  struct verdict v;
  size_t n = strlen(text);
  memmove(text, "verdict keeps=original spaces=", 31);
  n = strlen(text);
  memset(text + n, 'g', PLACE_MAX_PLACEABLE + 1);
  memcpy(text + n + PLACE_MAX_PLACEABLE + 1, " reason=x", 10);
  assert_int_equal(verdict_read(text, &v, NULL), -1);
  memcpy(text + n + PLACE_MAX_PLACEABLE, " reason=x", 10);
  assert_int_equal(verdict_read(text, &v, NULL), 0);
  assert_int_equal(strlen(v.spaces), PLACE_MAX_PLACEABLE);
  verdict_free(&v);
}

/* ---- classes ---- */

static struct place_array arrays[] = {{.name = (char[]){"a"}, .placeable = 0}, {.name = (char[]){"o"}, .placeable = -1}};
static int8_t stays[] = {PLACE_GLOBAL, -1}, moves[] = {PLACE_CONSTANT, -1}, open[] = {-1, -1};
static struct place_version versions[] = {
  {.entry = (char[]){"k_base"}, .role = PLACE_ROLE_BASE, .space = stays},
  {.entry = (char[]){"k_c"}, .role = PLACE_ROLE_PLAN, .space = moves},
  {.entry = (char[]){"k_any"}, .role = PLACE_ROLE_PLAN, .space = open},
};
enum { BASE, MOVES, OPEN, VERSIONS };
static struct place_region layout = {.entry = (char[]){"k"}, .arrays = arrays, .array_count = 2, .placeable_count = 1,
                                     .versions = versions, .version_count = VERSIONS};
static struct rt_region region = {.region = &layout};

static struct rt_class *new_class(void) {
  struct rt_class *c = calloc(1, sizeof *c);
  assert_non_null(c);
  c->chosen = -1;
  return c;
}

/* One that tried k_c in a trial of these periods. */
static struct rt_class *tried(const double *base, const double *plan, unsigned periods, bool won) {
  struct rt_class *c = new_class();
  assert_true(class_make_room(c));
  c->plan_count = 2;
  c->plan[0] = (struct place_plan){.version = BASE, .placeable_count = 1};
  c->plan[1] = (struct place_plan){.version = MOVES, .placeable_count = 1, .array = {{.space = PLACE_CONSTANT}}};
  tune_start(&c->tune, 1);
  for (unsigned i = 0; i < periods; i++) c->tune.arm[0].kernel_ns[i] = base[i], c->tune.arm[1].kernel_ns[i] = plan[i];
  c->tune.arm[0].count = c->tune.arm[1].count = periods;
  c->tune.period_launches = 4;
  c->tune.done = true;
  c->tune.best = 1;
  c->tune.winner = won ? 1 : -1;
  c->tune.reason = "slower";
  c->phase = CLASS_TRIAL;
  class_after_trial(c, &region);
  return c;
}

static const double slow[] = {2e6, 2.1e6, 2.2e6}, quick[] = {1e6, 1.1e6, 1.2e6};

static void verdicts_are_told(void **state) {
  (void)state;
  static const struct {
    bool won;
    const char *text;
  } cases[] = {
    {true, "verdict keeps=version version=k_c spaces=c base=k_base base-ns=2100000 version-ns=1100000 noise=0.095238095238095233 period=4"},
    {false, "verdict keeps=original version=k_c spaces=c base=k_base base-ns=1100000 version-ns=2100000 noise=0.18181818181818182 period=4 "
            "reason=nothing that was tried was faster; closest: a in constant memory (no difference)"},
  };
  for (int i = 0; i < 2; i++) {
    struct rt_class *c = tried(cases[i].won ? slow : quick, cases[i].won ? quick : slow, 3, cases[i].won);
    struct verdict v;
    char text[400];
    assert_true(class_tell(c, &region, &v));
    verdict_print(&v, text, sizeof text);
    assert_string_equal(text, cases[i].text);
    verdict_free(&v);
    class_free(c);
  }
}

static void nothing_is_told_of_what_was_not_measured(void **state) {
  (void)state;
  struct verdict v;
  struct rt_class *c = new_class();
  assert_false(class_tell(c, &region, &v));
  c->phase = CLASS_TRIAL;
  assert_false(class_tell(c, &region, &v));
  c->phase = CLASS_SETTLED, c->chosen = 1, c->trusted = true; /* by the model */
  assert_false(class_tell(c, &region, &v));
  c->trusted = false;
  class_keep_original(c, "no array that it reads can be placed");
  assert_true(class_tell(c, &region, &v));
  assert_null(v.version);
  assert_string_equal(v.reason, "no array that it reads can be placed");
  verdict_free(&v);
  class_free(c);
}

/* Of k_c: text of the verdict, which versions are usable, whether it is taken up, and the plan that is then launched. */
static void verdicts_are_taken_up(void **state) {
  (void)state;
#define MEASURED " base-ns=2000000 version-ns=1000000 noise=0.02 period=4"
  static const struct {
    const char *text;
    bool usable[VERSIONS], taken;
    int chosen, version;
  } cases[] = {
    {"verdict keeps=version version=k_c spaces=c base=k_base" MEASURED, {1, 1, 1}, true, 1, MOVES},
    {"verdict keeps=version version=k_any spaces=s base=k_base" MEASURED, {1, 1, 1}, true, 1, OPEN},
    {"verdict keeps=original version=k_c spaces=c base=k_base" MEASURED " reason=slower", {1, 1, 1}, true, -1, MOVES},
    {"verdict keeps=original reason=nothing to place", {1, 1, 1}, true, -1, -1},
    {"verdict keeps=version version=k_c spaces=c base=k_base" MEASURED, {1, 0, 1}, false, -1, -1}, /* missing from the image */
    {"verdict keeps=version version=k_c spaces=c base=k_base" MEASURED, {0, 1, 1}, false, -1, -1},
    {"verdict keeps=version version=k_gone spaces=c base=k_base" MEASURED, {1, 1, 1}, false, -1, -1},
    {"verdict keeps=version version=k_c spaces=c base=k_gone" MEASURED, {1, 1, 1}, false, -1, -1},
    {"verdict keeps=version version=k_c spaces=s base=k_base" MEASURED, {1, 1, 1}, false, -1, -1}, /* not that version's space */
    {"verdict keeps=version version=k_c spaces=cc base=k_base" MEASURED, {1, 1, 1}, false, -1, -1}, /* another region's */
    {"verdict keeps=version version=k_c base=k_base" MEASURED, {1, 1, 1}, false, -1, -1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rt_class *c = new_class();
    struct verdict v, again;
    assert_int_equal(verdict_read(cases[i].text, &v, NULL), 0);
    assert_int_equal(class_take_up(c, &region, &v, cases[i].usable), cases[i].taken);
    assert_int_equal(c->phase, cases[i].taken ? CLASS_SETTLED : CLASS_NEW);
    assert_int_equal(c->chosen, cases[i].chosen);
    if (cases[i].version >= 0) assert_int_equal(c->plan[1].version, cases[i].version);
    if (cases[i].taken && v.version) { /* what is told of it then is the same */
      char text[400], told[400];
      assert_true(class_tell(c, &region, &again));
      again.noise = v.noise; /* of one period there is none */
      verdict_print(&v, text, sizeof text);
      verdict_print(&again, told, sizeof told);
      assert_string_equal(told, text);
      verdict_free(&again);
    }
    verdict_free(&v);
    class_free(c);
  }
}

/* It is compared with the base like what the class had found itself, and given up when it loses. */
static void what_was_taken_up_is_watched(void **state) {
  (void)state;
  static const struct config config = {.patience_ns = 1};
  struct rt_class *c = new_class();
  struct verdict v;
  assert_int_equal(verdict_read("verdict keeps=version version=k_c spaces=c base=k_base" MEASURED, &v, NULL), 0);
  assert_true(class_take_up(c, &region, &v, NULL));
  assert_false(class_take_up(c, &region, &v, NULL)); /* it is no new one any more */
  verdict_free(&v);
  assert_true(class_is_watched(c, &config));
  bool lost = false;
  for (int i = 0; i < 1000 && !lost; i++) {
    if (watch_is_due(&c->watch)) lost = watch_record(&c->watch, watch_next(&c->watch), watch_next(&c->watch) == WATCH_BASE ? 1e6 : 2e6);
    else watch_pass(&c->watch, 0);
  }
  assert_true(lost);
  class_give_up(c, &region);
  assert_int_equal(c->chosen, -1);
  assert_non_null(strstr(c->reason, "a in constant memory was chosen and later given up"));
  class_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(good_lines_come_back),
    cmocka_unit_test(bad_lines_are_refused),
    cmocka_unit_test(more_letters_than_arrays_can_be_placed),
    cmocka_unit_test(verdicts_are_told),
    cmocka_unit_test(nothing_is_told_of_what_was_not_measured),
    cmocka_unit_test(verdicts_are_taken_up),
    cmocka_unit_test(what_was_taken_up_is_watched),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
