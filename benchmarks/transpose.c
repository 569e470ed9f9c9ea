/* Matrix transpose: reads along rows, writes along columns.
 *   transpose [small|paper|large] [--width N] [--launches N] */
#include "common/bench.h"

#include <stdlib.h>

static void transpose(const float *in, float *out, int width) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < width; y++)
    for (int x = 0; x < width; x++)
      out[(size_t)x * width + y] = in[(size_t)y * width + x];
}

int main(int argc, char **argv) {
  struct bench b = bench_open("transpose", argc, argv);
  int width = (int)bench_size(&b, "width", 200, 4096, 16384);
  bench_ready(&b);
  size_t cells = (size_t)width * width;
  float *in = bench_alloc(cells, sizeof *in), *out = bench_alloc(cells, sizeof *out);
  bench_fill_float(in, cells, 1);

#pragma omp target data map(to : in[0 : cells]) map(from : out[0 : cells])
  while (bench_next(&b))
    transpose(in, out, width);

  double error = 0;
  for (size_t s = 0; s < bench_samples(cells); s++) {
    size_t i = bench_sample(s, cells);
    error = bench_worse(error, out[i % width * width + i / width], in[i], 1);
  }
  uint64_t checksum = bench_checksum(out, cells * sizeof *out);
  free(in);
  free(out);
  return bench_close(&b, checksum, error, 0);
}
