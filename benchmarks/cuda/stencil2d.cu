/* Nine-point stencil by hand: blocks of 32 x 8 cells that read global memory (`direct`), or a tile with its halo in shared
 * memory (`tile`). */
#include "../problems/stencil2d.h"
#include "cuda.h"

enum { BLOCK_X = 32, BLOCK_Y = 8 };

template <bool TILE> __global__ void step(const float *in, float *out, int rows, int columns) {
  __shared__ float tile[TILE ? (BLOCK_Y + 2) * (BLOCK_X + 2) : 1];
  int first_y = blockIdx.y * BLOCK_Y + 1, first_x = blockIdx.x * BLOCK_X + 1, y = first_y + threadIdx.y,
      x = first_x + threadIdx.x;
  int pitch = TILE ? BLOCK_X + 2 : columns;
  if (TILE)
    load_tile(tile, BLOCK_X + 2, BLOCK_Y + 2, in, rows, columns, first_y, first_x, 1);
  if (y >= rows - 1 || x >= columns - 1)
    return;
  const float *at = TILE ? tile + (threadIdx.y + 1) * pitch + threadIdx.x + 1 : in + (size_t)y * columns + x;
  float side = at[-pitch] + at[pitch] + at[-1] + at[1];
  float diagonal = at[-pitch - 1] + at[-pitch + 1] + at[pitch - 1] + at[pitch + 1];
  out[(size_t)y * columns + x] = STENCIL2D_CENTRE * at[0] + STENCIL2D_SIDE * side + STENCIL2D_DIAGONAL * diagonal;
}

int main(int argc, char **argv) {
  static const char *const words[] = {"direct", "tile", nullptr};
  struct bench b = bench_open("stencil2d.cuda", argc, argv);
  struct stencil2d p = stencil2d_open(&b);
  int tile = bench_choice(&b, words);
  bench_ready(&b);
  float *start = cuda_copy(p.start, p.cells), *grid[2] = {cuda_copy(p.out, p.cells), cuda_copy(p.other, p.cells)};
  dim3 blocks(blocks_for(p.columns - 2, BLOCK_X), blocks_for(p.rows - 2, BLOCK_Y)), threads(BLOCK_X, BLOCK_Y);
  cuda_measure(&b, [&] {
    for (int i = 0; i < p.steps; i++) {
      const float *in = i == 0 ? start : grid[(p.steps - i) % 2];
      float *out = grid[(p.steps - i - 1) % 2];
      if (tile)
        step<true><<<blocks, threads>>>(in, out, p.rows, p.columns);
      else
        step<false><<<blocks, threads>>>(in, out, p.rows, p.columns);
    }
  });
  cuda_fetch(p.out, grid[0], p.cells);
  CUDA_CHECK(cudaFree(start));
  CUDA_CHECK(cudaFree(grid[1]));
  return stencil2d_close(&p, &b);
}
