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
  assert_string_equal(r->no_version, "generic mode: the kernel's threads do not all run the loop");
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

/* ---- versions ---- */

/* conv1d's first version: its record replaced. */
static const char first_record[] = "role=plan loop=original space=g,c,- threads=128 needs=threads:128,aligned:16";

static void versions_refused(void **state) {
  (void)state;
  static const struct { const char *record, *message; } all[] = {
    {"special gc-", "'special' is no key=value of a version"},
    {"role=plan loop=original space=g,c,- colour=red", "'colour=red' is no key=value"},
    {"role=plan role=plan loop=original space=g,c,-", "role is given twice"},
    {"role=arm loop=original space=g,c,-", "role is 'arm', expected base, plan or profile"},
    {"role=plan loop=spiral space=g,c,-", "loop is 'spiral', expected a name of loop.def"},
    {"loop=original space=g,c,-", "a version without role"},
    {"role=plan space=g,c,-", "a version without loop"},
    {"role=plan loop=original", "a version without space"},
    {"role=plan loop=original space=g,c", "2 spaces for 3 arrays"},
    {"role=plan loop=original space=g,c,-,-", "more spaces than the region's 3 arrays"},
    {"role=plan loop=original space=g,c,g", "space 'g' is not possible for array 2 (o)"},
    {"role=plan loop=original space=g,x,-", "space 'x' is not possible for array 1 (w)"},
    {"role=plan loop=original space=g,gc,-", "space 'gc' is not possible"},
    {"role=plan loop=original space=g,,-", "space '' is not possible"},
    {"role=plan loop=original space=g,*,-", "some spaces are open and others are not"},
    {"role=base loop=original space=g,c,-", "space 'c' is not possible"},
    {"role=base loop=original space=g,*,-", "space '*' is not possible"},
    {"role=plan loop=original space=g,c,- threads=0", "threads is '0', expected 1 to 1024"},
    {"role=plan loop=original space=g,c,- threads=1025", "threads is '1025'"},
    {"role=plan loop=original space=g,c,- threads=", "threads is ''"},
    {"role=plan loop=original space=g,c,- threads=1e2", "threads is '1e2'"},
    {"role=plan loop=natural space=g,c,- teams=udiv64(arg1", "column"},
    {"role=plan loop=natural space=g,c,- teams=?", "column"},
    {"role=plan loop=natural space=g,c,- needs=all-teams", "it needs all-teams, but has no teams"},
    {"role=plan loop=original space=g,c,- needs=luck", "needs is 'luck', expected names of need.def"},
    {"role=plan loop=original space=g,c,- needs=", "needs is ''"},
    {"role=plan loop=original space=g,c,- needs=threads", "needs is 'threads', expected a number above 0"},
    {"role=plan loop=original space=g,c,- needs=threads:0", "needs is 'threads:0', expected a number above 0"},
    {"role=plan loop=original space=g,c,- needs=threads:x", "expected a number behind the colon"},
    {"role=plan loop=original space=g,c,- needs=open-teams:3", "needs is 'open-teams:3', expected no number"},
    {"role=plan loop=original space=g,c,- needs=aligned:16,aligned:4", "expected each need once"},
    {"role=plan loop=natural space=g,c,- each=1 short=0", "short is '0', expected 1 to 65536"},
    {"role=plan loop=natural space=g,c,- short=12", "short without each or fill"},
    {"role=plan loop=rows space=g,c,- rows=0", "rows is '0', expected 1 to 1024"},
    {"role=plan loop=rows space=g,c,- rows=1 each=1", "it has more than one of each, rows, fill and teams"},
    {"role=plan loop=original space=g,c,- strip=4", "strip without block"},
    {"role=plan loop=original space=g,c,- tiles=1", "extents or tiles without block"},
    {"role=plan loop=original space=g,c,- extents=arg1", "extents or tiles without block"},
    {"role=plan loop=block space=g,c,- block=64x64 team=8 threads=8", "different numbers of dimensions"},
    {"role=plan loop=block space=g,c,- block=64x64 team=8x32 adjacent=1 threads=256", "different numbers of dimensions"},
    {"role=plan loop=block space=g,c,- block=64x64 team=8x32 extents=arg1 threads=256", "different numbers of dimensions"},
    {"role=plan loop=block space=g,c,- block=64 threads=64", "different numbers of dimensions"},
    {"role=plan loop=block space=g,c,- block=60x64 team=8x32 threads=256", "a block of 60 does not divide among 8 threads"},
    {"role=plan loop=block space=g,c,- block=0x64 team=8x32 threads=256", "a block of 0 does not divide"},
    {"role=plan loop=block space=g,c,- block=64x64 team=0x32 threads=256", "does not divide among 0 threads"},
    {"role=plan loop=block space=g,c,- block=64x64 team=8x32 threads=128", "a team of 256 threads, but threads is 128"},
    {"role=plan loop=block space=g,c,- block=64x64 team=8x32", "a team of 256 threads, but threads is 0"},
    {"role=plan loop=block space=g,c,- block=2x2x2x2 team=1x1x1x1 threads=1", "block is '2x2x2x2', expected one to three numbers"},
    {"role=plan loop=block space=g,c,- block=64x team=8 threads=8", "block is '64x', expected one to three numbers"},
    {"role=plan loop=block space=g,c,- block=64 team=64 adjacent=2 threads=64", "adjacent is '2'"},
    {"role=plan loop=block space=g,c,- block=64 team=64 threads=64 strip=0", "strip is '0'"},
    {"role=plan loop=block space=g,c,- block=64 team=64 threads=64 pipelined=0", "pipelined is '0', expected 1"},
    {"role=plan loop=block space=g,c,- block=64 team=64 threads=64 turned=yes", "turned is 'yes', expected 1"},
    {"role=plan loop=block space=g,c,- block=64x64 team=8x32 threads=256 lanes=0", "lanes is '0', expected 1 or 2"},
    {"role=plan loop=block space=g,c,- block=64x64 team=8x32 threads=256 lanes=3", "lanes is '3', expected 1 or 2"},
    {"role=plan loop=block space=g,c,- block=64x64 team=8x32 threads=256 lanes=2", "lanes is 2, but a block has 2 dimensions"},
    {"role=plan loop=natural space=g,c,- threads=256 lanes=1", "lanes without block"},
    {"role=plan loop=block space=g,c,- block=64 team=64 threads=64 wide=2", "wide is '2', expected 1"},
    {"role=plan loop=block space=g,c,- block=64 team=64 threads=64 tiles=3", "tiles is '3', expected numbers of arrays"},
    {"role=plan loop=block space=g,c,- block=64 team=64 threads=64 tiles=1,0", "tiles is '1,0', expected numbers of arrays"},
    {"role=plan loop=block space=g,c,- block=64 team=64 threads=64 tiles=1,1", "expected numbers of arrays"},
    {"role=plan loop=block space=g,c,- block=64 team=64 threads=64 extents=arg1;arg2;arg3;arg4", "more than 3 extents"},
    {"role=plan loop=natural space=g,g,- ahead=-;- needs=reads-mapped", "ahead is '-;-', expected one for each array"},
    {"role=plan loop=natural space=g,g,- ahead=-;-;- needs=reads-mapped", "ahead is '-;-;-', expected one for each array"},
    {"role=plan loop=natural space=g,g,- ahead=8;-;-;- needs=reads-mapped", "ahead is '8;-;-;-', expected an expression for each array"},
    {"role=plan loop=natural space=g,g,- ahead=-;-;8 needs=reads-mapped", "ahead is '-;-;8', expected an expression for each array that is read"},
    {"role=plan loop=natural space=g,g,- ahead=8*;-;- needs=reads-mapped", "expression"},
    {"role=plan loop=natural space=g,g,- ahead=8;-;-", "ahead without the need of reads that are mapped"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) refused("conv1d", first_record, all[i].record, all[i].message, "line 15");
  refused("conv1d", "role=plan loop=original space=*,*,- needs=aligned:16", "role=profile loop=original space=*,*,-",
          "more than one base or profile version", "line 2");
  static const char *const shared[] = {"role=plan loop=original space=g,r,- kernel=conv_v9",   /* there is none */
                                       "role=plan loop=original space=g,r,- kernel=conv_v0",   /* itself */
                                       "role=plan loop=original space=g,r,- kernel=conv_v1",   /* other spaces */
                                       "role=plan loop=isolated space=g,r,- kernel=conv_v2",   /* another form */
                                       "role=plan loop=original space=g,r,- kernel=conv_v2 slice=32",
                                       "role=plan loop=original space=g,r,- kernel=conv_v2 ahead=8;-;- needs=reads-mapped",
                                       "role=profile loop=original space=g,r,- kernel=conv_v2"};
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
    refused("conv1d", first_record, shared[i], ", which is no version like it", "line 2");
}

/* Every key there is: read, printed in the order of the header, read again. */
static void versions_read(void **state) {
  (void)state;
  static const char *const records[] = {
    "role=plan loop=block space=g,c,- block=64x128 team=8x32 adjacent=1x0 strip=16 pipelined=1 turned=1 threads=256 "
    "teams=udiv64(arg1,64)*arg2 extents=arg1;3+arg2 tiles=0,1 needs=open-teams,open-threads,reads-unwritten,writes-apart,aligned:16",
    "role=plan loop=natural space=g,g,- threads=256 teams=udiv64(arg1,256) needs=all-teams,trips-least:1,trips-most:2147483647",
    "role=plan loop=isolated space=g,g,- needs=threads-least:32,threads-most:128,extents",
    "role=plan loop=block space=g,g,- block=32x1x32 team=32x1x8 lanes=2 adjacent=0x0x0 threads=256",
    "role=plan loop=original space=g,r,- kernel=conv_v2 threads=32 each=1", "role=plan loop=natural space=g,g,- threads=256 each=1 short=12",
    "role=profile loop=original space=*,g,-", "role=plan loop=block space=g,g,- block=512 team=128 adjacent=1 threads=128",
    "role=plan loop=natural space=g,g,- threads=256 each=1 slice=256 ahead=8*arg3;-;- needs=reads-mapped,apart",
    "role=plan loop=block space=g,g,- block=512 team=128 adjacent=1 wide=1 threads=128 needs=apart,arrays-aligned:16"};
  for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
    size_t length;
    struct place_table table;
    struct place_diag diag = {""};
    static char text[1 << 14], printed[1 << 14];
    char *original = sealed("conv1d", &length), *at = strstr(original, first_record);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - original), original, records[i], at + strlen(first_record));
    char *profile = strstr(text, "version conv_profile"); /* one of a role is enough */
    if (strstr(records[i], "role=profile")) memmove(profile, strstr(profile, "\n") + 1, strlen(strstr(profile, "\n")));
    length = strlen(text);
    seal(text, &length);
    if (place_table_read(text, length, &table, &diag)) fail_msg("%s", diag.text);
    place_table_print(&table, printed, sizeof printed);
    if (!strstr(printed, records[i])) fail_msg("'%s' is not in\n%s", records[i], printed);
    place_table_free(&table);
    free(original);
  }
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

static void block_fields(void **state) {
  (void)state;
  size_t length;
  struct place_table table;
  struct place_diag diag = {""};
  static char text[1 << 14];
  char *original = sealed("conv1d", &length), *at = strstr(original, first_record);
  snprintf(text, sizeof text, "%.*sneeds=aligned:8 tiles=1 threads=256 turned=1 team=8x32 block=64x128 space=g,c,- loop=block role=plan%s",
           (int)(at - original), original, at + strlen(first_record)); /* in any order */
  length = strlen(text);
  seal(text, &length);
  if (place_table_read(text, length, &table, &diag)) fail_msg("%s", diag.text);
  const struct place_version *v = &table.regions[0].versions[0];
  const struct place_block *b = &v->block;
  assert_true(b->dims == 2 && b->threads[0] == 8 && b->threads[1] == 32 && b->each[0] == 8 && b->each[1] == 4);
  assert_true(b->turned && !b->pipelined && !b->strip && !b->adjacent[0] && !b->adjacent[1]);
  assert_true(!v->tiled[0] && v->tiled[1] && !v->tiled[2] && v->threads == 256 && v->teams == PLACE_EXPR_NONE);
  assert_true(v->need_count == 1 && v->needs[0].kind == PLACE_NEED_ALIGNED && v->needs[0].value == 8 && !v->extent_count);
  place_table_free(&table);
  at = strstr(text, "kind spmd") + strlen("kind spmd");
  memmove(at + 5, at, strlen(at) + 1);
  memcpy(at, " none", 5);
  length = strlen(text);
  seal(text, &length);
  assert_int_equal(place_table_read(text, length, &table, &diag), -1);
  assert_non_null(strstr(diag.text, "a block version, but also why it has none"));
  free(original);
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
                                     cmocka_unit_test(versions_refused), cmocka_unit_test(versions_read), cmocka_unit_test(launch_words), cmocka_unit_test(block_fields),
                                     cmocka_unit_test(nothing_placeable), cmocka_unit_test(damage), cmocka_unit_test(mutations),
                                     cmocka_unit_test(fnv1a)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
