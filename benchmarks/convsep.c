/* Separable convolution of an image: along the rows, then along the columns; outside of the image there is nothing.
 *   convsep [small|paper|large] [--width N] [--rows N] [--columns N] [--radius R] [--launches N] */
#include "problems/convsep.h"

static void along_rows(const float *in, const float *taps, float *out, int rows, int columns, int radius) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      float sum = 0;
      for (int k = -radius; k <= radius; k++)
        if (x + k >= 0 && x + k < columns)
          sum += in[y * columns + x + k] * taps[radius - k];
      out[y * columns + x] = sum;
    }
}

static void along_columns(const float *in, const float *taps, float *out, int rows, int columns, int radius) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      float sum = 0;
      for (int k = -radius; k <= radius; k++)
        if (y + k >= 0 && y + k < rows)
          sum += in[(y + k) * columns + x] * taps[radius - k];
      out[y * columns + x] = sum;
    }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("convsep", argc, argv);
  struct convsep p = convsep_open(&b);
  bench_ready(&b);
  int rows = p.rows, columns = p.columns, radius = p.radius;
  size_t cells = p.cells;
  float *in = p.in, *taps = p.taps, *between = p.between, *out = p.out;

#pragma omp target data map(to : in[0 : cells], taps[0 : p.tap_count]) map(alloc : between[0 : cells]) \
    map(from : out[0 : cells])
  while (bench_next(&b)) {
    along_rows(in, taps, between, rows, columns, radius);
    along_columns(between, taps, out, rows, columns, radius);
  }

  return convsep_close(&p, &b);
}
