/* Box stencil of radius 1 over a three-dimensional grid, with a table of 27 weights.
 *   box3d [small|paper|large] [--width N] [--nx N] [--ny N] [--nz N] [--launches N] */
#include "problems/volume.h"

static void filter(const float *in, const float *weight, float *out, size_t nz, size_t ny, size_t nx) {
#pragma omp target teams distribute parallel for collapse(3)
  for (size_t z = 1; z < nz - 1; z++)
    for (size_t y = 1; y < ny - 1; y++)
      for (size_t x = 1; x < nx - 1; x++) {
        float sum = 0;
        for (int k = -1; k <= 1; k++)
          for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++)
              sum += weight[(k + 1) * 9 + (j + 1) * 3 + i + 1] * in[((z + k) * ny + y + j) * nx + x + i];
        out[(z * ny + y) * nx + x] = sum;
      }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("box3d", argc, argv);
  struct volume p = volume_open(&b, 1);
  bench_ready(&b);
  float *in = p.in, *weight = p.weight, *out = p.out;

#pragma omp target data map(to : in[0 : p.cells], weight[0 : p.weights]) map(tofrom : out[0 : p.cells])
  while (bench_next(&b))
    filter(in, weight, out, p.nz, p.ny, p.nx);

  return volume_close(&p, &b, 1);
}
