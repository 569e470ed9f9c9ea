/* Matrix product, one thread an element.
 *   mm [small|paper|large] [--width N] [--launches N] */
#include "common/bench.h"

#include <math.h>
#include <stdlib.h>

static void multiply(const float *a, const float *b, float *c, int width) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < width; y++)
    for (int x = 0; x < width; x++) {
      float sum = 0;
      for (int k = 0; k < width; k++)
        sum += a[y * width + k] * b[k * width + x];
      c[y * width + x] = sum;
    }
}

static double check(const float *a, const float *b, const float *c, int width) {
  double worst = 0;
  size_t samples = bench_samples((size_t)width * width);
  for (size_t s = 0; s < samples; s += width > 512 ? 64 : 1) {
    size_t i = bench_sample(s, (size_t)width * width), y = i / width, x = i % width;
    double sum = 0, scale = 0;
    for (size_t k = 0; k < (size_t)width; k++) {
      double term = (double)a[y * width + k] * b[k * width + x];
      sum += term;
      scale += fabs(term);
    }
    worst = bench_worse(worst, c[i], sum, scale);
  }
  return worst;
}

int main(int argc, char **argv) {
  struct bench bench = bench_open("mm", argc, argv);
  int width = (int)bench_size(&bench, "width", 80, 2048, 4096);
  bench_ready(&bench);
  size_t cells = (size_t)width * width;
  float *a = bench_alloc(cells, sizeof *a), *b = bench_alloc(cells, sizeof *b), *c = bench_alloc(cells, sizeof *c);
  bench_fill_float(a, cells, 1);
  bench_fill_float(b, cells, 2);

#pragma omp target data map(to : a[0 : cells], b[0 : cells]) map(from : c[0 : cells])
  while (bench_next(&bench))
    multiply(a, b, c, width);

  double error = check(a, b, c, width);
  uint64_t checksum = bench_checksum(c, cells * sizeof *c);
  free(a);
  free(b);
  free(c);
  return bench_close(&bench, checksum, error, 1e-4);
}
