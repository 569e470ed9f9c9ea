/* Sixteen regions that are alike, launched in turn: what a region costs that a program launches once. With --launches 16 each is
 * launched for the first time, and the median that is printed is of first launches alone; a program with one region tells them
 * from what disturbs it only after many runs.
 *   first [small|paper|large] [--n N] [--launches N] */
#include "common/bench.h"

enum { REGIONS = 16 };

struct arrays {
  const float *x, *y;
  float *out; /* [REGIONS * n], a part for each region */
  int n;
};

/* out = x + number * y, in the region's part. */
#define REGION(number) \
  static void region_##number(const struct arrays *a) { \
    const float *x = a->x, *y = a->y; \
    float *out = a->out + (long)number * a->n; \
    int n = a->n; \
    _Pragma("omp target teams distribute parallel for") \
    for (int i = 0; i < n; i++) out[i] = x[i] + number * y[i]; \
  }
#define ALL(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#define NAME(number) region_##number,
ALL(REGION)

static double check(const struct arrays *a) {
  double worst = 0;
  for (int region = 0; region < REGIONS; region++)
    for (size_t s = 0; s < bench_samples(a->n); s++) {
      size_t i = bench_sample(s, a->n);
      double expected = a->x[i] + (double)region * a->y[i];
      worst = bench_worse(worst, a->out[(size_t)region * a->n + i], expected, 1 + region);
    }
  return worst;
}

int main(int argc, char **argv) {
  static void (*const region[REGIONS])(const struct arrays *) = {ALL(NAME)};
  struct bench b = bench_open("first", argc, argv);
  int n = (int)bench_size(&b, "n", 1000, 1 << 16, 1 << 20);
  bench_ready(&b);
  float *x = bench_floats(n, 1), *y = bench_floats(n, 2), *out = bench_alloc((size_t)REGIONS * n, sizeof *out);
  const struct arrays a = {x, y, out, n};

#pragma omp target data map(to : x[0 : n], y[0 : n]) map(from : out[0 : REGIONS * n])
  {
    while (bench_next(&b))
      region[(b.launched - 1) % REGIONS](&a);
    for (int rest = b.launches; rest < REGIONS; rest++) /* so that the result is whole */
      region[rest](&a);
  }

  double error = check(&a);
  return bench_close(&b, bench_checksum(out, (size_t)REGIONS * n * sizeof *out), error, 1e-6);
}
