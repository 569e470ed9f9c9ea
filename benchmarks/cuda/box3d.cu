/* Box stencil of radius 1 in three dimensions by hand: blocks of 32 x 4 x 4 cells, weights in constant memory; the grid read
 * from global memory (`direct`) or through a tile with its halo in shared memory (`tile`). */
#include "../problems/volume.h"
#include "cuda.h"

__constant__ float constant_weight[27];

template <bool TILE> __global__ void filter(const float *in, float *out, int nz, int ny, int nx) {
  __shared__ float tile[TILE ? 6 : 1][6][34];
  int first_z = blockIdx.z * 4 + 1, first_y = blockIdx.y * 4 + 1, first_x = blockIdx.x * 32 + 1;
  int z = first_z + threadIdx.z, y = first_y + threadIdx.y, x = first_x + threadIdx.x;
  if (TILE)
    load_tile_3d(tile, in, nz, ny, nx, first_z, first_y, first_x);
  if (z >= nz - 1 || y >= ny - 1 || x >= nx - 1)
    return;
  size_t cell = ((size_t)z * ny + y) * nx + x;
  const float *at = TILE ? &tile[threadIdx.z + (TILE ? 1 : 0)][threadIdx.y + 1][threadIdx.x + 1] : in + cell;
  int row = TILE ? 34 : nx, plane = TILE ? 6 * 34 : ny * nx;
  float sum = 0;
#pragma unroll
  for (int k = -1; k <= 1; k++)
#pragma unroll
    for (int j = -1; j <= 1; j++)
#pragma unroll
      for (int i = -1; i <= 1; i++)
        sum += constant_weight[(k + 1) * 9 + (j + 1) * 3 + i + 1] * at[k * plane + j * row + i];
  out[cell] = sum;
}

int main(int argc, char **argv) {
  static const char *const words[] = {"direct", "tile", nullptr};
  struct bench b = bench_open("box3d.cuda", argc, argv);
  struct volume p = volume_open(&b, 1);
  int tile = bench_choice(&b, words);
  bench_ready(&b);
  float *in = cuda_copy(p.in, p.cells), *out = cuda_copy(p.out, p.cells);
  CUDA_CHECK(cudaMemcpyToSymbol(constant_weight, p.weight, p.weights * sizeof *p.weight));
  dim3 blocks(blocks_for(p.nx - 2, 32), blocks_for(p.ny - 2, 4), blocks_for(p.nz - 2, 4)), threads(32, 4, 4);
  cuda_measure(&b, [&] {
    if (tile)
      filter<true><<<blocks, threads>>>(in, out, p.nz, p.ny, p.nx);
    else
      filter<false><<<blocks, threads>>>(in, out, p.nz, p.ny, p.nx);
  });
  cuda_fetch(p.out, out, p.cells);
  CUDA_CHECK(cudaFree(in));
  return volume_close(&p, &b, 1);
}
