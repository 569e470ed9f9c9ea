/* Star stencil of radius 1, 2 or 4 over a two-dimensional grid: the cell and its neighbours along both axes, with a weight for
 * each distance.
 *   star [small|paper|large] [--width N] [--rows N] [--columns N] [--radius R] [--launches N] */
#include "problems/grid.h"

static void filter(int rows, int columns, int radius, const float (*in)[columns], const float *weight, float (*out)[columns]) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = radius; y < rows - radius; y++)
    for (int x = radius; x < columns - radius; x++) {
      float sum = weight[0] * in[y][x];
      for (int d = 1; d <= radius; d++)
        sum += weight[d] * (in[y - d][x] + in[y + d][x] + in[y][x - d] + in[y][x + d]);
      out[y][x] = sum;
    }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("star", argc, argv);
  struct grid p = grid_open(&b, 0);
  bench_ready(&b);
  int rows = p.rows, columns = p.columns;
  float(*in)[columns] = (float(*)[columns])p.in, (*out)[columns] = (float(*)[columns])p.out;
  float *weight = p.weight;

#pragma omp target data map(to : in[0 : rows], weight[0 : p.weights]) map(tofrom : out[0 : rows])
  while (bench_next(&b))
    filter(rows, columns, p.radius, (const float(*)[columns])in, weight, out);

  return grid_close(&p, &b, 0);
}
