/* Records of versions in region tables: which are read, and which refused. */
#include "edited_table.h"

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
    {"role=plan loop=strided space=g,c,- fill=2048 even=2", "even is '2', expected 1"},
    {"role=plan loop=natural space=g,c,- each=1 even=1", "even without fill"},
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
    {"role=plan loop=block space=g,c,- block=32 team=32 alike=1 threads=32", "alike is '1', expected a number of threads from 2 to 1024"},
    {"role=plan loop=block space=g,c,- block=32 team=32 alike=4 threads=256", "a team of 128 threads, but threads is 256"},
    {"role=plan loop=straight space=g,c,- alike=4", "alike without block"},
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
    "role=plan loop=strided space=g,g,- threads=512 fill=2048 even=1",
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(versions_refused), cmocka_unit_test(versions_read), cmocka_unit_test(block_fields)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
