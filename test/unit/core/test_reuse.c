/* Reuse distances against their definition. */
#include "support.h"

#include "reuse.h"

/* The definition, quadratic: distinct items since the last access to the same one. -1: first access. */
static long distance_at(const uint64_t *items, size_t at) {
  long distinct = 0;
  size_t last = at;
  while (last > 0 && items[last - 1] != items[at]) last--;
  if (last == 0) return -1;
  for (size_t i = last; i < at; i++) { /* items[last - 1] is the same item */
    size_t k = last;
    while (k < i && items[k] != items[i]) k++;
    distinct += k == i;
  }
  return distinct;
}

static void against_definition(const uint64_t *items, size_t count) {
  struct reuse_histogram fast = {.first = 0}, slow = {.first = 0};
  assert_int_equal(reuse_add_trace(&fast, items, count), 0);
  for (size_t i = 0; i < count; i++) {
    long d = distance_at(items, i);
    if (d < 0) slow.first++;
    else slow.bucket[reuse_bucket((uint64_t)d)]++;
  }
  slow.accesses = count;
  assert_memory_equal(&fast, &slow, sizeof fast);
}

static void paper_example(void **state) {
  (void)state; /* b a c c b: the second b has distance 2 */
  const uint64_t items[] = {'b', 'a', 'c', 'c', 'b'};
  struct reuse_histogram h = {.first = 0};
  reuse_add_trace(&h, items, 5);
  assert_int_equal(h.first, 3);
  assert_int_equal(h.bucket[0], 1); /* c c */
  assert_int_equal(h.bucket[2], 1); /* 2 and 3 */
  assert_int_equal(h.accesses, 5);
}

static void random_traces(void **state) {
  (void)state;
  static uint64_t items[400];
  for (int i = 0; i < 1500; i++) {
    size_t count = random_below(400), kinds = 1 + random_below(300), stride = 1 + random_below(1000);
    for (size_t k = 0; k < count; k++) items[k] = random_below(2) ? random_below(kinds) * stride : k % kinds;
    against_definition(items, count);
  }
}

static void buckets(void **state) {
  (void)state;
  assert_int_equal(reuse_bucket(0), 0);
  assert_int_equal(reuse_bucket(1), 1);
  assert_int_equal(reuse_bucket(2), 2);
  assert_int_equal(reuse_bucket(3), 2);
  assert_int_equal(reuse_bucket(4), 3);
  assert_int_equal(reuse_bucket(UINT64_MAX), REUSE_BUCKETS - 1);
}

static void hit_ratios(void **state) {
  (void)state;
  uint64_t items[100];
  struct reuse_histogram h = {.first = 0}, empty = {.first = 0};
  for (int i = 0; i < 100; i++) items[i] = (uint64_t)i % 10; /* 10 first accesses, 90 of distance 9 */
  reuse_add_trace(&h, items, 100);
  assert_true(reuse_hit_ratio(&h, 16) == 0.9);
  assert_true(reuse_hit_ratio(&h, 8) == 0);
  assert_true(reuse_hit_ratio(&h, 12) == 0.45); /* half of [8, 16) */
  assert_true(reuse_hit_ratio(&h, 0) == 0);
  assert_true(reuse_hit_ratio(&empty, 100) == 0);
}

static void near_linear(void **state) {
  (void)state; /* a quadratic algorithm would need an hour for this */
  enum { COUNT = 1 << 20 };
  uint64_t *items = malloc(COUNT * sizeof *items);
  struct reuse_histogram h = {.first = 0};
  for (size_t i = 0; i < COUNT; i++) items[i] = random_below(COUNT / 4);
  assert_int_equal(reuse_add_trace(&h, items, COUNT), 0);
  assert_int_equal(h.accesses, COUNT);
  free(items);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(paper_example), cmocka_unit_test(random_traces),
                                     cmocka_unit_test(buckets), cmocka_unit_test(hit_ratios), cmocka_unit_test(near_linear)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
