/* Random look-ups in a table, as lookup.c, from one region that is launched at two sizes in turn: small, then large, then small
 * again. Which plan is best differs between them: where each team makes few look-ups, a copy of the table in shared memory does
 * not pay; a table that is too large cannot be there at all. How fast the choice follows is what this program is for.
 *   flip [small|paper|large] [--n N] [--table ENTRIES] [--large-n N] [--large-table ENTRIES] [--grow LAUNCH] [--back LAUNCH]
 *        [--launches N]
 * Launches from number `grow` (1: the first) on are large, from `back` on small again. */
#include "common/bench.h"

#include <stdio.h>

enum { LOOKUPS = 16 };

struct problem {
  int n, entries, *start;
  float *table, *out;
};

static void look_up(const int *start, const float *table, float *out, int n, int entries) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    unsigned x = start[i];
    float sum = 0;
    for (int r = 0; r < LOOKUPS; r++) {
      sum += table[x % entries];
      x = x * 1664525u + 1013904223u;
    }
    out[i] = sum;
  }
}

static struct problem make(int n, int entries) {
  struct problem p = {n, entries, bench_ints(n, 1 << 30, 1), bench_floats(entries, 2), NULL};
  p.out = bench_floats(n, 0);
  return p;
}

/* The same additions in the same order: exact. */
static double check(const struct problem *p) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(p->n); s++) {
    size_t i = bench_sample(s, p->n);
    unsigned x = p->start[i];
    float sum = 0;
    for (int r = 0; r < LOOKUPS; r++, x = x * 1664525u + 1013904223u)
      sum += p->table[x % p->entries];
    worst = bench_worse(worst, p->out[i], sum, sum);
  }
  return worst;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("flip", argc, argv);
  int n = (int)bench_size(&b, "n", 1 << 10, 1 << 14, 1 << 14), entries = (int)bench_option(&b, "table", 8192);
  int large_n = (int)bench_size(&b, "large-n", 1 << 12, 1 << 24, 1 << 26);
  int large_entries = (int)bench_option(&b, "large-table", entries);
  int grow = (int)bench_option(&b, "grow", b.launches / 3 + 1), back = (int)bench_option(&b, "back", 2 * b.launches / 3 + 1);
  bench_ready(&b);
  if (grow > back || back > b.launches) {
    fprintf(stderr, "flip: --grow, --back and --launches must follow one another\n");
    return 2;
  }
  struct problem small = make(n, entries), large = make(large_n, large_entries);

#pragma omp target data map(to : small.start[0 : small.n], small.table[0 : small.entries]) map(from : small.out[0 : small.n]) \
    map(to : large.start[0 : large.n], large.table[0 : large.entries]) map(from : large.out[0 : large.n])
  while (bench_next(&b)) {
    const struct problem *p = b.launched >= grow && b.launched < back ? &large : &small;
    look_up(p->start, p->table, p->out, p->n, p->entries);
  }

  double error = bench_worse(check(&small), check(&large), 0, 1);
  uint64_t checksum = bench_checksum(small.out, small.n * sizeof *small.out);
  checksum = bench_checksum_on(checksum, large.out, large.n * sizeof *large.out);
  return bench_close(&b, checksum, error, 0);
}
