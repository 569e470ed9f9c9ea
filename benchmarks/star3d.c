/* Star stencil of radius 1 (seven points) over a three-dimensional grid.
 *   star3d [small|paper|large] [--width N] [--nx N] [--ny N] [--nz N] [--launches N] */
#include "problems/volume.h"

static void filter(int nz, int ny, int nx, const float (*in)[ny][nx], const float *weight, float (*out)[ny][nx]) {
#pragma omp target teams distribute parallel for collapse(3)
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++)
        out[z][y][x] = weight[0] * in[z][y][x] + weight[1] * (in[z - 1][y][x] + in[z + 1][y][x] + in[z][y - 1][x] +
                                                              in[z][y + 1][x] + in[z][y][x - 1] + in[z][y][x + 1]);
}

int main(int argc, char **argv) {
  struct bench b = bench_open("star3d", argc, argv);
  struct volume p = volume_open(&b, 0);
  bench_ready(&b);
  int nx = p.nx, ny = p.ny, nz = p.nz;
  float(*in)[ny][nx] = (float(*)[ny][nx])p.in, (*out)[ny][nx] = (float(*)[ny][nx])p.out;
  float *weight = p.weight;

#pragma omp target data map(to : in[0 : nz], weight[0 : p.weights]) map(tofrom : out[0 : nz])
  while (bench_next(&b))
    filter(nz, ny, nx, (const float(*)[ny][nx])in, weight, out);

  return volume_close(&p, &b, 0);
}
