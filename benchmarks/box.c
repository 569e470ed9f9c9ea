/* Box stencil of radius 1, 2 or 4 with a table of weights, over a square grid.
 *   box [small|paper|large] [--width N] [--radius R] [--launches N] */
#include "common/bench.h"

#include <math.h>
#include <stdlib.h>

static void filter(const float *in, const float *weight, float *out, int width, int radius) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = radius; y < width - radius; y++)
    for (int x = radius; x < width - radius; x++) {
      float sum = 0;
      for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++)
          sum += weight[(j + radius) * (2 * radius + 1) + i + radius] * in[(y + j) * width + x + i];
      out[y * width + x] = sum;
    }
}

static double check(const float *in, const float *weight, const float *out, int width, int radius) {
  double worst = 0;
  size_t inner = width > 2 * radius ? width - 2 * radius : 0;
  for (size_t s = 0; s < bench_samples(inner * inner); s++) {
    size_t point = bench_sample(s, inner * inner), y = point / inner + radius, x = point % inner + radius;
    double sum = 0, scale = 0;
    for (int j = -radius; j <= radius; j++)
      for (int i = -radius; i <= radius; i++) {
        double term = (double)weight[(j + radius) * (2 * radius + 1) + i + radius] * in[(y + j) * width + x + i];
        sum += term;
        scale += fabs(term);
      }
    worst = bench_worse(worst, out[y * width + x], sum, scale);
  }
  return worst;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("box", argc, argv);
  int width = (int)bench_size(&b, "width", 128, 4096, 16384);
  int radius = (int)bench_option(&b, "radius", 1);
  bench_ready(&b);
  size_t cells = (size_t)width * width;
  int weights = (2 * radius + 1) * (2 * radius + 1);
  float *in = bench_alloc(cells, sizeof *in), *weight = bench_alloc(weights, sizeof *weight);
  float *out = bench_alloc(cells, sizeof *out);
  bench_fill_float(in, cells, 1);
  bench_fill_float(weight, weights, 2);

#pragma omp target data map(to : in[0 : cells], weight[0 : weights]) map(tofrom : out[0 : cells])
  while (bench_next(&b))
    filter(in, weight, out, width, radius);

  double error = check(in, weight, out, width, radius);
  uint64_t checksum = bench_checksum(out, cells * sizeof *out);
  free(in);
  free(weight);
  free(out);
  return bench_close(&b, checksum, error, 1e-5);
}
