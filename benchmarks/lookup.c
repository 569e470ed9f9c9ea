/* Random look-ups in a table: each thread makes 16, at positions that follow from one another.
 *   lookup [small|paper|large] [--n N] [--table ENTRIES] [--launches N] */
#include "common/bench.h"

#include <math.h>

enum { LOOKUPS = 16 };

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

static double check(const int *start, const float *table, const float *out, int n, int entries) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(n); s++) {
    size_t i = bench_sample(s, n);
    unsigned x = start[i];
    float sum = 0; /* the same additions in the same order: exact */
    for (int r = 0; r < LOOKUPS; r++, x = x * 1664525u + 1013904223u)
      sum += table[x % entries];
    worst = bench_worse(worst, out[i], sum, sum);
  }
  return worst;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("lookup", argc, argv);
  int n = (int)bench_size(&b, "n", 1 << 12, 1 << 24, 1 << 26);
  int entries = (int)bench_option(&b, "table", 8192);
  bench_ready(&b);
  int *start = bench_alloc(n, sizeof *start);
  float *table = bench_alloc(entries, sizeof *table), *out = bench_alloc(n, sizeof *out);
  bench_fill_int(start, n, 1 << 30, 1);
  bench_fill_float(table, entries, 2);

#pragma omp target data map(to : start[0 : n], table[0 : entries]) map(from : out[0 : n])
  while (bench_next(&b))
    look_up(start, table, out, n, entries);

  double error = check(start, table, out, n, entries);
  uint64_t checksum = bench_checksum(out, n * sizeof *out);
  return bench_close(&b, checksum, error, 0);
}
