/* The list of reasons: each is told from its sentence, and the document has all of them. */
#include "support.h"
#include "../documented.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "place/reason.h"

static void sentences_are_its_own(void **state) {
  (void)state;
  for (int r = PLACE_WHY_NONE + 1; r < PLACE_REASON_COUNT; r++) {
    static const char *const parameters[] = {"x", "ns::f<int>", "", "a, b"};
    enum place_reason why = (enum place_reason)r;
    bool has = strstr(place_reasons[r].sentence, "%s") != NULL;
    for (int p = 0; p < 4; p++) {
      char text[256];
      size_t length = place_reason_print(why, parameters[p], text, sizeof text);
      assert_true(length < sizeof text && length == strlen(text) && !strchr(text, '%'));
      if (has && !*parameters[p]) continue;
      if (place_reason_of(text) != why) fail_msg("'%s' is taken for %s", text, place_reasons[place_reason_of(text)].name);
    }
  }
}

static void names_are_its_own(void **state) {
  (void)state;
  for (int r = PLACE_WHY_NONE + 1; r < PLACE_REASON_COUNT; r++) {
    const char *name = place_reasons[r].name;
    assert_int_equal(place_reason_named(name), r);
    assert_true(*name && name[strspn(name, "abcdefghijklmnopqrstuvwxyz-")] == 0);
    assert_true(*place_reasons[r].sentence && !strchr(place_reasons[r].sentence, '\n') && *place_reasons[r].explains);
    const char *remedy = place_reasons[r].remedy;
    assert_true(!*remedy || (isupper((unsigned char)*remedy) && remedy[strlen(remedy) - 1] == '.'));
  }
  assert_int_equal(place_reason_named(""), PLACE_WHY_NONE);
  assert_int_equal(place_reason_named("?"), PLACE_WHY_NONE);
}

/* Tables of older versions say what is not in the list. */
static void unknown_sentences(void **state) {
  (void)state;
  assert_int_equal(place_reason_of(NULL), PLACE_WHY_NONE);
  assert_int_equal(place_reason_of(""), PLACE_WHY_NONE);
  assert_int_equal(place_reason_of("generic mode: the kernel's threads do not all run the loop"), PLACE_WHY_NONE);
  assert_int_equal(place_reason_of("it calls , whose code the compiler does not see here"), PLACE_WHY_NONE);
}

static void cut_short(void **state) {
  (void)state;
  char text[8];
  size_t all = place_reason_print(PLACE_WHY_EXTERNAL_CALL, "f", NULL, 0);
  assert_int_equal(place_reason_print(PLACE_WHY_EXTERNAL_CALL, "f", text, sizeof text), all);
  assert_string_equal(text, "it call");
}

static void documented(void **state) {
  (void)state;
  expect_documented(DOCUMENT, place_reason_document);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sentences_are_its_own), cmocka_unit_test(names_are_its_own),
                                     cmocka_unit_test(unknown_sentences), cmocka_unit_test(cut_short), cmocka_unit_test(documented)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
