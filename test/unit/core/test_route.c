/* The list of routes, and versions that have some: their records, and what is asked of them. */
#include "support.h"

#include <string.h>

#include "place/case.h"
#include "place/region.h"
#include "place/route.h"
#include "place/space.h"

static void names_are_their_own(void **state) {
  (void)state;
  for (int r = 0; r < PLACE_ROUTE_COUNT; r++) {
    const char *name = place_route_name((enum place_route)r);
    assert_int_equal(place_route_parse(name, strlen(name)), r);
    assert_null(strpbrk(name, " ,;=:*?-@."));
    for (int other = 0; other < r; other++) {
      assert_string_not_equal(place_routes[r].instruction, place_routes[other].instruction);
      assert_string_not_equal(name, place_route_name((enum place_route)other));
    }
  }
  for (int s = 0; s < PLACE_SPACE_COUNT; s++) /* a pragma's words */
    assert_int_equal(place_route_parse(place_space_name((enum place_space)s), strlen(place_space_name((enum place_space)s))), -1);
  assert_int_equal(place_route_parse("c", 1), -1);
  assert_int_equal(place_route_parse("cgx", 3), -1);
  assert_int_equal(place_route_parse("cgx", 2), PLACE_ROUTE_CG);
  assert_string_equal(place_route_name(PLACE_ROUTE_COUNT), "?");
}

static void choices(void **state) {
  (void)state;
  assert_false(place_route_is_choice(PLACE_ROUTE_DEFAULT));
  assert_false(place_route_is_choice(PLACE_ROUTE_NC)); /* it is the space readonly */
  assert_true(place_route_is_choice(PLACE_ROUTE_CG) && place_route_is_choice(PLACE_ROUTE_L2_256B));
  assert_false(place_route_is_choice(PLACE_ROUTE_COUNT));
}

/* As ptxas 12.4 takes them. */
static void what_there_is(void **state) {
  (void)state;
  static const struct { enum place_route route; unsigned sm, ptx; bool written, exists; } cases[] = {
    {PLACE_ROUTE_CG, 60, 60, false, true},          {PLACE_ROUTE_CG, 60, 60, true, false},
    {PLACE_ROUTE_CG, 70, 60, true, true},           {PLACE_ROUTE_NO_ALLOCATE, 61, 84, false, false},
    {PLACE_ROUTE_NO_ALLOCATE, 70, 73, false, false}, {PLACE_ROUTE_NO_ALLOCATE, 70, 74, true, true},
    {PLACE_ROUTE_L2_128B, 70, 84, false, false},    {PLACE_ROUTE_L2_128B, 75, 84, false, true},
    {PLACE_ROUTE_L2_256B, 75, 84, false, false},    {PLACE_ROUTE_L2_256B, 80, 84, false, true},
    {PLACE_ROUTE_NC, 90, 84, true, false},          {PLACE_ROUTE_NC, 0, 0, false, true},
    {PLACE_ROUTE_DEFAULT, 0, 0, true, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(place_route_exists(cases[i].route, cases[i].sm, cases[i].ptx, cases[i].written), cases[i].exists);
}

/* ---- records: an array that is read, one that is written, one that is both ---- */

static const char head[] = "place-table 2\nregion k\nat 0 ? ?\nkind spmd\nlaunch 128 open - -\n"
                           "array 0 0 a 4 r 0 global,readonly - -\narray 1 1 o 4 w -1 global - written\narray 2 2 b 4 rw -1 global - written\n"
                           "version k0 role=base loop=original space=g,-,-\nversion k1 role=plan loop=natural space=g,-,- threads=128 each=1\n"
                           "version k2 role=plan loop=straight space=g,-,- threads=128\n";

static void records(void **state) {
  (void)state;
  struct place_table table;
  struct place_diag diag = {""};
  char text[2048], printed[2048];
  if (read_with(head, "version k3 role=plan loop=natural space=g,-,- routes=cg,-,evict_last threads=128 each=1\n"
                "version k4 role=plan loop=natural space=r,-,- routes=-,-,cs threads=128 each=1\n",
                &table, &diag, text, sizeof text))
    fail_msg("%s", diag.text);
  const struct place_region *r = table.regions;
  assert_int_equal(place_version_route(&r->versions[3], 0), PLACE_ROUTE_CG);
  assert_int_equal(place_version_route(&r->versions[3], 1), PLACE_ROUTE_DEFAULT);
  assert_int_equal(place_version_route(&r->versions[3], 2), PLACE_ROUTE_EVICT_LAST);
  assert_int_equal(place_version_route(&r->versions[1], 0), PLACE_ROUTE_DEFAULT);
  assert_int_equal(place_version_host(r, 3), 1);
  assert_int_equal(place_version_host(r, 4), 4); /* no other has the array there */
  assert_int_equal(place_version_host(r, 2), 2);
  static const char *const named[] = {[1] = "g--", [2] = "g--_straight", [3] = "g--_routes1", [4] = "r--"};
  for (int v = 1; v <= 4; v++) {
    uint8_t space[PLACE_MAX_PLACEABLE] = {v == 4 ? PLACE_READONLY : PLACE_GLOBAL}, read[PLACE_MAX_PLACEABLE];
    char name[64];
    int found;
    place_case_plan_name(r, space, v, name, sizeof name);
    assert_string_equal(name, named[v]);
    assert_int_equal(place_case_plan_parse(r, name, read, &found), 0);
    assert_int_equal(found, v);
  }
  assert_int_equal(place_table_print(&table, printed, sizeof printed), strlen(text));
  assert_string_equal(printed, text);
  place_table_free(&table);
}

static void damaged_records(void **state) {
  (void)state;
  static const char *const bad[] = {"cg", "cg,-", "cg,-,-,-", "-,-,-", "cgx,-,-", "nc,-,-", "default,-,-", "-,cg,-", "", "cg,,-", "cg,-,"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct place_table table;
    struct place_diag diag = {""};
    char text[2048], version[200];
    snprintf(version, sizeof version, "version k3 role=plan loop=natural space=g,-,- routes=%s threads=128 each=1\n", bad[i]);
    assert_int_equal(read_with(head, version, &table, &diag, text, sizeof text), -1);
    assert_non_null(strstr(diag.text, "routes is '"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_their_own), cmocka_unit_test(choices), cmocka_unit_test(what_there_is),
                                     cmocka_unit_test(records), cmocka_unit_test(damaged_records)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
