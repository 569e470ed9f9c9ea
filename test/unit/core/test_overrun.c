/* Arrays that the profiled launch reads outside of get no copy. */
#include "launches.h"

#include "session.h"

static struct place_machine *machine;

enum { ENTRIES = 8192, COPIES = PLACE_SPACE_BIT(PLACE_CONSTANT) | PLACE_SPACE_BIT(PLACE_SHARED) };

/* Spaces of the look-up's table, of which `entries` are mapped from byte `lo` on, after one more read of the given index. */
static place_space_set spaces_after(uint64_t entries, int64_t lo, uint32_t index, char *why) {
  struct scene s;
  struct place_diag diag = {""};
  scene_lut(&s, (uint32_t)entries, true);
  s.extent[1] = (struct place_extent){lo, 4 * entries, true};
  memset(s.words, 0, 4 * PLACE_PROFILE_WORDS);
  scene_log(&s, 3, 0, 7, 100);
  scene_log(&s, 3, 0, 7, index);
  const struct place_question question = scene_question(&s, machine, PLACE_MODEL_PLACE);
  struct session *session = session_open(&question, &diag);
  assert_non_null(session);
  place_space_set spaces = session->candidates[1].spaces;
  snprintf(why, 80, "%s", session->candidates[1].excluded[PLACE_SHARED]);
  assert_int_equal(session->candidates[0].spaces & COPIES, 0); /* does not fit anyway */
  session_close(session);
  scene_close(&s);
  return spaces;
}

static void beyond_the_end(void **state) {
  (void)state;
  char why[80];
  assert_int_equal(spaces_after(ENTRIES, 0, ENTRIES - 1, why) & COPIES, COPIES);
  assert_string_equal(why, "");
  assert_int_equal(spaces_after(ENTRIES, 0, ENTRIES, why) & COPIES, 0);
  assert_non_null(strstr(why, "outside"));
  assert_true(spaces_after(ENTRIES, 0, ENTRIES, why) & PLACE_SPACE_BIT(PLACE_READONLY)); /* the array itself is read there */
}

static void before_the_begin(void **state) {
  (void)state;
  char why[80];
  assert_int_equal(spaces_after(ENTRIES, 0, (uint32_t)-1, why) & COPIES, 0); /* 2^32 - 1: far beyond */
  assert_int_equal(spaces_after(ENTRIES, -400, (uint32_t)-1, why) & COPIES, COPIES);
  assert_int_equal(spaces_after(ENTRIES, -400, (uint32_t)-101, why) & COPIES, 0);
  assert_int_equal(spaces_after(ENTRIES, 404, 100, why) & COPIES, 0); /* a section that begins at element 101 */
}

static void without_a_profile(void **state) {
  (void)state;
  struct scene s;
  struct place_diag diag = {""};
  scene_lut(&s, ENTRIES, false);
  scene_array(&s, 1, 4 * ENTRIES);
  struct place_question question = scene_question(&s, machine, PLACE_MODEL_PLACE);
  question.profile.words = NULL;
  struct session *session = session_open(&question, &diag);
  assert_non_null(session);
  assert_int_equal(session->candidates[1].spaces & COPIES, COPIES);
  session_close(session);
  scene_close(&s);
}

int main(void) {
  machine = h200();
  const struct CMUnitTest tests[] = {cmocka_unit_test(beyond_the_end), cmocka_unit_test(before_the_begin), cmocka_unit_test(without_a_profile)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  msl_free(machine);
  return failed;
}
