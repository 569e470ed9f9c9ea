/* simt's least-recently-used cache against a list that is searched from end to end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cache.h"
#include "finding.h"

void simt_fatal(const char *format, ...) {
  (void)format;
  abort();
}

enum { MOST_LINES = 64 };

struct plain { /* lines in the order of their last use, latest first */
  unsigned lines, count, sectors_per_line;
  uint64_t line[MOST_LINES], sectors[MOST_LINES];
};

static bool plain_look_up(struct plain *p, uint64_t sector) {
  uint64_t line = sector / p->sectors_per_line, bit = UINT64_C(1) << sector % p->sectors_per_line, sectors = 0;
  unsigned at = 0;
  while (at < p->count && p->line[at] != line) at++;
  if (at < p->count) sectors = p->sectors[at];
  else if (p->count < p->lines) p->count++;
  else at = p->count - 1;
  memmove(p->line + 1, p->line, at * sizeof p->line[0]);
  memmove(p->sectors + 1, p->sectors, at * sizeof p->sectors[0]);
  p->line[0] = line;
  p->sectors[0] = sectors | bit;
  return sectors & bit;
}

static uint64_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return *state >> 33;
}

static void compare(unsigned lines, unsigned sectors_per_line, uint64_t range) {
  struct simt_cache *cache = simt_cache_make(lines, sectors_per_line);
  uint64_t state = lines * 977 + range;
  unsigned hits = 0;
  for (int round = 0; round < 2; round++) {
    struct plain plain = {.lines = lines, .sectors_per_line = sectors_per_line};
    for (int i = 0; i < 20000; i++) {
      uint64_t sector = next_random(&state) % range;
      if (next_random(&state) % 4 == 0) sector %= range / 8 + 1; /* some more often than others */
      bool hit = simt_cache_look_up(cache, sector);
      assert_int_equal(hit, plain_look_up(&plain, sector));
      hits += hit;
    }
    simt_cache_empty(cache);
  }
  assert_true(hits > 0 && hits < 40000);
  simt_cache_free(cache);
}

static void random_accesses(void **state) {
  (void)state;
  compare(1, 1, 3);
  compare(1, 4, 9);
  compare(2, 1, 5);
  compare(7, 4, 60);
  compare(8, 1, 9);
  compare(33, 2, 200);
  compare(64, 64, 10000);
}

/* A circle of as many lines as fit hits from its second turn on; of one more, never. */
static void circles(void **state) {
  (void)state;
  for (unsigned lines = 1; lines <= MOST_LINES; lines++)
    for (unsigned length = lines; length <= lines + 1; length++) {
      struct simt_cache *cache = simt_cache_make(lines, 1);
      unsigned hits = 0;
      for (unsigned i = 0; i < 3 * length; i++) hits += simt_cache_look_up(cache, i % length * 4096);
      assert_int_equal(hits, length == lines ? 2 * lines : 0);
      simt_cache_free(cache);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_accesses), cmocka_unit_test(circles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
