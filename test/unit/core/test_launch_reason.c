/* The list of the runtime's reasons: each can be told from the others, and the document has all of them. */
#include "support.h"
#include "../documented.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "place/launch_reason.h"

/* Both lists are told to the same reader. */
#include "place/reason.h"

static void texts_are_its_own(void **state) {
  (void)state;
  for (int r = 0; r < PLACE_LAUNCH_REASON_COUNT; r++) {
    const struct place_launch_reason *reason = &place_launch_reasons[r];
    assert_true(*reason->text && *reason->of && !strchr(reason->text, '\n') && reason->text[strlen(reason->text) - 1] != '.');
    assert_true(!*reason->remedy || (!islower((unsigned char)*reason->remedy) && reason->remedy[strlen(reason->remedy) - 1] == '.'));
    for (int other = r + 1; other < PLACE_LAUNCH_REASON_COUNT; other++)
      if (!strcmp(reason->text, place_launch_reasons[other].text)) fail_msg("twice: %s", reason->text);
    if (!strchr(reason->text, '%')) assert_int_equal(place_reason_of(reason->text), PLACE_WHY_NONE);
  }
}

static void names_are_constants(void **state) {
  (void)state;
  assert_string_equal(WHY_OUT_OF_MEMORY, "out of memory");
  assert_string_equal(place_launch_reasons[0].identifier, "OUT_OF_MEMORY");
  assert_string_equal(place_launch_reasons[0].text, WHY_OUT_OF_MEMORY);
}

/* A reader sees dots for values, and no format. */
static void document_has_no_formats(void **state) {
  (void)state;
  size_t length = place_launch_reason_document(NULL, 0);
  char *table = malloc(length + 1);
  assert_int_equal(place_launch_reason_document(table, length + 1), length);
  for (const char *sign = table; (sign = strchr(sign, '%')); sign++)
    if (strncmp(sign, "% ", 2)) fail_msg("a format: %.20s", sign);
  assert_non_null(strstr(table, "| version | launched with … threads a team, made for … |"));
  assert_non_null(strstr(table, "closest: … (…% slower) |"));
  free(table);
}

static void documented(void **state) {
  (void)state;
  expect_documented(DOCUMENT, place_launch_reason_document);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_are_its_own), cmocka_unit_test(names_are_constants),
                                     cmocka_unit_test(document_has_no_formats), cmocka_unit_test(documented)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
