/* Region tables: reading, printing, and refusing. */
#include "support.h"

static const char *const names[] = {"conv1d", "lut", "spmv", "triad", "box", "cdf", /* by hand */
                                    "pass_conv1d", "pass_lookup", "pass_spmv", "pass_triad", "pass_box",
                                    "pass_particlefilter" /* written by libplace.so for benchmarks/ */};
enum { NAMES = sizeof names / sizeof *names };

static char *sealed(const char *name, size_t *length) {
  char path[512];
  snprintf(path, sizeof path, TABLES "/%s.table", name);
  char *text = read_text(path, length);
  seal(text, length);
  return text;
}

static void round_trip(void **state) {
  (void)state;
  for (int i = 0; i < NAMES; i++) {
    struct place_table table, again;
    static char first[1 << 16], second[1 << 16];
    struct place_diag diag = {""};
    load_table(names[i], &table);
    size_t n = place_table_print(&table, first, sizeof first);
    assert_int_equal(n, strlen(first));
    if (place_table_read(first, n, &again, &diag)) fail_msg("%s: %s", names[i], diag.text);
    place_table_print(&again, second, sizeof second);
    assert_string_equal(first, second);
    char cut[10];
    assert_int_equal(place_table_print(&table, cut, sizeof cut), n);
    assert_int_equal(strlen(cut), 9);
    place_table_free(&table);
    place_table_free(&again);
  }
}

static void content(void **state) {
  (void)state;
  struct place_table table;
  load_table("cdf", &table);
  assert_int_equal(table.region_count, 3);
  const struct place_region *r = &table.regions[1];
  assert_string_equal(r->entry, "__omp_offloading_10_pf_bisect_l60");
  assert_string_equal(r->function, "bisect");
  assert_string_equal(r->file, "pf.c");
  assert_int_equal(r->line, 60);
  assert_int_equal(r->threads, 128);
  assert_int_equal(r->teams, PLACE_TEAMS_OPEN);
  assert_int_equal(r->placeable_count, 2);
  assert_int_equal(r->accesses[1].index_source, 0);
  assert_int_equal(r->accesses[1].log, 0);
  assert_int_equal(r->accesses[1].offset, PLACE_EXPR_NONE);
  assert_int_equal(r->loops[2].trips, PLACE_EXPR_NONE);
  assert_int_equal(r->versions[0].space[0], PLACE_SHARED);
  assert_int_equal(r->versions[0].space[2], -1);
  assert_string_equal(r->arrays[2].reason, "written");
  assert_string_equal(r->no_blocks, "threads part in the body");
  assert_null(table.regions[0].no_blocks);
  r = &table.regions[2];
  assert_string_equal(r->unsupported, "generic mode: the kernel's threads do not all run the loop");
  assert_true(r->reduction && r->unknown_writes);
  place_table_free(&table);
}

/* ---- refusals: one edit each ---- */

static void refused(const char *name, const char *from, const char *to, const char *message, const char *where) {
  size_t length;
  struct place_table table;
  struct place_diag diag = {""};
  char *text = sealed(name, &length), *at = strstr(text, from);
  assert_non_null(at);
  memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
  memcpy(at, to, strlen(to));
  length = strlen(text);
  seal(text, &length);
  assert_int_equal(place_table_read(text, length, &table, &diag), -1);
  if (!strstr(diag.text, message) || !strstr(diag.text, where) || !strstr(diag.text, "recompile"))
    fail_msg("'%s' -> '%s': message is '%s', expected '%s' at '%s'", from, to, diag.text, message, where);
  assert_int_equal(table.region_count, 0);
  free(text);
}

static void refusals(void **state) {
  (void)state;
  refused("conv1d", "place-table 1", "place-table 2", "ABI version 2, this runtime reads version 1", "line 1");
  refused("conv1d", "place-table 1", "plaice 1", "expected 'place-table'", "line 1");
  refused("conv1d", "kind spmd", "kind spdm", "expected spmd or unsupported", "line 4");
  refused("conv1d", "launch 128 open", "launch 2000 open", "threads is 2000", "line 5");
  refused("conv1d", "launch 128 open", "launch 128 opn", "expected open, fixed or observed", "line 5");
  refused("conv1d", "loop 1 0 1", "loop 1 1 1", "parent loop is 1", "line 7");
  refused("conv1d", "loop 1 0 1", "loop 2 0 1", "loop is 2, expected 1", "line 7");
  refused("conv1d", "loop 2 1 zext32(arg1)", "loop 2 1 L2", "loop that does not enclose", "line 2");
  refused("conv1d", "loop 2 1 zext32(arg1)", "loop 2 1 zext(arg1)", "width", "line 8");
  refused("conv1d", "a 4 r 0 global", "a 4 rr 0 global", "rights", "line 9");
  refused("conv1d", "a 4 r 0 global", "a 4 rw 0 global", "not only read", "line 2");
  refused("conv1d", "a 4 r 0 global", "a 4 r 1 global", "count from 0", "line 2");
  refused("conv1d", "a 4 r 0 global", "a 4 r 16 global", "placeable index is 16", "line 9");
  refused("conv1d", "a 4 r 0 global,", "a 4 r 0 ", "lack global", "line 9");
  refused("conv1d", "a 4 r 0 global,", "a 4 r 0 textual,", "no space is named 'textual'", "line 9");
  refused("conv1d", "a 4 r 0 global,", "a 4 r 0 global,global,", "listed twice", "line 9");
  refused("conv1d", "o 4 w -1 global", "o 4 w -1 global,shared", "not placeable", "line 2");
  refused("conv1d", "access 1 1 read", "access 1 3 read", "array is 3", "line 13");
  refused("conv1d", "access 1 1 read", "access 1 1 write", "rights of array w", "line 2");
  refused("conv1d", "access 1 1 read", "access 1 1 reed", "expected read, write or atomic", "line 13");
  refused("conv1d", "14 -1 -1 4*L2", "14 16 -1 4*L2", "log is 16", "line 13");
  refused("conv1d", "14 -1 -1 4*L2", "14 -1 7 4*L2", "index source is 7", "line 13");
  refused("conv1d", "-1 4*L2", "-1 4*L3", "loop that does not enclose", "line 2");
  refused("conv1d", "special gc-", "special gcg", "letter 'g'", "line 15");
  refused("conv1d", "special gc-", "special gc", "2 letters for the spaces of 3 arrays", "line 15");
  refused("conv1d", "special gc-", "special g*-", "letter '*'", "line 15");
  refused("conv1d", "special gc-", "special gc- x", "unexpected 'x'", "line 15");
  refused("conv1d", "agnostic **-", "agnostic *g-", "letter 'g'", "line 19");
  refused("conv1d", "version conv_v1", "version conv_v0", "two versions are named", "line 2");
  refused("conv1d", "version conv_v1", "version __omp_offloading_10_conv_main_l14", "original's name", "line 2");
  refused("conv1d", "version conv_v0", "bersion conv_v0", "unexpected line", "line 15");
  refused("spmv", "31 1 0 ?", "31 0 0 ?", "two accesses are logged", "line 2");
  refused("cdf", "region __omp_offloading_10_pf_bisect_l60", "region __omp_offloading_10_pf_find_l40", "two regions", "line 20");
}

/* A version in blocks, at the place of conv1d's first special version: its line with other words at its end. */
static void refused_block(const char *rest, const char *message) {
  refused("conv1d", "special gc-", rest, message, "line 15");
}

static void blocks(void **state) {
  (void)state;
  size_t length;
  struct place_table table, again;
  struct place_diag diag = {""};
  static char text[1 << 14], printed[1 << 14];
  char *original = sealed("conv1d", &length), *at = strstr(original, "special gc-");
  assert_non_null(at);
  length = (size_t)snprintf(text, sizeof text, "%.*sblock gc- 256 -t- udiv64(arg1 + 63, 64)%s", (int)(at - original), original,
                            at + strlen("special gc-"));
  seal(text, &length);
  if (place_table_read(text, length, &table, &diag)) fail_msg("%s", diag.text);
  const struct place_version *v = &table.regions[0].versions[0];
  assert_int_equal(v->kind, PLACE_BLOCK);
  assert_int_equal(v->threads, 256);
  assert_false(v->tiled[0] || v->tiled[2]);
  assert_true(v->tiled[1]);
  assert_int_not_equal(v->teams, PLACE_EXPR_NONE);
  size_t n = place_table_print(&table, printed, sizeof printed);
  assert_non_null(strstr(printed, "block gc- 256 -t- "));
  if (place_table_read(printed, n, &again, &diag)) fail_msg("%s", diag.text);
  assert_true(again.regions[0].versions[0].tiled[1]);
  place_table_free(&table);
  place_table_free(&again);
  at = strstr(text, "kind spmd") + strlen("kind spmd");
  length = (size_t)snprintf(printed, sizeof printed, "%.*s none%s", (int)(at - text), text, at);
  seal(printed, &length);
  assert_int_equal(place_table_read(printed, length, &table, &diag), -1);
  assert_non_null(strstr(diag.text, "a block version, but also why it has none"));
  free(original);
  refused_block("block gc-", "threads");
  refused_block("block gc- 0 --- ?", "threads is 0");
  refused_block("block gc- 1025 --- ?", "threads is 1025");
  refused_block("block gc- 256 -- ?", "2 letters for the tiles of 3 arrays");
  refused_block("block gc- 256 ---- ?", "4 letters for the tiles of 3 arrays");
  refused_block("block gc- 256 -x- ?", "tile letter 'x' is neither t nor -");
  refused_block("block gcg 256 --- ?", "letter 'g'");
  refused_block("special gc- 256 --- ?", "unexpected '256' at the end of the line");
  refused_block("blok gc- 256 --- ?", "expected base, special, agnostic, profile or block");
}

static void damage(void **state) {
  (void)state;
  size_t length;
  struct place_table table;
  struct place_diag diag = {""};
  char *text = sealed("spmv", &length);
  for (size_t n = 0; n < length; n++) assert_int_equal(place_table_read(text, n, &table, &diag), -1); /* cut off */
  for (size_t i = 0; i < length; i++) { /* one bit flipped */
    text[i] ^= (char)(1u << random_below(8));
    char before = text[i];
    int rc = place_table_read(text, length, &table, &diag);
    assert_int_equal(rc, -1);
    assert_int_equal(before, text[i]);
    free(text);
    text = sealed("spmv", &length);
  }
  text[length] = 0; /* a zero byte at the end is what a C string constant leaves */
  assert_int_equal(place_table_read(text, length + 1, &table, &diag), 0);
  place_table_free(&table);
  assert_int_equal(place_table_read(NULL, 0, &table, &diag), -1);
  assert_int_equal(place_table_read("", 0, &table, NULL), -1);
  free(text);
}

/* Random edits with a right checksum: what is read must print and read back the same; nothing may go wrong. */
static void mutations(void **state) {
  (void)state;
  static char first[1 << 18], second[1 << 18];
  unsigned accepted = 0;
  for (int i = 0; i < 60000; i++) {
    size_t length;
    static char *texts[NAMES];
    static size_t lengths[NAMES];
    int pick = (int)random_below(NAMES);
    if (!texts[pick]) texts[pick] = sealed(names[pick], &lengths[pick]);
    static char text[1 << 16];
    length = lengths[pick];
    memcpy(text, texts[pick], length + 1);
    for (int k = 1 + (int)random_below(3); k > 0; k--) {
      size_t at = random_below(length - 22), from = random_below(length - 22), n = 1 + random_below(6);
      if (from + n > length - 22 || at + n > length - 22) continue;
      if (random_below(2)) memmove(text + at, text + from, n);
      else text[at] = (char)(random_below(3) ? "0123456789-?,\n grcs*"[random_below(20)] : (char)random_u64());
    }
    length = strlen(text);
    seal(text, &length);
    struct place_table table, again;
    struct place_diag diag = {""};
    if (place_table_read(text, length, &table, &diag)) {
      assert_true(diag.text[0]);
      continue;
    }
    accepted++;
    size_t n = place_table_print(&table, first, sizeof first);
    if (place_table_read(first, n, &again, &diag)) fail_msg("printed table is refused: %s\n%s", diag.text, first);
    place_table_print(&again, second, sizeof second);
    assert_string_equal(first, second);
    place_table_free(&table);
    place_table_free(&again);
  }
  printf("%u of 60000 edited tables accepted\n", accepted);
}

static void fnv1a(void **state) {
  (void)state; /* published test vectors */
  assert_int_equal(place_fnv1a("", 0), UINT64_C(0xcbf29ce484222325));
  assert_int_equal(place_fnv1a("a", 1), UINT64_C(0xaf63dc4c8601ec8c));
  assert_int_equal(place_fnv1a("foobar", 6), UINT64_C(0x85944171f73967e8));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(content), cmocka_unit_test(refusals),
                                     cmocka_unit_test(blocks),     cmocka_unit_test(damage),  cmocka_unit_test(mutations),
                                     cmocka_unit_test(fnv1a)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
