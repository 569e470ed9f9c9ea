/* Box stencil by hand: blocks of 32 x 8 cells, weights in constant memory; the grid read from global memory (`direct`)
 * or through a tile with its halo in shared memory (`tile`). With `fixed`, a radius of 1, 2 or 4 is known to the compiler. */
#include "../problems/grid.h"
#include "cuda.h"

enum { BLOCK_X = 32, BLOCK_Y = 8, MOST_WEIGHTS = 1024 };

__constant__ float constant_weight[MOST_WEIGHTS];

/* RADIUS 0: as the argument says */
template <int RADIUS, bool TILE>
__global__ void filter(const float *in, float *out, int rows, int columns, int runtime_radius) {
  extern __shared__ float tile[];
  const int radius = RADIUS ? RADIUS : runtime_radius;
  int first_y = blockIdx.y * BLOCK_Y + radius, first_x = blockIdx.x * BLOCK_X + radius;
  int y = first_y + threadIdx.y, x = first_x + threadIdx.x, pitch = TILE ? BLOCK_X + 2 * radius : columns;
  if (TILE)
    load_tile(tile, pitch, BLOCK_Y + 2 * radius, in, rows, columns, first_y, first_x, radius);
  if (y >= rows - radius || x >= columns - radius)
    return;
  const float *at = TILE ? tile + (threadIdx.y + radius) * pitch + threadIdx.x + radius : in + (size_t)y * columns + x;
  float sum = 0;
#pragma unroll
  for (int j = -radius; j <= radius; j++)
#pragma unroll
    for (int i = -radius; i <= radius; i++)
      sum += constant_weight[(j + radius) * (2 * radius + 1) + i + radius] * at[j * pitch + i];
  out[(size_t)y * columns + x] = sum;
}

template <int RADIUS> static void launch(bool tile, const float *in, float *out, const struct grid *p) {
  dim3 blocks(blocks_for(p->columns - 2 * p->radius, BLOCK_X), blocks_for(p->rows - 2 * p->radius, BLOCK_Y));
  dim3 threads(BLOCK_X, BLOCK_Y);
  size_t tile_bytes = (BLOCK_X + 2 * p->radius) * (BLOCK_Y + 2 * p->radius) * sizeof(float);
  if (tile)
    filter<RADIUS, true><<<blocks, threads, tile_bytes>>>(in, out, p->rows, p->columns, p->radius);
  else
    filter<RADIUS, false><<<blocks, threads>>>(in, out, p->rows, p->columns, p->radius);
}

int main(int argc, char **argv) {
  static const char *const words[] = {"direct", "tile", nullptr};
  struct bench b = bench_open("box.cuda", argc, argv);
  struct grid p = grid_open(&b, 1);
  int tile = bench_choice(&b, words), fixed = bench_flag(&b, "fixed");
  bench_ready(&b);
  if (p.weights > MOST_WEIGHTS || 2 * p.radius >= p.rows || 2 * p.radius >= p.columns) {
    fprintf(stderr, "box.cuda: the radius is too large\n");
    return 2;
  }
  float *in = cuda_copy(p.in, p.cells), *out = cuda_copy(p.out, p.cells);
  CUDA_CHECK(cudaMemcpyToSymbol(constant_weight, p.weight, p.weights * sizeof *p.weight));
  cuda_measure(&b, [&] {
    switch (fixed ? p.radius : 0) {
    case 1: launch<1>(tile, in, out, &p); break;
    case 2: launch<2>(tile, in, out, &p); break;
    case 4: launch<4>(tile, in, out, &p); break;
    default: launch<0>(tile, in, out, &p);
    }
  });
  cuda_fetch(p.out, out, p.cells);
  CUDA_CHECK(cudaFree(in));
  return grid_close(&p, &b, 1);
}
