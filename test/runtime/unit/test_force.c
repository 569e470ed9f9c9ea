/* PLACE_FORCE: what it matches, and what it says when it is malformed. */
#include "fake.h"

#include "force.h"

#include <stdio.h>

static struct place_array arrays[] = {
  {.arg = 0, .name = "a", .read = true, .placeable = 0, .candidates = 0xb},
  {.arg = 1, .name = "w", .read = true, .placeable = 1, .candidates = 0xf},
  {.arg = 2, .name = "o", .written = true, .placeable = -1, .candidates = 1},
};
static struct place_region region = {.entry = "__omp_offloading_1_2_main_l14", .function = "main", .file = "/x/src/conv.c",
                                     .line = 14, .arrays = arrays, .array_count = 3, .placeable_count = 2};

static struct force_choice apply(const char *text, int expected) {
  struct place_diag diag = {""};
  struct force_choice choice;
  struct force *force = force_parse(text, &diag);
  assert_string_equal(diag.text, "");
  assert_non_null(force);
  assert_int_equal(force_apply(force, &region, &choice, &diag), expected);
  assert_int_equal(expected != 0, *diag.text != 0);
  force_free(force);
  return choice;
}

static void regions(void **state) {
  (void)state;
  const char *const match[] = {"main:w=constant", "conv.c:14:w=constant", "src/conv.c:14:w=constant", "/x/src/conv.c:14:w=constant",
                               "14:w=constant", "__omp_offloading_1_2_main_l14:w=constant", "*:w=constant",
                               "other:a=shared;main:w=constant"};
  const char *const other[] = {"mai:w=constant", "onv.c:14:w=constant", "conv.c:15:w=constant", "15:w=constant", "x:w=constant"};
  for (size_t i = 0; i < sizeof match / sizeof *match; i++) {
    struct force_choice c = apply(match[i], 0);
    assert_true(c.any);
    assert_int_equal(c.space[1], PLACE_CONSTANT);
    assert_int_equal(c.space[0], PLACE_GLOBAL);
  }
  for (size_t i = 0; i < sizeof other / sizeof *other; i++) assert_false(apply(other[i], 0).any);
}

static void arrays_and_versions(void **state) {
  (void)state;
  struct force_choice c = apply("main:arg1=shared,a=readonly", 0);
  assert_int_equal(c.space[1], PLACE_SHARED);
  assert_int_equal(c.space[0], PLACE_READONLY);
  c = apply("*:all=constant", 0);
  assert_int_equal(c.space[0], PLACE_GLOBAL); /* has no such version */
  assert_int_equal(c.space[1], PLACE_CONSTANT);
  assert_int_equal(apply("*:version=profile", 0).version, FORCE_PROFILE);
  c = apply("*:version=agnostic,all=shared", 0);
  assert_int_equal(c.version, FORCE_AGNOSTIC);
  assert_int_equal(c.space[0], PLACE_SHARED);
  static const struct { const char *text; enum place_loop_form loop; unsigned number; } loops[] = {
    {"*:version=block", PLACE_LOOP_BLOCK, 1},       {"*:version=block3", PLACE_LOOP_BLOCK, 3},
    {"*:version=block64", PLACE_LOOP_BLOCK, 64},    {"*:version=straight", PLACE_LOOP_STRAIGHT, 1},
    {"*:version=natural2", PLACE_LOOP_NATURAL, 2}};
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
    c = apply(loops[i].text, 0);
    assert_true(c.version == FORCE_LOOP && c.loop == loops[i].loop && c.number == loops[i].number);
  }
  apply("main:zz=constant", -1);
  apply("main:a=constant", -1);
  apply("main:o=constant", -1);
  assert_true(apply("*:zz=constant", 0).any);
  assert_false(apply("elsewhere:w=constant", 0).any);
}

static void malformed(void **state) {
  (void)state;
  const char *const bad[] = {"", ";", "w", "w=constant", ":w=constant", "main:", "main:w", "main:w=", "main:=constant",
                             "main:w=constan", "main:w=constantt", "main:version=fast", "main:w=constant,", "a;b", "main:w:constant"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct place_diag diag = {""};
    assert_null(force_parse(bad[i], &diag));
    assert_memory_equal(diag.text, "PLACE_FORCE", 11);
  }
}

static void malformed_blocks(void **state) {
  (void)state;
  const char *const bad[] = {"block0", "block65", "blockx", "block1x", "block-1", "blocks", "straight0", "lunar1"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct place_diag diag = {""};
    char text[64], message[160];
    snprintf(text, sizeof text, "main:version=%s", bad[i]);
    snprintf(message, sizeof message,
             "PLACE_FORCE: no version '%s'; there are agnostic, profile, base, and loop forms such as straight, or block1 to block64", bad[i]);
    assert_null(force_parse(text, &diag));
    assert_string_equal(diag.text, message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(regions), cmocka_unit_test(arrays_and_versions), cmocka_unit_test(malformed),
                                     cmocka_unit_test(malformed_blocks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
