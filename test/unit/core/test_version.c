/* What a version's fields say: names of the lists, questions, shapes. Reading records is test_table.c's. */
#include "support.h"

#include "place/case.h"
#include "place/region.h"

static void names(void **state) {
  (void)state;
  for (int i = 0; i < PLACE_ROLE_COUNT; i++) assert_int_equal(place_role_parse(place_role_name(i), strlen(place_role_name(i))), i);
  for (int i = 0; i < PLACE_LOOP_COUNT; i++) assert_int_equal(place_loop_parse(place_loop_name(i), strlen(place_loop_name(i))), i);
  for (int i = 0; i < PLACE_NEED_COUNT; i++) assert_int_equal(place_need_parse(place_need_name(i), strlen(place_need_name(i))), i);
  assert_int_equal(place_role_parse("bas", 3), -1);
  assert_int_equal(place_loop_parse("blocks", 6), -1);
  assert_int_equal(place_loop_parse("blocks", 5), PLACE_LOOP_BLOCK);
  assert_int_equal(place_need_parse("", 0), -1);
  assert_string_equal(place_role_name(PLACE_ROLE_COUNT), "?");
  assert_string_equal(place_loop_name(PLACE_LOOP_COUNT), "?");
  assert_string_equal(place_need_name(PLACE_NEED_COUNT), "?");
  assert_true(place_need_is_numbered(PLACE_NEED_ALIGNED) && !place_need_is_numbered(PLACE_NEED_WRITES_APART));
  for (int i = 0; i < PLACE_SPACE_COUNT; i++) assert_int_equal(place_space_of_letter(place_space_letter((enum place_space)i)), i);
  assert_int_equal(place_space_of_letter('*'), -1);
  assert_int_equal(place_space_of_letter(0), -1);
  assert_int_equal(place_space_letter(PLACE_SPACE_COUNT), '?');
}

/* What a model of loops is asked about: forms that keep the original's chunks, and no other. */
static void estimates(void **state) {
  (void)state;
  for (int i = 0; i <= PLACE_LOOP_COUNT; i++) {
    bool chunks = i == PLACE_LOOP_STRAIGHT || i == PLACE_LOOP_NATURAL;
    assert_int_equal(place_loop_estimate((enum place_loop_form)i), chunks ? PLACE_ESTIMATE_BY_CHUNKS : PLACE_ESTIMATE_BY_NONE);
  }
}

/* ---- questions: three arrays, of which the first and the last can be placed ---- */

enum { ARRAYS = 3 };
static struct place_array arrays[ARRAYS] = {{.placeable = 1}, {.placeable = -1}, {.placeable = 0}};
static int8_t global[] = {0, -1, 0}, copied[] = {PLACE_CONSTANT, -1, 0}, any[] = {-1, -1, -1};
static struct place_version versions[] = {
  {.role = PLACE_ROLE_BASE, .space = global},
  {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_STRAIGHT, .space = global},
  {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_NATURAL, .space = global},
  {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_BLOCK, .space = copied, .block = {.dims = 1, .threads = {128}, .each = {4}}},
  {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_STRAIGHT, .space = copied},
  {.role = PLACE_ROLE_PLAN, .loop = PLACE_LOOP_NATURAL, .space = copied},
  {.role = PLACE_ROLE_PLAN, .space = any},
  {.role = PLACE_ROLE_PROFILE, .space = any}};
enum { BASE, STRAIGHT, NATURAL, BLOCK, CONSTANT, NATURAL_CONSTANT, OPEN, PROFILE, VERSIONS };
static const struct place_region region = {.arrays = arrays, .array_count = ARRAYS, .placeable_count = 2, .versions = versions,
                                           .version_count = VERSIONS};

static void questions(void **state) {
  (void)state;
  static const struct { bool open, moves, placement, plain; } all[VERSIONS] = {
    [STRAIGHT] = {.plain = true},
    [NATURAL] = {.plain = true},
    [BLOCK] = {.moves = true},
    [CONSTANT] = {.moves = true, .placement = true},
    [NATURAL_CONSTANT] = {.moves = true, .placement = true},
    [OPEN] = {.open = true},
    [PROFILE] = {.open = true}};
  for (int v = 0; v < VERSIONS; v++) {
    assert_int_equal(place_version_is_open(&region, &versions[v]), all[v].open);
    assert_int_equal(place_version_moves(&region, &versions[v]), all[v].moves);
    assert_int_equal(place_version_is_placement(&region, &versions[v]), all[v].placement);
    assert_int_equal(place_version_is_plain(&region, &versions[v]), all[v].plain);
  }
}

static void spaces(void **state) {
  (void)state;
  static const struct { uint8_t space[2]; int found; } all[] = { /* by placeable index */
    {{PLACE_GLOBAL, PLACE_GLOBAL}, STRAIGHT}, {{PLACE_GLOBAL, PLACE_CONSTANT}, CONSTANT}, {{PLACE_CONSTANT, PLACE_GLOBAL}, OPEN}};
  uint8_t space[PLACE_MAX_PLACEABLE] = {9, 9, 9};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_int_equal(place_version_find(&region, all[i].space), all[i].found);
  place_version_spaces(&region, &versions[CONSTANT], space);
  assert_true(space[0] == PLACE_GLOBAL && space[1] == PLACE_CONSTANT && space[2] == 9);
  assert_true(place_version_has_spaces(&region, &versions[OPEN], space));
  assert_true(place_version_has_spaces(&region, &versions[BLOCK], space));
  assert_false(place_version_has_spaces(&region, &versions[BASE], space));
  place_version_spaces(&region, &versions[OPEN], space);
  assert_true(space[0] == PLACE_GLOBAL && space[1] == PLACE_GLOBAL);
  const struct place_region without = {.arrays = arrays, .array_count = ARRAYS, .placeable_count = 2};
  assert_int_equal(place_version_find(&without, space), -1);
}

/* Versions that share their spaces are told apart by their loop, in a case, too. */
static void names_of_plans(void **state) {
  (void)state;
  static const struct { int version; const char *name; } all[] = {
    {-1, "c-g_original"}, {CONSTANT, "c-g"}, {NATURAL_CONSTANT, "c-g_natural"}, {BLOCK, "c-g_512t128"}, {OPEN, "c-g_agnostic"}};
  uint8_t space[PLACE_MAX_PLACEABLE] = {PLACE_GLOBAL, PLACE_CONSTANT}, read[PLACE_MAX_PLACEABLE];
  versions[BLOCK].threads = 128;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char name[64];
    int version;
    assert_int_equal(place_case_plan_name(&region, space, all[i].version, name, sizeof name), strlen(all[i].name));
    assert_string_equal(name, all[i].name);
    if (all[i].version < 0) continue; /* the original has nothing in constant memory */
    assert_int_equal(place_case_plan_parse(&region, name, read, &version), 0);
    assert_int_equal(version, all[i].version);
    assert_memory_equal(space, read, 2);
  }
}

static void shapes(void **state) {
  (void)state;
  static const struct { struct place_block block; const char *text; } all[] = {
    {{.dims = 0}, ""},
    {{2, {8, 32}, {8, 4}, {true, false}, 16, false, false, false, 1, 0}, "64x128t256k16"},
    {{2, {8, 32}, {8, 2}, {true, false}, 16, true, false, false, 1, 0}, "64x64t256k16p"},
    {{2, {8, 32}, {8, 1}, {false, false}, 0, false, true, false, 1, 0}, "64x32t256c"},
    {{3, {1, 8, 32}, {4, 1, 1}, {true, true, false}, 0, false, false, false, 1, 0}, "4x8x32t256"},
    {{1, {256}, {2}, {true}, 32, true, false, false, 1, 0}, "512t256k32pa"},
    {{2, {32, 8}, {1, 4}, {false, false}, 0, false, false, false, 1, 1}, "32x32t256l1"},
    {{1, {32}, {1}, {false}, 64, true, false, false, 8, 0}, "32t256k64p"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct place_version version = {.threads = 256, .block = all[i].block};
    char text[64] = "#", cut[4] = "###";
    assert_int_equal(place_version_shape(&version, text, sizeof text), strlen(all[i].text));
    assert_string_equal(text, all[i].text);
    place_version_shape(&version, cut, 3);
    assert_true(strlen(cut) <= 2 && !strncmp(cut, all[i].text, strlen(cut)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(estimates), cmocka_unit_test(questions), cmocka_unit_test(spaces),
                                     cmocka_unit_test(names_of_plans), cmocka_unit_test(shapes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
