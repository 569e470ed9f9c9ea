/* Box stencil of radius 1, 2 or 4 with a table of weights, over a two-dimensional grid.
 *   box [small|paper|large] [--width N] [--rows N] [--columns N] [--radius R] [--launches N] */
#include "problems/grid.h"

static void filter(const float *in, const float *weight, float *out, int rows, int columns, int radius) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = radius; y < rows - radius; y++)
    for (int x = radius; x < columns - radius; x++) {
      float sum = 0;
      for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++)
          sum += weight[(j + radius) * (2 * radius + 1) + i + radius] * in[(y + j) * columns + x + i];
      out[y * columns + x] = sum;
    }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("box", argc, argv);
  struct grid p = grid_open(&b, 1);
  bench_ready(&b);
  float *in = p.in, *weight = p.weight, *out = p.out;

#pragma omp target data map(to : in[0 : p.cells], weight[0 : p.weights]) map(tofrom : out[0 : p.cells])
  while (bench_next(&b))
    filter(in, weight, out, p.rows, p.columns, p.radius);

  return grid_close(&p, &b, 1);
}
