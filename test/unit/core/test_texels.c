/* Versions that fetch arrays from textures: their records. */
#include "support.h"

#include <string.h>

#include "place/region.h"
#include "place/space.h"

/* An array that may be in a texture, one that may not, one that is written, and another that may. */
static const char head[] = "place-table 2\nregion k\nat 0 ? ?\nkind spmd\nlaunch 128 open - -\n"
                           "array 0 0 a 4 r 0 global,texture texture -\narray 1 1 b 4 r 1 global,shared - -\n"
                           "array 2 2 o 4 w -1 global - written\narray 3 3 c 16 r 2 global,texture - -\n"
                           "version k0 role=base loop=original space=g,g,-,g\n";

static void records(void **state) {
  (void)state;
  struct place_table table;
  struct place_diag diag = {""};
  char text[2048], printed[2048];
  if (read_with(head, "version k1 role=plan loop=straight space=t,g,-,g texels=4,-,-,- threads=128 needs=textures,threads:128\n"
                "version k2 role=plan loop=straight space=t,s,-,t texels=8,-,-,16 needs=textures,aligned:16\n"
                "version k3 role=plan loop=original space=*,*,-,* texels=4,-,-,16 needs=textures,aligned:16\n",
                &table, &diag, text, sizeof text))
    fail_msg("%s", diag.text);
  const struct place_version *v = table.regions[0].versions;
  static const uint8_t texels[3][4] = {{4, 0, 0, 0}, {8, 0, 0, 16}, {4, 0, 0, 16}};
  assert_null(v[0].texel);
  for (int i = 0; i < 3; i++) assert_memory_equal(v[i + 1].texel, texels[i], 4);
  assert_int_equal(table.regions[0].arrays[0].hint, PLACE_TEXTURE);
  assert_true(place_version_moves(table.regions, &v[1]));
  assert_int_equal(place_table_print(&table, printed, sizeof printed), strlen(text));
  assert_string_equal(printed, text);
  place_table_free(&table);
}

/* Rows: of which length, the launch says. */
static const char planes[] = "place-table 2\nregion k\nat 0 ? ?\nkind spmd\nlaunch 128 open - -\n"
                             "array 0 0 a 4 r 0 global,texture,texture2d texture2d -\narray 1 1 o 4 w -1 global - written\n"
                             "array 2 2 c 16 r 1 global,texture - -\nversion k0 role=base loop=original space=g,-,g\n";

static void rows(void **state) {
  (void)state;
  struct place_table table;
  struct place_diag diag = {""};
  char text[2048], printed[2048];
  if (read_with(planes, "version k1 role=plan loop=straight space=d,-,g texels=4,-,- pitches=4*sext32(trunc32(arg3));-;- needs=textures\n"
                "version k2 role=plan loop=original space=*,-,* texels=4,-,16 pitches=4*sext32(trunc32(arg3));-;- needs=textures\n",
                &table, &diag, text, sizeof text))
    fail_msg("%s", diag.text);
  const struct place_version *v = table.regions[0].versions;
  const uint64_t arg[] = {0, 0, 0, 640};
  const bool known[] = {true, true, true, true};
  struct place_point at = {.arg = arg, .arg_known = known, .args = 4};
  assert_null(v[0].pitch);
  for (int i = 1; i < 3; i++) {
    uint64_t bytes = 0;
    assert_true(place_expr_eval(&table.exprs, v[i].pitch[0], &at, &bytes));
    assert_int_equal(bytes, 2560);
    assert_int_equal(v[i].pitch[1], PLACE_EXPR_NONE);
    assert_int_equal(v[i].pitch[2], PLACE_EXPR_NONE);
  }
  assert_int_equal(place_table_print(&table, printed, sizeof printed), strlen(text));
  assert_string_equal(printed, text);
  place_table_free(&table);
}

static void damaged_rows(void **state) {
  (void)state;
  static const struct { const char *record, *why; } bad[] = {
    {"space=d,-,g texels=4,-,- needs=textures", "without pitches"},
    {"space=d,-,g texels=4,-,- pitches=-;-;- needs=textures", "pitches is '"},
    {"space=d,-,g texels=4,-,- pitches=64;- needs=textures", "pitches is '"},
    {"space=d,-,g texels=4,-,- pitches=64;-;-;- needs=textures", "pitches is '"},
    {"space=d,-,g texels=4,-,- pitches=64;64;- needs=textures", "pitches is '"},
    {"space=d,-,g texels=4,-,- pitches=64;-;64 needs=textures", "pitches is '"},
    {"space=d,-,g texels=4,-,- pitches=64*;-;- needs=textures", "expression"},
    {"space=g,-,g pitches=64;-;-", "pitches without texels"},
    {"space=g,-,d texels=-,-,16 needs=textures", "is not possible"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct place_table table;
    struct place_diag diag = {""};
    char text[2048], version[200];
    snprintf(version, sizeof version, "version k1 role=plan loop=straight %s\n", bad[i].record);
    assert_int_equal(read_with(planes, version, &table, &diag, text, sizeof text), -1);
    if (!strstr(diag.text, bad[i].why)) fail_msg("%s: %s", bad[i].record, diag.text);
  }
}

static void damaged_records(void **state) {
  (void)state;
  static const struct { const char *record, *why; } bad[] = {
    {"space=t,g,-,g texels=4,-,- needs=textures", "texels is '"},       {"space=t,g,-,g texels=4,-,-,-,- needs=textures", "texels is '"},
    {"space=t,g,-,g texels=2,-,-,- needs=textures", "texels is '"},     {"space=t,g,-,g texels=12,-,-,- needs=textures", "texels is '"},
    {"space=t,g,-,g texels=32,-,-,- needs=textures", "texels is '"},    {"space=t,g,-,g texels=4x,-,-,- needs=textures", "texels is '"},
    {"space=t,g,-,g texels=4,4,-,- needs=textures", "texels is '"},     {"space=t,g,-,g texels=4,-,4,- needs=textures", "texels is '"},
    {"space=g,g,-,g texels=-,-,-,- needs=textures", "texels is '"},     {"space=t,g,-,g texels= needs=textures", "texels is '"},
    {"space=t,g,-,g needs=textures", "without texels"},                 {"space=t,g,-,t texels=4,-,-,- needs=textures", "without texels"},
    {"space=t,g,-,g texels=4,-,-,-", "without the need of textures"},   {"space=g,t,-,g texels=4,-,-,- needs=textures", "is not possible"},
    {"space=t,g,-,g texels=4,-,-,- needs=textures:4", "needs is '"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct place_table table;
    struct place_diag diag = {""};
    char text[2048], version[200];
    snprintf(version, sizeof version, "version k1 role=plan loop=straight %s\n", bad[i].record);
    assert_int_equal(read_with(head, version, &table, &diag, text, sizeof text), -1);
    if (!strstr(diag.text, bad[i].why)) fail_msg("%s: %s", bad[i].record, diag.text);
  }
}

/* Reports and lists leave textures out where the source does not ask for them. */
static void told_where_asked_for(void **state) {
  (void)state;
  const struct place_array plain = {.candidates = 15}, asked = {.candidates = 63};
  for (int s = 0; s < PLACE_SPACE_COUNT; s++) {
    assert_int_equal(place_array_may_tell(&plain, (enum place_space)s), s != PLACE_TEXTURE && s != PLACE_TEXTURE2D);
    assert_true(place_array_may_tell(&asked, (enum place_space)s));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(records), cmocka_unit_test(damaged_records), cmocka_unit_test(rows), cmocka_unit_test(damaged_rows),
                                     cmocka_unit_test(told_where_asked_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
