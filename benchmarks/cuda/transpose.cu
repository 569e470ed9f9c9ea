/* Matrix transpose by hand: through a padded 32 x 33 tile in shared memory, so that rows are read and written along rows; or
 * without (`direct`). */
#include "../problems/transpose.h"
#include "cuda.h"

enum { TILE = 32, ROWS = 8 };

template <class T> __global__ void transpose_tile(const T *in, T *out, int rows, int columns) {
  __shared__ T tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE;
  for (int j = threadIdx.y; j < TILE; j += ROWS)
    if (x < columns && y + j < rows)
      tile[j][threadIdx.x] = in[(size_t)(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE;
  for (int j = threadIdx.y; j < TILE; j += ROWS)
    if (x < rows && y + j < columns)
      out[(size_t)(y + j) * rows + x] = tile[threadIdx.x][j];
}

template <class T> __global__ void transpose_direct(const T *in, T *out, int rows, int columns) {
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE;
  for (int j = threadIdx.y; j < TILE; j += ROWS)
    if (x < columns && y + j < rows)
      out[(size_t)x * rows + y + j] = in[(size_t)(y + j) * columns + x];
}

template <class T> static void run(struct bench *b, const struct transpose *p, bool direct) {
  T *in = cuda_copy((const T *)p->in, p->cells), *out = cuda_new<T>(p->cells);
  dim3 grid(blocks_for(p->columns, TILE), blocks_for(p->rows, TILE)), block(TILE, ROWS);
  cuda_measure(b, [&] {
    if (direct)
      transpose_direct<<<grid, block>>>(in, out, p->rows, p->columns);
    else
      transpose_tile<<<grid, block>>>(in, out, p->rows, p->columns);
  });
  cuda_fetch((T *)p->out, out, p->cells);
  CUDA_CHECK(cudaFree(in));
}

int main(int argc, char **argv) {
  static const char *const words[] = {"tile", "direct", nullptr};
  struct bench b = bench_open("transpose.cuda", argc, argv);
  struct transpose p = transpose_open(&b);
  int direct = bench_choice(&b, words);
  bench_ready(&b);
  if (p.cell_bytes == sizeof(double))
    run<double>(&b, &p, direct);
  else
    run<float>(&b, &p, direct);
  return transpose_close(&p, &b);
}
