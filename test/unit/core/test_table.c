/* Region tables: reading, printing, and refusing; records of versions: test_table_version.c. */
#include "edited_table.h"

static const char *const names[] = {"conv1d", "lut", "spmv", "triad", "box", "cdf", /* by hand */
                                    "pass_conv1d", "pass_lookup", "pass_spmv", "pass_triad", "pass_box",
                                    "pass_particlefilter" /* written by libplace.so for benchmarks/ */};
enum { NAMES = sizeof names / sizeof *names };

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
  assert_string_equal(r->no_version, "generic mode: the kernel's threads do not all run the loop");
  assert_true(r->reduction && r->unknown_writes);
  place_table_free(&table);
}

/* ---- refusals: one edit each ---- */

static void refusals(void **state) {
  (void)state;
  refused("conv1d", "place-table 2", "place-table 1", "ABI version 1, this runtime reads version 2", "line 1");
  refused("conv1d", "place-table 2", "plaice 2", "expected 'place-table'", "line 1");
  refused("conv1d", "kind spmd", "kind spdm", "expected spmd, no-version or nothing-to-place", "line 4");
  refused("conv1d", "launch 128 open", "launch 2000 open", "threads is 2000", "line 5");
  refused("conv1d", "launch 128 open", "launch 128 opn", "expected open or observed", "line 5");
  refused("conv1d", "launch 128 open - -", "launch 128 open - - apart open-threads", "'open-threads' where open-threads, set-threads, apart, blocks, parameters or values may", "line 5");
  refused("conv1d", "launch 128 open - -", "launch 128 open - - closed-threads", "'closed-threads' where", "line 5");
  refused("conv1d", "launch 128 open - -", "launch 128 open - - parameters -1", "parameters", "line 5");
  refused("conv1d", "launch 128 open - -", "launch 128 open - - parameters 7 values 64", "numbers of parameters from 0 to 63", "line 5");
  refused("conv1d", "launch 128 open - -", "launch 128 open - - parameters 7 values 3,", "numbers of parameters from 0 to 63", "line 5");
  refused("conv1d", "launch 128 open - -", "launch 128 open - - parameters 7 values", "numbers of parameters after 'values'", "line 5");
  refused("conv1d", "launch 128 open - -", "launch 128 open - - values 3", "'values' where", "line 5");
  refused("conv1d", "launch 128 open - -", "launch 128 open - - set-threads", "set-threads without", "line 5");
  refused("conv1d", "launch 128 open - -", "launch 0 open - - open-threads set-threads", "set-threads without", "line 5");
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
  refused("conv1d", "version conv_v1", "version conv_v0", "two versions are named", "line 2");
  refused("conv1d", "version conv_v1", "version __omp_offloading_10_conv_main_l14", "original's name", "line 2");
  refused("conv1d", "version conv_v0", "bersion conv_v0", "unexpected line", "line 15");
  refused("spmv", "31 1 0 ?", "31 0 0 ?", "two accesses are logged", "line 2");
  refused("cdf", "region __omp_offloading_10_pf_bisect_l60", "region __omp_offloading_10_pf_find_l40", "two regions", "line 20");
}

/* Words that may end the line of the launch. */
static void launch_words(void **state) {
  (void)state;
  static const struct { const char *words; bool open, set, apart, blocks; int parameters; uint64_t values; } all[] = {
    {"", false, false, false, false, -1, 0}, {" open-threads", true, false, false, false, -1, 0}, {" apart", false, false, true, false, -1, 0},
    {" open-threads set-threads", true, true, false, false, -1, 0}, {" open-threads apart", true, false, true, false, -1, 0},
    {" blocks", false, false, false, true, -1, 0}, {" parameters 0", false, false, false, false, 0, 0},
    {" open-threads set-threads apart blocks parameters 12", true, true, true, true, 12, 0}, {" parameters 12 values 3", false, false, false, false, 12, 8},
    {" apart parameters 70 values 0,5,63", false, false, true, false, 70, UINT64_C(1) << 63 | 33}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    size_t length;
    struct place_table table;
    struct place_diag diag = {""};
    static char text[1 << 14], printed[1 << 14], line[100];
    char *original = sealed("conv1d", &length), *at = strstr(original, "launch 128 open - -");
    snprintf(line, sizeof line, "launch 128 open - -%s\n", all[i].words);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - original), original, line, strchr(at, '\n') + 1);
    length = strlen(text);
    seal(text, &length);
    if (place_table_read(text, length, &table, &diag)) fail_msg("%s", diag.text);
    const struct place_region *r = table.regions;
    assert_true(r->open_threads == all[i].open && r->set_threads == all[i].set && r->apart == all[i].apart && r->asked_blocks == all[i].blocks);
    assert_int_equal(r->parameters, all[i].parameters);
    assert_true(r->values == all[i].values);
    place_table_print(&table, printed, sizeof printed);
    assert_non_null(strstr(printed, line));
    place_table_free(&table);
    free(original);
  }
}

/* A region without an array that can be placed, or without any, has versions too. */
static void nothing_placeable(void **state) {
  (void)state;
  static const char *const arrays[] = {"array 0 0 o 4 rw -1 global - written\n", ""};
  for (int i = 0; i < 2; i++) {
    struct place_table table;
    struct place_diag diag = {""};
    char text[1024], printed[1024];
    const char *space = i ? "" : " space=-";
    size_t length = (size_t)snprintf(text, sizeof text, "place-table 2\nregion k\nat 0 ? ?\nkind spmd\nlaunch 128 open - -\n%s"
                                     "version k0 role=base loop=original%s\nversion k1 role=plan loop=isolated%s\nend 0", arrays[i],
                                     space, space);
    seal(text, &length);
    if (place_table_read(text, length, &table, &diag)) fail_msg("%s", diag.text);
    const struct place_region *r = table.regions;
    assert_true(r->version_count == 2 && place_version_is_plain(r, &r->versions[1]) && !place_version_is_plain(r, r->versions));
    assert_false(place_version_is_open(r, &r->versions[1]));
    assert_int_equal(place_table_print(&table, printed, sizeof printed), length);
    assert_memory_equal(printed, text, length);
    place_table_free(&table);
  }
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
      else text[at] = (char)(random_below(3) ? "0123456789-?,\n grcs*x;:="[random_below(24)] : (char)random_u64());
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
                                     cmocka_unit_test(launch_words),
                                     cmocka_unit_test(nothing_placeable), cmocka_unit_test(damage), cmocka_unit_test(mutations),
                                     cmocka_unit_test(fnv1a)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
