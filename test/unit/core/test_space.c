/* The list of spaces: what is said of each, and that nothing in it says two things. */
#include "support.h"

#include <string.h>

#include "place/space.h"

static void properties(void **state) {
  (void)state;
  static const struct {
    enum place_space space;
    const char *name;
    char letter;
    enum place_home home;
    enum place_route route;
    enum place_copy copy;
    const char *memory, *text;
  } cases[] = {
    {PLACE_GLOBAL, "global", 'g', PLACE_HOME_GLOBAL, PLACE_ROUTE_DEFAULT, PLACE_COPY_NONE, "globalMem", "in global memory"},
    {PLACE_READONLY, "readonly", 'r', PLACE_HOME_GLOBAL, PLACE_ROUTE_NC, PLACE_COPY_NONE, "readOnly", "by read-only loads"},
    {PLACE_CONSTANT, "constant", 'c', PLACE_HOME_CONSTANT, PLACE_ROUTE_DEFAULT, PLACE_COPY_PROGRAM, "constantMem", "in constant memory"},
    {PLACE_SHARED, "shared", 's', PLACE_HOME_SHARED, PLACE_ROUTE_DEFAULT, PLACE_COPY_TEAM, "sharedMem", "in shared memory"},
    {PLACE_TEXTURE, "texture", 't', PLACE_HOME_TEXTURE, PLACE_ROUTE_DEFAULT, PLACE_COPY_NONE, "textureMem", "by texture fetches"},
    {PLACE_TEXTURE2D, "texture2d", 'd', PLACE_HOME_TEXTURE, PLACE_ROUTE_DEFAULT, PLACE_COPY_NONE, "textureMem",
     "by fetches from a texture of two dimensions"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(cases[i].space, i); /* the numbers are part of the ABI */
    assert_string_equal(place_space_name(cases[i].space), cases[i].name);
    assert_int_equal(place_space_letter(cases[i].space), cases[i].letter);
    assert_int_equal(place_space_home(cases[i].space), cases[i].home);
    assert_int_equal(place_space_route(cases[i].space), cases[i].route);
    assert_int_equal(place_space_copy(cases[i].space), cases[i].copy);
    assert_int_equal(place_space_is_copy(cases[i].space), cases[i].copy != PLACE_COPY_NONE);
    assert_string_equal(place_spaces[i].memory, cases[i].memory);
    assert_string_equal(place_space_text(cases[i].space), cases[i].text);
  }
}

/* Whatever is in the list: its names and letters come back, and are nobody else's. */
static void names_and_letters_are_its_own(void **state) {
  (void)state;
  for (int s = 0; s < PLACE_SPACE_COUNT; s++) {
    const char *name = place_space_name((enum place_space)s);
    enum place_space found;
    assert_int_equal(place_space_parse(name, strlen(name), &found), 0);
    assert_int_equal(found, s);
    assert_int_equal(place_space_of_letter(place_space_letter((enum place_space)s)), s);
    assert_null(strpbrk(name, " ,;=:*?-"));
    assert_null(strchr("*-?", place_space_letter((enum place_space)s))); /* have a meaning of their own in a record */
  }
}

static void what_is_no_space(void **state) {
  (void)state;
  static const char *const names[] = {"", "glob", "globalx", "Global", "texture ", "?"};
  enum place_space found;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_int_equal(place_space_parse(names[i], strlen(names[i]), &found), -1);
  assert_int_equal(place_space_parse("globalMem", 6, &found), 0); /* no more than the length is looked at */
  for (const char *c = "*-? xG"; *c; c++) assert_int_equal(place_space_of_letter(*c), -1);
  assert_int_equal(place_space_of_letter(0), -1);
  assert_string_equal(place_space_name((enum place_space)PLACE_SPACE_COUNT), "?");
  assert_string_equal(place_space_text((enum place_space)PLACE_SPACE_COUNT), "?");
  assert_string_equal(place_space_name((enum place_space)-1), "?");
  assert_int_equal(place_space_letter((enum place_space)PLACE_SPACE_COUNT), '?');
}

/* Each space is in the set of its home and in no other. */
static void homes_part_the_spaces(void **state) {
  (void)state;
  place_space_set all = 0;
  for (int home = PLACE_HOME_GLOBAL; home <= PLACE_HOME_TEXTURE; home++) {
    place_space_set set = place_space_set_of((enum place_home)home);
    assert_int_equal(all & set, 0);
    all |= set;
    for (int s = 0; s < PLACE_SPACE_COUNT; s++) assert_int_equal(set >> s & 1, (int)place_space_home((enum place_space)s) == home);
  }
  assert_int_equal(all, PLACE_SPACE_BIT(PLACE_SPACE_COUNT) - 1);
  assert_true(place_space_set_of(PLACE_HOME_GLOBAL) & PLACE_SPACE_BIT(PLACE_READONLY));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(properties), cmocka_unit_test(names_and_letters_are_its_own),
                                     cmocka_unit_test(what_is_no_space), cmocka_unit_test(homes_part_the_spaces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
