/* Plans that are remembered for launches that look alike. */
#include "fake.h"

#include "plan_memory.h"

static void put(struct plan_memory *m, uint64_t key, int index, unsigned generation, int version) {
  uint64_t words[2] = {key, ~key};
  plan_memory_put(m, &(struct plan_memo){words, 2, index, generation, {.version = version}, "because"});
  words[0] = words[1] = 0; /* the memory has a copy */
}

static int find(const struct plan_memory *m, uint64_t key, unsigned words, int index, unsigned generation) {
  const uint64_t text[3] = {key, ~key, 0};
  const struct plan_memo *found = plan_memory_find(m, text, words, index, generation);
  if (found) assert_string_equal(found->refused, "because");
  return found ? found->plan.version : -1;
}

static void all_that_tells_launches_apart_counts(void **state) {
  (void)state;
  static const struct {
    uint64_t key;
    unsigned words;
    int index;
    unsigned generation;
    int found;
  } cases[] = {{5, 2, 1, 3, 10}, {6, 2, 1, 3, 11}, {5, 2, 2, 3, 12}, {5, 2, 1, 4, -1}, {5, 1, 1, 3, -1}, {5, 3, 1, 3, -1}, {7, 2, 1, 3, -1}};
  struct plan_memory m = {NULL, 0};
  assert_int_equal(find(&m, 5, 2, 1, 3), -1);
  put(&m, 5, 1, 3, 10);
  put(&m, 6, 1, 3, 11);
  put(&m, 5, 2, 3, 12);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(find(&m, cases[i].key, cases[i].words, cases[i].index, cases[i].generation), cases[i].found);
  plan_memory_free(&m);
  assert_int_equal(find(&m, 5, 2, 1, 3), -1);
}

static void the_oldest_makes_room(void **state) {
  (void)state;
  struct plan_memory m = {NULL, 0};
  for (int i = 0; i < PLAN_MEMORY_ENTRIES + 3; i++) put(&m, (uint64_t)i, 1, 0, i);
  for (int i = 0; i < PLAN_MEMORY_ENTRIES + 3; i++) assert_int_equal(find(&m, (uint64_t)i, 2, 1, 0), i < 3 ? -1 : i);
  plan_memory_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_that_tells_launches_apart_counts), cmocka_unit_test(the_oldest_makes_room)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
