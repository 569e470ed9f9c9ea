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
  apply("main:o=global", 0); /* where it is anyway */
  apply("main:zz=constant", -1);
  apply("main:a=constant", -1);
  apply("main:o=constant", -1);
  assert_true(apply("*:zz=constant", 0).any);
  assert_false(apply("elsewhere:w=constant", 0).any);
}

static void malformed(void **state) {
  (void)state;
  const char *const bad[] = {"", ";", "w", "w=constant", ":w=constant", "main:", "main:w", "main:w=", "main:=constant",
                             "main:w=constan", "main:w=constantt", "main:version=fast", "main:w=constant,", "a;b", "main:w=constant,w=shared", "main:w=constant;main:w=shared", "*:all=shared,all=constant", "*:version=base,version=profile", "main:w:constant"};
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

static char said[2000];

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  size_t at = strlen(said);
  va_list list;
  va_start(list, format);
  vsnprintf(said + at, sizeof said - at, format, list);
  va_end(list);
  snprintf(said + strlen(said), sizeof said - strlen(said), "\n");
}

static const char *names(const char *text, size_t regions) {
  const struct place_region *const all[] = {&region};
  struct place_diag diag = {""};
  struct force *force = force_parse(text, &diag);
  *said = 0;
  assert_string_equal(diag.text, "");
  force_check_names(force, all, regions, say);
  force_check_names(force, all, regions, say); /* once */
  force_free(force);
  return said;
}

/* What names nothing is said, with what there is. */
static void names_of_nothing(void **state) {
  (void)state;
  static const char *const cases[][2] = {
    {"main:w=constant,version=base;*:all=shared;14:arg0=shared,o=global", ""},
    {"mian:w=constant", "PLACE_FORCE: no region is 'mian' (did you mean 'main'?); there are main (conv.c:14)\n"},
    {"conv.c:15:w=constant", "PLACE_FORCE: no region is 'conv.c:15' (did you mean 'conv.c:14'?); there are main (conv.c:14)\n"},
    {"somewhere:w=constant", "PLACE_FORCE: no region is 'somewhere'; there are main (conv.c:14)\n"},
    {"main:v=constant", "PLACE_FORCE: 'main' has no array 'v' (did you mean 'a'?); there are a, w, o\n"},
    {"*:weights=constant,w=shared", "PLACE_FORCE: '*' has no array 'weights'; there are a, w, o\n"},
    {"main:o=readonly", "PLACE_FORCE: 'o' of main (conv.c:14) cannot be in readonly memory: the region writes it\n"},
    {"main:a=constant", "PLACE_FORCE: 'a' of main (conv.c:14) cannot be in constant memory: no version was compiled for that\n"},
    {"main:w=constant,arg1=shared", "PLACE_FORCE: 'w' and 'arg1' are one array of main (conv.c:14), which cannot be in constant and in shared "
                                    "memory; the last counts\n"},
    {"main:w=constant,arg1=constant", ""},
    {"x:a=shared;y:a=shared", "PLACE_FORCE: no region is 'x'; there are main (conv.c:14)\n"
                              "PLACE_FORCE: no region is 'y'; there are main (conv.c:14)\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_string_equal(names(cases[i][0], 1), cases[i][1]);
  assert_string_equal(names("main:w=constant", 0), "PLACE_FORCE: no region is 'main': the program has none that was compiled with libplace.so\n");
}

static void contradictions(void **state) {
  (void)state;
  struct place_diag diag = {""};
  assert_null(force_parse("main:w=constant,w=shared", &diag));
  assert_string_equal(diag.text, "PLACE_FORCE: two spaces for 'w' of 'main', constant and shared; name one");
  assert_null(force_parse("main:w=constan", &diag));
  assert_non_null(strstr(diag.text, "did you mean constant?"));
  force_free(force_parse("*:all=shared,w=constant;main:w=readonly;main:w=readonly", &diag)); /* the more special ones, and twice the same */
  struct force_choice c = apply("*:all=shared,w=constant", 0);
  assert_int_equal(c.all, PLACE_SHARED);
  assert_int_equal(c.space[1], PLACE_CONSTANT);
}

/* ---- routes: a version that loads a by cg and o by cs ---- */

static void routes(void **state) {
  (void)state;
  int8_t space[] = {PLACE_GLOBAL, PLACE_GLOBAL, -1};
  uint8_t route[] = {PLACE_ROUTE_CG, PLACE_ROUTE_DEFAULT, PLACE_ROUTE_CS};
  struct place_version version = {.role = PLACE_ROLE_PLAN, .space = space, .route = route, .teams = PLACE_EXPR_NONE};
  region.versions = &version;
  region.version_count = 1;
  struct force_choice c = apply("main:a@cg,o@cs", 0);
  assert_true(c.any && c.routed && c.route[0] == PLACE_ROUTE_CG && c.route[1] == -1 && c.route[2] == PLACE_ROUTE_CS && c.all_route == -1);
  c = apply("conv.c:14:all@cg,w=constant", 0);
  assert_true(c.routed && c.all_route == PLACE_ROUTE_CG && c.route[0] == -1 && c.space[1] == PLACE_CONSTANT);
  c = apply("main:w@default", 0);
  assert_true(c.routed && c.route[1] == PLACE_ROUTE_DEFAULT);
  c = apply("main:a@nc,arg1@nc", 0); /* a space's */
  assert_true(!c.routed && c.space[0] == PLACE_READONLY && c.space[1] == PLACE_READONLY);
  assert_true(!apply("main:w=constant", 0).routed);
  apply("main:a@cs", -1);
  apply("main:zz@cg", -1);
  assert_string_equal(names("main:a@cg,o@cs,all@lu", 1), "");
  assert_string_equal(names("main:w@cg", 1), "PLACE_FORCE: no version of main (conv.c:14) loads 'w' by cg: compile with "
                                             "-fplugin-arg-place-routes, or with '#pragma place cg(w)'\n");
  assert_string_equal(names("main:zz@cg", 1), "PLACE_FORCE: 'main' has no array 'zz'; there are a, w, o\n");
  static const char *const bad[][2] = {
    {"main:a", "PLACE_FORCE: 'main:a' names no space; write region:array=space[,array=space...], for example "
               "PLACE_FORCE='main:w=constant' or '*:all=shared'"},
    {"main:a@", "PLACE_FORCE: no route ''; there are those of docs/hints.md, such as cg and no_allocate"},
    {"main:a@cgg", "PLACE_FORCE: no route 'cgg'; did you mean cg? there are those of docs/hints.md, such as cg and no_allocate"},
    {"main:a@cg,a@cs", "PLACE_FORCE: two routes for 'a' of 'main', cg and cs; name one"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct place_diag diag = {""};
    assert_null(force_parse(bad[i][0], &diag));
    assert_string_equal(diag.text, bad[i][1]);
  }
  struct place_diag diag = {""};
  assert_null(force_parse("main:@cg", &diag));
  region.versions = NULL;
  region.version_count = 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(routes), cmocka_unit_test(regions), cmocka_unit_test(arrays_and_versions), cmocka_unit_test(malformed),
                                     cmocka_unit_test(malformed_blocks), cmocka_unit_test(names_of_nothing), cmocka_unit_test(contradictions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
