/* Stream triad: pure bandwidth; there is nothing to gain from placement and much to lose.
 *   triad [small|paper|large] [--n N] [--launches N] */
#include "common/bench.h"


static void triad(const float *x, const float *y, float *out, float factor, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    out[i] = x[i] + factor * y[i];
}

int main(int argc, char **argv) {
  struct bench b = bench_open("triad", argc, argv);
  int n = (int)bench_size(&b, "n", 1 << 13, 1 << 26, 1 << 28);
  bench_ready(&b);
  float *x = bench_alloc(n, sizeof *x), *y = bench_alloc(n, sizeof *y), *out = bench_alloc(n, sizeof *out);
  bench_fill_float(x, n, 1);
  bench_fill_float(y, n, 2);

#pragma omp target data map(to : x[0 : n], y[0 : n]) map(from : out[0 : n])
  while (bench_next(&b))
    triad(x, y, out, 0.7f, n);

  double error = 0;
  for (size_t s = 0; s < bench_samples(n); s++) {
    size_t i = bench_sample(s, n);
    error = bench_worse(error, out[i], x[i] + (double)0.7f * y[i], 1);
  }
  uint64_t checksum = bench_checksum(out, n * sizeof *out);
  return bench_close(&b, checksum, error, 1e-6);
}
